import type { Immutable } from "#shared/immutable.ts";
import type { PriceTableMessage } from "#worker/api/office/resources/price-table-messages.ts";
import { getCategoryName } from "../account.ts";
import { formatAmountInput, parseTypedAmount } from "../desk/typed-amount.ts";
import { t } from "../texts.ts";

/** Price table in the office API. */
export type PriceTable = Pick<Immutable<PriceTableMessage["table"]>, "brackets" | "rows" | "version">;

export type PriceBracket = PriceTable["brackets"][number];

/** Returns the title of a column. */
export function formatBracketLength({ from_days: from, to_days: to, price_per }: PriceBracket): string {
  const several = to === null ? t("fromDaysOn", { from }) : t("fromDaysTo", { from, to });
  const text = from === to ? t("days", { n: from }) : several;
  return price_per === "bracket" ? t("lengthTotal", { length: text }) : text;
}

/** Returns the table with a changed cell. A comma is a decimal mark, and an empty text means no price. */
export function setPriceCell(table: PriceTable, row: number, column: number, text: string): PriceTable {
  const price = toAmount(text);
  const rows = table.rows.map((item, at) =>
    at === row
      ? { ...item, prices: table.brackets.map((_, index) => (index === column ? price : (item.prices[index] ?? null))) }
      : item,
  );
  return { ...table, rows };
}

const toAmount = (text: string): string | null => parseTypedAmount(text) || null;

/** Returns the table with pasted spreadsheet cells, starting at a cell. Excess cells are ignored. */
export function pastePriceCells(table: PriceTable, text: string, row: number, column: number): PriceTable {
  let next = table;
  for (const [down, line] of text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .entries())
    for (const [right, cell] of line.split("\t").entries())
      if (table.rows[row + down] && table.brackets[column + right])
        next = setPriceCell(next, row + down, column + right, cell);
  return next;
}

/** Returns the table with an additional column, sorted by its first day. */
export function addPriceColumn(table: PriceTable, from: number, to: number | null): PriceTable {
  if (table.brackets.some((bracket) => bracket.from_days === from && bracket.to_days === to)) return table;
  const at = table.brackets.filter((bracket) => bracket.from_days <= from).length;
  return {
    ...table,
    brackets: table.brackets.toSpliced(at, 0, { from_days: from, to_days: to, price_per: "day" }),
    rows: table.rows.map((row) => ({
      ...row,
      prices: table.brackets.map((_, index) => row.prices[index] ?? null).toSpliced(at, 0, null),
    })),
  };
}

/** Returns the name of a row's category in the user's language. */
export const getRowName = ({ category_code: code, name }: PriceTable["rows"][number]): string =>
  getCategoryName(code, name);

/**
 * Exports the table for a spreadsheet with the user's decimal mark. With a point, some would read "1.50" as a date in
 * 1950.
 */
export function formatForSpreadsheet({ brackets, rows }: PriceTable): string {
  const head = ["", ...brackets.map(formatBracketLength)];
  return [head, ...rows.map((row) => [getRowName(row), ...row.prices.map((price) => formatAmountInput(price ?? ""))])]
    .map((cells) => cells.join("\t"))
    .join("\n");
}
