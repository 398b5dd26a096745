import { useMemo, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type {
  LoginRequest,
  OwnRentalsMessage,
  SignInResultMessage,
  SignUpRequest,
  UserIdentifierRequest,
} from "#worker/api/customer-access/messages.ts";
import type {
  BookingLinkRequest,
  OwnCancellationRequest,
  OwnChangeRequest,
  OwnQuoteRequest,
} from "#worker/api/customer-access/own-booking-messages.ts";
import { type Client, ServerRefusal, ServerUnreachable, type Session } from "./client.ts";
import { rentalListRequests } from "./engines/rentals.ts";
import type { OwnActionQuote, OwnBookingActionRequest, WidgetKind } from "./model.ts";
import { readTabState, type StoredSignIn, saveTabState } from "./stored-state.ts";
import { getPageAddress } from "./url-state.ts";

const BASE = "/api/v1";
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** Typed credentials. The name is only needed to create an account. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  readonly surname?: string;
}

/** Signed-in customer of a company, stored in the tab until the session ends. */
export function useCustomer(origin: string) {
  const key = `rental-booking ${origin} customer`;
  const [name, setName] = useState(() => readTabState<StoredSignIn>(key).name);
  const session = useMemo<Session>(() => {
    const renew = (token: string | undefined) => {
      saveTabState<StoredSignIn>(key, token ? { token } : { token: undefined, name: undefined });
      if (!token) setName(undefined);
    };
    return { token: () => readTabState<StoredSignIn>(key).token, renew };
  }, [key]);
  const welcome = (fullName: string) => {
    saveTabState<StoredSignIn>(key, { name: fullName });
    setName(fullName);
  };
  return { name, session, welcome };
}

/** Signs a customer in and returns the full name. The client stores the token of the response. */
export async function signIn(client: Client, session: Session, { email, password }: Credentials): Promise<string> {
  const credentials = { username: email, password };
  const { connected, user } = await client
    .post<Immutable<SignInResultMessage>, LoginRequest>(`${BASE}/login`, credentials)
    .catch(async (error: unknown) => {
      throw await explainUnreadableSignIn(client, error);
    });
  if (!connected || !user) throw new ServerRefusal(UNAUTHORIZED, "wrong_sign_in", "", []);
  if (user.role === "customer") return user.full_name;
  await signOut(client, session);
  throw new ServerRefusal(FORBIDDEN, "role_forbidden", "", []);
}

// Browsers hide the response to a staff user's sign-in from websites. If other requests succeed, the user is staff.
async function explainUnreadableSignIn(client: Client, error: unknown): Promise<unknown> {
  if (!(error instanceof ServerUnreachable)) return error;
  const isReached = await rentalListRequests.settings(client).then(
    () => true,
    () => false,
  );
  return isReached ? new ServerRefusal(FORBIDDEN, "role_forbidden", "", []) : error;
}

/** Creates an account and signs in. */
export async function signUp(client: Client, session: Session, credentials: Credentials): Promise<string> {
  await client.post<unknown, SignUpRequest>(`${BASE}/signup/customer`, credentials);
  return signIn(client, session, credentials);
}

/** Ends the session. Also clears it locally if the request fails. */
export async function signOut(client: Client, session: Session): Promise<void> {
  await client.remove(`${BASE}/logout`).catch(() => undefined);
  session.renew(undefined);
}

/** API calls of customers for their own data. */
export const ownDataRequests = {
  sendLink: (client: Client, email: string) =>
    client.post<unknown, UserIdentifierRequest>(`${BASE}/web-customer/password-forgotten`, { email }),
  findBooking: (client: Client, number: number, email: string) =>
    client.post<unknown, BookingLinkRequest>(`${BASE}/web-customer/find-booking`, {
      number,
      email,
      page: getPageAddress(),
    }),
  reservations: async (client: Client, kind: WidgetKind) => {
    const list = kind === "transfers" ? "transfer-reservations" : "renting-reservations";
    return (await client.get<Immutable<OwnRentalsMessage>>(`${BASE}/web-customer/${list}`)).data;
  },
  quote: (client: Client, id: string, change: OwnBookingActionRequest) =>
    client.post<OwnActionQuote, OwnQuoteRequest>(`${BASE}/web-customer/reservations/${id}/quote`, change),
  make: (client: Client, id: string, { move, ...wish }: OwnBookingActionRequest, version: number) =>
    client.post<unknown, OwnChangeRequest & OwnCancellationRequest>(`${BASE}/web-customer/reservations/${id}/${move}`, {
      ...wish,
      expected_version: version,
    }),
};
