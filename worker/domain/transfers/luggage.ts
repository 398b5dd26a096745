import type { ContractData } from "#domain/bookings/bookings.ts";

/** Names of a transfer's luggage in its stored contract data and in the API. */
export const LUGGAGE_FIELDS = ["number_of_bags", "number_of_large_items"] as const;
/** Maximum number of pieces of each kind. */
export const MAX_LUGGAGE_PIECES = 99;

/** Luggage of a transfer's passengers. Undefined numbers weren't stated. */
export interface Luggage {
  readonly bags: number | undefined;
  readonly largeItems: number | undefined;
}

/** Reads the luggage of a transfer. Undefined if the customer stated none of its numbers. */
export function findLuggage(data: ContractData): Luggage | undefined {
  const [bags, largeItems] = LUGGAGE_FIELDS.map((name) => (data[name] ? Number(data[name]) : undefined));
  return bags === undefined && largeItems === undefined ? undefined : { bags, largeItems };
}
