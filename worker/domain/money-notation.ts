import { toAmount } from "#domain/amount-text.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { hasMonthFirstDates } from "#domain/date-order.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";

// Uses custom rules instead of Intl, because signed and stored texts must not change with the runtime.

// The separators of Intl, which browsers use.
const COMMA = { group: ".", mark: ",", percent: "\u00a0%" };
const SEPARATORS: Readonly<Record<PlatformLanguage, typeof COMMA>> = {
  ...{ es: COMMA, ca: COMMA, de: COMMA },
  en: { group: ",", mark: ".", percent: "%" },
  fr: { group: "\u202f", mark: ",", percent: "\u00a0%" },
  it: { group: ".", mark: ",", percent: "%" },
  pt: { group: "\u00a0", mark: ",", percent: "%" },
  nl: { group: ".", mark: ",", percent: "%" },
};

const SYMBOLS: Readonly<Record<string, string>> = { EUR: "€", USD: "$", GBP: "£" };

/** Currency, decimals and language in which an amount is formatted. */
export interface MoneyNotation {
  readonly currency: string;
  readonly decimals: number;
  readonly language: PlatformLanguage;
}

/** Formats an amount with currency in a language: `1.234,50 €`, `€1,234.50`, `€ 1.234,50`. */
export function formatMoney(cents: Cents, notation: MoneyNotation): string {
  const { currency, language } = notation;
  const number = formatAmountWithoutCurrency(cents, notation);
  const symbol = SYMBOLS[currency];
  if (language === "nl") return `${symbol ?? currency}\u00a0${number}`;
  if (language !== "en" || !symbol) return `${number}\u00a0${symbol ?? currency}`;
  return cents < 0 ? `-${symbol}${number.slice(1)}` : `${symbol}${number}`;
}

/** Formats an amount without currency, for columns. */
export function formatAmountWithoutCurrency(cents: Cents, { decimals, language }: MoneyNotation): string {
  const [sign = "", digits = "0", rest = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(toAmount(cents, decimals))?.slice(1) ?? [];
  const { group, mark } = SEPARATORS[language];
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, group);
  return `${sign}${grouped}${rest ? `${mark}${rest}` : ""}`;
}

/** Formats an integer with thousands separators. */
export function formatCount(count: number, language: PlatformLanguage): string {
  return formatAmountWithoutCurrency(count, { decimals: 0, language, currency: "" });
}

/** Formats a rate in a language: `21 %`, `5,2 %`, `5.2%`. */
export function formatRate(rate: BasisPoints, language: PlatformLanguage): string {
  const text = toAmount(rate, 2).replace(/\.?0+$/, "");
  const { mark, percent } = SEPARATORS[language];
  return `${text.replace(".", mark)}${percent}`;
}

const DATE_MARKS: Readonly<Partial<Record<PlatformLanguage, string>>> = { de: ".", nl: "-" };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Formats a calendar date (`yyyy-mm-dd`) in a language. English follows the company's country. Other texts stay
 * unchanged.
 */
export function formatDate(date: string, language: PlatformLanguage, country: string): string {
  const [year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)?.slice(1) ?? [];
  if (!year || !month || !day) return date;
  if (language === "en") {
    const [name, number] = [MONTHS[Number(month) - 1], Number(day)];
    return hasMonthFirstDates(country) ? `${name} ${number}, ${year}` : `${number} ${name} ${year}`;
  }
  return [day, month, year].join(DATE_MARKS[language] ?? "/");
}

/** Returns the colon after a label. French has a space before it. */
export const getColonWithSpacing = (language: PlatformLanguage): string => (language === "fr" ? "\u00a0:" : ":");
