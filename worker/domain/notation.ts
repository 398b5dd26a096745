import { toAmount } from "#domain/amount-text.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import { isMonthFirst } from "#domain/month-first.ts";

// Uses custom rules instead of Intl, because signed and stored texts must not change with the runtime.

const SYMBOLS: Readonly<Record<string, string>> = { EUR: "€", USD: "$", GBP: "£" };

/** Money format of a printout. */
export interface MoneyNotation {
  readonly currency: string;
  readonly decimals: number;
  readonly language: PlatformLanguage;
}

/** Formats an amount with currency in a language: `1.234,50 €`, `€1,234.50`. */
export function moneyText(cents: Cents, notation: MoneyNotation): string {
  const { currency, language } = notation;
  const number = numberText(cents, notation);
  const symbol = SYMBOLS[currency];
  if (language !== "en" || !symbol) return `${number}\u00a0${symbol ?? currency}`;
  return cents < 0 ? `-${symbol}${number.slice(1)}` : `${symbol}${number}`;
}

/** Formats an amount without currency, for columns. */
export function numberText(cents: Cents, { decimals, language }: MoneyNotation): string {
  const [sign = "", digits = "0", rest = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(toAmount(cents, decimals))?.slice(1) ?? [];
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, language === "en" ? "," : ".");
  return `${sign}${grouped}${rest ? `${language === "en" ? "." : ","}${rest}` : ""}`;
}

/** Formats an integer with thousands separators. */
export function countText(count: number, language: PlatformLanguage): string {
  return numberText(count, { decimals: 0, language, currency: "" });
}

/** Formats a rate in a language: `21 %`, `5,2 %`, `5.2%`. */
export function rateText(rate: BasisPoints, language: PlatformLanguage): string {
  const text = toAmount(rate, 2).replace(/\.?0+$/, "");
  return language === "en" ? `${text}%` : `${text.replace(".", ",")}\u00a0%`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Formats a calendar date (`yyyy-mm-dd`) in a language. English follows the company's country. Other texts stay
 * unchanged.
 */
export function dateText(date: string, language: PlatformLanguage, country: string): string {
  const [year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)?.slice(1) ?? [];
  if (!year || !month || !day) return date;
  if (language === "en") {
    const [name, number] = [MONTHS[Number(month) - 1], Number(day)];
    return isMonthFirst(country) ? `${name} ${number}, ${year}` : `${number} ${name} ${year}`;
  }
  return language === "de" ? `${day}.${month}.${year}` : `${day}/${month}/${year}`;
}
