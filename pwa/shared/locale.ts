import { isMonthFirst } from "#domain/month-first.ts";

export { isolated } from "#domain/direction.ts";

/**
 * How a page writes dates and numbers in a language: English as in the company's country, as its papers and mails do;
 * other languages as they are.
 */
export function localeOf(language: string, country: string): string {
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

/** How a page writes counts, thousands always apart. */
export function countFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { useGrouping: "always" });
}
