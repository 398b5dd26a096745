import { Decimal } from "decimal.js";
import { needsExemptionReason } from "#domain/e-invoices/categories.ts";
import type { EInvoice, InvoiceLine, TaxCategoryAndRate } from "#domain/e-invoices/e-invoice.ts";
import { type Cents, formatRateAsPercent, toAmount } from "#domain/money.ts";

/** Writes amounts of an invoice. A credit note is written with the opposite sign, because its type implies it. */
export function createAmountFormatter({ form, currencyDecimals }: EInvoice): (cents: Cents) => string {
  const sign = form === "credit_note" ? -1 : 1;
  // Minus zero would be written with its sign.
  return (cents) => toAmount(cents === 0 ? 0 : sign * cents, currencyDecimals);
}

// More decimals than a currency has, so that price times quantity gives the line's amount to the cent.
const PRICE_DECIMALS = 8;

/** Returns the price of one unit without tax. It's never negative: the quantity has the sign. */
export function formatUnitPrice({ netCents, quantity }: InvoiceLine, { currencyDecimals }: EInvoice): string {
  const units = new Decimal(netCents).dividedBy(10 ** currencyDecimals).dividedBy(quantity);
  return units.abs().toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_HALF_UP).toFixed();
}

/** Returns a line's quantity, with the opposite sign in a credit note. */
export function formatQuantity({ quantity }: InvoiceLine, { form }: EInvoice): string {
  return String(form === "credit_note" ? -quantity : quantity);
}

/** Returns the rate of a category. Undefined if not subject to the tax. */
export function formatTaxRate({ category, rate }: TaxCategoryAndRate): string | undefined {
  if (category === "O") return undefined;
  return needsExemptionReason(category) ? "0.00" : formatRateAsPercent(rate);
}

/** Whether an invoice is outside the scope of the tax, so that it contains no VAT numbers (BR-O-2 to BR-O-4). */
export function isOutsideTaxScope({ taxes }: EInvoice): boolean {
  return taxes.some(({ category }) => category === "O");
}
