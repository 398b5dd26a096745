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

/** How figures read in a language. */
export function formatsOf(language: string, currency: string): Formats {
  const money = new Intl.NumberFormat(language, { style: "currency", currency, maximumFractionDigits: 0 });
  const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const month = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
  return {
    money: (figure) => money.format(Number(figure)),
    percent: (figure) => `${percent.format(Number(figure))} %`,
    decimalMark: new Intl.NumberFormat(language).format(0.5).includes(",") ? "," : ".",
    month: (index) => month.format(Date.UTC(2026, index, 1)),
  };
}

/** Sums lines by a key and month: `date` is yyyy-mm-dd. */
export function sumByMonth<T extends { readonly date: string; readonly total: string }>(
  lines: readonly T[],
  keyOf: (line: T) => string,
): { readonly key: string; readonly months: number[]; readonly total: number }[] {
  return [...Map.groupBy(lines, keyOf)]
    .map(([key, ofKey]) => {
      // Whole cents, so that a sum is the sum of its parts.
      const cents = Array.from({ length: 12 }, () => 0);
      for (const { date, total } of ofKey) {
        const index = Number(date.slice(5, 7)) - 1;
        cents[index] = (cents[index] ?? 0) + Math.round(Number(total) * 100);
      }
      const months = cents.map((sum) => sum / 100);
      return { key, months, total: cents.reduce((sum, one) => sum + one, 0) / 100 };
    })
    .sort((a, b) => b.total - a.total);
}
