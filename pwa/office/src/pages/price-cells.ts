import { formatAmountInput, plainAmount } from "../desk/typed-amount.ts";
import { t } from "../texts.ts";

/** A table of prices as the office tells it. */
export interface PriceTable {
  readonly brackets: readonly Bracket[];
  readonly rows: readonly {
    readonly category_code: string;
    readonly name: string;
    readonly prices: readonly (string | null)[];
  }[];
  readonly version: number;
}

export interface Bracket {
  readonly from_days: number;
  readonly to_days: number | null;
  readonly price_per: string;
}

/** What a column is for, in words. */
export function lengthText({ from_days: from, to_days: to, price_per }: Bracket): string {
  const several = to === null ? t("fromDaysOn", { from }) : t("fromDaysTo", { from, to });
  const text = from === to ? t("days", { n: from }) : several;
  return price_per === "bracket" ? `${text} (${t("option.bracket")})` : text;
}

/** The table with another text in a cell; a comma is a decimal point, nothing is no price. */
export function withCell(table: PriceTable, row: number, column: number, text: string): PriceTable {
  const price = toAmount(text);
  const rows = table.rows.map((item, at) =>
    at === row
      ? { ...item, prices: table.brackets.map((_, index) => (index === column ? price : (item.prices[index] ?? null))) }
      : item,
  );
  return { ...table, rows };
}

const toAmount = (text: string): string | null => plainAmount(text) || null;

/** The table with the cells of a spreadsheet from a cell on; what does not fit is left out. */
export function pasted(table: PriceTable, text: string, row: number, column: number): PriceTable {
  let next = table;
  for (const [down, line] of text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .entries())
    for (const [right, cell] of line.split("\t").entries())
      if (table.rows[row + down] && table.brackets[column + right])
        next = withCell(next, row + down, column + right, cell);
  return next;
}

/** The table with a column more, in its place by its first day. */
export function withColumn(table: PriceTable, from: number, to: number | null): PriceTable {
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

/** The table as a spreadsheet takes it: with a point where people write a comma, "1.50" would be a day of 1950. */
export function toSpreadsheet({ brackets, rows }: PriceTable): string {
  const head = ["", ...brackets.map(lengthText)];
  return [head, ...rows.map(({ name, prices }) => [name, ...prices.map((price) => formatAmountInput(price ?? ""))])]
    .map((cells) => cells.join("\t"))
    .join("\n");
}
