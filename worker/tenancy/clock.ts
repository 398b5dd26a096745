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
import type { ClockChange } from "#worker/store/catalogue/clock.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

// A day away from the ends of the calendar, the years 1 to 9999: every zone has a date there.
const FIRST_MOMENT = toDayNumber("0001-01-02" as CivilDate) * MILLISECONDS_PER_DAY;
const LAST_MOMENT = toDayNumber("9999-12-31" as CivilDate) * MILLISECONDS_PER_DAY - 1;

function withinCalendar(at: number): number {
  return Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT);
}

/**
 * What a clock on the wall shows at a moment (epoch ms) in an IANA time zone; beyond the calendar, what it shows at its
 * ends.
 */
export function civilNow(timezone: string, at: number): CivilNow {
  const minute = Math.floor(at / MILLISECONDS_PER_MINUTE);
  const known = lastCivilTimes.get(timezone);
  if (known?.minute === minute) return known.shown;
  const civilTime = readClock(timezone, at);
  // Offsets had seconds before 1972: a minute there is not one on the wall.
  if (minute >= FIRST_CACHEABLE_MINUTE) lastCivilTimes.set(timezone, { minute, shown: civilTime });
  return civilTime;
}

/** What each zone's clock showed when it was last looked at: a request looks several times within a minute. */
const lastCivilTimes = new Map<string, { readonly minute: number; readonly shown: CivilNow }>();
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
/** Of the days on which the clock is not put forward or back, by zone and day. */
const steadyOffsets = new Map<string, number>();

/** By how many minutes a clock in the zone is ahead of UTC at a moment (epoch ms). */
export function offsetMinutes(timezone: string, at: number): number {
  const day = Math.floor(at / MILLISECONDS_PER_DAY);
  const key = `${timezone} ${day}`;
  const known = steadyOffsets.get(key);
  if (known !== undefined) return known;
  const [first, last] = [
    exactOffset(timezone, day * MILLISECONDS_PER_DAY),
    exactOffset(timezone, (day + 1) * MILLISECONDS_PER_DAY),
  ];
  if (first !== last) return exactOffset(timezone, at);
  if (steadyOffsets.size >= MAX_CACHED_DAYS) steadyOffsets.clear();
  steadyOffsets.set(key, first);
  return first;
}

/** What a clock on the wall in the zone shows at a moment (epoch ms), as a minute that can be counted with. */
export function civilMinuteAt(timezone: string, at: number): CivilMinute {
  return Math.floor(at / MILLISECONDS_PER_MINUTE) + offsetMinutes(timezone, at);
}

function exactOffset(timezone: string, at: number): number {
  const { date, time } = civilNow(timezone, at);
  return toCivilMinute(date, time) - Math.floor(withinCalendar(at) / MILLISECONDS_PER_MINUTE);
}

const STEP = 7 * MILLISECONDS_PER_DAY;

// How far a clock in the zone is ahead of UTC from one moment to another (epoch ms): at the first, whenever it is put
// forward or back, and at the last.
function clockChanges(timezone: string, from: number, until: number): ClockChange[] {
  const changes = [{ fromAt: from, offsetMinutes: offsetMinutes(timezone, from) }];
  for (let at = from; at < until; at = Math.min(at + STEP, until)) {
    const next = Math.min(at + STEP, until);
    const offset = offsetMinutes(timezone, next);
    if (offset === changes.at(-1)?.offsetMinutes) continue;
    changes.push({ fromAt: findOffsetChange(timezone, offset, at, next), offsetMinutes: offset });
  }
  return [...changes, { fromAt: until, offsetMinutes: offsetMinutes(timezone, until) }];
}

// The clock is put forward or back on a full minute; at `before` it was not yet.
function findOffsetChange(timezone: string, offset: number, before: number, after: number): number {
  let [low, high] = [Math.floor(before / MILLISECONDS_PER_MINUTE), Math.floor(after / MILLISECONDS_PER_MINUTE)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMinutes(timezone, middle * MILLISECONDS_PER_MINUTE) === offset) high = middle;
    else low = middle;
  }
  return high * MILLISECONDS_PER_MINUTE;
}

const KNOWN_BEFORE = 365 * MILLISECONDS_PER_DAY;
const KNOWN_AFTER = 3 * 365 * MILLISECONDS_PER_DAY;
const KNOWN_AT_LEAST = 365 * MILLISECONDS_PER_DAY;

/** The changes that the database is to be told; undefined where it knows the clock for a year to come. */
export function unknownClock(
  timezone: string,
  known: readonly { readonly timezone: string; readonly from: number | null; readonly until: number | null }[],
  now: number,
): ClockChange[] | undefined {
  const [clock] = known;
  const isKnown =
    known.length === 1 &&
    clock?.timezone === timezone &&
    (clock.from ?? now) < now &&
    (clock.until ?? now) > now + KNOWN_AT_LEAST;
  return isKnown ? undefined : clockChanges(timezone, now - KNOWN_BEFORE, now + KNOWN_AFTER);
}

/** The moment at which a day begins in the zone, epoch ms. */
export function getDayStart(timezone: string, date: CivilDate): number {
  return toMoment(timezone, toDayNumber(date) * MINUTES_A_DAY);
}

/** The moments from which and until which days last in the zone, the last day included, epoch ms; of no day none. */
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
 * The moment at which a clock in the zone first shows a civil minute, epoch ms. One that the clock leaves out is as
 * long after the last that it showed: midnight too, in zones that leave it out (RFC 5545, 3.3.5).
 */
export function toMoment(timezone: string, minute: CivilMinute): number {
  const asIfUtc = minute * MILLISECONDS_PER_MINUTE;
  const [before, after] = [asIfUtc - MILLISECONDS_PER_DAY, asIfUtc + MILLISECONDS_PER_DAY].map((at) => {
    const offset = offsetMinutes(timezone, at);
    const moment = asIfUtc - offset * MILLISECONDS_PER_MINUTE;
    return { moment, isShown: offsetMinutes(timezone, moment) === offset };
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
