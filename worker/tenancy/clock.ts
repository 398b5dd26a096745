import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import {
  addDays,
  type CivilDate,
  type CivilMinute,
  MILLISECONDS_PER_DAY,
  MILLISECONDS_PER_MINUTE,
  parseCivilDate,
  parseTimeText,
  toCivilMinute,
  toDayNumber,
} from "#domain/dates.ts";
import type { UtcOffsetChange } from "#worker/store/catalogue/clock.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

// One day away from the calendar's limits, the years 1 and 9999, so that every zone has a date.
const FIRST_MOMENT = toDayNumber("0001-01-02" as CivilDate) * MILLISECONDS_PER_DAY;
const LAST_MOMENT = toDayNumber("9999-12-31" as CivilDate) * MILLISECONDS_PER_DAY - 1;

function withinCalendar(at: number): number {
  return Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT);
}

/** Returns the local date and time at an instant (epoch ms) in an IANA time zone. Limited to the calendar's range. */
export function toCivilNow(timezone: string, at: number): CivilNow {
  const minute = Math.floor(at / MILLISECONDS_PER_MINUTE);
  const known = lastCivilTimes.get(timezone);
  if (known?.minute === minute) return known.civilTime;
  const civilTime = readClock(timezone, at);
  // Not cached for instants before 1972, when offsets had seconds and a UTC minute covered two local ones.
  if (minute >= FIRST_CACHEABLE_MINUTE) lastCivilTimes.set(timezone, { minute, civilTime: civilTime });
  return civilTime;
}

/** Last result by time zone, because a request needs the local time several times within a minute. */
const lastCivilTimes = new Map<string, { readonly minute: number; readonly civilTime: CivilNow }>();
const FIRST_CACHEABLE_MINUTE =
  (toDayNumber("1973-01-01" as CivilDate) * MILLISECONDS_PER_DAY) / MILLISECONDS_PER_MINUTE;

function readClock(timezone: string, at: number): CivilNow {
  const parts = Object.fromEntries(
    formatFor(timezone)
      .formatToParts(withinCalendar(at))
      .map((part) => [part.type, part.value]),
  );
  const date = parseCivilDate(`${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`);
  const time = parseTimeText(`${parts["hour"]}:${parts["minute"]}`);
  if (!date || !time) throw new Error(`no civil time for ${timezone}`);
  return { date, time };
}

const MINUTES_A_DAY = 1440;
const MAX_CACHED_DAYS = 20_000;
/** Offsets of days without a clock change, by zone and day. */
const steadyOffsets = new Map<string, Map<number, number>>();
let cachedDays = 0;

/** Returns the zone's offset from UTC in minutes at an instant (epoch ms). */
export function getOffsetMinutes(timezone: string, at: number): number {
  const day = Math.floor(at / MILLISECONDS_PER_DAY);
  const known = steadyOffsets.get(timezone)?.get(day);
  if (known !== undefined) return known;
  const [first, last] = [
    exactOffset(timezone, day * MILLISECONDS_PER_DAY),
    exactOffset(timezone, (day + 1) * MILLISECONDS_PER_DAY),
  ];
  if (first !== last) return exactOffset(timezone, at);
  cacheOffset(timezone, day, first);
  return first;
}

function cacheOffset(timezone: string, day: number, offset: number): void {
  if (cachedDays >= MAX_CACHED_DAYS) {
    steadyOffsets.clear();
    cachedDays = 0;
  }
  cachedDays += 1;
  const zoneOffsets = steadyOffsets.get(timezone) ?? new Map<number, number>();
  steadyOffsets.set(timezone, zoneOffsets.set(day, offset));
}

/** Returns the local time in the zone at an instant (epoch ms), as a civil minute. */
export function toCivilMinuteInZone(timezone: string, at: number): CivilMinute {
  return Math.floor(at / MILLISECONDS_PER_MINUTE) + getOffsetMinutes(timezone, at);
}

function exactOffset(timezone: string, at: number): number {
  const { date, time } = toCivilNow(timezone, at);
  return toCivilMinute(date, time) - Math.floor(withinCalendar(at) / MILLISECONDS_PER_MINUTE);
}

const STEP = 7 * MILLISECONDS_PER_DAY;

// Returns the zone's offsets in a range of instants (epoch ms): at its start, at each change, and at its end.
function clockChanges(timezone: string, from: number, until: number): UtcOffsetChange[] {
  const changes = [{ fromAt: from, offsetMinutes: getOffsetMinutes(timezone, from) }];
  for (let at = from; at < until; at = Math.min(at + STEP, until)) {
    const next = Math.min(at + STEP, until);
    const offset = getOffsetMinutes(timezone, next);
    if (offset === changes.at(-1)?.offsetMinutes) continue;
    changes.push({ fromAt: findOffsetChange(timezone, offset, at, next), offsetMinutes: offset });
  }
  return [...changes, { fromAt: until, offsetMinutes: getOffsetMinutes(timezone, until) }];
}

// Offsets change on a full minute. `before` is before the change.
function findOffsetChange(timezone: string, offset: number, before: number, after: number): number {
  let [low, high] = [Math.floor(before / MILLISECONDS_PER_MINUTE), Math.floor(after / MILLISECONDS_PER_MINUTE)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (getOffsetMinutes(timezone, middle * MILLISECONDS_PER_MINUTE) === offset) high = middle;
    else low = middle;
  }
  return high * MILLISECONDS_PER_MINUTE;
}

const KNOWN_BEFORE = 365 * MILLISECONDS_PER_DAY;
const KNOWN_AFTER = 3 * 365 * MILLISECONDS_PER_DAY;
const KNOWN_AT_LEAST = 365 * MILLISECONDS_PER_DAY;

/**
 * Returns the changes of the UTC offset to store in the database. Undefined if it already contains those of the coming
 * year.
 */
export function findMissingUtcOffsetChanges(
  timezone: string,
  known: readonly { readonly timezone: string; readonly from: number | null; readonly until: number | null }[],
  now: number,
): UtcOffsetChange[] | undefined {
  const [clock] = known;
  const isKnown =
    known.length === 1 &&
    clock?.timezone === timezone &&
    (clock.from ?? now) < now &&
    (clock.until ?? now) > now + KNOWN_AT_LEAST;
  return isKnown ? undefined : clockChanges(timezone, now - KNOWN_BEFORE, now + KNOWN_AFTER);
}

/** Returns the start of a day in the zone, epoch ms. */
export function getDayStart(timezone: string, date: CivilDate): number {
  return toEpochInstant(timezone, toDayNumber(date) * MINUTES_A_DAY);
}

/**
 * Returns the start and end instants of a day range in the zone, last day included, epoch ms. Unset days give no
 * bounds.
 */
export function getDayBounds(
  timezone: string,
  { dateFrom, dateTo }: { readonly dateFrom?: CivilDate | undefined; readonly dateTo?: CivilDate | undefined },
): { readonly from: number | undefined; readonly until: number | undefined } {
  return {
    from: dateFrom && getDayStart(timezone, dateFrom),
    until: dateTo && getDayStart(timezone, addDays(dateTo, 1)),
  };
}

/**
 * Returns the first instant with a civil minute in the zone, epoch ms. A time skipped by a clock change continues from
 * the last existing one, also for midnight (RFC 5545, 3.3.5).
 */
export function toEpochInstant(timezone: string, minute: CivilMinute): number {
  const asIfUtc = minute * MILLISECONDS_PER_MINUTE;
  const [before, after] = [asIfUtc - MILLISECONDS_PER_DAY, asIfUtc + MILLISECONDS_PER_DAY].map((at) => {
    const offset = getOffsetMinutes(timezone, at);
    const moment = asIfUtc - offset * MILLISECONDS_PER_MINUTE;
    return { moment, isShown: getOffsetMinutes(timezone, moment) === offset };
  });
  return !before?.isShown && after?.isShown ? after.moment : (before?.moment ?? asIfUtc);
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timezone, format);
  return format;
}
