import type { Catalogue, Category, Extra } from "#domain/catalogue/catalogue.ts";
import type { Span } from "#domain/dates.ts";

/** Units that are unavailable for a time, preparation included. Negative for incoming units. */
export interface StockAllocation extends Span {
  readonly quantity: number;
}

/** End of an unlimited period. */
export const UNLIMITED_END = Number.MAX_SAFE_INTEGER;

const MINUTES_PER_DAY = 1440;

/** Returns the highest number of units occupied at any time of the span. */
export function findPeakAllocatedUnits(allocations: readonly StockAllocation[], span: Span): number {
  if (allocations.length === 0) return 0;
  const changes = allocations
    .filter((take) => take.startsAt < span.endsAt && take.endsAt > span.startsAt)
    .flatMap((take) => [
      { moment: Math.max(take.startsAt, span.startsAt), units: take.quantity },
      ...(take.endsAt < span.endsAt ? [{ moment: take.endsAt, units: -take.quantity }] : []),
    ])
    .concat({ moment: span.startsAt, units: 0 })
    .sort((a, b) => a.moment - b.moment || a.units - b.units);
  let usedUnits = 0;
  let peak = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    usedUnits += change.units;
    peak = Math.max(peak, usedUnits);
  }
  return peak;
}

/** Returns the stock minus the peak occupancy of the span, at least 0 (docs/interfaces/rules.md#units). */
export function countFreeUnits(stock: number, allocations: readonly StockAllocation[], span: Span): number {
  return Math.max(0, stock - findPeakAllocatedUnits(allocations, span));
}

/** Returns the span that a rental occupies: from pickup to return, plus preparation time. */
export function addPreparationTime(span: Span, preparationMinutes: number): Span {
  return { startsAt: span.startsAt, endsAt: span.endsAt + preparationMinutes };
}

/** Periods for which a rental occupies its vehicles and its extras. */
export interface OccupancySpans {
  readonly vehicles: Span;
  readonly extras: Span;
}

/**
 * Returns the periods in which a rental occupies stock of the pickup's branch group: until return and preparation. If
 * it ends at another branch group, until everything is back, or permanently if the vehicle stays
 * (docs/interfaces/rules.md#one-way-rentals).
 */
export function getOccupancySpans(
  { settings, repatriations }: Pick<Catalogue, "settings" | "repatriations">,
  span: Span,
  branchGroupId: number,
  returnBranchGroupId: number,
): OccupancySpans {
  const prepared = addPreparationTime(span, settings.preparationMinutes);
  if (branchGroupId === returnBranchGroupId) return { vehicles: prepared, extras: prepared };
  const pair = repatriations.find(
    (repatriation) =>
      repatriation.branchGroupId === branchGroupId && repatriation.returnBranchGroupId === returnBranchGroupId,
  );
  const home = addPreparationTime(prepared, (pair?.days ?? settings.repatriationDays) * MINUTES_PER_DAY);
  const stays = settings.oneWayMode === "stays";
  return { vehicles: stays ? { startsAt: span.startsAt, endsAt: UNLIMITED_END } : home, extras: home };
}

/** Stock of a branch group for one rental, with the units unavailable in that period. */
export interface RentalStock {
  /** Periods of the rental. Free units are free for the full period. */
  readonly spans: OccupancySpans;
  /** Rentable units by category code. A category without an entry has none. */
  readonly categoryUnits: ReadonlyMap<string, number>;
  readonly categoryAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
  readonly extraAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
}

/** Counts the category's units that are free for the span. Defaults to the rental's span. */
export function countFreeVehicles(stock: RentalStock, category: Category, span = stock.spans.vehicles): number {
  return countFreeUnits(
    stock.categoryUnits.get(category.code) ?? 0,
    stock.categoryAllocations.get(category.code) ?? [],
    span,
  );
}

/**
 * Counts the extra's units that are free at a branch group. Defaults to the rental's span. Infinite for an extra with
 * unlimited stock.
 */
export function countFreeExtras(
  { spans, extraAllocations }: Pick<RentalStock, "spans" | "extraAllocations">,
  extra: Extra,
  branchGroupId: number,
  span = spans.extras,
): number {
  if (!extra.stockByStorage) return Number.POSITIVE_INFINITY;
  const units = extra.stockByStorage.get(branchGroupId) ?? 0;
  return countFreeUnits(units, extraAllocations.get(extra.code) ?? [], span);
}
