import { z } from "zod";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { LUGGAGE_FIELDS, MAX_LUGGAGE_PIECES } from "#domain/transfers/luggage.ts";
import { checkoutFieldsSchema, websitePhoneSchema } from "#worker/api/booking-engine/shared/customer-messages.ts";
import { integerBetweenSchema } from "#worker/api/booking-engine/shared/messages.ts";
import { countryTextSchema, pastedCodeSchema, phonePrefix, textLineSchema } from "#worker/api/primitives.ts";

// spec: docs/interfaces/booking-engine-transfers.md, checkout.

const ADDRESS_FIELDS = ["address_1", "address_2", "city", "state", "country", "zip"] as const;
const FLIGHT_FIELDS = [
  "fligth_airport_origin", // sic
  "flight_company",
  "flight_number",
  "flight_time",
  "fligth_airport_destination", // sic
  "flight_company_departure",
  "flight_number_departure",
  "flight_time_departure",
] as const;

/** API names of reservation fields besides the customer. */
export const TRANSFER_DETAIL_FIELDS = [...ADDRESS_FIELDS, ...FLIGHT_FIELDS, ...LUGGAGE_FIELDS];

const luggage = integerBetweenSchema(0, MAX_LUGGAGE_PIECES).transform(String);

const address = textLineSchema(256);
const flights = {
  fligth_airport_origin: textLineSchema(100),
  flight_company: textLineSchema(80),
  flight_number: textLineSchema(10),
  flight_time: textLineSchema(5),
  fligth_airport_destination: textLineSchema(100),
  flight_company_departure: textLineSchema(80),
  flight_number_departure: textLineSchema(10),
  flight_time_departure: textLineSchema(5),
};

const ENDS = ["origin", "destination", "return_origin", "return_destination"] as const;

const details: Readonly<Record<string, z.ZodType<string>>> = {
  ...Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, address])),
  zip: pastedCodeSchema(256),
  country: countryTextSchema(256),
  ...flights,
  ...Object.fromEntries(LUGGAGE_FIELDS.map((name) => [name, luggage])),
  customer_mobile_phone: websitePhoneSchema,
  customer_mobile_phone_prefix: phonePrefix(6),
  ...Object.fromEntries(
    ENDS.flatMap((end) => [
      [`detailed_${end}_address`, address],
      [`detailed_${end}_flight_number`, flights.flight_number],
      [`detailed_${end}_flight_estimated_time`, flights.flight_time],
    ]),
  ),
};

/** API field by the name that existing websites send for it. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  customer_address_street: "address_1",
  customer_address_complement: "address_2",
  customer_address_city: "city",
  customer_address_state: "state",
  customer_address_country: "country",
  customer_address_zip: "zip",
  flight_airport_origin: "fligth_airport_origin",
  flight_airport_destination: "fligth_airport_destination",
};

/**
 * Alternative flight fields of websites that ask for one per trip end: arrival at the first end, departure from the
 * last.
 */
const FALLBACK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  flight_number: ["detailed_origin_flight_number"],
  flight_time: ["detailed_origin_flight_estimated_time"],
  flight_number_departure: ["detailed_return_destination_flight_number", "detailed_destination_flight_number"],
  flight_time_departure: [
    "detailed_return_destination_flight_estimated_time",
    "detailed_destination_flight_estimated_time",
  ],
};

const otherNames = Object.fromEntries(
  Object.entries(OTHER_NAMES).map(([other, name]) => [other, details[name] ?? address]),
);
const detailFields = Object.fromEntries(
  Object.entries({ ...details, ...otherNames }).map(([name, schema]) => [name, schema.optional()]),
);

export const transferCheckoutBody = z.intersection(checkoutFieldsSchema, z.object(detailFields));
export type TransferCheckoutRequest = z.input<typeof transferCheckoutBody>;

/** Returns addresses and flights of a body under their API names. */
export function toTransferContractData(body: Readonly<Record<string, unknown>>): ContractData {
  const data: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    const fieldName = OTHER_NAMES[name] ?? name;
    if (typeof value === "string" && Object.hasOwn(details, fieldName)) data[fieldName] = value;
  }
  for (const [name, others] of Object.entries(FALLBACK_FIELDS)) {
    const fallbackValue = others.map((other) => data[other]).find((value) => value !== undefined);
    if (data[name] === undefined && fallbackValue !== undefined) data[name] = fallbackValue;
  }
  return data;
}
