import { addPriceColumn, type PriceBracket, type PriceTable } from "./price-cells.ts";

/** Returns the key of a price, independent of its position in a table. */
export const toPriceCellKey = (category: string, { from_days, to_days, price_per }: PriceBracket) =>
  [category, from_days, to_days, price_per].join(" ");

/**
 * Prices set by another user in cells changed here, by `toPriceCellKey`. An empty text means that the price was
 * removed.
 */
export type ConflictingPrices = ReadonlyMap<string, string>;

function toPriceMap({ brackets, rows }: PriceTable): ReadonlyMap<string, string | null> {
  return new Map(
    rows.flatMap(({ category_code, prices }) =>
      brackets.map((bracket, at) => [toPriceCellKey(category_code, bracket), prices[at] ?? null] as const),
    ),
  );
}

/**
 * Merges typed changes into a table that another user changed. Own changes win, all other cells are theirs. Also
 * returns their values of prices that both changed.
 */
export function mergePriceTables(originalTable: PriceTable, ownTable: PriceTable, otherTable: PriceTable) {
  const [before, own, now] = [toPriceMap(originalTable), toPriceMap(ownTable), toPriceMap(otherTable)];
  const isKnown = (bracket: PriceBracket) =>
    originalTable.brackets.some((other) => toPriceCellKey("", other) === toPriceCellKey("", bracket));
  const added = ownTable.brackets.filter((bracket) => !isKnown(bracket));
  const mergedTable = added.reduce(
    (table, { from_days, to_days }) => addPriceColumn(table, from_days, to_days),
    otherTable,
  );
  const clashes = new Map<string, string>();
  const merge = (key: string) => {
    const [mine, was, is] = [own.get(key) ?? null, before.get(key) ?? null, now.get(key) ?? null];
    if (!own.has(key) || mine === was) return is;
    if (is !== was && is !== mine) clashes.set(key, is ?? "");
    return mine;
  };
  const rows = mergedTable.rows.map((row) => ({
    ...row,
    prices: mergedTable.brackets.map((bracket) => merge(toPriceCellKey(row.category_code, bracket))),
  }));
  return { table: { ...mergedTable, rows }, clashes };
}
