import { z } from "zod";
import {
  birthDate,
  civilDateSchema,
  countryCode,
  documentNumber,
  emailAddressSchema,
  pastedCodeSchema,
  phoneNumber,
  textLineSchema,
} from "#worker/api/primitives.ts";

const version = z.coerce.number().int().min(1).optional();

/** Data that a customer may add when they accept a quote. */
export const quoteAcceptanceForm = z.object({
  version,
  customer_email: emailAddressSchema().optional(),
  customer_phone: phoneNumber(30).optional(),
  customer_document_id: documentNumber(50).optional(),
  customer_address_street: textLineSchema(100).optional(),
  customer_address_city: textLineSchema(100).optional(),
  customer_address_zip: pastedCodeSchema(20).optional(),
  customer_address_country: countryCode.optional(),
  driver_date_of_birth: birthDate.optional(),
  driver_driving_license_number: pastedCodeSchema(100).optional(),
  driver_driving_license_date: civilDateSchema.optional(),
});

export const quoteDeclineForm = z.object({ reason: textLineSchema(500).optional() });
