import type { DiscountTerms, DriverAgeRule } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { type CivilDate, parseTimeOfDay, type TimeOfDay } from "#domain/dates.ts";
import type { Agent, CompanyBranch, CompanyExtra } from "./company.ts";
import type { OwnTexts } from "./own-texts.ts";
import { extraPhoto } from "./pictures.ts";

/** A discount that always holds: the description says where it doesn't. */
export const unlimited: DiscountTerms = {
  categoryCode: undefined,
  bookingFrom: undefined,
  bookingTo: undefined,
  rentalFrom: undefined,
  rentalTo: undefined,
  minimumDays: 1,
};

type ExtraTerms = Pick<CompanyExtra, "pricePer" | "priceCents" | "maxQuantity" | "vat"> &
  Partial<Pick<CompanyExtra, "maximumPriceCents" | "stockByStorage" | "limitPer" | "excessReduction">>;

interface Named {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly names: Translations;
  readonly descriptions: Translations;
  readonly popularity: number;
}

/** An extra, without limits where the terms name none. */
export function extraOf(named: Named, terms: ExtraTerms): CompanyExtra {
  return {
    ...named,
    description: "",
    ...extraPhoto,
    maximumPriceCents: undefined,
    stockByStorage: undefined,
    limitPer: "booking",
    excessReduction: undefined,
    ...terms,
  };
}

type RuleTerms = Pick<DriverAgeRule, "description" | "descriptions"> &
  Partial<Pick<DriverAgeRule, "allowed" | "costPer" | "costCents" | "depositCents">>;

/** A driver-age rule that costs nothing where the terms name no cost. Both ages inclusive. */
export function driverAgeRuleOf(
  id: number,
  [ageFrom, ageTo]: readonly [number, number],
  terms: RuleTerms,
): DriverAgeRule {
  return { id, ageFrom, ageTo, allowed: true, costPer: "rental", costCents: 0, depositCents: 0, ...terms };
}

/** The same opening hours on several days of the week. */
export function openingHours(weekdays: readonly number[], opens: string, closes: string) {
  return weekdays.map((weekday) => ({ weekday, opens: timeOf(opens), closes: timeOf(closes) }));
}

function timeOf(text: string): TimeOfDay {
  const time = parseTimeOfDay(text);
  if (time === undefined) throw new Error(`${text} is not a time of day`);
  return time;
}

/** Closed on Christmas Day and New Year's Day of the years given. */
export function closedOnHolidays(
  years: readonly number[],
  { closures: names }: OwnTexts,
): Pick<CompanyBranch, "closures" | "closedDates"> {
  const closures = years.flatMap((year) => [
    { date: `${year}-01-01` as CivilDate, reason: names.newYear },
    { date: `${year}-12-25` as CivilDate, reason: names.christmas },
  ]);
  return { closures, closedDates: new Set<string>(closures.map(({ date }) => date)) };
}

/** Somebody who sends customers for a commission: a share in basis points, or so many cents a booking. */
export function agentOf(
  id: number,
  name: string,
  commission: { readonly share: number } | { readonly cents: number },
): Agent {
  const isShare = "share" in commission;
  return {
    id,
    name,
    commissionCalculation: isShare ? "percentage" : "fixed_amount",
    commissionFixedCents: isShare ? 0 : commission.cents,
    commissionBasisPoints: isShare ? commission.share : 0,
  };
}
