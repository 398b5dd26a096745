import { requestWorker } from "#support/worker.ts";
import { getBookableDay } from "./agency.ts";

interface Sent {
  readonly token?: string | undefined;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly account?: string;
}

/** Calls the office. Writes get a new key unless one is specified. */
export function callOffice(
  method: string,
  path: string,
  { token, key, body, account = "acme" }: Sent = {},
): Promise<Response> {
  return requestWorker(`http://${account}.localhost:8787/api/v1/office${path}`, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: token }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(method !== "GET" && { "Idempotency-Key": `"${key ?? crypto.randomUUID()}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A reservation in the office API. */
export interface ReservationAnswer {
  readonly reservation: Readonly<Record<string, unknown>> & {
    readonly id: number;
    readonly version: number;
    readonly status: string;
    readonly total_cost: string;
    readonly total_pending: string;
    readonly allowed: readonly string[];
    readonly units: readonly { readonly id: number; readonly reference: string | null }[];
  };
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly charges: readonly Readonly<Record<string, unknown>>[];
  readonly history: readonly Readonly<Record<string, unknown>>[];
}

/** Returns the response of a call. Fails if it was rejected. */
export async function readReservationAnswer(answer: Promise<Response>): Promise<ReservationAnswer> {
  const response = await answer;
  if (response.status !== 200 && response.status !== 201)
    throw new Error(`${response.status} ${await response.text()}`);
  return response.json<ReservationAnswer>();
}

/** Returns the body of a three-day rental of a small car at the desk. */
export const createSaleBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 1, category_code: "A" },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  ...changes,
});

/** Body of a company that pays for others' rentals. */
export const PAYER = {
  ...{ customer_type: "legal_entity", name: "Obras Mar SL", document_id: "B12345674" },
  ...{ address_street: "Calle Mayor", address_city: "Palma", address_country: "ES" },
};

/** Creates a three-day rental at the desk from today. */
export function sellRentalAtDesk(
  token: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<ReservationAnswer> {
  return readReservationAnswer(callOffice("POST", "/reservations", { token, body: createSaleBody(changes) }));
}

/** Applies an action to the latest version of a reservation. */
export function applyBookingAction(
  { reservation }: ReservationAnswer,
  name: string,
  body: Readonly<Record<string, unknown>>,
  as: { readonly token: string; readonly key?: string | undefined },
): Promise<Response> {
  const path = `/reservations/${reservation.id}/${name}`;
  return callOffice("POST", path, { ...as, body: { expected_version: reservation.version, ...body } });
}
