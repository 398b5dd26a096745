import type { DriverAgeRule } from "#domain/catalogue/catalogue.ts";
import type { CompanyExtra } from "../company.ts";
import { driverAgeRuleOf, extraOf } from "../company-parts.ts";
import { mallorca, menorca } from "./organization.ts";
import { texts } from "./texts.ts";

const VAT = 2100;

export const acmeExtras: readonly CompanyExtra[] = [
  extra(1, "SEAT", 0.1, {
    pricePer: "day",
    priceCents: 600,
    maximumPriceCents: 4200,
    maxQuantity: 3,
    limitPer: "vehicle",
    stockByStorage: stock(16, 8),
  }),
  extra(2, "BABY", 0.05, {
    pricePer: "day",
    priceCents: 700,
    maximumPriceCents: 4900,
    maxQuantity: 2,
    stockByStorage: stock(8, 4),
  }),
  extra(3, "GPS", 0.06, {
    pricePer: "day",
    priceCents: 500,
    maximumPriceCents: 4000,
    maxQuantity: 1,
    stockByStorage: stock(10, 5),
  }),
  extra(4, "DRIVER", 0.16, { pricePer: "rental", priceCents: 2500, maxQuantity: 2 }),
  extra(5, "FULL", 0.26, {
    pricePer: "day",
    priceCents: 1200,
    maximumPriceCents: 14_000,
    maxQuantity: 1,
    excessReduction: { type: "percentage", depositValue: 5000, guaranteeValue: 10_000 },
  }),
  extra(6, "WIFI", 0.05, {
    pricePer: "day",
    priceCents: 400,
    maximumPriceCents: 2800,
    maxQuantity: 1,
    stockByStorage: stock(8, 4),
  }),
  extra(7, "SHUTTLE", 0.03, { pricePer: "rental", priceCents: 1800, maxQuantity: 1, vat: 1000 }),
];

type ExtraTerms = Omit<Parameters<typeof extraOf>[1], "vat"> & { readonly vat?: number };

function extra(id: number, code: string, popularity: number, terms: ExtraTerms): CompanyExtra {
  const names = texts(`extra ${code}`);
  const descriptions = texts(`extra ${code} description`);
  return extraOf({ id, code, popularity, name: names.es, names, descriptions }, { vat: VAT, ...terms });
}

function stock(onMallorca: number, onMenorca: number): ReadonlyMap<number, number> {
  return new Map([
    [mallorca, onMallorca],
    [menorca, onMenorca],
  ]);
}

export const acmeDriverAgeRules: readonly DriverAgeRule[] = [
  rule(1, [0, 20], { allowed: false }),
  rule(2, [21, 24], { costPer: "day", costCents: 800, depositCents: 20_000 }),
  rule(3, [25, 79], {}),
  rule(4, [80, 120], { costCents: 3500 }),
];

type RuleTerms = Omit<Parameters<typeof driverAgeRuleOf>[2], "description" | "descriptions">;

function rule(id: number, ages: readonly [number, number], terms: RuleTerms): DriverAgeRule {
  const descriptions = texts(`driver age ${id}`);
  return driverAgeRuleOf(id, ages, { ...terms, description: descriptions.es, descriptions });
}
