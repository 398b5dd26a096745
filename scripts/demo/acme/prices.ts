import type { Bracket, Offer, PromotionCode, SeasonPeriod, Tariff } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { type Cents, partOf } from "#domain/money.ts";
import { unlimited } from "../company-parts.ts";
import { datesOf, dayBrackets, roundedPrice } from "../prices.ts";
import { texts } from "./texts.ts";

const low = 1;
const mid = 2;
const high = 3;
/** The season of summer. */
export const HIGH_SEASON = high;
const PEAK_FACTOR: Readonly<Record<number, number>> = { [low]: 0.72, [mid]: 1, [high]: 1.68 };
const AGENCY_SHARE = 9000;

/** The price of one of one or two days in the middle season. */
const DAY_PRICES: Readonly<Record<string, Cents>> = {
  MINI: 3400,
  ECON: 3900,
  COMP: 4800,
  SUV: 6400,
  AUTO: 5900,
  VAN9: 9800,
  CABRIO: 8900,
  UNIQ: 16_500,
};

/** What 3, 7, 14 and 28 days take off the price of a day. */
const LENGTHS: readonly (readonly [fromDays: number, factor: number])[] = [
  [1, 1],
  [3, 0.92],
  [7, 0.83],
  [14, 0.74],
  [28, 0.62],
];

export function acmeSeasons(years: readonly number[]) {
  const each = (seasonId: number, ...spans: readonly (readonly [string, string])[]): SeasonPeriod[] =>
    years.flatMap((year) => spans.map(([from, to]) => ({ seasonId, ...datesOf(year, from, to) })));
  return [
    { id: low, name: "Temporada baja", periods: each(low, ["01-01", "03-31"], ["11-01", "12-31"]) },
    { id: mid, name: "Temporada media", periods: each(mid, ["04-01", "05-31"], ["10-01", "10-31"]) },
    { id: high, name: "Temporada alta", periods: each(high, ["06-01", "09-30"]) },
  ];
}

/**
 * Every category in every season and, for days without one, the whole year; agencies pay less for the two that they
 * sell most.
 */
export const acmeTariffs: readonly Tariff[] = Object.entries(DAY_PRICES).flatMap(([categoryCode, dayCents]) => [
  { categoryCode, seasonId: undefined, salesChannel: undefined, brackets: bracketsOf(categoryCode, dayCents) },
  ...[low, mid, high].flatMap((seasonId) => {
    const brackets = bracketsOf(categoryCode, dayCents * (PEAK_FACTOR[seasonId] ?? 1));
    const own: Tariff = { categoryCode, seasonId, salesChannel: undefined, brackets };
    return ["ECON", "COMP"].includes(categoryCode)
      ? [own, { ...own, salesChannel: "AGENCY", brackets: brackets.map(forAgencies) }]
      : [own];
  }),
]);

function forAgencies(bracket: Bracket): Bracket {
  return { ...bracket, priceCents: partOf(bracket.priceCents, AGENCY_SHARE) };
}

// The classic has a weekend price and a week price, whatever the number of days within them.
function bracketsOf(categoryCode: string, dayCents: number): Bracket[] {
  if (categoryCode !== "UNIQ") return dayBrackets(dayCents, LENGTHS);
  return [
    { fromDays: 1, toDays: 1, pricePer: "day", priceCents: roundedPrice(dayCents) },
    { fromDays: 2, toDays: 3, pricePer: "bracket", priceCents: roundedPrice(dayCents * 2.4) },
    { fromDays: 4, toDays: 5, pricePer: "day", priceCents: roundedPrice(dayCents * 0.85) },
    { fromDays: 6, toDays: 7, pricePer: "bracket", priceCents: roundedPrice(dayCents * 5) },
    { fromDays: 8, toDays: undefined, pricePer: "day", priceCents: roundedPrice(dayCents * 0.7) },
  ];
}

/** The summer booked in spring is cheaper, and so are autumn rentals of four days or more. */
export function acmeOffers(years: readonly number[]): Offer[] {
  return years.flatMap((year, index): Offer[] => {
    const spring = datesOf(year, "01-01", "04-30");
    const summer = datesOf(year, "06-15", "09-15");
    const autumn = datesOf(year, "10-15", "12-15");
    const early = texts("offer early", { year });
    const late = texts("offer late", { year });
    return [
      {
        ...unlimited,
        id: index * 2 + 1,
        name: early.es,
        names: early,
        salesChannel: undefined,
        discountType: "percentage",
        value: 1500,
        bookingFrom: spring.dateFrom,
        bookingTo: spring.dateTo,
        rentalFrom: summer.dateFrom,
        rentalTo: summer.dateTo,
      },
      {
        ...unlimited,
        id: index * 2 + 2,
        name: late.es,
        names: late,
        salesChannel: undefined,
        discountType: "amount",
        value: 1200,
        rentalFrom: autumn.dateFrom,
        rentalTo: autumn.dateTo,
        minimumDays: 4,
      },
    ];
  });
}

export function acmePromotionCodes(lastYear: number): PromotionCode[] {
  return [
    { ...unlimited, code: "WELCOME10", discountType: "percentage", value: 1000 },
    { ...unlimited, code: "BALEARS20", discountType: "amount", value: 2000, minimumDays: 5 },
    {
      ...unlimited,
      code: "SPRING15",
      discountType: "percentage",
      value: 1500,
      bookingFrom: `${lastYear}-02-01` as CivilDate,
      bookingTo: `${lastYear}-05-31` as CivilDate,
    },
  ];
}
