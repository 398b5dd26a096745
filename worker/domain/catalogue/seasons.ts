import type { CivilDate } from "#domain/dates.ts";
import type { SeasonPeriod } from "./catalogue.ts";

/** Returns the season of a day. Undefined if it's in none. */
export function findSeasonId(periods: readonly SeasonPeriod[], date: CivilDate): number | undefined {
  return periods.find(({ dateFrom, dateTo }) => dateFrom <= date && date <= dateTo)?.seasonId;
}
