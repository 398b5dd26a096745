import type { CivilMinute } from "#domain/dates.ts";
import { type OccupancySpans, type RentalStock, type StockAllocation, UNLIMITED_END } from "./availability.ts";

/** Time at which the stock is counted. */
export interface StockMoment {
  /** Epoch ms. Holds that ended before this time are free. */
  readonly at: number;
  /** Same time on the account's clock. An overdue vehicle is expected back `overdueMinutes` later. */
  readonly now: CivilMinute;
  readonly overdueMinutes: number;
}

/** Stock that a rental would occupy, and the time of the request. */
export interface StockRequest extends StockMoment {
  readonly spans: OccupancySpans;
  readonly preparationMinutes: number;
}

/** Number of vehicles of a category. Vehicles to be sold or released have `leavesAt`, the time in civil minutes. */
export interface StockUnits {
  readonly code: string;
  readonly leavesAt: number | null;
  readonly units: number;
}

/** Stock that an active rental occupies or adds, as agreed. */
export interface StoredStockAllocation extends StockAllocation {
  readonly isOut: boolean;
  /** Time at which the units return, in civil minutes. Null if nothing returns. */
  readonly returnsAt: number | null;
  /** Expiry of a hold, epoch ms. */
  readonly expiresAt: number | null;
}

/**
 * Period in which a vehicle is blocked or away from its branch group, or the time after it leaves the fleet. A
 * vehicle's entries are sorted by start. `leavesAt` is the time when it leaves the fleet, in civil minutes.
 */
export interface VehicleAbsence {
  readonly code: string;
  readonly reference: string;
  readonly leavesAt: number | null;
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * Vehicles and allocations of a branch group from a time on, as stored in the database. `deriveRentalStock` derives the
 * free units of any later rental from it. Valid until the stock changes.
 */
export interface BranchGroupStock {
  /** Civil minutes. Excludes entries that ended before. */
  readonly from: number;
  readonly units: readonly StockUnits[];
  readonly categoryAllocations: ReadonlyMap<string, readonly StoredStockAllocation[]>;
  readonly extraAllocations: ReadonlyMap<string, readonly StoredStockAllocation[]>;
  readonly absences: readonly VehicleAbsence[];
}

/** Returns the stock for one rental. Counts like the database guard (`stock_allocations_insert_limit_stock`). */
export function deriveRentalStock(branchGroupStock: BranchGroupStock, request: StockRequest): RentalStock {
  const { vehicles, extras } = request.spans;
  const categoryUnits = new Map<string, number>();
  for (const { code, leavesAt, units } of branchGroupStock.units)
    if (isInFleetAt(leavesAt, vehicles.startsAt)) categoryUnits.set(code, (categoryUnits.get(code) ?? 0) + units);
  const categoryAllocations = collectAllocations(branchGroupStock.categoryAllocations, vehicles.endsAt, request);
  for (const { code, ...absence } of listAbsencePeriods(branchGroupStock.absences, request)) {
    const known = categoryAllocations.get(code);
    if (known) known.push(absence);
    else categoryAllocations.set(code, [absence]);
  }
  return {
    spans: request.spans,
    categoryUnits,
    categoryAllocations,
    extraAllocations: collectAllocations(branchGroupStock.extraAllocations, extras.endsAt, request),
  };
}

function isInFleetAt(leavesAt: number | null, startsAt: number): boolean {
  return leavesAt === null || leavesAt > startsAt;
}

function collectAllocations(
  allocations: ReadonlyMap<string, readonly StoredStockAllocation[]>,
  until: number,
  { spans, at, now, overdueMinutes }: StockRequest,
): Map<string, StockAllocation[]> {
  const { startsAt } = spans.vehicles;
  const occupiesStock = (openAllocation: StoredStockAllocation) =>
    openAllocation.startsAt < until &&
    (openAllocation.isOut || openAllocation.endsAt > startsAt) &&
    (openAllocation.expiresAt === null || openAllocation.expiresAt > at);
  const allocationsByKey = new Map<string, StockAllocation[]>();
  for (const [code, ofCode] of allocations) {
    const groupAllocations: StockAllocation[] = [];
    for (const openAllocation of ofCode) {
      const effectiveAllocation = occupiesStock(openAllocation)
        ? toEffectiveAllocation(openAllocation, now, overdueMinutes)
        : undefined;
      if (effectiveAllocation && effectiveAllocation.startsAt < effectiveAllocation.endsAt)
        groupAllocations.push(effectiveAllocation);
    }
    if (groupAllocations.length > 0) allocationsByKey.set(code, groupAllocations);
  }
  return allocationsByKey;
}

/**
 * Overdue units stay occupied for the given minutes from now, and arrive elsewhere with the same delay
 * (docs/interfaces/rules.md#overdue-vehicles).
 */
function toEffectiveAllocation(
  openAllocation: StoredStockAllocation,
  now: number,
  overdueMinutes: number,
): StockAllocation {
  if (!openAllocation.isOut || openAllocation.returnsAt === null || openAllocation.returnsAt >= now)
    return openAllocation;
  const later = now + overdueMinutes - openAllocation.returnsAt;
  return openAllocation.quantity > 0
    ? {
        startsAt: openAllocation.startsAt,
        endsAt: Math.min(openAllocation.endsAt + later, UNLIMITED_END),
        quantity: openAllocation.quantity,
      }
    : { startsAt: openAllocation.startsAt + later, endsAt: openAllocation.endsAt, quantity: openAllocation.quantity };
}

/**
 * Returns the periods until the rental's return in which vehicles are blocked, away from the branch group or no longer
 * in the fleet. Overlapping periods of a vehicle count once.
 */
function listAbsencePeriods(
  absences: readonly VehicleAbsence[],
  { spans: { vehicles }, preparationMinutes }: StockRequest,
): (StockAllocation & { readonly code: string })[] {
  const returnsAt = vehicles.endsAt - preparationMinutes;
  const absencePeriods: (StockAllocation & { readonly code: string })[] = [];
  let currentReference = "";
  let until = Number.NEGATIVE_INFINITY;
  for (const { code, reference, leavesAt, startsAt, endsAt } of absences) {
    if (!isInFleetAt(leavesAt, vehicles.startsAt) || endsAt <= vehicles.startsAt || startsAt >= returnsAt) continue;
    if (reference !== currentReference) until = Number.NEGATIVE_INFINITY;
    currentReference = reference;
    const absence = { startsAt: Math.max(startsAt, until), endsAt: Math.min(endsAt, returnsAt) };
    until = Math.max(until, endsAt);
    if (absence.startsAt < absence.endsAt) absencePeriods.push({ code, ...absence, quantity: 1 });
  }
  return absencePeriods;
}
