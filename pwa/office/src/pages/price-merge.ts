import { type Bracket, type PriceTable, withColumn } from "./price-cells.ts";

/** Names a price by what it is of, wherever in a table it stands. */
export const cellKey = (category: string, { from_days, to_days, price_per }: Bracket) =>
  [category, from_days, to_days, price_per].join(" ");

/** Prices that somebody else wrote where one's own are typed, by `cellKey`; empty: there is none any more. */
export type TheirPrices = ReadonlyMap<string, string>;

function toPriceMap({ brackets, rows }: PriceTable): ReadonlyMap<string, string | null> {
  return new Map(
    rows.flatMap(({ category_code, prices }) =>
      brackets.map((bracket, at) => [cellKey(category_code, bracket), prices[at] ?? null] as const),
    ),
  );
}

/**
 * What was typed over a table that somebody else has changed since it was seen: what one changed oneself stays, all
 * else is as they left it; and what they wrote where both changed the same price.
 */
export function mergeTables(seen: PriceTable, typed: PriceTable, theirs: PriceTable) {
  const [before, own, now] = [toPriceMap(seen), toPriceMap(typed), toPriceMap(theirs)];
  const isKnown = (bracket: Bracket) => seen.brackets.some((other) => cellKey("", other) === cellKey("", bracket));
  const added = typed.brackets.filter((bracket) => !isKnown(bracket));
  const mergedTable = added.reduce((table, { from_days, to_days }) => withColumn(table, from_days, to_days), theirs);
  const clashes = new Map<string, string>();
  const merge = (key: string) => {
    const [mine, was, is] = [own.get(key) ?? null, before.get(key) ?? null, now.get(key) ?? null];
    if (!own.has(key) || mine === was) return is;
    if (is !== was && is !== mine) clashes.set(key, is ?? "");
    return mine;
  };
  const rows = mergedTable.rows.map((row) => ({
    ...row,
    prices: mergedTable.brackets.map((bracket) => merge(cellKey(row.category_code, bracket))),
  }));
  return { table: { ...mergedTable, rows }, clashes };
}
