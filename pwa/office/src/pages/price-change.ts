import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { applyRate, type BasisPoints, type Cents } from "#domain/money.ts";
import type { PriceTable } from "./price-cells.ts";

/** Change of prices by a percentage, rounded to a multiple. */
export interface PriceChange {
  /** Change of the price in basis points. Negative for a reduction. */
  readonly rate: BasisPoints;
  /** Smallest step of the new prices in minor units. */
  readonly step: Cents;
  /** Code of the category to change. Empty for all categories. */
  readonly category: string;
}

/** Returns the table with changed prices. Cells without a price stay empty, and rounding makes no price free. */
export function changePrices(table: PriceTable, change: PriceChange, decimals: number): PriceTable {
  const changed = (price: string | null) => {
    const amount = price === null ? undefined : parseAmount(price, decimals);
    if (amount === undefined || amount === 0) return price;
    const exact = amount + applyRate(amount, change.rate);
    return toAmount(Math.max(change.step, Math.round(exact / change.step) * change.step), decimals);
  };
  const rows = table.rows.map((row) =>
    change.category === "" || row.category_code === change.category ? { ...row, prices: row.prices.map(changed) } : row,
  );
  return { ...table, rows };
}
