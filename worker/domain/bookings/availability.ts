import type { Category, Extra } from "#domain/catalogue/catalogue.ts";
import type { Span } from "#domain/dates.ts";

/** Units that a living booking keeps for a while, preparation time included. */
export interface StockAllocation extends Span {
  readonly quantity: number;
}

/** The highest number of units taken at any moment of the span. */
export function peakAllocated(takes: readonly StockAllocation[], span: Span): number {
  const changes = takes
    .filter((take) => take.startsAt < span.endsAt && take.endsAt > span.startsAt)
    .flatMap((take) => [
      { moment: Math.max(take.startsAt, span.startsAt), units: take.quantity },
      { moment: take.endsAt, units: -take.quantity },
    ])
    .sort((a, b) => a.moment - b.moment || a.units - b.units);
  let taken = 0;
  let peak = 0;
  for (const change of changes) {
    taken += change.units;
    peak = Math.max(peak, taken);
  }
  return peak;
}

/** Stock minus the highest number taken at any moment of the span; never below 0 (docs/interfaces/rules.md#units). */
export function countFreeUnits(stock: number, takes: readonly StockAllocation[], span: Span): number {
  return Math.max(0, stock - peakAllocated(takes, span));
}

/** The span a rental takes from the stock: pickup to return and the time to prepare the unit for the next. */
export function withPreparation(span: Span, preparationMinutes: number): Span {
  return { startsAt: span.startsAt, endsAt: span.endsAt + preparationMinutes };
}

/** A branch group's stock for one rental, and what living bookings take of it meanwhile. */
export interface Stock {
  /** Rentable units by category code; a category without an entry has none. */
  readonly categoryUnits: ReadonlyMap<string, number>;
  readonly categoryAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
  readonly extraAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
}

/** Units of a category that can still be rented for the span. */
export function countFreeVehicles(stock: Stock, category: Category, span: Span): number {
  return countFreeUnits(
    stock.categoryUnits.get(category.code) ?? 0,
    stock.categoryAllocations.get(category.code) ?? [],
    span,
  );
}

/**
 * Units of an extra that can still be chosen for the span at a branch group; infinite where the extra is never short.
 */
export function countFreeExtras(stock: Stock, extra: Extra, branchGroupId: number, span: Span): number {
  if (!extra.stockByStorage) return Number.POSITIVE_INFINITY;
  const units = extra.stockByStorage.get(branchGroupId) ?? 0;
  return countFreeUnits(units, stock.extraAllocations.get(extra.code) ?? [], span);
}
