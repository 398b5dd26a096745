import { dayFormat } from "#shared/locale.ts";
import type { Settings } from "./model.ts";

const DAY_MILLISECONDS = 86_400_000;

/** Formats an amount by the account's currency settings. */
export function money(amount: string, settings: Settings): string {
  const [whole = "", cents] = amount.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, settings.currency_thousands_separator);
  const number = cents === undefined ? grouped : grouped + settings.currency_decimal_mark + cents;
  const { currency_symbol: symbol } = settings;
  if (settings.currency_symbol_position === "last") return `${number}\u00a0${symbol}`;
  // A currency code is separated by a space, a symbol isn't.
  return `${symbol}${/[A-Za-z]$/.test(symbol) ? "\u00a0" : ""}${number}`;
}

/** Subtracts decimal texts exactly in minor units, so that displayed amounts add up. */
export function remainder(total: string, ...parts: readonly string[]): string {
  const decimals = total.split(".")[1]?.length ?? 0;
  const minor = (text: string) => Math.round(Number(text) * 10 ** decimals);
  const remainderMinor = parts.reduce((rest, part) => rest - minor(part), minor(total));
  return (remainderMinor / 10 ** decimals).toFixed(decimals);
}

/** Adds days to a date, both yyyy-mm-dd. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

export function isDate(text: string | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;

/** Formats a date in a locale, independent of time zones. */
export function dayText(date: string, locale: string, options: Intl.DateTimeFormatOptions = DAY): string {
  if (!isDate(date)) return date;
  return dayFormat(locale, { ...options, timeZone: "UTC" }).format(Date.parse(`${date}T00:00:00Z`));
}

/** Converts a form date to the API format dd/mm/yyyy. */
export function formDate(date: string): string {
  return date.split("-").reverse().join("/");
}
