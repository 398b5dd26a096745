import { CONTRACT_FIELDS } from "../contract-fields.ts";
import type { Contract } from "../model.ts";

/** Contract data in an API response. */
export interface ContractAnswer {
  readonly booking: {
    readonly can_edit_online: boolean;
    readonly driver_is_customer: boolean;
    readonly driver_name: string | null;
  };
  readonly required_fields: readonly string[];
}

/** Converts the contract to flat field names (`customer_address_city`). Undefined if it can't be completed online. */
export function toContract({ booking, required_fields: required }: ContractAnswer): Contract | undefined {
  if (!booking.can_edit_online) return undefined;
  const bookingValues: Readonly<Record<string, unknown>> = { ...booking };
  const known = CONTRACT_FIELDS.flatMap((name) =>
    typeof bookingValues[name] === "string" ? [[name, bookingValues[name]]] : [],
  );
  // Without another driver, the customer drives.
  const drives = booking.driver_is_customer || !booking.driver_name;
  return {
    fields: { ...Object.fromEntries(known), driver_is_customer: String(drives) },
    required: required.map((name) => name.replace(/\[(\w+)\]/, "_$1")),
  };
}

/** Builds the body of a change. Empty fields stay unchanged. */
export function contractBody(fields: Readonly<Record<string, string>>): object {
  const filledValues = Object.entries(fields).filter(([, value]) => value !== "");
  return Object.fromEntries(filledValues);
}
