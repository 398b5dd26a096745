import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { addDays, addMonths, type CivilDate } from "#domain/dates.ts";
import {
  type FigureKind,
  getReportPeriodStart,
  listReportFigures,
  type ReportFigures,
  type ReportName,
  type ReportPeriod,
  type ReportRange,
  sumFigures,
} from "#domain/reporting/reports.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { ReportMessage } from "#worker/api/office/report-messages.ts";
import { getCategoryName, getExtraName } from "../../account.ts";

export type Report = Immutable<ReportMessage>;
type MessageRow = Report["data"][number];

/** Figure of a report with its kind. The value is in minor units, counts, or hundredths. */
export type ReportFigure = readonly [name: string, kind: FigureKind, value: number];

/** Summed figures of a period or a group. */
export interface SummedRow {
  readonly key: string;
  readonly name: string;
  readonly figures: readonly ReportFigure[];
}

const HUNDREDTHS = 2;

const getDecimals = (kind: FigureKind, decimals: number) => (kind === "money" ? decimals : HUNDREDTHS);

/** Parses the figures of a message to minor units and counts. */
export function parseFigures(report: ReportName, figures: MessageRow["figures"], decimals: number): ReportFigures {
  const kinds = listReportFigures(report, {}).map(([name, kind]) => {
    const value = figures[name] ?? 0;
    return [name, typeof value === "number" ? value : parseSigned(value, getDecimals(kind, decimals))] as const;
  });
  return Object.fromEntries(kinds);
}

function parseSigned(text: string, decimals: number): number {
  const amount = parseAmount(text.replace(/^-/, ""), decimals) ?? 0;
  return text.startsWith("-") ? -amount : amount;
}

/** Returns all figures of a report's totals, including those calculated from sums, such as averages. */
export const readTotals = (
  report: ReportName,
  totals: MessageRow["figures"],
  decimals: number,
): readonly ReportFigure[] => listReportFigures(report, parseFigures(report, totals, decimals));

/** Formats a figure as a decimal string. Counts have no decimals. */
export function formatFigure(kind: FigureKind, value: number, decimals: number): string {
  return kind === "count" ? String(value) : toAmount(value, getDecimals(kind, decimals));
}

/**
 * Adds the rows of a report with equal keys, in the order of their first row. Averages and shares are calculated from
 * the sums.
 */
export function sumReportRows(
  report: ReportName,
  rows: readonly MessageRow[],
  toKey: (row: MessageRow) => readonly [key: string, name: string],
  decimals: number,
): readonly SummedRow[] {
  const sums = new Map<string, { readonly name: string; readonly figures: ReportFigures }>();
  for (const row of rows) {
    const [key, name] = toKey(row);
    const figures = parseFigures(report, row.figures, decimals);
    const known = sums.get(key);
    sums.set(key, { name, figures: known ? sumFigures(known.figures, figures) : figures });
  }
  return [...sums].map(([key, { name, figures }]) => ({ key, name, figures: listReportFigures(report, figures) }));
}

/** Returns the name of a group, of categories and extras in the user's language. */
export function getGroupName(kind: Report["group"], { group, group_name: name }: MessageRow): string {
  const ownName = name ?? group ?? "";
  if (kind === "category" && group) return getCategoryName(group, ownName);
  return kind === "extra" && group ? getExtraName(group, ownName) : ownName;
}

/** Returns the periods of a range by their first days, also those without figures. */
export function listPeriodStarts(by: ReportPeriod, { from, to }: ReportRange): readonly CivilDate[] {
  const starts: CivilDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const start = getReportPeriodStart(by, day);
    if (starts.at(-1) !== start) starts.push(start);
  }
  return starts;
}

/** Ranges to choose with one click. */
export const REPORT_RANGE_NAMES = [
  "to_date",
  "month",
  "last_month",
  "quarter",
  "year",
  "last_year",
  "next_months",
] as const;
export type ReportRangeName = (typeof REPORT_RANGE_NAMES)[number];

const MONTHS_PER_QUARTER = 3;
const MONTHS_PER_YEAR = 12;

/** Returns a named range for the current date of the company. */
export function getReportRange(name: ReportRangeName, today: CivilDate): ReportRange {
  const month = getReportPeriodStart("month", today);
  const sinceJanuary = Number(today.slice(5, 7)) - 1;
  const months = (start: number, count: number) => ({
    from: addMonths(month, start),
    to: addDays(addMonths(month, start + count), -1),
  });
  switch (name) {
    case "to_date":
      return { from: addMonths(month, -sinceJanuary), to: today };
    case "month":
      return months(0, 1);
    case "last_month":
      return months(-1, 1);
    case "quarter":
      return months(-(sinceJanuary % MONTHS_PER_QUARTER), MONTHS_PER_QUARTER);
    case "year":
      return months(-sinceJanuary, MONTHS_PER_YEAR);
    case "last_year":
      return months(-sinceJanuary - MONTHS_PER_YEAR, MONTHS_PER_YEAR);
    case "next_months":
      return { ...months(0, MONTHS_PER_QUARTER), from: today };
  }
}

const MAIN_GROUPS = 5;

interface SeriesNames {
  readonly now: string;
  readonly before: string;
  readonly other: string;
}

/**
 * Returns the series of a chart by period, in minor units, counts or hundredths. A sum is stacked by the five largest
 * groups and the others. Averages and shares aren't parts of a whole and ignore the group.
 */
export function toChartSeries(report: Report, measure: string, decimals: number, names: SeriesNames) {
  const { name, by, group, data, previous } = report;
  const starts = listPeriodStarts(by, toRange(report));
  const toPeriod = (row: MessageRow) => [row.period, ""] as const;
  const listValues = (rows: readonly MessageRow[], days: readonly string[]) => {
    const byPeriod = new Map(
      sumReportRows(name, rows, toPeriod, decimals).map((row) => [row.key, getValue(row, measure)]),
    );
    return days.map((day) => byPeriod.get(day) ?? 0);
  };
  if (group && isAdditive(name, measure) && !previous) {
    const groups = sumReportRows(name, data, (row) => [row.group ?? "", getGroupName(group, row)], decimals);
    const mainGroups = groups
      .toSorted((row, other) => getValue(other, measure) - getValue(row, measure))
      .slice(0, MAIN_GROUPS);
    const keys = new Set(mainGroups.map(({ key }) => key));
    const parts = mainGroups.map(({ key, name: label }) => ({
      label,
      values: listValues(
        data.filter((row) => (row.group ?? "") === key),
        starts,
      ),
    }));
    const rest = data.filter((row) => !keys.has(row.group ?? ""));
    const others = rest.length === 0 ? [] : [{ label: names.other, values: listValues(rest, starts) }];
    return { series: [...parts, ...others], isStacked: true };
  }
  const now = { label: names.now, values: listValues(data, starts) };
  const before = previous && {
    label: names.before,
    values: listValues(previous.data, listPeriodStarts(by, toRange(previous))),
  };
  return { series: before ? [now, before] : [now], isStacked: false };
}

const toRange = ({ from, to }: Pick<Report, "from" | "to">) => ({ from: from as CivilDate, to: to as CivilDate });

const getValue = ({ figures }: SummedRow, measure: string) => figures.find(([figure]) => figure === measure)?.[2] ?? 0;

// Whether a figure is a plain sum, not calculated from other figures like a ratio.
const isAdditive = (report: ReportName, measure: string) =>
  listReportFigures(report, { [measure]: 1 }).some(([figure, , value]) => figure === measure && value === 1);
