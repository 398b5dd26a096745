import { dayFormat, localeOf, moneyFormat, percentFormat } from "#shared/locale.ts";

/** A figure of a report: the number 0 or a decimal text. */
export type Figure = 0 | string | number;

export const MONTHS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"] as const;

export type MonthlyRow = { readonly [month in (typeof MONTHS)[number]]: Figure } & { readonly total: Figure };

/** The twelve figures of a row, to be drawn: a chart needs no cent. */
export function toNumbers(row: MonthlyRow | undefined): number[] {
  return MONTHS.map((month) => Number(row?.[month] ?? 0));
}

export interface Formats {
  readonly money: (figure: Figure) => string;
  readonly percent: (figure: Figure) => string;
  readonly month: (index: number) => string;
  readonly decimalMark: "." | ",";
}

interface Place {
  readonly country_code: string;
  readonly currency: string;
}

/** How figures read in a language, English as in the company's country. */
export function formatsOf(language: string, { country_code, currency }: Place): Formats {
  const locale = localeOf(language, country_code);
  const money = moneyFormat(locale, currency);
  const percent = percentFormat(locale, 1);
  const month = dayFormat(locale, { month: "short", timeZone: "UTC" });
  return {
    money: (figure) => money.format(Number(figure)),
    percent: (figure) => percent(Number(figure)),
    decimalMark: new Intl.NumberFormat(locale).format(0.5).includes(",") ? "," : ".",
    month: (index) => month.format(Date.UTC(2026, index, 1)),
  };
}

interface Sums {
  readonly key: string;
  /** As amounts are written: all decimals of the currency. */
  readonly months: readonly string[];
  readonly total: string;
}

/** Sums lines by a key and month: `date` is yyyy-mm-dd. */
export function sumByMonth<T extends { readonly date: string; readonly total: string }>(
  lines: readonly T[],
  keyOf: (line: T) => string,
): readonly Sums[] {
  return [...Map.groupBy(lines, keyOf)]
    .map(([key, ofKey]) => {
      const inMonth = (at: number) => ofKey.filter(({ date }) => Number(date.slice(5, 7)) - 1 === at);
      const months = MONTHS.map((_, at) => sumOf(inMonth(at).map(({ total }) => total)));
      return { key, months, total: sumOf(ofKey.map(({ total }) => total)) };
    })
    .toSorted((a, b) => Number(b.total) - Number(a.total));
}

/** The sum of amounts, counted in whole smallest units: the sum of its parts, with as many decimals as they have. */
export function sumOf(amounts: readonly Figure[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => String(amount).split(".")[1]?.length ?? 0));
  const unit = 10 ** decimals;
  return (amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * unit), 0) / unit).toFixed(decimals);
}
