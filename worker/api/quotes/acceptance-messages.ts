import { z } from "zod";
import {
  birthDate,
  civilDate,
  countryCode,
  documentNumber,
  emailAddress,
  pastedCode,
  phoneNumber,
  textLine,
} from "#worker/api/primitives.ts";

const version = z.coerce.number().int().min(1).optional();

/** Data that a customer may add when they accept a quote. */
export const quoteAcceptanceForm = z.object({
  version,
  customer_email: emailAddress().optional(),
  customer_phone: phoneNumber(30).optional(),
  customer_document_id: documentNumber(50).optional(),
  customer_address_street: textLine(100).optional(),
  customer_address_city: textLine(100).optional(),
  customer_address_zip: pastedCode(20).optional(),
  customer_address_country: countryCode.optional(),
  driver_date_of_birth: birthDate.optional(),
  driver_driving_license_number: pastedCode(100).optional(),
  driver_driving_license_date: civilDate.optional(),
});

export const quoteDeclineForm = z.object({ reason: textLine(500).optional() });
