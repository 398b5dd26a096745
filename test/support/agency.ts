import { addDays, type CivilDate } from "#domain/dates.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

/** A partner that signs its calls (docs/interfaces/conventions.md#signed-calls). */
export interface TestPartner {
  readonly account?: string;
  readonly apiKey?: string;
  readonly secret?: string;
}

const PATH = "/api/booking/ota";

export const SECOND_AGENCY: TestPartner = { apiKey: "second", secret: "second-secret" };

export async function getAsAgency(path: string, partner: TestPartner = {}): Promise<Response> {
  return call("GET", path, undefined, partner);
}

export async function postAsAgency(path: string, body: unknown, partner: TestPartner = {}): Promise<Response> {
  return call("POST", path, typeof body === "string" ? body : JSON.stringify(body), partner);
}

export async function readBookingAsAgency(reference: string, partner: TestPartner = {}): Promise<Response> {
  return getAsAgency(`/booking?agency-reservation-id=${encodeURIComponent(reference)}`, partner);
}

export async function cancelBookingAsAgency(reference: string, partner: TestPartner = {}): Promise<Response> {
  return postAsAgency("/cancel-booking", { reservation: { agency_reservation_id: reference } }, partner);
}

async function call(method: string, path: string, body: string | undefined, partner: TestPartner): Promise<Response> {
  const { account = "acme", apiKey = "agency", secret = "agency-secret" } = partner;
  const signature = await signPathAndQuery(secret, PATH + path, body);
  return requestWorker(`http://${account}.localhost:8787${PATH}${path}`, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `${apiKey}:${signature}` },
    ...(body !== undefined && { body }),
  });
}

/** Calculated once, because midnight may pass between a file's setup and its tests. */
const TODAY = getTodayAtCompany();

/** Returns a bookable date: 90 days plus `days` from today in the accounts' time zone, which is ahead of UTC. */
export const getBookableDay = (days = 0): CivilDate => addDays(TODAY, 90 + days);

/** Returns an availability query for three days from the airport, with values changed, or omitted if undefined. */
export function createAvailabilityPath(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const query = {
    "date-from": getBookableDay(0),
    "time-from": "10:00",
    "pickup-place": "1",
    "date-to": getBookableDay(3),
    "time-to": "10:00",
    "return-place": "1",
    ...changes,
  };
  const presentParameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/availability?${new URLSearchParams(presentParameters)}`;
}

/** Creates a three-day reservation of a small car, with members changed, or omitted if undefined. */
export function createAgencyReservationBody(changes: Readonly<Record<string, unknown>> = {}): {
  reservation: Record<string, unknown>;
} {
  return {
    reservation: {
      date_from: getBookableDay(0),
      time_from: "10:00",
      date_to: getBookableDay(3),
      time_to: "10:00",
      pickup_place: 1,
      return_place: 1,
      customer_name: "Ana",
      customer_surname: "Ruiz",
      agency_reservation_id: crypto.randomUUID(),
      products: [{ code: "A", quantity: 1 }],
      extras: [],
      ...changes,
    },
  };
}
