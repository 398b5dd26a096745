import { describe, expect, test } from "vitest";
import { getOccupancySpans } from "#domain/bookings/availability.ts";
import { draftBooking } from "#domain/bookings/draft.ts";
import { findAvailability, findDraftShortage } from "#domain/bookings/search.ts";
import {
  createCatalogue,
  createCategory,
  createExtra,
  createPeriod,
  createResolvedRentalTerms,
  createTariff,
} from "#support/catalogue.ts";

const catalogue = createCatalogue({
  categories: [
    createCategory(),
    createCategory({ code: "B" }),
    createCategory({ code: "C" }),
    createCategory({ code: "D", webPublic: false }),
  ],
  tariffs: [createTariff(5000), createTariff(6000, { categoryCode: "B" }), createTariff(7000, { categoryCode: "D" })],
  extras: [createExtra({ stockByStorage: new Map([[1, 2]]) }), createExtra({ id: 2, code: "GPS" })],
});
const terms = createResolvedRentalTerms(catalogue, createPeriod("2026-06-01", "2026-06-04"));
const overlapping = { ...terms.span, quantity: 1 };
const stock = {
  spans: getOccupancySpans(catalogue, terms.span, 1, 1),
  categoryUnits: new Map([["A", 2]]),
  categoryAllocations: new Map([["A", [overlapping]]]),
  extraAllocations: new Map([["SEAT", [overlapping]]]),
};

describe("rentable products", () => {
  test("lists every product sold on websites that has a price, in the account's order, available or not", () => {
    const { products, terms: agreed } = findAvailability(catalogue, terms, stock);
    expect(agreed).toBe(terms);
    expect(
      products.map(({ category, unitCents, freeUnits, stockUnits }) => [
        category.code,
        unitCents,
        freeUnits,
        stockUnits,
      ]),
    ).toEqual([
      ["A", 15_000, 1, 2],
      ["B", 18_000, 0, 0],
    ]);
  });

  test("lists every extra, including those without a stock limit", () => {
    const { extras } = findAvailability(catalogue, terms, stock);
    expect(extras.map(({ extra, unitCents, freeUnits }) => [extra.code, unitCents, freeUnits])).toEqual([
      ["SEAT", 1200, 1],
      ["GPS", 1200, Number.POSITIVE_INFINITY],
    ]);
  });
});

describe("a shortage", () => {
  const getShortage = (products: readonly [string, number][], extras: readonly [string, number][] = []) => {
    const choices = (chosen: readonly [string, number][]) => chosen.map(([code, quantity]) => ({ code, quantity }));
    const draft = draftBooking(catalogue, terms, choices(products), choices(extras));
    if (!draft.ok) throw new Error("the choice is no draft");
    return findDraftShortage(draft.value, stock);
  };

  test("returns no shortage if enough units and extras are available", () => {
    expect(
      getShortage(
        [["A", 1]],
        [
          ["SEAT", 1],
          ["GPS", 3],
        ],
      ),
    ).toBeUndefined();
  });

  test("returns the first product that is short, or else the first extra", () => {
    expect(getShortage([["A", 2]], [["SEAT", 2]])).toEqual({ kind: "soldOut", resource: "category", code: "A" });
    expect(
      getShortage([
        ["A", 1],
        ["B", 1],
      ]),
    ).toEqual({ kind: "soldOut", resource: "category", code: "B" });
    expect(
      getShortage(
        [["A", 1]],
        [
          ["GPS", 1],
          ["SEAT", 2],
        ],
      ),
    ).toEqual({ kind: "soldOut", resource: "extra", code: "SEAT" });
  });
});
