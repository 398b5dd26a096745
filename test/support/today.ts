import type { CivilDate } from "#domain/dates.ts";

const TIMEZONE = "Europe/Madrid";

/** Today by the clock of the company that tests are of: for an hour or two of each day not the one of UTC. */
export const todayThere = (): CivilDate =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: TIMEZONE }).format() as CivilDate;
