import { z } from "zod";
import type { AgencyBookingRequest } from "#domain/bookings/bookings.ts";
import { customerComments } from "#worker/api/booking-engine/shared/customer-messages.ts";
import { contractFieldsSchema } from "#worker/api/booking-engine/vehicles/contract-field-messages.ts";
import * as bookings from "#worker/api/ota/booking-messages.ts";
import { personName } from "#worker/api/primitives.ts";

const { reservation } = bookings.agencyBookingBody.shape;
// Rejects unknown fields, because contract data has no fields for a third additional driver.
const additions = { contract_data: contractFieldsSchema.strict().optional(), comments: customerComments };

/** The agency API's booking with what OpenTravel adds. A given name may be missing. */
export const otaBookingBody = z.object({
  reservation: reservation.extend({
    customer_name: personName(100).optional(),
    customer_surname: personName(100).optional(),
    ...additions,
  }),
});

/** The agency API's change with what OpenTravel adds: personal data and special requests. */
export const otaChangeBody = z.object({ reservation: bookings.agencyChangeBody.shape.reservation.extend(additions) });

/** Converts the body of an OpenTravel change. */
export function toOtaXmlAgencyChange({ reservation: body }: z.output<typeof otaChangeBody>) {
  return {
    ...bookings.toAgencyChange({ reservation: body }),
    contractData: pickStored(body.contract_data),
    comments: body.comments,
  };
}

const pickStored = (data: z.output<typeof contractFieldsSchema> | undefined) =>
  Object.fromEntries(Object.entries(data ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Converts the body of an OpenTravel booking. A person's only name is stored as the first name. */
export function toOtaXmlBookingRequest(
  { reservation: body }: z.output<typeof otaBookingBody>,
  agencyChannel: string | undefined,
): AgencyBookingRequest {
  const {
    contract_data: contractData,
    comments: requests,
    customer_name: name = "",
    customer_surname: surname = "",
    ...rest
  } = body;
  const customerNames = { customer_name: name || surname, customer_surname: name === "" ? "" : surname };
  const request = bookings.toAgencyBookingRequest({ reservation: { ...rest, ...customerNames } }, agencyChannel);
  const stored = pickStored(contractData);
  return {
    ...request,
    ...(Object.keys(stored).length > 0 && { contractData: stored }),
    ...(requests !== undefined && { comments: requests }),
  };
}
