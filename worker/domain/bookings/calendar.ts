import { type CivilNow, isBranchClosedOn, isBranchOpenAt } from "#domain/bookings/rental-terms.ts";
import {
  type BookingWindow,
  type CalendarDay,
  getBookingWindow,
  isDayAllowedBySellingRules,
} from "#domain/bookings/selling-rules.ts";
import type { Branch, Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import {
  addDays,
  type CivilDate,
  fromCivilMinute,
  type TimeText,
  toCivilMinute,
  toDayNumber,
  toMinutesSinceMidnight,
} from "#domain/dates.ts";

const SLOT_MINUTES = 30;
const MAX_LIST_DAYS = 400;
const MIDNIGHT = "00:00" as TimeText;
// Returns aren't booked separately, so they have no booking window.
const ANY_TIME: BookingWindow = { noticeMinutes: 0, horizonMinutes: Number.POSITIVE_INFINITY };

/** Lists the dates from one day to another, both included, at most 400. */
export function listDays(from: CivilDate, to: CivilDate): CivilDate[] {
  const count = Math.min(MAX_LIST_DAYS, toDayNumber(to) - toDayNumber(from) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}

const SLOTS = Array.from(
  { length: (24 * 60) / SLOT_MINUTES },
  (_, index) => fromCivilMinute(index * SLOT_MINUTES).time,
);

/** Lists every half hour of a day. */
export function listHalfHours(): TimeText[] {
  return [...SLOTS];
}

/** Branches and action of a calendar: delivery or collection. */
export interface CalendarScope {
  readonly action: CalendarDay["action"];
  readonly branches: readonly Branch[];
  /** Limits the calendar to one category. Without it, any public category counts. */
  readonly categoryCode?: string | undefined;
}

/** Times of a day regardless of the current time, and how far ahead pickups can be booked. */
interface DayOnSale extends BookingWindow {
  readonly times: readonly TimeText[];
}

/**
 * Lists the times at which a vehicle can be delivered or collected at any of the branches on a day. These are the
 * opening hours, or any time if allowed. Returns none if the branch is closed, the selling rules exclude the day, or a
 * pickup would be too soon or too far ahead.
 */
export function listHandOverTimes(
  catalogue: Catalogue,
  scope: CalendarScope,
  date: CivilDate,
  now: CivilNow,
): TimeText[] {
  if (date < now.date) return [];
  const { times, noticeMinutes, horizonMinutes } = dayOnSale(catalogue, scope, date);
  const midnight = toCivilMinute(date, MIDNIGHT) - toCivilMinute(now.date, now.time);
  return times.filter((time) => {
    const ahead = midnight + toMinutesSinceMidnight(time);
    return ahead >= noticeMinutes && ahead <= horizonMinutes;
  });
}

/** Maximum number of cached days per catalogue. The oldest entries are dropped first. */
const MAX_CACHED_DAYS = 2000;
// A catalogue never changes, so a day's times stay valid until the catalogue is reloaded.
const dayCaches = new WeakMap<Catalogue, Map<string, DayOnSale>>();

function dayOnSale(catalogue: Catalogue, place: CalendarScope, date: CivilDate): DayOnSale {
  const known = dayCaches.get(catalogue) ?? new Map<string, DayOnSale>();
  dayCaches.set(catalogue, known);
  const key = [place.action, date, place.categoryCode ?? "", ...place.branches.map(({ code }) => code)].join(" ");
  const day = known.get(key) ?? computeDay(catalogue, place, date);
  known.set(key, day);
  if (known.size > MAX_CACHED_DAYS) known.delete(known.keys().next().value ?? "");
  return day;
}

function computeDay(
  catalogue: Catalogue,
  { action, branches, categoryCode }: CalendarScope,
  date: CivilDate,
): DayOnSale {
  const working = branches.filter(
    (branch) =>
      isDayAllowedBySellingRules(catalogue, { action, branchCode: branch.code, date, categoryCode }) &&
      (action === "collections" || !isBranchClosedOn(branch, date)),
  );
  const times = SLOTS.filter(
    (time) =>
      working.length > 0 &&
      (catalogue.settings.outOfHoursAllowed || working.some((branch) => isBranchOpenAt(branch, date, time))),
  );
  if (action === "collections") return { times, ...ANY_TIME };
  const windows = working.map(({ code }) => getBookingWindow(catalogue, { branchCode: code, date, categoryCode }));
  return {
    times,
    noticeMinutes: Math.min(...windows.map(({ noticeMinutes }) => noticeMinutes)),
    horizonMinutes: Math.max(...windows.map(({ horizonMinutes }) => horizonMinutes)),
  };
}

/** Lists a day's future half hours. Transfers run day and night. */
export function listFutureHalfHours(date: CivilDate, now: CivilNow): TimeText[] {
  return date < now.date ? [] : SLOTS.filter((time) => date > now.date || time >= now.time);
}

/** Lists the days on which a vehicle can be delivered or collected at any of the branches. Excludes past days. */
export function listOpenDays(
  catalogue: Catalogue,
  scope: CalendarScope,
  [from, to]: readonly [CivilDate, CivilDate],
  now: CivilNow,
): CivilDate[] {
  return listDays(from, to).filter((date) => listHandOverTimes(catalogue, scope, date, now).length > 0);
}

/** Returns the branches of the places used for an action: deliveries for pickups, collections for returns. */
export function listBranchesWithPublicPlaces(
  places: Iterable<Place>,
  branches: ReadonlyMap<string, Branch>,
  filter: {
    readonly action: "deliveries" | "collections";
    readonly placeId?: number | undefined;
    readonly branchCode?: string | undefined;
  },
): Branch[] {
  const codes = new Set<string>();
  for (const place of places) {
    const takesPart = filter.action === "deliveries" ? place.isPickup : place.isReturn;
    const matchesPlace = filter.placeId === undefined || filter.placeId === place.id;
    const matchesBranch = filter.branchCode === undefined || filter.branchCode === place.branchCode;
    if (takesPart && place.webPublic && matchesPlace && matchesBranch) codes.add(place.branchCode);
  }
  return [...codes].flatMap((code) => branches.get(code) ?? []);
}
