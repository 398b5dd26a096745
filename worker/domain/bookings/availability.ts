import type { Catalogue, Category, Extra } from "#domain/catalogue/catalogue.ts";
import type { Span } from "#domain/dates.ts";

/** Units that are not there for a while, preparation time included; units that come instead are negative. */
export interface StockAllocation extends Span {
  readonly quantity: number;
}

/** Where a stretch has no end. */
export const NEVER = Number.MAX_SAFE_INTEGER;

const MINUTES_PER_DAY = 1440;

/** The highest number of units taken at any moment of the span. */
export function peakUsage(takes: readonly StockAllocation[], span: Span): number {
  const changes = takes
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

/** Stock minus the highest number taken at any moment of the span; never below 0 (docs/interfaces/rules.md#units). */
export function countFreeUnits(stock: number, takes: readonly StockAllocation[], span: Span): number {
  return Math.max(0, stock - peakUsage(takes, span));
}

/** The span a rental takes from the stock: pickup to return and the time to prepare the unit for the next. */
export function withPreparation(span: Span, preparationMinutes: number): Span {
  return { startsAt: span.startsAt, endsAt: span.endsAt + preparationMinutes };
}

/** For how long a rental takes its vehicles, and for how long its extras. */
export interface OccupancySpans {
  readonly vehicles: Span;
  readonly extras: Span;
}

/**
 * What a rental takes of the pickup's branch group: to its return and the preparation; where its way ends at another
 * branch group until all is home again, or for good where the vehicle stays (docs/interfaces/rules.md#one-way-rentals).
 */
export function occupancySpans(
  { settings, repatriations }: Pick<Catalogue, "settings" | "repatriations">,
  span: Span,
  branchGroupId: number,
  returnBranchGroupId: number,
): OccupancySpans {
  const prepared = withPreparation(span, settings.preparationMinutes);
  if (branchGroupId === returnBranchGroupId) return { vehicles: prepared, extras: prepared };
  const pair = repatriations.find(
    (repatriation) =>
      repatriation.branchGroupId === branchGroupId && repatriation.returnBranchGroupId === returnBranchGroupId,
  );
  const home = withPreparation(prepared, (pair?.days ?? settings.repatriationDays) * MINUTES_PER_DAY);
  const stays = settings.oneWayMode === "stays";
  return { vehicles: stays ? { startsAt: span.startsAt, endsAt: NEVER } : home, extras: home };
}

/** A branch group's stock for one rental, and what is not there of it meanwhile. */
export interface Stock {
  /** What the rental takes: what is free is free for all of it. */
  readonly spans: OccupancySpans;
  /** Rentable units by category code; a category without an entry has none. */
  readonly categoryUnits: ReadonlyMap<string, number>;
  readonly categoryAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
  readonly extraAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
}

/** Units of a category that can still be rented for the span; unless it is said, for what the rental takes. */
export function countFreeVehicles(stock: Stock, category: Category, span = stock.spans.vehicles): number {
  return countFreeUnits(
    stock.categoryUnits.get(category.code) ?? 0,
    stock.categoryAllocations.get(category.code) ?? [],
    span,
  );
}

/**
 * Units of an extra that can still be chosen at a branch group, unless it is said for what the rental takes; infinite
 * where the extra is never short.
 */
export function countFreeExtras(
  { spans, extraAllocations }: Pick<Stock, "spans" | "extraAllocations">,
  extra: Extra,
  branchGroupId: number,
  span = spans.extras,
): number {
  if (!extra.stockByStorage) return Number.POSITIVE_INFINITY;
  const units = extra.stockByStorage.get(branchGroupId) ?? 0;
  return countFreeUnits(units, extraAllocations.get(extra.code) ?? [], span);
}
