import { type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { getCountFormat } from "#shared/locale.ts";
import { formatDate, toCivilTime } from "./civil-time.ts";
import { clockOffsetMs } from "./device-session.ts";
import { getLocale } from "./preferences.ts";
import { getTimezone, getToday } from "./settings.ts";

/**
 * Formats an instant in the company's time zone: "10:42" if today, otherwise with its date. `moment` is epoch ms by the
 * server's clock, or the server's text format.
 */
export function formatMoment(moment: number | string): string {
  const at = typeof moment === "string" ? Date.parse(moment) : moment;
  if (Number.isNaN(at)) return "";
  const { date, time } = toCivilTime(at, getTimezone());
  return date === getToday() ? time : `${formatDay(date)}, ${time}`;
}

/** Formats a date, with its year if not the current one. Returns invalid dates unchanged. */
export function formatDay(isoDate: string): string {
  const date: CivilDate | undefined = parseCivilDate(isoDate.slice(0, 10));
  return date ? formatDate(date, getToday().slice(0, 4)) : isoDate;
}

/** Formats a date without its weekday. */
export const formatBirthday = (date: CivilDate): string =>
  new Intl.DateTimeFormat(getLocale(), { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(date));

/** Formats an instant of the device's clock. `clockOffset` is how many ms the server's clock is ahead. */
export const formatDeviceMoment = (at: number, clockOffset = clockOffsetMs.value): string =>
  formatMoment(at + clockOffset);

/** Formats a count: "12,345". */
export const formatCount = (count: number): string => getCountFormat(getLocale()).format(count);
