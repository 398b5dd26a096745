import type { CivilDate } from "#domain/dates.ts";
import type { SeasonPeriod } from "./catalogue.ts";

/** The season of a day; undefined where it is of none. */
export function findSeason(periods: readonly SeasonPeriod[], date: CivilDate): number | undefined {
  return periods.find(({ dateFrom, dateTo }) => dateFrom <= date && date <= dateTo)?.seasonId;
}
