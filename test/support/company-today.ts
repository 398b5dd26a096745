import { addDays, type CivilDate } from "#domain/dates.ts";

const TIMEZONE = "Europe/Madrid";

/** Returns today in the test company's time zone, which for an hour or two each day differs from UTC. */
export const getTodayAtCompany = (): CivilDate =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: TIMEZONE }).format() as CivilDate;

/** Returns the company's time, hh:mm. */
export const getTimeAtCompany = (): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: TIMEZONE, timeStyle: "short" }).format();

/**
 * Returns date and time of the next pickup that is still ahead when a test ends: this evening, or after midnight if the
 * evening is nearly over.
 */
export const getNextPickup = (): { readonly date: CivilDate; readonly time: string } =>
  getTimeAtCompany() < "23:00"
    ? { date: getTodayAtCompany(), time: "23:30" }
    : { date: addDays(getTodayAtCompany(), 1), time: "01:00" };
