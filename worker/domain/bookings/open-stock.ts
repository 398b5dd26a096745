import type { CivilMinute } from "#domain/dates.ts";
import { NEVER, type Stock, type StockAllocation, type TakenSpans } from "./availability.ts";

/** A moment at which the stock is counted. */
export interface StockMoment {
  /** Epoch ms; holds that have ended by then are free. */
  readonly at: number;
  /** The same moment on the account's own clock: a vehicle that is out too long is back so long after it. */
  readonly now: CivilMinute;
  readonly overdueMinutes: number;
}

/** What a rental would take, and when that is asked. */
export interface WantedStock extends StockMoment {
  readonly spans: TakenSpans;
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
 * The stock for one rental: counted as the guard of the database counts it (`stock_allocations_never_exceed_stock`).
 */
export function stockAt(open: OpenStock, wanted: WantedStock): Stock {
  const { vehicles, extras } = wanted.spans;
  const categoryUnits = new Map<string, number>();
  for (const { code, leavesAt, units } of open.units)
    if (isThere(leavesAt, vehicles.startsAt)) categoryUnits.set(code, (categoryUnits.get(code) ?? 0) + units);
  const categoryAllocations = takenOf(open.categoryAllocations, vehicles.endsAt, wanted);
  for (const { code, ...absence } of absencesIn(open.absences, wanted)) {
    const known = categoryAllocations.get(code);
    if (known) known.push(absence);
    else categoryAllocations.set(code, [absence]);
  }
  return {
    spans: wanted.spans,
    categoryUnits,
    categoryAllocations,
    extraAllocations: takenOf(open.extraAllocations, extras.endsAt, wanted),
  };
}

function isThere(leavesAt: number | null, startsAt: number): boolean {
  return leavesAt === null || leavesAt > startsAt;
}

function takenOf(
  allocations: ReadonlyMap<string, readonly OpenAllocation[]>,
  until: number,
  { spans, at, now, overdueMinutes }: WantedStock,
): Map<string, StockAllocation[]> {
  const { startsAt } = spans.vehicles;
  const isTaken = (one: OpenAllocation) =>
    one.startsAt < until && (one.isOut || one.endsAt > startsAt) && (one.expiresAt === null || one.expiresAt > at);
  const found = new Map<string, StockAllocation[]>();
  for (const [code, ofCode] of allocations) {
    const taken: StockAllocation[] = [];
    for (const one of ofCode) {
      const seen = isTaken(one) ? asSeen(one, now, overdueMinutes) : undefined;
      if (seen && seen.startsAt < seen.endsAt) taken.push(seen);
    }
    if (taken.length > 0) found.set(code, taken);
  }
  return found;
}

/**
 * What is out after its return is taken until so long after the moment, and comes elsewhere so much later
 * (docs/interfaces/rules.md#overdue).
 */
function asSeen(one: OpenAllocation, now: number, overdueMinutes: number): StockAllocation {
  if (!one.isOut || one.returnsAt === null || one.returnsAt >= now) return one;
  const later = now + overdueMinutes - one.returnsAt;
  return one.quantity > 0
    ? { startsAt: one.startsAt, endsAt: Math.min(one.endsAt + later, NEVER), quantity: one.quantity }
    : { startsAt: one.startsAt + later, endsAt: one.endsAt, quantity: one.quantity };
}

/** What stands still, is away or gone before the return, each vehicle once at a time. */
function absencesIn(
  absences: readonly OpenAbsence[],
  { spans: { vehicles }, preparationMinutes }: WantedStock,
): (StockAllocation & { readonly code: string })[] {
  const unpreparedAt = vehicles.endsAt - preparationMinutes;
  const found: (StockAllocation & { readonly code: string })[] = [];
  let of = "";
  let until = Number.NEGATIVE_INFINITY;
  for (const { code, reference, leavesAt, startsAt, endsAt } of absences) {
    if (!isThere(leavesAt, vehicles.startsAt) || endsAt <= vehicles.startsAt || startsAt >= unpreparedAt) continue;
    if (reference !== of) until = Number.NEGATIVE_INFINITY;
    of = reference;
    const absence = { startsAt: Math.max(startsAt, until), endsAt: Math.min(endsAt, unpreparedAt) };
    until = Math.max(until, endsAt);
    if (absence.startsAt < absence.endsAt) found.push({ code, ...absence, quantity: 1 });
  }
  return found;
}
