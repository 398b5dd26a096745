import { type CivilNow, isClosedDay, isOpen } from "#domain/bookings/rental-terms.ts";
import { type CalendarDay, isDayOnSale } from "#domain/bookings/selling-rules.ts";
import { addDays, type CivilDate, fromCivilMinute, type TimeOfDay, toDayNumber } from "#domain/dates.ts";
import type { Branch, Catalogue, Place } from "./catalogue.ts";

const SLOT_MINUTES = 30;
const LONGEST_LIST_DAYS = 400;

/** The dates from one day to another, both included, at most 400. */
export function listDays(from: CivilDate, to: CivilDate): CivilDate[] {
  const count = Math.min(LONGEST_LIST_DAYS, toDayNumber(to) - toDayNumber(from) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}

const SLOTS = Array.from(
  { length: (24 * 60) / SLOT_MINUTES },
  (_, index) => fromCivilMinute(index * SLOT_MINUTES).time,
);

/** Every half hour of a day. */
export function listSlots(): TimeOfDay[] {
  return [...SLOTS];
}

/** Where vehicles are handed over, or taken back. */
export interface CalendarPlace {
  readonly action: CalendarDay["action"];
  readonly branches: readonly Branch[];
}

/**
 * The times at which a vehicle can be handed over, or taken back, at any of the branches on a day: opening hours, or
 * any time where that is allowed; none where the branch is closed or the selling rules leave the day out.
 */
export function listTimes(
  catalogue: Catalogue,
  { action, branches }: CalendarPlace,
  date: CivilDate,
  now: CivilNow,
): TimeOfDay[] {
  if (date < now.date) return [];
  const times = timesOfDay(catalogue, { action, branches }, date);
  return date > now.date ? [...times] : times.filter((time) => time >= now.time);
}

/** Of one catalogue; the days that were asked for first go first. */
const MOST_DAYS = 2000;
// A catalogue never changes: a day's times hold until it is read anew.
const remembered = new WeakMap<Catalogue, Map<string, readonly TimeOfDay[]>>();

// Whatever the time is now.
function timesOfDay(catalogue: Catalogue, place: CalendarPlace, date: CivilDate): readonly TimeOfDay[] {
  const known = remembered.get(catalogue) ?? new Map<string, readonly TimeOfDay[]>();
  remembered.set(catalogue, known);
  const key = [place.action, date, ...place.branches.map(({ code }) => code)].join(" ");
  const times = known.get(key) ?? computeTimes(catalogue, place, date);
  known.set(key, times);
  if (known.size > MOST_DAYS) known.delete(known.keys().next().value ?? "");
  return times;
}

function computeTimes(catalogue: Catalogue, { action, branches }: CalendarPlace, date: CivilDate): TimeOfDay[] {
  const working = branches.filter(
    (branch) =>
      isDayOnSale(catalogue, { action, branchCode: branch.code, date }) &&
      (action === "collections" || !isClosedDay(branch, date)),
  );
  if (working.length === 0) return [];
  return SLOTS.filter(
    (time) => catalogue.settings.outOfHoursAllowed || working.some((branch) => isOpen(branch, date, time)),
  );
}

/** The half hours of a day that are still to come: the times of transfers, which drive day and night. */
export function listComingSlots(date: CivilDate, now: CivilNow): TimeOfDay[] {
  return date < now.date ? [] : SLOTS.filter((time) => date > now.date || time >= now.time);
}

/** The days on which a vehicle can be handed over, or taken back, at any of the branches: none in the past. */
export function listOpenDays(
  catalogue: Catalogue,
  place: CalendarPlace,
  [from, to]: readonly [CivilDate, CivilDate],
  now: CivilNow,
): CivilDate[] {
  return listDays(from, to).filter((date) => listTimes(catalogue, place, date, now).length > 0);
}

/**
 * The branches of the places that take part in an action: deliveries where vehicles are picked up, collections where
 * they return.
 */
export function branchesFor(
  places: Iterable<Place>,
  branches: ReadonlyMap<string, Branch>,
  wanted: {
    readonly action: "deliveries" | "collections";
    readonly placeId?: number | undefined;
    readonly branchCode?: string | undefined;
  },
): Branch[] {
  const codes = new Set<string>();
  for (const place of places) {
    const takesPart = wanted.action === "deliveries" ? place.isPickup : place.isReturn;
    const isWanted = wanted.placeId === undefined || wanted.placeId === place.id;
    const isOfBranch = wanted.branchCode === undefined || wanted.branchCode === place.branchCode;
    if (takesPart && place.webPublic && isWanted && isOfBranch) codes.add(place.branchCode);
  }
  return [...codes].flatMap((code) => branches.get(code) ?? []);
}
