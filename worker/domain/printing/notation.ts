import { toAmount } from "#domain/amount-text.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import { isMonthFirst } from "#domain/month-first.ts";

// Written by rules of our own, not by Intl: what is signed and kept must not change with a runtime's tables.

const SYMBOLS: Readonly<Record<string, string>> = { EUR: "€", USD: "$", GBP: "£" };

/** How a printout writes money. */
export interface MoneyNotation {
  readonly currency: string;
  readonly decimals: number;
  readonly language: PlatformLanguage;
}

/** An amount with its currency as the language writes it: `1.234,50 €`, `€1,234.50`. */
export function moneyText(cents: Cents, notation: MoneyNotation): string {
  const { currency, language } = notation;
  const number = numberText(cents, notation);
  const symbol = SYMBOLS[currency];
  if (language !== "en" || !symbol) return `${number}\u00a0${symbol ?? currency}`;
  return cents < 0 ? `-${symbol}${number.slice(1)}` : `${symbol}${number}`;
}

/** An amount without its currency, for columns of amounts. */
export function numberText(cents: Cents, { decimals, language }: MoneyNotation): string {
  const [sign = "", digits = "0", rest = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(toAmount(cents, decimals))?.slice(1) ?? [];
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, language === "en" ? "," : ".");
  return `${sign}${grouped}${rest ? `${language === "en" ? "." : ","}${rest}` : ""}`;
}

/** A whole number with its thousands apart. */
export function countText(count: number, language: PlatformLanguage): string {
  return numberText(count, { decimals: 0, language, currency: "" });
}

/** A rate as the language writes it: `21 %`, `5,2 %`, `5.2%`. */
export function rateText(rate: BasisPoints, language: PlatformLanguage): string {
  const text = toAmount(rate, 2).replace(/\.?0+$/, "");
  return language === "en" ? `${text}%` : `${text.replace(".", ",")}\u00a0%`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A calendar date (`yyyy-mm-dd`) as the language writes it, English as in the company's country; any other text as it
 * is.
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
