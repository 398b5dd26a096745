import { z } from "zod";
import type { RentalBooking } from "#domain/bookings/bookings.ts";
import {
  addPrefixToNames,
  createSchemaFields,
  type FieldsMessage,
  mapNamesToValues,
  nullableText,
} from "#worker/api/booking-engine/shared/messages.ts";
import { ADDRESS_FIELD_NAMES, CONTRACT_FIELD_NAMES } from "./contract-messages.ts";

/** Customer and drivers of a booking. */
export const bookingPeopleFields = {
  ...createSchemaFields(nullableText, ...CONTRACT_FIELD_NAMES),
  ...addPrefixToNames("address_", createSchemaFields(nullableText, ...ADDRESS_FIELD_NAMES)),
  ...createSchemaFields(nullableText, "address_country_code", "driver_address_country_code"),
  ...createSchemaFields(z.string(), "customer_type", "customer_fullname", "customer_name", "customer_surname"),
  ...createSchemaFields(
    nullableText,
    "customer_email",
    "customer_phone_prefix",
    "customer_phone",
    "customer_document_id",
  ),
  driver_is_customer: z.boolean(),
};

/** Converts customer and drivers from the contract data. */
export function toBookingPeopleFields({
  customer,
  contractData,
}: RentalBooking): FieldsMessage<typeof bookingPeopleFields> {
  const countryCode = (name: string) => contractData[name]?.match(/^[A-Z]{2}$/)?.[0] ?? null;
  return {
    ...mapNamesToValues(CONTRACT_FIELD_NAMES, (name) => contractData[name] ?? null),
    ...addPrefixToNames(
      "address_",
      mapNamesToValues(ADDRESS_FIELD_NAMES, (name) => contractData[`customer_address_${name}`] ?? null),
    ),
    address_country_code: countryCode("customer_address_country"),
    driver_address_country_code: countryCode("driver_address_country"),
    customer_type: contractData["customer_type"] ?? "individual",
    customer_fullname: `${customer.name} ${customer.surname}`.trim(),
    customer_name: customer.name,
    customer_surname: customer.surname,
    customer_email: customer.email ?? null,
    customer_phone_prefix: customer.phonePrefix ?? null,
    customer_phone: customer.phone ?? null,
    customer_document_id: customer.documentId ?? null,
    driver_is_customer: contractData["driver_is_customer"] === "true",
  };
}
