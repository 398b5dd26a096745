import { addDays, type CivilDate } from "#domain/dates.ts";
import { language } from "./preferences.ts";

/** The date and time of day of a moment where the company is. */
export function civilTime(moment: number, timezone: string): { readonly date: CivilDate; readonly time: string } {
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = parts.format(moment).split(" ");
  return { date: date as CivilDate, time };
}

export const dayAfter = (date: string, days: number): string => addDays(date as CivilDate, days);

/** "Mon 3 May". */
export function dateText(date: string): string {
  const options = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language.value, options).format(new Date(`${date}T00:00:00Z`));
}

/** "10:42" by this phone's clock. */
export function clockText(moment: number): string {
  return new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    moment,
  );
}
