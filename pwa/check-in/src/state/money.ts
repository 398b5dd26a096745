import { toAmount } from "#domain/amount-text.ts";
import { moneyFormat } from "#shared/locale.ts";
import { locale } from "./preferences.ts";
import { settings } from "./settings.ts";

// The domain's money stands on decimal.js, 24 kB: the app adds whole minor units only.

const IN_THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * "12.50" → 1250. Undefined where it is no amount: "1.234" may be a thousand and more. Of a currency without decimals
 * it is nothing else.
 */
export function toCents(amount: string, decimals = settings.value?.currency_decimals ?? 2): number | undefined {
  const typed = amount.trim();
  const plain = decimals === 0 && IN_THOUSANDS.test(typed) ? typed.replace(/[.,]/g, "") : typed;
  const match = /^(\d{1,9})(?:[.,](\d{0,3}))?$/.exec(plain);
  if (!match) return undefined;
  const fraction = (match[2] ?? "").padEnd(decimals, "0");
  if (fraction.length > decimals) return undefined;
  return Number(`${match[1]}${fraction}`);
}

/** 1250 → "12.50", as the server writes it. */
export function fromCents(cents: number, decimals = settings.value?.currency_decimals ?? 2): string {
  return toAmount(cents, decimals);
}

/** As people read it: "12,50 €". */
export function moneyText(amount: string | number): string {
  const { currency = "EUR", currency_decimals: decimals = 2 } = settings.value ?? {};
  const value = typeof amount === "number" ? amount / 10 ** decimals : Number(amount);
  return moneyFormat(locale(), currency, decimals).format(value);
}
