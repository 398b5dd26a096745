import type { CivilDate } from "#domain/dates.ts";

const TIMEZONE = "Europe/Madrid";

/** Returns today in the test company's time zone, which for an hour or two each day differs from UTC. */
export const getTodayAtCompany = (): CivilDate =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: TIMEZONE }).format() as CivilDate;
