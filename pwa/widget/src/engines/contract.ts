import type { Immutable } from "#shared/immutable.ts";
import type { RentalBookingMessage } from "#worker/api/booking-engine/vehicles/booking-messages.ts";
import { CONTRACT_FIELDS } from "../contract-fields.ts";
import type { Contract } from "../model.ts";

type Booking = Immutable<RentalBookingMessage>["booking"];

/** Contract data in an API response. */
export interface ContractAnswer extends Pick<Immutable<RentalBookingMessage>, "required_fields"> {
  readonly booking: Pick<Booking, "can_edit_online" | "driver_is_customer" | "driver_name"> & Partial<Booking>;
}

/** Converts the contract to flat field names (`customer_address_city`). Undefined if it can't be completed online. */
export function toContract({ booking, required_fields: required }: ContractAnswer): Contract | undefined {
  if (!booking.can_edit_online) return undefined;
  const known = CONTRACT_FIELDS.flatMap((name) => (typeof booking[name] === "string" ? [[name, booking[name]]] : []));
  // Without another driver, the customer drives.
  const drives = booking.driver_is_customer || !booking.driver_name;
  return {
    fields: { ...Object.fromEntries(known), driver_is_customer: String(drives) },
    required: required.map((name) => name.replace(/\[(\w+)\]/, "_$1")),
  };
}

/** Builds the body of a change. Empty fields stay unchanged. */
export function buildContractBody(fields: Readonly<Record<string, string>>): object {
  const filledValues = Object.entries(fields).filter(([, value]) => value !== "");
  return Object.fromEntries(filledValues);
}
