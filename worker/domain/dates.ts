/** Existing calendar date `yyyy-mm-dd`. Civil dates can be compared as text. */
export type CivilDate = string & { readonly __brand: "CivilDate" };

/** Time of day `hh:mm`, 00:00 to 23:59. Can be compared as text. */
export type TimeText = string & { readonly __brand: "TimeOfDay" };

/**
 * Minutes since 1970-01-01 00:00 in the account's time zone. Rentals use civil time (decision 0003), so two times of
 * one account can be compared and subtracted without a time zone.
 */
export type CivilMinute = number;

/** Pickup to return, in the account's civil time. */
export interface Period {
  readonly dateFrom: CivilDate;
  readonly timeFrom: TimeText;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeText;
}

/** Range of civil minutes, end excluded. */
export interface Span {
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
}

export const MINUTES_PER_DAY = 1440;
const DAYS_PER_400_YEARS = 146_097;
const DAYS_FROM_0000_03_01_TO_1970 = 719_468;

/** Parses an existing date. Undefined for other texts, including 2026-02-30 and year 0. */
export function parseCivilDate(text: string): CivilDate | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match || match[1] === "0000") return undefined;
  const date = text as CivilDate;
  return toCivilDate(toDayNumber(date)) === date ? date : undefined;
}

/** Parses a time of day. Undefined for other texts, including 24:00 and 25:99. */
export function parseTimeText(text: string): TimeText | undefined {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? (text as TimeText) : undefined;
}

/** Returns the days since 1970-01-01. Uses the proleptic Gregorian calendar with years starting in March. */
export function toDayNumber(date: CivilDate): number {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const eraYear = marchYear - era * 400;
  const marchYearDay = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const eraDay = eraYear * 365 + Math.floor(eraYear / 4) - Math.floor(eraYear / 100) + marchYearDay;
  return era * DAYS_PER_400_YEARS + eraDay - DAYS_FROM_0000_03_01_TO_1970;
}

/** Returns the date of a day number. Inverse of `toDayNumber`. */
export function toCivilDate(dayNumber: number): CivilDate {
  const shifted = dayNumber + DAYS_FROM_0000_03_01_TO_1970;
  const era = Math.floor(shifted / DAYS_PER_400_YEARS);
  const eraDay = shifted - era * DAYS_PER_400_YEARS;
  const eraYear = Math.floor(
    (eraDay - Math.floor(eraDay / 1460) + Math.floor(eraDay / 36_524) - Math.floor(eraDay / 146_096)) / 365,
  );
  const marchYearDay = eraDay - (365 * eraYear + Math.floor(eraYear / 4) - Math.floor(eraYear / 100));
  const monthFromMarch = Math.floor((5 * marchYearDay + 2) / 153);
  const day = marchYearDay - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = eraYear + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}` as CivilDate;
}

export const MILLISECONDS_PER_MINUTE = 60_000;
export const MILLISECONDS_PER_DAY = MINUTES_PER_DAY * MILLISECONDS_PER_MINUTE;

/** Formats an instant (epoch ms) with an offset from UTC in minutes: `2026-11-20 10:30:00.000+01:00`. */
export function formatTimestamp(epochMs: number, offsetMinutes: number, separator: " " | "T" = " "): string {
  const local = epochMs + offsetMinutes * MILLISECONDS_PER_MINUTE;
  const day = Math.floor(local / MILLISECONDS_PER_DAY);
  const millisecondsInDay = local - day * MILLISECONDS_PER_DAY;
  const part = (unit: number, count: number) => padded(Math.floor(millisecondsInDay / unit) % count, 2);
  const time = `${part(3_600_000, 24)}:${part(60_000, 60)}:${part(1000, 60)}.${padded(millisecondsInDay % 1000, 3)}`;
  const ahead = Math.abs(offsetMinutes);
  const zone = `${offsetMinutes < 0 ? "-" : "+"}${padded(Math.floor(ahead / 60), 2)}:${padded(ahead % 60, 2)}`;
  return `${toCivilDate(day)}${separator}${time}${zone}`;
}

/**
 * Parses a timestamp with offset to an instant (epoch ms). Undefined if invalid. The offset's `+` may be a space, as in
 * a query without percent-encoding. Seconds and fractions are optional, and anything finer than a millisecond is
 * dropped.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+ -][01]\d:?[0-5]\d)$/.exec(text);
  const date = match?.[1] && parseCivilDate(match[1]);
  const time = match?.[2] && parseTimeText(match[2]);
  if (!date || !time) return undefined;
  const [, , , seconds = "0", fraction = "", zone = "Z"] = match;
  const milliseconds = Number(seconds) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const civil = toCivilMinute(date, time) * MILLISECONDS_PER_MINUTE + milliseconds;
  return civil - toOffset(zone) * MILLISECONDS_PER_MINUTE;
}

function toOffset(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith("-") ? -minutes : minutes;
}

// Calls `padStart` only if needed, because it would take most of the time of a list with many timestamps.
function padded(value: number, length: number): string {
  const text = String(value);
  return text.length < length ? text.padStart(length, "0") : text;
}

export function addDays(date: CivilDate, days: number): CivilDate {
  return toCivilDate(toDayNumber(date) + days);
}

/** Adds calendar months. A day that the month doesn't have becomes its last day. */
export function addMonths(date: CivilDate, months: number): CivilDate {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const index = year * 12 + month - 1 + months;
  const first = getFirstDay(index);
  const days = toDayNumber(getFirstDay(index + 1)) - toDayNumber(first);
  return addDays(first, Math.min(day, days) - 1);
}

// Returns the first day of a month. `index` counts months since January of year 0.
function getFirstDay(index: number): CivilDate {
  return `${padded(Math.floor(index / 12), 4)}-${padded((index % 12) + 1, 2)}-01` as CivilDate;
}

/** Returns the weekday. Monday is 1, Sunday is 7. */
export function toIsoWeekday(date: CivilDate): number {
  return ((((toDayNumber(date) + 3) % 7) + 7) % 7) + 1;
}

/** Minutes since midnight. */
export function toMinutesSinceMidnight(time: TimeText): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Returns the minutes from 1970-01-01 00:00 to a local date and time. */
export function toCivilMinute(date: CivilDate, time: TimeText): CivilMinute {
  return toDayNumber(date) * MINUTES_PER_DAY + toMinutesSinceMidnight(time);
}

/** Converts a period to local minutes since 1970. */
export function toSpan(period: Period): Span {
  return {
    startsAt: toCivilMinute(period.dateFrom, period.timeFrom),
    endsAt: toCivilMinute(period.dateTo, period.timeTo),
  };
}

/** Returns the date and time of a civil minute. */
export function fromCivilMinute(minute: CivilMinute): { readonly date: CivilDate; readonly time: TimeText } {
  const day = Math.floor(minute / MINUTES_PER_DAY);
  const millisecondsInDay = minute - day * MINUTES_PER_DAY;
  return {
    date: toCivilDate(day),
    time: `${padded(Math.floor(millisecondsInDay / 60), 2)}:${padded(millisecondsInDay % 60, 2)}` as TimeText,
  };
}

/** Formats a civil minute as `yyyy-mm-ddThh:mm`. */
export function formatCivilMinute(minute: CivilMinute): string {
  const { date, time } = fromCivilMinute(minute);
  return `${date}T${time}`;
}

/**
 * Counts billing days (docs/interfaces/rules.md#rental-days): calendar days between pickup and return, plus one if the
 * return time exceeds the pickup time by more than the grace period. At least 1.
 */
export function countRentalDays(period: Period, graceMinutes: number): number {
  const calendarDays = toDayNumber(period.dateTo) - toDayNumber(period.dateFrom);
  const later = toMinutesSinceMidnight(period.timeTo) - toMinutesSinceMidnight(period.timeFrom);
  return Math.max(1, calendarDays + (later > graceMinutes ? 1 : 0));
}
