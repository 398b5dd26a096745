import type { CivilMinute } from "#domain/dates.ts";
import { NEVER, type OccupancySpans, type Stock, type StockAllocation } from "./availability.ts";

/** A moment at which the stock is counted. */
export interface StockMoment {
  /** Epoch ms; holds that have ended by then are free. */
  readonly at: number;
  /** The same moment on the account's own clock: a vehicle that is out too long is back so long after it. */
  readonly now: CivilMinute;
  readonly overdueMinutes: number;
}

/** What a rental would take, and when that is asked. */
export interface StockRequest extends StockMoment {
  readonly spans: OccupancySpans;
  readonly preparationMinutes: number;
}

/** Vehicles of a category; those that are sold or released, when (civil minutes). */
export interface OpenUnits {
  readonly code: string;
  readonly leavesAt: number | null;
  readonly units: number;
}

/** What a living rental takes or brings, as it is agreed. */
export interface OpenAllocation extends StockAllocation {
  readonly isOut: boolean;
  /** Civil minutes; null where nothing comes back. */
  readonly returnsAt: number | null;
  /** Of a hold, epoch ms. */
  readonly expiresAt: number | null;
}

/** When a vehicle stands still, is away or gone; those of one vehicle follow each other by their beginning. */
export interface OpenAbsence {
  readonly code: string;
  readonly reference: string;
  readonly leavesAt: number | null;
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * A branch group's vehicles and all that is taken of them from a moment on, as the database holds it: what is free for
 * any rental that begins later follows from it (`stockAt`), until the stock changes.
 */
export interface OpenStock {
  /** Civil minutes; what ended before is not there. */
  readonly from: number;
  readonly units: readonly OpenUnits[];
  readonly categoryAllocations: ReadonlyMap<string, readonly OpenAllocation[]>;
  readonly extraAllocations: ReadonlyMap<string, readonly OpenAllocation[]>;
  readonly absences: readonly OpenAbsence[];
}

/**
 * The stock for one rental: counted as the guard of the database counts it (`stock_allocations_insert_limit_stock`).
 */
export function stockAt(open: OpenStock, request: StockRequest): Stock {
  const { vehicles, extras } = request.spans;
  const categoryUnits = new Map<string, number>();
  for (const { code, leavesAt, units } of open.units)
    if (isThere(leavesAt, vehicles.startsAt)) categoryUnits.set(code, (categoryUnits.get(code) ?? 0) + units);
  const categoryAllocations = collectAllocations(open.categoryAllocations, vehicles.endsAt, request);
  for (const { code, ...absence } of absencesIn(open.absences, request)) {
    const known = categoryAllocations.get(code);
    if (known) known.push(absence);
    else categoryAllocations.set(code, [absence]);
  }
  return {
    spans: request.spans,
    categoryUnits,
    categoryAllocations,
    extraAllocations: collectAllocations(open.extraAllocations, extras.endsAt, request),
  };
}

function isThere(leavesAt: number | null, startsAt: number): boolean {
  return leavesAt === null || leavesAt > startsAt;
}

function collectAllocations(
  allocations: ReadonlyMap<string, readonly OpenAllocation[]>,
  until: number,
  { spans, at, now, overdueMinutes }: StockRequest,
): Map<string, StockAllocation[]> {
  const { startsAt } = spans.vehicles;
  const occupiesStock = (openAllocation: OpenAllocation) =>
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
 * What is out after its return is taken until so long after the moment, and comes elsewhere so much later
 * (docs/interfaces/rules.md#overdue).
 */
function toEffectiveAllocation(openAllocation: OpenAllocation, now: number, overdueMinutes: number): StockAllocation {
  if (!openAllocation.isOut || openAllocation.returnsAt === null || openAllocation.returnsAt >= now)
    return openAllocation;
  const later = now + overdueMinutes - openAllocation.returnsAt;
  return openAllocation.quantity > 0
    ? {
        startsAt: openAllocation.startsAt,
        endsAt: Math.min(openAllocation.endsAt + later, NEVER),
        quantity: openAllocation.quantity,
      }
    : { startsAt: openAllocation.startsAt + later, endsAt: openAllocation.endsAt, quantity: openAllocation.quantity };
}

/** What stands still, is away or gone before the return, each vehicle once at a time. */
function absencesIn(
  absences: readonly OpenAbsence[],
  { spans: { vehicles }, preparationMinutes }: StockRequest,
): (StockAllocation & { readonly code: string })[] {
  const unpreparedAt = vehicles.endsAt - preparationMinutes;
  const allocationsByKey: (StockAllocation & { readonly code: string })[] = [];
  let currentKey = "";
  let until = Number.NEGATIVE_INFINITY;
  for (const { code, reference, leavesAt, startsAt, endsAt } of absences) {
    if (!isThere(leavesAt, vehicles.startsAt) || endsAt <= vehicles.startsAt || startsAt >= unpreparedAt) continue;
    if (reference !== currentKey) until = Number.NEGATIVE_INFINITY;
    currentKey = reference;
    const absence = { startsAt: Math.max(startsAt, until), endsAt: Math.min(endsAt, unpreparedAt) };
    until = Math.max(until, endsAt);
    if (absence.startsAt < absence.endsAt) allocationsByKey.push({ code, ...absence, quantity: 1 });
  }
  return allocationsByKey;
}
