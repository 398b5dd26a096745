import { CONTRACT_FIELDS } from "../contract-fields.ts";
import type { Contract } from "../model.ts";

/** What an answer says of a contract, among much else. */
export interface ContractAnswer {
  readonly booking: {
    readonly can_edit_online: boolean;
    readonly driver_is_customer: boolean;
    readonly driver_name: string | null;
  };
  readonly required_fields: readonly string[];
}

/**
 * The contract's data under flat names (`customer_address_city`); undefined once nobody completes it online any more.
 */
export function toContract({ booking, required_fields: required }: ContractAnswer): Contract | undefined {
  if (!booking.can_edit_online) return undefined;
  const bookingValues: Readonly<Record<string, unknown>> = { ...booking };
  const known = CONTRACT_FIELDS.flatMap((name) =>
    typeof bookingValues[name] === "string" ? [[name, bookingValues[name]]] : [],
  );
  // Who has named no other driver drives.
  const drives = booking.driver_is_customer || !booking.driver_name;
  return {
    fields: { ...Object.fromEntries(known), driver_is_customer: String(drives) },
    required: required.map((name) => name.replace(/\[(\w+)\]/, "_$1")),
  };
}

/** The body of a change: what is empty stays as it is. */
export function contractBody(fields: Readonly<Record<string, string>>): object {
  const filledValues = Object.entries(fields).filter(([, value]) => value !== "");
  return Object.fromEntries(filledValues);
}
