import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDays, type CivilDate, type Period, toDayNumber, toSpan } from "#domain/dates.ts";
import { countFreeVehicles, getOccupancySpans } from "./availability.ts";
import { type BranchGroupStock, deriveRentalStock, type StockMoment } from "./open-stock.ts";

/** Days after the requested pickup that are searched. */
const MAX_SEARCHED_DAYS = 60;

/** First date on which a category is free again for a rental of the same length. Undefined if none is near. */
export interface NextFreeDate {
  readonly categoryCode: string;
  readonly acrissCode: string | undefined;
  readonly date: CivilDate | undefined;
}

/** Rental that was sold out, and the time of the request. */
export interface SoldOutRental extends StockMoment {
  readonly period: Period;
  readonly quantity: number;
  readonly branchGroupId: number;
  readonly returnBranchGroupId: number;
  /** Whether a category can be picked up on a date, by opening hours and selling rules. */
  readonly canBePickedUp: (categoryCode: string, date: CivilDate) => boolean;
}

/** Finds for each category the first date after the requested pickup on which enough vehicles are free. */
export function findNextFreeDates(catalogue: Catalogue, open: BranchGroupStock, rental: SoldOutRental): NextFreeDate[] {
  const dates = new Map<string, CivilDate>();
  const categories = [...catalogue.categories.values()];
  for (let days = 1; days <= MAX_SEARCHED_DAYS && dates.size < categories.length; days++) {
    const period = movePeriod(rental.period, days);
    const spans = getOccupancySpans(catalogue, toSpan(period), rental.branchGroupId, rental.returnBranchGroupId);
    const { preparationMinutes } = catalogue.settings;
    const stock = deriveRentalStock(open, { ...rental, spans, preparationMinutes });
    for (const category of categories) {
      const { code } = category;
      if (dates.has(code) || countFreeVehicles(stock, category) < rental.quantity) continue;
      if (rental.canBePickedUp(code, period.dateFrom)) dates.set(code, period.dateFrom);
    }
  }
  return categories.map(({ code, acrissCode }) => ({ categoryCode: code, acrissCode, date: dates.get(code) }));
}

function movePeriod({ dateFrom, timeFrom, dateTo, timeTo }: Period, days: number): Period {
  return {
    ...{ timeFrom, timeTo },
    dateFrom: addDays(dateFrom, days),
    dateTo: addDays(dateFrom, days + toDayNumber(dateTo) - toDayNumber(dateFrom)),
  };
}
