import { z } from "zod";
import type { BookingCustomer, ContractData } from "#domain/bookings/bookings.ts";
import { parseCivilDate } from "#domain/dates.ts";
import { emailAddress, language, textLine } from "#worker/api/primitives.ts";
import { flag, wholeNumber } from "./messages.ts";

// spec: document 2, checkout and PUT booking; client contract, 2.8 and 2.10.

const countryCode = z
  .string("must be a country code")
  .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters")
  .transform((code) => code.toUpperCase());

// Existing websites send a code of two letters; forms that are filled in by hand, a country's name.
const country = textLine(50).transform((text) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : text));

// Websites write birthdays and licence dates either way.
const contractDate = z
  .string("must be a date")
  .transform((text) => text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1"))
  .refine((text) => parseCivilDate(text) !== undefined, "must be a date that exists, yyyy-mm-dd or dd/mm/yyyy");

const email = emailAddress(40);
/** A telephone number as websites write it. */
export const phone = textLine(15).refine((text) => /^[+\d][\d ().-]*$/.test(text), "must be a telephone number");

const identity = {
  document_id: textLine(50),
  document_id_type_id: textLine(20),
  document_id_date: contractDate,
  document_id_expiration_date: contractDate,
  origin_country: countryCode,
  nacionality: countryCode, // sic
  date_of_birth: contractDate,
  driving_license_type_id: textLine(20),
  driving_license_type: textLine(20),
  driving_license_number: textLine(50),
  driving_license_country: country,
  driving_license_date: contractDate,
  driving_license_expiration_date: contractDate,
};
const person = { name: textLine(40), surname: textLine(40), email, phone, phone_prefix: textLine(6), ...identity };
const address = {
  street: textLine(60),
  number: textLine(10),
  complement: textLine(20),
  city: textLine(60),
  city_code: textLine(20),
  state: textLine(60),
  state_code: textLine(20),
  country,
  zip: textLine(10),
};
const flight = {
  flight_airport_origin: textLine(100),
  flight_company: textLine(80),
  flight_number: textLine(10),
  flight_time: textLine(5),
  flight_airport_destination: textLine(100),
  flight_company_departure: textLine(80),
  flight_number_departure: textLine(10),
  flight_time_departure: textLine(5),
};

type Shape = Readonly<Record<string, z.ZodType<string>>>;

function prefixed(prefix: string, shape: Shape): Record<string, z.ZodType<string>> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [`${prefix}_${name}`, schema]));
}

/** The contract fields beside the customer's own columns, by the names they are kept under. */
const contractShape: Shape = {
  ...flight,
  ...prefixed("customer", {
    ...identity,
    mobile_phone: phone,
    mobile_phone_prefix: textLine(6),
    company_name: textLine(100),
    company_document_id: textLine(50),
    company_contact_name: textLine(80),
    type: textLine(30),
  }),
  ...prefixed("customer_address", address),
  ...prefixed("driver", person),
  ...prefixed("driver_address", address),
  ...prefixed("additional_driver_1", person),
  ...prefixed("additional_driver_2", person),
  destination_accommodation: textLine(200),
};

/** The names that existing websites use for the same field. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  street: "customer_address_street",
  number: "customer_address_number",
  complement: "customer_address_complement",
  city: "customer_address_city",
  state: "customer_address_state",
  country: "customer_address_country",
  zip: "customer_address_zip",
  fligth_airport_origin: "flight_airport_origin", // sic
  fligth_airport_destination: "flight_airport_destination", // sic
  flight_time_departura: "flight_time_departure", // sic
};

const otherNames: Shape = Object.fromEntries(
  Object.entries(OTHER_NAMES).flatMap(([other, name]) => {
    const schema = contractShape[name];
    return schema ? [[other, schema]] : [];
  }),
);

function optional(shape: Shape): Record<string, z.ZodOptional<z.ZodType<string>>> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional()]));
}

const customerFields = {
  customer_name: textLine(40).optional(),
  customer_surname: textLine(40).optional(),
  customer_email: email.optional(),
  customer_phone_prefix: textLine(6).optional(),
  customer_phone: phone.optional(),
  customer_document_id: textLine(50).optional(),
};

const { customer_document_id: _, ...besideColumns } = contractShape;
const contractFields = z.object(optional({ ...besideColumns, ...otherNames }));

/** What a checkout says in both engines: who, how it is paid, the total that was seen. */
export const checkoutFields = z.object({
  ...customerFields,
  customer_language: language.optional(),
  comments: z.string().max(2000, "must have at most 2000 characters").optional(),
  payment: textLine(40).optional(),
  complete_action: z
    .enum(
      ["request_reservation", "pay_on_delivery", "pay_now"],
      "must be request_reservation, pay_on_delivery or pay_now",
    )
    .optional(),
  payment_amount_override: z.enum(["deposit", "total"], "must be deposit or total").optional(),
  total_cost: z.union([z.number(), z.string()]).transform(String).optional(),
  create_customer_account: flag.optional(),
  account_password: z.string().max(200).optional(),
});

export type CheckoutBody = z.output<typeof checkoutFields>;

const people = wholeNumber(0, 99).transform(String).optional();

export const checkoutBody = z.intersection(
  checkoutFields.extend({ number_of_adults: people, number_of_children: people }),
  contractFields,
);

/** How many travel, as a checkout says; what it leaves out is the search's. */
export function toPeople({ number_of_adults, number_of_children }: z.output<typeof checkoutBody>): ContractData {
  return { ...(number_of_adults && { number_of_adults }), ...(number_of_children && { number_of_children }) };
}

export const RESOURCE_USER_FIELD_NAMES = [
  "resource_user_name",
  "resource_user_surname",
  "resource_user_document_id",
  "resource_user_phone",
  "resource_user_email",
  "resource_user_2_name",
  "resource_user_2_surname",
  "resource_user_2_document_id",
  "resource_user_2_phone",
  "resource_user_2_email",
] as const;

const resourceFields = [
  ...RESOURCE_USER_FIELD_NAMES,
  "customer_height",
  "customer_weight",
  "customer_2_height",
  "customer_2_weight",
] as const;

const nestedAddress = z.object(optional(address)).optional();

export const contractBody = z.intersection(
  z.object({
    ...customerFields,
    customer_address: nestedAddress,
    driver_address: nestedAddress,
    driver_is_customer: flag.optional(),
    booking_line_resources: z
      .array(
        z.object({
          id: z.union([z.string(), z.number()]).transform(String),
          ...optional(Object.fromEntries(resourceFields.map((name) => [name, textLine(60)]))),
        }),
      )
      .max(100, "must have at most 100 entries")
      .optional(),
  }),
  contractFields,
);

export type ContractBody = z.output<typeof contractBody>;

/** The contract fields that a body gives, under the names they are kept; nothing else of it. */
export function toContractData(body: Readonly<Record<string, unknown>>): ContractData {
  const data: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    const kept = OTHER_NAMES[name] ?? name;
    if (typeof value === "string" && Object.hasOwn(besideColumns, kept)) data[kept] = value;
  }
  for (const owner of ["customer_address", "driver_address"]) {
    for (const [part, value] of Object.entries(body[owner] ?? {})) data[`${owner}_${part}`] = String(value);
  }
  return data;
}

/** What a contract body says of the people of each unit of the booking, under the names it is kept; other units are not the booking's. */
export function toResourceData(body: ContractBody, units: readonly { readonly id: number }[]): ContractData {
  const own = new Set(units.map((unit) => String(unit.id)));
  const entries = (body.booking_line_resources ?? [])
    .filter(({ id }) => own.has(id))
    .flatMap(({ id, ...given }) =>
      Object.entries(given).map(([name, value]) => [`unit_${id}_${name}`, String(value)] as const),
    );
  return Object.fromEntries(entries);
}

/** The customer columns that a body gives; absent ones are left as they are. */
export function toCustomerChange(
  body: ContractBody,
): Partial<Pick<BookingCustomer, "name" | "surname" | "email" | "phone" | "phonePrefix" | "documentId">> {
  return {
    ...(body.customer_name && { name: body.customer_name }),
    ...(body.customer_surname && { surname: body.customer_surname }),
    ...(body.customer_email && { email: body.customer_email }),
    ...(body.customer_phone && { phone: body.customer_phone }),
    ...(body.customer_phone_prefix && { phonePrefix: body.customer_phone_prefix }),
    ...(body.customer_document_id && { documentId: body.customer_document_id }),
  };
}

/** Every field that a booking answer shows of the contract, absent ones as null. */
export const CONTRACT_FIELD_NAMES: readonly string[] = Object.keys(besideColumns);
export const RESOURCE_FIELD_NAMES: readonly string[] = resourceFields;
