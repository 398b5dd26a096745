import type { Bracket } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";

/** Dates of one year, `mm-dd` to `mm-dd`. */
export function datesOf(
  year: number,
  from: string,
  to: string,
): { readonly dateFrom: CivilDate; readonly dateTo: CivilDate } {
  return { dateFrom: `${year}-${from}` as CivilDate, dateTo: `${year}-${to}` as CivilDate };
}

/** Prices for each day, cheaper the longer the rental: each length holds until the next. */
export function dayBrackets(
  dayCents: number,
  lengths: readonly (readonly [fromDays: number, factor: number])[],
): Bracket[] {
  return lengths.map(([fromDays, factor], index) => {
    const next = lengths[index + 1];
    return { fromDays, toDays: next && next[0] - 1, pricePer: "day", priceCents: roundedPrice(dayCents * factor) };
  });
}

/** A price as shops write it: whole tens of cents. */
export function roundedPrice(cents: number): Cents {
  return Math.round(cents / 10) * 10;
}

/** The year of a day with the given number of years before and after. */
export function yearsAround(today: CivilDate, span: number): number[] {
  const year = Number(today.slice(0, 4));
  return Array.from({ length: span * 2 + 1 }, (_, index) => year - span + index);
}
