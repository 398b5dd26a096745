import { type Bracket, type PriceTable, withColumn } from "./price-cells.ts";

/** Names a price by what it is of, wherever in a table it stands. */
export const cellKey = (category: string, { from_days, to_days, price_per }: Bracket) =>
  [category, from_days, to_days, price_per].join(" ");

/** Prices that somebody else wrote where one's own are typed, by `cellKey`; empty: there is none any more. */
export type TheirPrices = ReadonlyMap<string, string>;

function pricesOf({ brackets, rows }: PriceTable): ReadonlyMap<string, string | null> {
  return new Map(
    rows.flatMap(({ category_code, prices }) =>
      brackets.map((one, at) => [cellKey(category_code, one), prices[at] ?? null] as const),
    ),
  );
}

/**
 * What was typed over a table that somebody else has changed since it was seen: what one changed oneself stays, all
 * else is as they left it; and what they wrote where both changed the same price.
 */
export function mergeTables(seen: PriceTable, typed: PriceTable, theirs: PriceTable) {
  const [before, own, now] = [pricesOf(seen), pricesOf(typed), pricesOf(theirs)];
  const isKnown = (one: Bracket) => seen.brackets.some((other) => cellKey("", other) === cellKey("", one));
  const added = typed.brackets.filter((one) => !isKnown(one));
  const whole = added.reduce((table, { from_days, to_days }) => withColumn(table, from_days, to_days), theirs);
  const clashes = new Map<string, string>();
  const merge = (key: string) => {
    const [mine, was, is] = [own.get(key) ?? null, before.get(key) ?? null, now.get(key) ?? null];
    if (!own.has(key) || mine === was) return is;
    if (is !== was && is !== mine) clashes.set(key, is ?? "");
    return mine;
  };
  const rows = whole.rows.map((row) => ({
    ...row,
    prices: whole.brackets.map((one) => merge(cellKey(row.category_code, one))),
  }));
  return { table: { ...whole, rows }, clashes };
}
