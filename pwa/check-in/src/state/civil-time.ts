import { addDays, type CivilDate } from "#domain/dates.ts";
import { type DayFormat, getDayFormat } from "#shared/locale.ts";
import { getLocale } from "./preferences.ts";

const formats = new Map<string, DayFormat>();

/** Returns a cached format, because creating one takes a slow device longer than rendering a list row. */
function getCachedDayFormat(language: string, options: Intl.DateTimeFormatOptions): DayFormat {
  const key = `${language}${JSON.stringify(options)}`;
  const format = formats.get(key) ?? getDayFormat(language, options);
  formats.set(key, format);
  return format;
}

/** Returns the date and time of an instant in a time zone. */
export function toCivilTime(epochMs: number, timezone: string): { readonly date: CivilDate; readonly time: string } {
  const parts = getCachedDayFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = parts.format(epochMs).split(" ");
  return { date: date as CivilDate, time };
}

export const shiftDate = (date: string, days: number): string => addDays(date as CivilDate, days);

/** Formats a date as "Mon 3 May", with its year if it differs from `omittedYear`. */
export function formatDate(date: string, omittedYear?: string): string {
  const options = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  const isOtherYear = omittedYear !== undefined && !date.startsWith(omittedYear);
  const format = getCachedDayFormat(getLocale(), isOtherYear ? { ...options, year: "numeric" } : options);
  return format.format(new Date(`${date}T00:00:00Z`));
}
