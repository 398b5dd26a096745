import { hasMonthFirstDates } from "#domain/date-order.ts";

export { isolateRightToLeft } from "#domain/text-direction.ts";

/**
 * Returns the locale for dates and numbers. English follows the company's country, and Portuguese is that of Portugal,
 * as in documents and emails.
 */
export function resolveLocale(language: string, country: string): string {
  if (language === "pt") return "pt-PT";
  if (language !== "en") return language;
  return hasMonthFirstDates(country) ? "en-US" : "en-GB";
}

/**
 * Creates the format of amounts, as in documents: the currency's short symbol (`$`, not `US$`) in every
 * language, and always with thousands separators. Without `decimals`, amounts are whole.
 */
export function getMoneyFormat(locale: string, currency: string, decimals = 0): Intl.NumberFormat {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol", useGrouping: "always" } as const;
  return new Intl.NumberFormat(locale, { ...style, ...digits });
}

/** Formatter of dates, times and date ranges. */
export type DayFormat = Pick<Intl.DateTimeFormat, "format" | "formatRange">;

/** Creates a date format. The short September is "Sep" in all English locales, as in documents and emails. */
export function getDayFormat(locale: string, options: Intl.DateTimeFormatOptions): DayFormat {
  const format = new Intl.DateTimeFormat(locale, options);
  // Browsers use "Sept" only in British English.
  if (locale !== "en-GB") return format;
  const shorten = (text: string) => text.replace(/\bSept\b/g, "Sep");
  return {
    format: (at) => shorten(format.format(at)),
    formatRange: (from, to) => shorten(format.formatRange(from, to)),
  };
}

/** Creates the format of percentages: "21 %" in Spanish, "21%" in English. */
export function getPercentFormatter(locale: string, decimals: number): (percent: number) => string {
  const format = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: decimals });
  return (percent) => format.format(percent / 100);
}

/** Creates the format of counts with grouped thousands. */
export function getCountFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { useGrouping: "always" });
}

/** Returns the decimal mark, also used for spreadsheets. */
export const getDecimalMark = (locale: string): "." | "," =>
  new Intl.NumberFormat(locale).format(0.5).includes(",") ? "," : ".";
