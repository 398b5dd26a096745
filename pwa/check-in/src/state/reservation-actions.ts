import type { ActionQuoteRequest } from "#worker/api/office/hand-over-messages.ts";
import type {
  EarlyReturnRequest,
  ExtendRequest,
  NoShowRequest,
  ReservationChangeRequest,
} from "#worker/api/office/request-messages.ts";
import type { Reason } from "../api/client.ts";
import type { Booking } from "../api/messages.ts";
import { createUuidV7 } from "../offline/ids.ts";
import { refreshShownDay, showBookingAsCancelled } from "./day.ts";
import { getWorkStatus } from "./day-entries.ts";
import { client } from "./device-session.ts";
import { describeFailure, describeReasons } from "./problems.ts";
import type { getCompanyNow } from "./settings.ts";

/** Requests of the booking actions in this app. The body type omits the version, which is added when sending. */
type ReservationActionRequest = ReservationChangeRequest | ExtendRequest | EarlyReturnRequest | NoShowRequest;
type ReservationActionBody<Request = ReservationActionRequest> = Request extends object
  ? Omit<Request, "expected_version">
  : never;

/** Changes of a booking that office staff make in the app: a later or earlier return, or a no-show. */
export type BookingAction = "extend" | "early-return" | "no-show";

/** Price and obstacles of a change to a reservation. Amounts are decimal texts. */
export interface ActionQuote {
  readonly allowed: boolean;
  /** Why the action is refused, and warnings before it, as sentences in the user's language. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly difference: string;
  readonly fee: string;
  readonly to_refund: string;
}

/** New return date and time of a reservation. */
export interface NewReturn {
  readonly date_to: string;
  readonly time_to: string;
}

/** Returns the action for a new return date: an extension if later, otherwise an early return. */
export function getReturnAction(booking: Booking, { date_to, time_to }: NewReturn): BookingAction {
  return `${date_to} ${time_to}` > `${booking.date_to} ${booking.time_to}` ? "extend" : "early-return";
}

export type OfficeCallResult<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused" | "unreachable"; readonly message: string };

const toReservationPath = ({ booking_id }: Booking, actionPath: string) =>
  `/api/v1/office/reservations/${booking_id}${actionPath}`;

/** Whether the customer is overdue, and no hand-over is started or pending on this device. */
export function isNoShowDue(booking: Booking, now: ReturnType<typeof getCompanyNow>): boolean {
  const { status, resources, date_from, time_from } = booking;
  const canMarkNoShow = status === "confirmed" && resources.every(({ state }) => state === "to_deliver");
  const isPast = `${date_from} ${time_from}` < `${now.date} ${now.time}`;
  return canMarkNoShow && isPast && getWorkStatus(booking, "delivery") === "todo";
}

/** Calculates the price of an action and whether it's rejected, without changing anything. */
export async function quoteBookingAction(
  booking: Booking,
  action: BookingAction,
  newReturn: NewReturn | undefined,
): Promise<OfficeCallResult<ActionQuote>> {
  return quote(booking, { move: action, ...newReturn });
}

/** Calculates the price of an exchange for a better vehicle, without changing anything. */
export async function quoteExchange(
  booking: Booking,
  upgrade: { readonly unit_id: number; readonly upgrade_price: string },
): Promise<OfficeCallResult<ActionQuote>> {
  return quote(booking, { move: "exchange", ...upgrade });
}

/** Calculates the price difference of another category for the whole rental, without changing anything. */
export async function quoteCategoryChange(
  booking: Booking,
  category_code: string,
): Promise<OfficeCallResult<ActionQuote>> {
  return quote(booking, { move: "change", category_code });
}

interface ChangeAnswer {
  readonly reservation: { readonly version: number };
}

/** Changes a booking's category at the price that was quoted. Returns the new booking version. */
export async function changeCategory(booking: Booking, category_code: string): Promise<OfficeCallResult<ChangeAnswer>> {
  const change: ReservationActionBody<ReservationChangeRequest> = { category_code };
  return make<ChangeAnswer>(booking, "PATCH", "", change);
}

async function quote(booking: Booking, json: ActionQuoteRequest): Promise<OfficeCallResult<ActionQuote>> {
  return translateQuoteReasons(
    await toCallResult(
      await client.call<Quoted, ActionQuoteRequest>("POST", toReservationPath(booking, "/quote"), { json }),
    ),
  );
}

/** Applies an action exactly once. Needs the network, because stock and prices are on the server. */
export async function applyBookingAction(
  booking: Booking,
  action: BookingAction,
  newReturn: NewReturn | undefined,
): Promise<OfficeCallResult<unknown>> {
  return make(booking, "POST", `/${action}`, newReturn);
}

const NO_SHOW = "/no-show";

// Sends an action with the seen version, so that a retry after a lost response can't apply it twice.
async function make<T>(
  booking: Booking,
  method: "POST" | "PATCH",
  actionPath: string,
  requestBody: ReservationActionBody | undefined,
): Promise<OfficeCallResult<T>> {
  const json = { expected_version: booking.version, ...requestBody };
  const answer = await client.call<T, ReservationActionRequest>(method, toReservationPath(booking, actionPath), {
    json,
    idempotencyKey: createUuidV7(Date.now()),
  });
  if (answer.kind === "ok" && actionPath === NO_SHOW) showBookingAsCancelled(booking);
  await refreshShownDay();
  return toCallResult(answer);
}

/** Price response of the server, with reasons and warnings as codes. Older servers send no warnings. */
interface Coded {
  readonly reasons: readonly Reason[];
  readonly warnings?: readonly Reason[];
}

type Quoted = Omit<ActionQuote, "reasons" | "warnings"> & Coded;

/** Replaces the codes of a price's reasons and warnings by sentences in the user's language. */
export async function translateQuoteReasons<T extends Coded>(answer: OfficeCallResult<T>) {
  if (answer.kind !== "ok") return answer;
  const { reasons, warnings } = answer.value;
  const sentences = { reasons: await describeReasons(reasons), warnings: await describeReasons(warnings ?? []) };
  return { kind: "ok", value: { ...answer.value, ...sentences } } as const;
}

/** Converts an API response to a result: success, rejection with a sentence for the user, or unreachable. */
export async function toCallResult<T>(
  answer: Awaited<ReturnType<typeof client.call<T>>>,
): Promise<OfficeCallResult<T>> {
  if (answer.kind === "ok") return { kind: "ok", value: answer.value };
  return answer.kind === "refused"
    ? { kind: "refused", message: await describeFailure(answer) }
    : { kind: "unreachable", message: "" };
}
