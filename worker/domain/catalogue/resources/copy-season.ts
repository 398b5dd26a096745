import { addDays, type CivilDate } from "#domain/dates.ts";
import type { FieldValue, ResourceValues } from "./fields.ts";

const YEAR = /\b(?:19|20)\d\d\b/;
const LEAP_DAY = "02-29";

/** Moves a date by years. Without a 29 February, a beginning moves to 1 March and an end to 28 February. */
export function shiftDateByYears(date: string, years: number, end: "from" | "to"): string {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, "0");
  const day = date.slice(5);
  const isLeapYear = addDays(`${year}-02-28` as CivilDate, 1).endsWith(LEAP_DAY);
  if (day !== LEAP_DAY || isLeapYear) return `${year}-${day}`;
  return `${year}-${end === "from" ? "03-01" : "02-28"}`;
}

/** Season in another year, and the years between them. Undefined if the season has no periods. */
export interface CopiedSeason {
  readonly values: ResourceValues;
  readonly years: number;
}

/** Copies a season so that its first period begins in a year. A year in its name follows. */
export function copySeason(season: ResourceValues, year: number, name?: string): CopiedSeason | undefined {
  const periods = toPeriods(season["periods"]);
  const [first] = periods.map(({ date_from: from }) => from).toSorted();
  if (first === undefined) return undefined;
  const years = year - Number(first.slice(0, 4));
  return {
    years,
    values: {
      name: name ?? nameInYear(String(season["name"]), years, year),
      periods: periods.map((period) => ({
        date_from: shiftDateByYears(period.date_from, years, "from"),
        date_to: shiftDateByYears(period.date_to, years, "to"),
      })),
    },
  };
}

function nameInYear(name: string, years: number, year: number): string {
  return YEAR.test(name)
    ? name.replaceAll(new RegExp(YEAR, "g"), (text) => String(Number(text) + years))
    : `${name} ${year}`;
}

/** Copies a selling rule for a copied season. Its dates move by the same years. */
export function copySeasonSellingRule(rule: ResourceValues, seasonId: number, years: number): ResourceValues {
  const moveDate = (value: FieldValue | undefined, end: "from" | "to") =>
    typeof value === "string" ? shiftDateByYears(value, years, end) : null;
  const moveDates = (value: FieldValue | undefined) =>
    Array.isArray(value) ? value.map((date) => shiftDateByYears(String(date), years, "from")) : null;
  return {
    ...rule,
    season_id: seasonId,
    stop_sale_from: moveDate(rule["stop_sale_from"], "from"),
    stop_sale_to: moveDate(rule["stop_sale_to"], "to"),
    no_pickup_dates: moveDates(rule["no_pickup_dates"]),
    no_return_dates: moveDates(rule["no_return_dates"]),
  };
}

function toPeriods(value: FieldValue | undefined) {
  return (Array.isArray(value) ? value : []) as readonly { readonly date_from: string; readonly date_to: string }[];
}
