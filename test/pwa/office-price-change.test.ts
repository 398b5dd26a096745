import { expect, test } from "vitest";
import type { PriceTable } from "../../pwa/office/src/pages/price-cells.ts";
import { changePrices, findPercentProblem } from "../../pwa/office/src/pages/price-change.ts";

const table: PriceTable = {
  version: 1,
  brackets: [
    { from_days: 1, to_days: 2, price_per: "day" },
    { from_days: 3, to_days: null, price_per: "day" },
  ],
  rows: [
    { category_code: "ECON", name: "Economy", prices: ["34.00", null] },
    { category_code: "SUV", name: "SUV", prices: ["59.90", "0.05"] },
  ],
};

const prices = (changed: PriceTable) => changed.rows.map((row) => row.prices);

test.each([
  [
    "8 % more to the cent",
    { basisPoints: 800, step: 1, category: "" },
    [
      ["36.72", null],
      ["64.69", "0.05"],
    ],
  ],
  [
    "8 % more to the half euro",
    { basisPoints: 800, step: 50, category: "" },
    [
      ["36.50", null],
      ["64.50", "0.50"],
    ],
  ],
  [
    "one category",
    { basisPoints: 1_000, step: 100, category: "SUV" },
    [
      ["34.00", null],
      ["66.00", "1.00"],
    ],
  ],
  [
    "12.5 % less",
    { basisPoints: -1_250, step: 1, category: "" },
    [
      ["29.75", null],
      ["52.41", "0.04"],
    ],
  ],
] as const)("changes the prices of a price table: %s", (_, change, expected) => {
  expect(prices(changePrices(table, change, 2))).toEqual(expected);
});

test("keeps changed prices whole in a currency without cents", () => {
  const yen = { ...table, rows: [{ category_code: "ECON", name: "Economy", prices: ["5500", null] }] };
  expect(prices(changePrices(yen, { basisPoints: 333, step: 1, category: "" }, 0))).toEqual([["5683", null]]);
});

test("explains why a percentage is invalid if it is empty, not a number or leaves no price", () => {
  expect(["", " ", "abc", "-100", "-120"].map(findPercentProblem)).toEqual([
    ...["missing", "missing"],
    ...["number", "number", "number"],
  ]);
  expect(["8", "+8", "-99.99", "2,5"].map(findPercentProblem)).toEqual([undefined, undefined, undefined, undefined]);
});
