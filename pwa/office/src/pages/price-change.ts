import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { applyRate, type BasisPoints, type Cents } from "#domain/money.ts";
import { parseTypedAmount } from "../desk/typed-amount.ts";
import type { PriceTable } from "./price-cells.ts";

/** Change of prices by a percentage, rounded to a multiple. */
export interface PriceChange {
  /** Change of the price in basis points. Negative for a reduction. */
  readonly basisPoints: BasisPoints;
  /** Smallest step of the new prices in minor units. */
  readonly step: Cents;
  /** Code of the category to change. Empty for all categories. */
  readonly category: string;
}

/** Problem of a typed percentage: empty, or not a number above -100. */
export type PercentProblem = "missing" | "number";

const HUNDRED_PERCENT: BasisPoints = 10_000;

/** Parses a typed percentage to basis points. Not a number if it can't be read. */
export const parsePercentToBasisPoints = (text: string): BasisPoints =>
  Math.round(Number(parseTypedAmount(text)) * 100);

/** Returns the problem of a typed percentage, or undefined if prices can be changed by it. */
export function findPercentProblem(text: string): PercentProblem | undefined {
  if (text.trim() === "") return "missing";
  const rate = parsePercentToBasisPoints(text);
  return Number.isFinite(rate) && rate > -HUNDRED_PERCENT ? undefined : "number";
}

/** Returns the table with changed prices. Cells without a price stay empty, and rounding makes no price free. */
export function changePrices(table: PriceTable, change: PriceChange, decimals: number): PriceTable {
  const changed = (price: string | null) => {
    const amount = price === null ? undefined : parseAmount(price, decimals);
    if (amount === undefined || amount === 0) return price;
    const exact = amount + applyRate(amount, change.basisPoints);
    return toAmount(Math.max(change.step, Math.round(exact / change.step) * change.step), decimals);
  };
  const rows = table.rows.map((row) =>
    change.category === "" || row.category_code === change.category ? { ...row, prices: row.prices.map(changed) } : row,
  );
  return { ...table, rows };
}
