import { z } from "zod";
import { websiteEmail, websitePhone } from "#worker/api/booking-engine/shared/customer-messages.ts";
import {
  addPrefixToNames,
  getMemberNames,
  mapNamesToValues,
  websiteDateText,
} from "#worker/api/booking-engine/shared/messages.ts";
import {
  BIRTH_DATE_ERROR,
  countryText,
  documentNumber,
  isBirthDate,
  pastedCode,
  personName,
  phonePrefix,
  refuseUnknownCountry,
  textLine,
} from "#worker/api/primitives.ts";

// spec: docs/interfaces/booking-engine-vehicles.md, checkout and contract data.

const countryCode = z
  .string("must be a country code")
  .transform((code) => code.toUpperCase())
  .superRefine(refuseUnknownCountry)
  .meta({ type: "string", pattern: "^[A-Za-z]{2}$" });

// Existing websites send a two-letter code, manually filled forms a country name.
const country = countryText(50);

const identity = {
  document_id: documentNumber(50),
  document_id_type_id: textLine(20),
  document_id_date: websiteDateText,
  document_id_expiration_date: websiteDateText,
  origin_country: countryCode,
  nacionality: countryCode, // sic
  date_of_birth: websiteDateText.refine(isBirthDate, BIRTH_DATE_ERROR),
  driving_license_type_id: textLine(20),
  driving_license_type: textLine(20),
  driving_license_number: pastedCode(50),
  driving_license_country: country,
  driving_license_date: websiteDateText,
  driving_license_expiration_date: websiteDateText,
};
const person = {
  name: personName(40),
  surname: personName(40),
  email: websiteEmail,
  phone: websitePhone,
  phone_prefix: phonePrefix(6),
  ...identity,
};
/** Parts of an address. */
export const addressFields = {
  street: textLine(60),
  number: textLine(10),
  complement: textLine(20),
  city: textLine(60),
  city_code: textLine(20),
  state: textLine(60),
  state_code: textLine(20),
  country,
  zip: pastedCode(10),
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

/** Contract fields besides the customer columns, by stored name. */
const contractShape = {
  ...flight,
  ...addPrefixToNames("customer_", {
    ...identity,
    mobile_phone: websitePhone,
    mobile_phone_prefix: phonePrefix(6),
    company_name: textLine(100),
    company_document_id: documentNumber(50),
    company_contact_name: personName(80),
    type: textLine(30),
  }),
  ...addPrefixToNames("customer_address_", addressFields),
  ...addPrefixToNames("driver_", person),
  ...addPrefixToNames("driver_address_", addressFields),
  ...addPrefixToNames("additional_driver_1_", person),
  ...addPrefixToNames("additional_driver_2_", person),
  destination_accommodation: textLine(200),
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
export const contractFields = z.object(makeFieldsOptional({ ...contractDataFields, ...otherNames }));
