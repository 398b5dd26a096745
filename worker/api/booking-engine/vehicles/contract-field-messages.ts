import { z } from "zod";
import { websiteEmailSchema, websitePhoneSchema } from "#worker/api/booking-engine/shared/customer-messages.ts";
import {
  addPrefixToNames,
  getMemberNames,
  mapNamesToValues,
  websiteDateTextSchema,
} from "#worker/api/booking-engine/shared/messages.ts";
import {
  addUnknownCountryIssue,
  BIRTH_DATE_ERROR,
  countryTextSchema,
  documentNumber,
  isPossibleBirthDate,
  pastedCodeSchema,
  personName,
  phonePrefix,
  textLineSchema,
} from "#worker/api/primitives.ts";

// spec: docs/interfaces/booking-engine-vehicles.md, checkout and contract data.

const countryCode = z
  .string("must be a country code")
  .transform((code) => code.toUpperCase())
  .superRefine(addUnknownCountryIssue)
  .meta({ type: "string", pattern: "^[A-Za-z]{2}$" });

// Existing websites send a two-letter code, manually filled forms a country name.
const country = countryTextSchema(50);

const identity = {
  document_id: documentNumber(50),
  document_id_type_id: textLineSchema(20),
  document_id_date: websiteDateTextSchema,
  document_id_expiration_date: websiteDateTextSchema,
  origin_country: countryCode,
  nacionality: countryCode, // sic
  date_of_birth: websiteDateTextSchema.refine(isPossibleBirthDate, BIRTH_DATE_ERROR),
  driving_license_type_id: textLineSchema(20),
  driving_license_type: textLineSchema(20),
  driving_license_number: pastedCodeSchema(50),
  driving_license_country: country,
  driving_license_date: websiteDateTextSchema,
  driving_license_expiration_date: websiteDateTextSchema,
};
const person = {
  name: personName(40),
  surname: personName(40),
  email: websiteEmailSchema,
  phone: websitePhoneSchema,
  phone_prefix: phonePrefix(6),
  ...identity,
};
/** Parts of an address. */
export const addressFields = {
  street: textLineSchema(60),
  number: textLineSchema(10),
  complement: textLineSchema(20),
  city: textLineSchema(60),
  city_code: textLineSchema(20),
  state: textLineSchema(60),
  state_code: textLineSchema(20),
  country,
  zip: pastedCodeSchema(10),
};
const flight = {
  flight_airport_origin: textLineSchema(100),
  flight_company: textLineSchema(80),
  flight_number: textLineSchema(10),
  flight_time: textLineSchema(5),
  flight_airport_destination: textLineSchema(100),
  flight_company_departure: textLineSchema(80),
  flight_number_departure: textLineSchema(10),
  flight_time_departure: textLineSchema(5),
};

/** Contract fields besides the customer columns, by stored name. */
const contractShape = {
  ...flight,
  ...addPrefixToNames("customer_", {
    ...identity,
    mobile_phone: websitePhoneSchema,
    mobile_phone_prefix: phonePrefix(6),
    company_name: textLineSchema(100),
    company_document_id: documentNumber(50),
    company_contact_name: personName(80),
    type: textLineSchema(30),
  }),
  ...addPrefixToNames("customer_address_", addressFields),
  ...addPrefixToNames("driver_", person),
  ...addPrefixToNames("driver_address_", addressFields),
  ...addPrefixToNames("additional_driver_1_", person),
  ...addPrefixToNames("additional_driver_2_", person),
  destination_accommodation: textLineSchema(200),
};

/** Names that existing websites use for the same fields. */
export const CONTRACT_FIELD_ALIASES = {
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
} as const satisfies Readonly<Record<string, keyof typeof contractShape>>;

type Shape = Readonly<Record<string, z.ZodType<string>>>;

/** Makes all fields optional. */
export function makeFieldsOptional<Fields extends Shape>(shape: Fields) {
  return z.object(shape).partial().shape;
}

const { customer_document_id: _, ...beside } = contractShape;
/** Contract fields that are stored as contract data, not in columns of the booking. */
export const contractDataFields = beside;
const otherNames = mapNamesToValues(
  getMemberNames(CONTRACT_FIELD_ALIASES),
  (name) => contractShape[CONTRACT_FIELD_ALIASES[name]],
);
/** Contract fields of a body, by their own names and those of existing websites. */
export const contractFieldsSchema = z.object(makeFieldsOptional({ ...contractDataFields, ...otherNames }));
