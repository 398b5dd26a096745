import { toAmount } from "#domain/amount-text.ts";
import { getMoneyFormat } from "#shared/locale.ts";
import { getLocale } from "./preferences.ts";
import { settings } from "./settings.ts";

// The domain's money module needs decimal.js (24 kB). The app only adds minor units.

const IN_THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * Parses an amount: "12.50" → 1250. Returns undefined if it's invalid. "1.234" is ambiguous and only valid in a
 * currency without decimals.
 */
export function toCents(amount: string, decimals = settings.value?.currency_decimals ?? 2): number | undefined {
  const trimmedAmount = amount.trim();
  const plain = decimals === 0 && IN_THOUSANDS.test(trimmedAmount) ? trimmedAmount.replace(/[.,]/g, "") : trimmedAmount;
  const match = /^(\d{1,9})(?:[.,](\d{0,3}))?$/.exec(plain);
  if (!match) return undefined;
  const fraction = (match[2] ?? "").padEnd(decimals, "0");
  if (fraction.length > decimals) return undefined;
  return Number(`${match[1]}${fraction}`);
}

/** Formats minor units in the API format: 1250 → "12.50". */
export function fromCents(cents: number, decimals = settings.value?.currency_decimals ?? 2): string {
  return toAmount(cents, decimals);
}

/** Formats an amount for display: "12,50 €". */
export function formatMoney(amount: string | number): string {
  const { currency = "EUR", currency_decimals: decimals = 2 } = settings.value ?? {};
  const value = typeof amount === "number" ? amount / 10 ** decimals : Number(amount);
  return getMoneyFormat(getLocale(), currency, decimals).format(value);
}
