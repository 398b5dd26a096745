import { findPeakAllocatedUnits, type RentalStock, UNLIMITED_END } from "#domain/bookings/availability.ts";
import { type Span, toSpan } from "#domain/dates.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/** Units that a contract moves to another branch group permanently, and the time from which they count there. */
export interface IncomingStock {
  readonly lines: readonly { readonly categoryCode: string; readonly quantity: number }[];
  /** Civil minute from which the units count, preparation included. */
  readonly from: number;
}

/** Returns the units that a rental, as agreed, moves to its return branch group. */
export function getStockIncomingAtReturn(
  { lines, period }: Pick<Contract, "period"> & Pick<IncomingStock, "lines">,
  preparationMinutes: number,
): IncomingStock {
  return { lines, from: toSpan(period).endsAt + preparationMinutes };
}

/**
 * Returns the categories for which other bookings rely on units from a one-way rental. Without them, or with the
 * changed ones, the return branch group would be overbooked (docs/interfaces/rules.md#one-way-rentals). Pass that
 * group's stock without the rental, over `getDependencySpan`.
 */
export function findDependentCategories(
  stock: RentalStock,
  before: IncomingStock,
  after: IncomingStock | undefined,
): readonly string[] {
  const span = stock.spans.vehicles;
  const codes = [...new Set(before.lines.map(({ categoryCode }) => categoryCode))];
  return codes.filter((code) => isShort(stock, code, span, after) && !isShort(stock, code, span, before));
}

/** Returns the period in which other bookings may rely on the incoming units. Starts with their arrival. */
export function getDependencySpan(before: IncomingStock, after: IncomingStock | undefined): Span {
  return { startsAt: Math.min(before.from, after?.from ?? before.from), endsAt: UNLIMITED_END };
}

function isShort(stock: RentalStock, code: string, span: Span, bringing: IncomingStock | undefined): boolean {
  const incomingAllocations = (bringing?.lines ?? [])
    .filter(({ categoryCode }) => categoryCode === code)
    .map(({ quantity }) => ({ startsAt: bringing?.from ?? 0, endsAt: UNLIMITED_END, quantity: -quantity }));
  const allocations = [...(stock.categoryAllocations.get(code) ?? []), ...incomingAllocations];
  return findPeakAllocatedUnits(allocations, span) > (stock.categoryUnits.get(code) ?? 0);
}

/** Returns the units that a rental moves after an action. None if it's cancelled or returns elsewhere. */
export function getIncomingStockAfter(
  contract: Contract,
  agreed: AgreedContract | undefined,
  {
    isCancelled,
    preparationMinutes,
    returnsThere,
  }: {
    readonly isCancelled: boolean;
    readonly preparationMinutes: number;
    readonly returnsThere: boolean;
  },
): IncomingStock | undefined {
  if (isCancelled || !returnsThere) return undefined;
  return getStockIncomingAtReturn(agreed ?? contract, preparationMinutes);
}
