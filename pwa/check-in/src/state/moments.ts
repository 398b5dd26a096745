import { type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { countFormat } from "#shared/locale.ts";
import { civilTime, dateText } from "./civil.ts";
import { clockOffsetMs } from "./phone.ts";
import { locale } from "./preferences.ts";
import { timezone, today } from "./settings.ts";

/**
 * When something was, where the company is: "10:42" of today, with its day of any other. `moment` in epoch ms by the
 * server's clock, or as the server writes it.
 */
export function momentText(moment: number | string): string {
  const at = typeof moment === "string" ? Date.parse(moment) : moment;
  if (Number.isNaN(at)) return "";
  const { date, time } = civilTime(at, timezone());
  return date === today() ? time : `${dayText(date)}, ${time}`;
}

/** A day as people write it, with its year where it is not this one; what is no day stays as it is. */
export function dayText(text: string): string {
  const date: CivilDate | undefined = parseCivilDate(text.slice(0, 10));
  return date ? dateText(date, today().slice(0, 4)) : text;
}

/** A day that nobody asks the weekday of. */
export const birthdayText = (date: CivilDate): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(date));

/** The same of a moment by this phone's own clock, of which the server's is known to be `offset` ms ahead. */
export const phoneMomentText = (at: number, offset = clockOffsetMs.value): string => momentText(at + offset);

/** A count as people write it: "12,345". */
export const countText = (count: number): string => countFormat(locale()).format(count);
