import { z } from "zod";
import type { AgencyBookingRequest } from "#domain/bookings/bookings.ts";
import { contractFields } from "#worker/api/booking-engine/vehicles/contract-field-messages.ts";
import * as bookings from "#worker/api/ota/booking-messages.ts";
import { personName } from "#worker/api/primitives.ts";

const { reservation } = bookings.bookingBody.shape;

/** The agency API's booking with what OpenTravel adds: a given name may be missing, and personal data is read. */
export const otaBookingBody = z.object({
  reservation: reservation.extend({
    customer_name: personName(100).optional(),
    customer_surname: personName(100).optional(),
    contract_data: contractFields.optional(),
  }),
});

/** Converts the body of an OpenTravel booking. A person's only name is stored as the first name. */
export function toBookingRequest(
  { reservation: body }: z.output<typeof otaBookingBody>,
  agencyChannel: string | undefined,
): AgencyBookingRequest {
  const { contract_data: contractData, customer_name: name = "", customer_surname: surname = "", ...rest } = body;
  const named = { customer_name: name || surname, customer_surname: name === "" ? "" : surname };
  const request = bookings.toBookingRequest({ reservation: { ...rest, ...named } }, agencyChannel);
  const stored = Object.entries(contractData ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return stored.length === 0 ? request : { ...request, contractData: Object.fromEntries(stored) };
}
