import { isMonthFirst } from "#domain/month-first.ts";

export { isolated } from "#domain/direction.ts";

/**
 * How a page writes dates and numbers in a language: English as in the company's country, as its papers and mails do;
 * other languages as they are.
 */
export function resolveLocale(language: string, country: string): string {
  if (language !== "en") return language;
  return isMonthFirst(country) ? "en-US" : "en-GB";
}

/**
 * How a page writes amounts: the company's own dollars as `$` in every language, thousands always apart, as on papers.
 * Without `decimals` whole amounts alone.
 */
export function moneyFormat(locale: string, currency: string, decimals = 0): Intl.NumberFormat {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol", useGrouping: "always" } as const;
  return new Intl.NumberFormat(locale, { ...style, ...digits });
}

/** Writes days and moments. */
export type DayFormat = Pick<Intl.DateTimeFormat, "format">;

/** How a page writes days: the short September of every English is "Sep", as on papers and in mails. */
export function dayFormat(locale: string, options: Intl.DateTimeFormatOptions): DayFormat {
  const format = new Intl.DateTimeFormat(locale, options);
  // Browsers write "Sept" in British English alone.
  return locale === "en-GB" ? { format: (at) => format.format(at).replace(/\bSept\b/, "Sep") } : format;
}

/** How a page writes shares of a hundred: "21 %" in Spanish, "21%" in English. */
export function percentFormat(locale: string, decimals: number): (percent: number) => string {
  const format = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: decimals });
  return (percent) => format.format(percent / 100);
}

/** How a page writes counts, thousands always apart. */
export function countFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { useGrouping: "always" });
}

/** What stands before decimals, in a spreadsheet too. */
export const getDecimalMark = (locale: string): "." | "," =>
  new Intl.NumberFormat(locale).format(0.5).includes(",") ? "," : ".";
