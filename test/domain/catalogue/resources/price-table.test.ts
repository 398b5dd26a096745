import { describe, expect, test } from "vitest";
import { RESOURCE_NAMES } from "#domain/catalogue/resources/names.ts";
import {
  assignProblemsToPriceCells,
  listPriceRowBrackets,
  replacePricesWithTable,
  toPriceTable,
} from "#domain/catalogue/resources/price-table.ts";
import { getResourceId } from "#domain/catalogue/resources/resource.ts";
import { getResource, RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { createCatalogue } from "#support/catalogue.ts";

const bracket = (from_days: number, to_days: number | null, price: number, price_per = "day") => ({
  ...{ from_days, to_days, price_per, price },
});
const PRICES = [
  { category_code: "B", brackets: [bracket(4, null, 2000), bracket(1, 3, 3000)] },
  { category_code: "C", brackets: [bracket(1, 3, 9000, "bracket"), bracket(4, 6, 4000)] },
];

describe("a price table", () => {
  test("has a column in the price table for each rental length, shortest first, and a row for each category", () => {
    expect(toPriceTable(PRICES, ["A", "B"])).toEqual({
      brackets: [
        { fromDays: 1, toDays: 3, pricePer: "day" },
        { fromDays: 1, toDays: 3, pricePer: "bracket" },
        { fromDays: 4, toDays: 6, pricePer: "day" },
        { fromDays: 4, toDays: null, pricePer: "day" },
      ],
      rows: [
        { categoryCode: "A", prices: [null, null, null, null] },
        { categoryCode: "B", prices: [3000, null, null, 2000] },
        { categoryCode: "C", prices: [null, 9000, 4000, null] },
      ],
    });
  });

  test("converts each row of a price table back to the brackets that were stored, in the order of columns", () => {
    const table = toPriceTable(PRICES, []);
    const rows = table.rows.map((row) => listPriceRowBrackets(table, row).map(({ column: _, ...stored }) => stored));
    expect(rows).toEqual([[bracket(1, 3, 3000), bracket(4, null, 2000)], PRICES[1]?.brackets]);
    expect(listPriceRowBrackets(table, { categoryCode: "B", prices: [null, 100, null, null, 5] })).toEqual([
      { column: 1, ...bracket(1, 3, 100, "bracket") },
    ]);
  });

  test("reports the problem of a rental length at its cell of the price table", () => {
    const problems = [
      { field: "brackets.1.from_days", code: "gap" as const },
      { field: "brackets", code: "missing" as const },
    ];
    expect(assignProblemsToPriceCells(problems, 4, [2, 5])).toEqual([
      { field: "rows.4.prices.5", code: "gap" },
      { field: "rows.4.prices.2", code: "missing" },
    ]);
    expect(assignProblemsToPriceCells([{ field: "brackets", code: "missing" }], 0, [])).toEqual([
      { field: "rows.0.prices.0", code: "missing" },
    ]);
  });

  test("replaces the prices of a price table's categories in its season and channel only", () => {
    const tariff = (categoryCode: string, seasonId?: number, salesChannel?: string) => ({
      ...{ categoryCode, seasonId, salesChannel },
      brackets: [{ fromDays: 1, toDays: undefined, pricePer: "day" as const, priceCents: 1 }],
    });
    const others = [tariff("A", 1), tariff("A", 2, "web"), tariff("Z", 2)];
    const catalogue = createCatalogue({ tariffs: [tariff("A", 2), ...others] });
    const table = {
      brackets: [{ fromDays: 3, toDays: null, pricePer: "bracket" }],
      rows: [
        { categoryCode: "A", prices: [500] },
        { categoryCode: "B", prices: [null] },
      ],
    };
    const priced = replacePricesWithTable(catalogue, table, { seasonId: 2, channel: null });
    expect(priced.tariffs).toEqual([
      ...others,
      {
        ...{ categoryCode: "A", seasonId: 2, salesChannel: undefined },
        brackets: [{ fromDays: 3, toDays: undefined, pricePer: "bracket", priceCents: 500 }],
      },
    ]);
    const channel = replacePricesWithTable(catalogue, table, { seasonId: 2, channel: "web" });
    expect(channel.tariffs.map(({ salesChannel }) => salesChannel)).toEqual([undefined, undefined, undefined, "web"]);
  });
});

describe("the resources of the office", () => {
  test("declares each office resource once, with fields of different names", () => {
    expect(RESOURCES.map(({ name }) => name).toSorted()).toEqual([...RESOURCE_NAMES].toSorted());
    for (const name of RESOURCE_NAMES) {
      const names = getResource(name).fields.map((field) => field.name);
      expect([name, names.length - new Set(names).size]).toEqual([name, 0]);
    }
  });

  test("identifies an office resource by all parts of its key", () => {
    const hours = { rental_location_code: "AIR", weekday: 1, opens: "08:00", closes: "12:00" };
    expect(getResourceId(getResource("opening-hours"), hours)).toBe("AIR~1~08:00");
    expect(getResourceId(getResource("branches"), { code: "AIR" })).toBe("AIR");
  });
});
