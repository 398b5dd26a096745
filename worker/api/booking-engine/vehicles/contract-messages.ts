import { z } from "zod";
import type { BookingCustomer, ContractData } from "#domain/bookings/bookings.ts";
import { checkoutFieldsSchema, customerFields } from "#worker/api/booking-engine/shared/customer-messages.ts";
import {
  addPrefixToNames,
  booleanOrText,
  getMemberNames,
  integerBetweenSchema,
  mapNamesToValues,
} from "#worker/api/booking-engine/shared/messages.ts";
import { documentNumber, emailAddressSchema, personName, phoneNumber, textLineSchema } from "#worker/api/primitives.ts";
import {
  addressFields,
  CONTRACT_FIELD_ALIASES,
  contractDataFields,
  contractFieldsSchema,
  makeFieldsOptional,
} from "./contract-field-messages.ts";

// spec: docs/interfaces/booking-engine-vehicles.md, checkout and contract data.

const travellerCount = integerBetweenSchema(0, 99).transform(String).optional();

export const rentalCheckoutBody = z.intersection(
  checkoutFieldsSchema.extend({ number_of_adults: travellerCount, number_of_children: travellerCount }),
  contractFieldsSchema,
);
export type RentalCheckoutRequest = z.input<typeof rentalCheckoutBody>;

/** Returns the number of travellers of a checkout. Missing values are taken from the search. */
export function toTravellerContractData({
  number_of_adults,
  number_of_children,
}: z.output<typeof rentalCheckoutBody>): ContractData {
  return { ...(number_of_adults && { number_of_adults }), ...(number_of_children && { number_of_children }) };
}

export const UNIT_USER_FIELD_NAMES = [
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
  ...UNIT_USER_FIELD_NAMES,
  "customer_height",
  "customer_weight",
  "customer_2_height",
  "customer_2_weight",
] as const;

// Each person of a unit, with the limits of these fields.
const resourceUser = {
  name: personName(60),
  surname: personName(60),
  document_id: documentNumber(60),
  phone: phoneNumber(60),
  email: emailAddressSchema(),
};
const resourceShape = {
  ...mapNamesToValues(resourceFields, () => textLineSchema(60)),
  ...addPrefixToNames("resource_user_", resourceUser),
  ...addPrefixToNames("resource_user_2_", resourceUser),
};

const nestedAddress = z.object(makeFieldsOptional(addressFields)).optional();

export const contractDataBody = z.intersection(
  z.object({
    ...customerFields,
    customer_address: nestedAddress,
    driver_address: nestedAddress,
    driver_is_customer: booleanOrText.optional(),
    booking_line_resources: z
      .array(
        z.object({
          id: z.union([z.string(), z.number()]).transform(String),
          ...makeFieldsOptional(resourceShape),
        }),
      )
      .max(100, "must have at most 100 entries")
      .optional(),
  }),
  contractFieldsSchema,
);
export type ContractDataRequest = z.input<typeof contractDataBody>;

export type ContractDataBody = z.output<typeof contractDataBody>;

/** Returns the contract fields of a body by stored name, ignoring others. */
export function toContractData(body: Readonly<Record<string, unknown>>): ContractData {
  const data: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    const fieldName = Object.hasOwn(CONTRACT_FIELD_ALIASES, name)
      ? CONTRACT_FIELD_ALIASES[name as keyof typeof CONTRACT_FIELD_ALIASES]
      : name;
    if (typeof value === "string" && Object.hasOwn(contractDataFields, fieldName)) data[fieldName] = value;
  }
  for (const owner of ["customer_address", "driver_address"]) {
    for (const [part, value] of Object.entries(body[owner] ?? {})) data[`${owner}_${part}`] = String(value);
  }
  return data;
}

/** Returns the personal data that a body has for each unit, by stored name. Ignores units of other bookings. */
export function toUnitContractData(body: ContractDataBody, units: readonly { readonly id: number }[]): ContractData {
  const own = new Set(units.map((unit) => String(unit.id)));
  const entries = (body.booking_line_resources ?? [])
    .filter(({ id }) => own.has(id))
    .flatMap(({ id, ...given }) =>
      Object.entries(given).map(([name, value]) => [`unit_${id}_${name}`, String(value)] as const),
    );
  return Object.fromEntries(entries);
}

/** Returns the customer columns of a body. Missing ones stay unchanged. */
export function toBookingCustomerChange(
  body: ContractDataBody,
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

/** Contract fields of a booking response. Missing ones are null. */
export const CONTRACT_FIELD_NAMES = getMemberNames(contractDataFields);
export const ADDRESS_FIELD_NAMES = getMemberNames(addressFields);
export const UNIT_CONTRACT_FIELD_NAMES = resourceFields;
