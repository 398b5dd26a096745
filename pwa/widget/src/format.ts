import { getDayFormat, getMoneyFormat } from "#shared/locale.ts";
import type { Settings } from "./model.ts";

const DAY_MILLISECONDS = 86_400_000;

const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Formats an amount in the account's currency, as the visitor's language does. */
export function formatAmount(amount: string, { locale, currency, currency_decimals: decimals }: Settings): string {
  const key = `${locale} ${currency} ${decimals}`;
  const format = moneyFormats.get(key) ?? getMoneyFormat(locale, currency, decimals);
  moneyFormats.set(key, format);
  return format.format(Number(amount));
}

/** Subtracts decimal texts exactly in minor units, so that displayed amounts add up. */
export function subtractAmounts(total: string, ...parts: readonly string[]): string {
  return inMinorUnits(total, (minor) => parts.reduce((rest, part) => rest - minor(part), minor(total)));
}

/** Returns the average of a total per day, rounded to minor units. */
export function formatAveragePerDay(total: string, days: number): string {
  return (Number(total) / days).toFixed(countDecimals(total));
}

/** Adds decimal texts exactly in minor units. */
export function addAmounts(first: string, ...others: readonly string[]): string {
  return inMinorUnits(first, (minor) => others.reduce((sum, text) => sum + minor(text), minor(first)));
}

const countDecimals = (amount: string) => amount.split(".")[1]?.length ?? 0;

// Calculates with amounts in minor units. The number of decimals is that of the first amount.
function inMinorUnits(first: string, calculate: (minor: (text: string) => number) => number): string {
  const decimals = countDecimals(first);
  const factor = 10 ** decimals;
  return (calculate((text) => Math.round(Number(text) * factor)) / factor).toFixed(decimals);
}

/** Adds days to a date, both yyyy-mm-dd. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Whether a text is an existing date, `yyyy-mm-dd`. */
export function isDateText(text: string | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;

/** Formats a date in a locale, independent of time zones. */
export function formatDay(date: string, locale: string, options: Intl.DateTimeFormatOptions = DAY): string {
  if (!isDateText(date)) return date;
  return getDayFormat(locale, { ...options, timeZone: "UTC" }).format(Date.parse(`${date}T00:00:00Z`));
}

/** Formats a local time, `yyyy-mm-ddThh:mm`. */
export function formatMoment(moment: string, locale: string): string {
  const [date = "", time = ""] = moment.split("T");
  return `${formatDay(date, locale)} ${time}`;
}

/** Converts a form date to the API format dd/mm/yyyy. */
export function toApiDate(date: string): string {
  return date.split("-").reverse().join("/");
}
