import { addDays, type CivilDate } from "#domain/dates.ts";
import { emptyOf, FOR_CUSTOMER, said } from "#shared/sale.ts";
import type { MoveField, Said } from "../../desk/form-field.ts";
import { put, toValue } from "../../desk/move-forms.ts";
import { isAsked, TRANSFER_FIELDS, WITH_RETURN } from "../../desk/transfer-form.ts";
import { type Buyer, buyerOf, otherPrice, type SaleTerms } from "../reservations/sale.ts";

export const VEHICLE = "transfer.transfer_vehicle_id";

/** What somebody at the desk types of a transfer that is to be made. */
export interface Ride extends Buyer, SaleTerms {
  /** Its trips, people, vehicle and extras, by the names of their fields. */
  readonly asked: Said;
}

/** What the form begins with: tomorrow morning, one person, one way. */
export function newRide(today: CivilDate): Ride {
  return {
    ...{ customer_id: null, customer_name: "", name: "", surname: "", email: "", phone: "", document_id: "" },
    ...{ other_price: "", other_price_reason: "", notes: "", status: "confirmed" },
    asked: {
      "transfer.outward.date": addDays(today, 1),
      "transfer.outward.time": "10:00",
      "transfer.adults": "1",
      "transfer.children": "0",
      "transfer.infants": "0",
      [WITH_RETURN]: false,
    },
  };
}

const OPPOSITE = [
  ["transfer.outward.origin_point_id", "transfer.return.destination_point_id"],
  ["transfer.outward.destination_point_id", "transfer.return.origin_point_id"],
] as const;

const text = (asked: Said, name: string) => String(asked[name] ?? "").trim();

/** A ride with one thing said otherwise: a return leads back, until somebody says another way. */
export function withAsked(ride: Ride, name: string, value: unknown): Ride {
  const asked: Record<string, unknown> = { ...ride.asked, [name]: value };
  for (const [there, back] of OPPOSITE) {
    const isAsBefore = text(ride.asked, back) === "" || text(ride.asked, back) === text(ride.asked, there);
    if (isAsBefore && name !== back) asked[back] = asked[there] ?? "";
  }
  return { ...ride, asked };
}

const fieldsOf = ({ asked }: Ride): readonly MoveField[] =>
  TRANSFER_FIELDS.filter((field) => field.name !== WITH_RETURN && isAsked(field, asked));

const NEEDED: readonly MoveField["kind"][] = ["date", "time", "point"];

/** The trips' fields that are needed and not said. */
const missingOfTrips = (ride: Ride) =>
  fieldsOf(ride)
    .filter(({ kind, name }) => NEEDED.includes(kind) && text(ride.asked, name) === "")
    .map(({ name }) => name);

/** What is asked of a quote; undefined while a trip is not said. */
export function quoteOf(ride: Ride): object | undefined {
  if (missingOfTrips(ride).length > 0) return undefined;
  const body: Record<string, unknown> = {};
  for (const field of fieldsOf(ride)) {
    const value = toValue(field, ride.asked[field.name]);
    if (value !== undefined) put(body, field.name.split("."), value);
  }
  return { ...body, ...otherPrice(ride) };
}

/** The transfer that is to be made; undefined while a trip is not said. */
export function bodyOf(ride: Ride): object | undefined {
  const quote = quoteOf(ride);
  return quote && { ...quote, customer: buyerOf(ride), status: ride.status, ...said({ notes: ride.notes }) };
}

/** The fields that are needed and not said. */
export function missingOf(ride: Ride): readonly string[] {
  return [
    ...missingOfTrips(ride),
    ...(text(ride.asked, VEHICLE) === "" ? [VEHICLE] : []),
    ...emptyOf(ride, [
      ...(ride.customer_id === null ? FOR_CUSTOMER : []),
      ...(ride.other_price ? (["other_price_reason"] as const) : []),
    ]),
  ];
}
