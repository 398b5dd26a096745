import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import { type CivilDate, parseCivilDate, parseTimeOfDay, toCivilMinute, toDayNumber } from "#domain/dates.ts";

const DAY_MILLISECONDS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

// A day away from the ends of the calendar, the years 1 to 9999: every zone has a date there.
const FIRST_MOMENT = toDayNumber("0001-01-02" as CivilDate) * DAY_MILLISECONDS;
const LAST_MOMENT = toDayNumber("9999-12-31" as CivilDate) * DAY_MILLISECONDS - 1;

function withinCalendar(at: number): number {
  return Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT);
}

/**
 * What a clock on the wall shows at a moment (epoch ms) in an IANA time zone; beyond the calendar, what it shows at its
 * ends.
 */
export function civilNow(timezone: string, at: number): CivilNow {
  const parts = Object.fromEntries(
    formatFor(timezone)
      .formatToParts(withinCalendar(at))
      .map((part) => [part.type, part.value]),
  );
  const date = parseCivilDate(`${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`);
  const time = parseTimeOfDay(`${parts["hour"]}:${parts["minute"]}`);
  if (!date || !time) throw new Error(`no civil time for ${timezone}`);
  return { date, time };
}

const MINUTE_MILLISECONDS = 60_000;
const REMEMBERED_DAYS = 20_000;
/** Of the days on which the clock is not put forward or back, by zone and day. */
const steadyOffsets = new Map<string, number>();

/** By how many minutes a clock in the zone is ahead of UTC at a moment (epoch ms). */
export function offsetMinutes(timezone: string, at: number): number {
  const day = Math.floor(at / DAY_MILLISECONDS);
  const key = `${timezone} ${day}`;
  const known = steadyOffsets.get(key);
  if (known !== undefined) return known;
  const [first, last] = [
    exactOffset(timezone, day * DAY_MILLISECONDS),
    exactOffset(timezone, (day + 1) * DAY_MILLISECONDS),
  ];
  if (first !== last) return exactOffset(timezone, at);
  if (steadyOffsets.size >= REMEMBERED_DAYS) steadyOffsets.clear();
  steadyOffsets.set(key, first);
  return first;
}

function exactOffset(timezone: string, at: number): number {
  const { date, time } = civilNow(timezone, at);
  return toCivilMinute(date, time) - Math.floor(withinCalendar(at) / MINUTE_MILLISECONDS);
}

/** The moment at which a day begins in the zone, epoch ms. */
export function startOfDay(timezone: string, date: CivilDate): number {
  const midnight = toDayNumber(date) * DAY_MILLISECONDS;
  const guess = midnight - offsetMinutes(timezone, midnight) * MINUTE_MILLISECONDS;
  return midnight - offsetMinutes(timezone, guess) * MINUTE_MILLISECONDS;
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
