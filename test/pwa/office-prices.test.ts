import "./page.ts";
import { expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  addPriceColumn,
  formatForSpreadsheet,
  getRowName,
  type PriceTable,
  pastePriceCells,
} from "../../pwa/office/src/pages/price-cells.ts";
import { mergePriceTables } from "../../pwa/office/src/pages/price-merge.ts";

const bracket = (from_days: number, to_days: number | null) => ({ from_days, to_days, price_per: "day" });
const row = (category_code: string, ...prices: (string | null)[]) => ({ category_code, name: category_code, prices });
const SEEN_TABLE: PriceTable = {
  brackets: [bracket(1, 3), bracket(4, null)],
  rows: [row("A", "30.00", "25.00"), row("B", "50.00", "40.00")],
  version: 7,
};

test("keeps prices that another user changed next to the typed ones", () => {
  const typedTable = pastePriceCells(SEEN_TABLE, "33.00", 0, 0);
  const otherTable = { ...pastePriceCells(SEEN_TABLE, "55.00", 1, 0), version: 8 };
  const { table, clashes } = mergePriceTables(SEEN_TABLE, typedTable, otherTable);
  expect(table.rows).toEqual([row("A", "33.00", "25.00"), row("B", "55.00", "40.00")]);
  expect([table.version, clashes.size]).toEqual([8, 0]);
});

test("keeps the typed price if another user changed it too, and shows the other price", () => {
  const typedTable = pastePriceCells(SEEN_TABLE, "33.00", 0, 0);
  const { table, clashes } = mergePriceTables(SEEN_TABLE, typedTable, pastePriceCells(SEEN_TABLE, "31.00", 0, 0));
  expect(table.rows[0]).toEqual(row("A", "33.00", "25.00"));
  expect([...clashes]).toEqual([["A 1 3 day", "31.00"]]);
  // Equal prices don't conflict.
  expect(mergePriceTables(SEEN_TABLE, typedTable, pastePriceCells(SEEN_TABLE, "33.00", 0, 0)).clashes.size).toBe(0);
});

// Proves "office.md": An added length stays when others saved in the meantime
test("keeps a rental length that the user added next to one that another user added", () => {
  const typedTable = pastePriceCells(addPriceColumn(SEEN_TABLE, 14, 20), "20.00", 0, 2);
  const otherTable = pastePriceCells(addPriceColumn(SEEN_TABLE, 30, null), "15.00", 1, 2);
  const { table } = mergePriceTables(SEEN_TABLE, typedTable, otherTable);
  expect(table.brackets.map(({ from_days }) => from_days)).toEqual([1, 4, 14, 30]);
  expect(table.rows).toEqual([row("A", "30.00", "25.00", "20.00", null), row("B", "50.00", "40.00", null, "15.00")]);
});

test.each([
  ["1.234,50 €", "1234.50"],
  ["1,234.50", "1234.50"],
  ["28,5", "28.5"],
  ["28.50", "28.50"],
])("pastes the spreadsheet cell %s into a price table as %s", (text, price) => {
  expect(pastePriceCells(SEEN_TABLE, text, 0, 0).rows[0]?.prices[0]).toBe(price);
});

test("copies prices in the reader's spreadsheet format, and pastes them back unchanged", () => {
  document.documentElement.lang = "de";
  setAccount({ currency: "EUR", currency_decimals: 2 });
  const copied = formatForSpreadsheet(SEEN_TABLE).split("\n").slice(1);
  expect(copied).toEqual(["A\t30,00\t25,00", "B\t50,00\t40,00"]);
  const cells = copied.map((line) => line.split("\t").slice(1).join("\t")).join("\n");
  expect(pastePriceCells(SEEN_TABLE, cells, 0, 0)).toEqual(SEEN_TABLE);
});

test("names the categories of the price table in the user's language, also when copied", () => {
  Object.assign(document.documentElement, { lang: "de" });
  setAccount({ names: { categories: { A: { de: "Kleinstwagen" } }, places: {}, extras: {} } });
  const table = { ...SEEN_TABLE, rows: [{ ...row("A", "30.00", "25.00"), name: "Mini coche" }, row("B")] };
  expect(table.rows.map(getRowName)).toEqual(["Kleinstwagen", "B"]);
  expect(formatForSpreadsheet(table)).toContain("Kleinstwagen\t30");
});
