import type { DriverAgeRule, Offer, PromotionCode, Tariff } from "#domain/catalogue/catalogue.ts";
import type { CompanyCategory, CompanyExtra } from "../company.ts";
import { driverAgeRuleOf, extraOf, unlimited } from "../company-parts.ts";
import { categoryPhotos } from "../pictures.ts";
import { datesOf, dayBrackets } from "../prices.ts";
import { SALES_TAX } from "./organization.ts";

export const globexCategories: readonly CompanyCategory[] = [
  category(
    "CARGO",
    "Cargo van",
    "Ford Transit or similar",
    "Low loading floor for moves across town.",
    5,
    "#4b5d78",
    [2, 3],
  ),
  category(
    "HIGH",
    "High-roof van",
    "Ram ProMaster or similar",
    "Stand-up height for furniture and shows.",
    3,
    "#2f7d5b",
    [3, 3],
  ),
  category(
    "CREW",
    "12-seat passenger van",
    "Mercedes-Benz Sprinter or similar",
    "Twelve seats and room for the bags.",
    2,
    "#8a6d3b",
    [4, 12],
  ),
];

function category(
  code: string,
  name: string,
  short: string,
  long: string,
  popularity: number,
  color: string,
  [doors, seats]: readonly [number, number],
): CompanyCategory {
  return {
    code,
    name,
    popularity,
    doors,
    seats,
    familyId: 1,
    names: { en: name },
    shortDescription: short,
    description: long,
    shortDescriptions: { en: short },
    descriptions: { en: long },
    webPublic: true,
    vat: SALES_TAX,
    depositCents: 25_000,
    guaranteeCents: 0,
    supplementCents: [0, 0, 0],
    suitcases: 8,
    transmission: "automatic",
    fuel: "petrol",
    airConditioner: true,
    photos: categoryPhotos(code, color),
  };
}

const DAY_PRICES: Readonly<Record<string, number>> = { CARGO: 8900, HIGH: 10_900, CREW: 14_500 };
const MOVING_SEASON = 1;

export const globexTariffs: readonly Tariff[] = Object.entries(DAY_PRICES).flatMap(([categoryCode, cents]) =>
  [
    { seasonId: undefined, factor: 1 },
    { seasonId: MOVING_SEASON, factor: 1.2 },
  ].map(({ seasonId, factor }) => ({
    categoryCode,
    seasonId,
    salesChannel: undefined,
    brackets: dayBrackets(cents * factor, [
      [1, 1],
      [3, 0.9],
      [7, 0.78],
      [28, 0.6],
    ]),
  })),
);

export function globexSeasons(years: readonly number[]) {
  const periods = years.map((year) => ({ seasonId: MOVING_SEASON, ...datesOf(year, "05-15", "09-15") }));
  return [{ id: MOVING_SEASON, name: "Moving season", periods }];
}

export const globexExtras: readonly CompanyExtra[] = [
  extra(1, "DOLLY", "Hand truck", "Folding, up to 300 lb", {
    pricePer: "rental",
    priceCents: 1500,
    maxQuantity: 2,
    stockByStorage: new Map([[1, 10]]),
  }),
  extra(2, "PADS", "Furniture pads", "A dozen quilted pads", { pricePer: "rental", priceCents: 1200, maxQuantity: 4 }),
  extra(3, "COVER", "Damage cover", "No deductible", {
    pricePer: "day",
    priceCents: 1900,
    maximumPriceCents: 19_000,
    maxQuantity: 1,
  }),
];

type ExtraTerms = Omit<Parameters<typeof extraOf>[1], "vat">;

function extra(id: number, code: string, name: string, description: string, terms: ExtraTerms): CompanyExtra {
  const named = { id, code, name, names: { en: name }, descriptions: { en: description }, popularity: 0.28 };
  return extraOf(named, { ...terms, vat: SALES_TAX });
}

export const globexOffers: readonly Offer[] = [
  {
    ...unlimited,
    id: 1,
    name: "Week for less",
    names: { en: "Week for less" },
    salesChannel: undefined,
    discountType: "percentage",
    value: 500,
    minimumDays: 7,
  },
];

export const globexPromotionCodes: readonly PromotionCode[] = [
  { ...unlimited, code: "MOVE15", discountType: "amount", value: 1500 },
];

export const globexDriverAgeRules: readonly DriverAgeRule[] = [
  driverAgeRuleOf(1, [0, 20], { ...described("Under 21: not accepted"), allowed: false }),
  driverAgeRuleOf(2, [21, 24], { ...described("21 to 24: young driver"), costPer: "day", costCents: 1500 }),
  driverAgeRuleOf(3, [25, 120], described("25 and over")),
];

function described(description: string): Pick<DriverAgeRule, "description" | "descriptions"> {
  return { description, descriptions: { en: description } };
}
