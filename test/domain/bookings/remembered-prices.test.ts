import { expect, test } from "vitest";
import { type PricedTerms, priceProduct } from "#domain/bookings/pricing.ts";
import { extraPricesFor, pricesFor } from "#domain/bookings/remembered-prices.ts";
import { aCatalogue, aCategory, anExtra, aPeriod, aTariff, termsFor } from "#support/catalogue.ts";

const category = aCategory();
const catalogue = aCatalogue({
  categories: [category],
  tariffs: [aTariff(5000), aTariff(4000, { salesChannel: "AGENCY" })],
  extras: [anExtra()],
});
const terms: PricedTerms = termsFor(catalogue, aPeriod("2026-06-01", "2026-06-04"));

test("calculates a price once per catalogue and terms, equal to the uncached price", () => {
  const price = pricesFor(catalogue, terms)(category);
  expect(price).toEqual(priceProduct(catalogue, terms, category));
  expect(pricesFor(catalogue, { ...terms })(category)).toBe(price);
});

test.each<[string, Partial<PricedTerms>]>([
  ["other days", { days: 9 }],
  ["another channel", { salesChannel: "AGENCY" }],
  ["another booking date", { bookedOn: aPeriod("2026-01-01", "2026-01-02").dateFrom }],
  ["a promotion code", { promotionCode: "SUMMER" }],
  ["another pickup", { period: aPeriod("2026-07-01", "2026-07-04") }],
])("computes separate prices for %s", (_, other) => {
  const price = pricesFor(catalogue, terms)(category);
  const changed = { ...terms, ...other };
  expect(pricesFor(catalogue, changed)(category)).not.toBe(price);
  expect(pricesFor(catalogue, changed)(category)).toEqual(priceProduct(catalogue, changed, category));
});

test("caches prices separately for catalogues that differ in one price", () => {
  const dearer = { ...catalogue, tariffs: [aTariff(9000)] };
  expect(pricesFor(catalogue, terms)(category)?.unitCents).toBe(15_000);
  expect(pricesFor(dearer, terms)(category)?.unitCents).toBe(27_000);
});

test("caches that a product has no price", () => {
  const without = { ...catalogue, tariffs: [] };
  expect([pricesFor(without, terms)(category), pricesFor(without, terms)(category)]).toEqual([undefined, undefined]);
});

test("returns the cached price of extras by number of days", () => {
  const [short, long] = [extraPricesFor(catalogue, { days: 2 }), extraPricesFor(catalogue, { days: 4 })];
  expect(extraPricesFor(catalogue, { days: 2 })).toBe(short);
  expect(long[0]?.unitCents).not.toBe(short[0]?.unitCents);
});

test("limits the price cache, and recalculates the first price after several hundred others", () => {
  const first = pricesFor(catalogue, terms)(category);
  for (let other = 0; other < 400; other++)
    pricesFor(catalogue, { ...terms, salesChannel: `CHANNEL-${other}` })(category);
  expect(pricesFor(catalogue, terms)(category)).not.toBe(first);
});
