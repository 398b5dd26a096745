import { dayFormat, getDecimalMark, moneyFormat, percentFormat, resolveLocale } from "#shared/locale.ts";

/** A number in a report: 0 or a decimal string. */
export type Figure = 0 | string | number;

export const MONTHS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"] as const;

export type MonthlyRow = { readonly [month in (typeof MONTHS)[number]]: Figure } & { readonly total: Figure };

/** Converts the twelve figures of a row to numbers for a chart, which needs no exact cents. */
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

/** Creates the formatters of a language. English follows the conventions of the company's country. */
export function createFormats(language: string, { country_code, currency }: Place): Formats {
  const locale = resolveLocale(language, country_code);
  const money = moneyFormat(locale, currency);
  const percent = percentFormat(locale, 1);
  const month = dayFormat(locale, { month: "short", timeZone: "UTC" });
  return {
    money: (figure) => money.format(Number(figure)),
    percent: (figure) => percent(Number(figure)),
    decimalMark: getDecimalMark(locale),
    month: (index) => month.format(Date.UTC(2026, index, 1)),
  };
}

interface Sums {
  readonly key: string;
  /** Amounts with all decimals of the currency. */
  readonly months: readonly string[];
  readonly total: string;
}

/** Sums lines by key and month. `date` is yyyy-mm-dd. */
export function sumByMonth<T extends { readonly date: string; readonly total: string }>(
  lines: readonly T[],
  toKey: (line: T) => string,
): readonly Sums[] {
  return [...Map.groupBy(lines, toKey)]
    .map(([key, ofKey]) => {
      const inMonth = (at: number) => ofKey.filter(({ date }) => Number(date.slice(5, 7)) - 1 === at);
      const months = MONTHS.map((_, at) => sumAmounts(inMonth(at).map(({ total }) => total)));
      return { key, months, total: sumAmounts(ofKey.map(({ total }) => total)) };
    })
    .toSorted((a, b) => Number(b.total) - Number(a.total));
}

/**
 * Sums amounts in their smallest unit, without rounding errors. The result has as many decimals as the most precise
 * amount.
 */
export function sumAmounts(amounts: readonly Figure[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => String(amount).split(".")[1]?.length ?? 0));
  const unit = 10 ** decimals;
  return (amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * unit), 0) / unit).toFixed(decimals);
}

export type OccupationRow = MonthlyRow & { readonly purchasable_adquisition_date: string | null };

export interface Averages {
  /** Average of each vehicle, in row order. */
  readonly ofRows: readonly number[];
  /** Averages by month. Future months contain the bookings made so far. */
  readonly ofMonths: readonly number[];
  readonly whole: number;
}

/** Returns the current date in a time zone (yyyy-mm-dd). The user may be in a different zone than the company. */
export function dayIn(timeZone: string, at = Date.now()): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
}

/**
 * Calculates the average occupation of the months that have started (`today` is yyyy-mm-dd). For each vehicle, only
 * months since its purchase count. Other months would lower the average.
 */
export function averageOccupation(rows: readonly OccupationRow[], year: number, today: string): Averages {
  const names = MONTHS.map((month) => `${String(year).padStart(4, "0")}-${month.padStart(2, "0")}`);
  // For a future year, use the bookings made so far.
  const last = Number(today.slice(0, 4)) < year ? (names.at(-1) ?? "") : today.slice(0, 7);
  const rowFigures = rows.map((row) => {
    const bought = (row.purchasable_adquisition_date ?? "").slice(0, 7);
    return toNumbers(row).map((value, at) => (value > 0 || bought <= (names[at] ?? "") ? value : undefined));
  });
  const elapsedFigures = rowFigures.map((figures) => figures.filter((_, at) => (names[at] ?? "") <= last));
  return {
    ofRows: elapsedFigures.map(calculateMean),
    ofMonths: MONTHS.map((_, at) => calculateMean(rowFigures.map((figures) => figures[at]))),
    whole: calculateMean(elapsedFigures.flat()),
  };
}

function calculateMean(figures: readonly (number | undefined)[]): number {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? 0 : known.reduce((sum, figure) => sum + figure, 0) / known.length;
}
