import { expect, test } from "vitest";
import { createPriceLookup, listExtraPrices } from "#domain/bookings/cached-prices.ts";
import { type PricedTerms, priceProduct } from "#domain/bookings/pricing.ts";
import {
  createCatalogue,
  createCategory,
  createExtra,
  createPeriod,
  createResolvedRentalTerms,
  createTariff,
} from "#support/catalogue.ts";

const category = createCategory();
const catalogue = createCatalogue({
  categories: [category],
  tariffs: [createTariff(5000), createTariff(4000, { salesChannel: "AGENCY" })],
  extras: [createExtra()],
});
const terms: PricedTerms = createResolvedRentalTerms(catalogue, createPeriod("2026-06-01", "2026-06-04"));

test("calculates a price once per catalogue and terms, equal to the uncached price", () => {
  const price = createPriceLookup(catalogue, terms)(category);
  expect(price).toEqual(priceProduct(catalogue, terms, category));
  expect(createPriceLookup(catalogue, { ...terms })(category)).toBe(price);
});

test.each<[string, Partial<PricedTerms>]>([
  ["other days", { days: 9 }],
  ["another channel", { salesChannel: "AGENCY" }],
  ["another booking date", { bookedOn: createPeriod("2026-01-01", "2026-01-02").dateFrom }],
  ["a promotion code", { promotionCode: "SUMMER" }],
  ["another pickup", { period: createPeriod("2026-07-01", "2026-07-04") }],
])("caches a separate price of a product for %s", (_, other) => {
  const price = createPriceLookup(catalogue, terms)(category);
  const changed = { ...terms, ...other };
  expect(createPriceLookup(catalogue, changed)(category)).not.toBe(price);
  expect(createPriceLookup(catalogue, changed)(category)).toEqual(priceProduct(catalogue, changed, category));
});

test("caches prices separately for catalogues that differ in one price", () => {
  const dearer = { ...catalogue, tariffs: [createTariff(9000)] };
  expect(createPriceLookup(catalogue, terms)(category)?.unitCents).toBe(15_000);
  expect(createPriceLookup(dearer, terms)(category)?.unitCents).toBe(27_000);
});

test("caches that a product has no price", () => {
  const without = { ...catalogue, tariffs: [] };
  expect([createPriceLookup(without, terms)(category), createPriceLookup(without, terms)(category)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("returns the cached price of extras by number of days", () => {
  const [short, long] = [listExtraPrices(catalogue, { days: 2 }), listExtraPrices(catalogue, { days: 4 })];
  expect(listExtraPrices(catalogue, { days: 2 })).toBe(short);
  expect(long[0]?.unitCents).not.toBe(short[0]?.unitCents);
});

test("limits the price cache, and recalculates the first price after several hundred others", () => {
  const first = createPriceLookup(catalogue, terms)(category);
  for (let other = 0; other < 400; other++)
    createPriceLookup(catalogue, { ...terms, salesChannel: `CHANNEL-${other}` })(category);
  expect(createPriceLookup(catalogue, terms)(category)).not.toBe(first);
});
