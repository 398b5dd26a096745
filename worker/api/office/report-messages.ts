import { z } from "zod";
import { addDays, type CivilDate, toDayNumber } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import type { Problem } from "#domain/problems.ts";
import { createProblem } from "#domain/problems.ts";
import {
  type FigureKind,
  GROUPS_BY_REPORT,
  listReportFigures,
  REPORT_GROUPS,
  REPORT_NAMES,
  REPORT_PERIODS,
  type ReportFigures,
  type ReportGroup,
  type ReportName,
  type ReportRow,
} from "#domain/reporting/reports.ts";
import { civilDateSchema } from "#worker/api/primitives.ts";
import { type ExportTable, tableQueryFields } from "./export-table-messages.ts";

/** Longest range of a report in days. */
const MAX_REPORT_DAYS = 1_100;

const FILES = REPORT_NAMES.flatMap((name) => [name, `${name}.csv`, `${name}.xlsx`] as const);

export const managementReportParams = z.object({
  name: z
    .enum(FILES, `must be one of ${REPORT_NAMES.join(", ")}, with .csv or .xlsx for a table`)
    .meta({ example: "revenue" }),
});

export const managementReportQuery = z.object({
  from: civilDateSchema,
  to: civilDateSchema.meta({ example: "2030-06-30" }),
  by: z.enum(REPORT_PERIODS, `must be one of ${REPORT_PERIODS.join(", ")}`).default("month"),
  group: z
    .enum(REPORT_GROUPS, `must be one of ${REPORT_GROUPS.join(", ")}`)
    .optional()
    .meta({ description: "Not every report has every group" }),
  compare: z
    .enum(["previous_year"], "must be previous_year")
    .optional()
    .meta({ description: "Adds the same range a year earlier" }),
  ...tableQueryFields,
});

const figure = z.union([z.string(), z.int()]);
const row = z.object({
  period: z.string().meta({ description: "First day of the day, week or month" }),
  group: z.string().nullable(),
  group_name: z.string().nullable(),
  figures: z.record(z.string(), figure),
});
const part = z.object({
  from: z.string(),
  to: z.string(),
  data: z.array(row),
  totals: z.record(z.string(), figure),
});
export const reportAnswer = part
  .extend({
    name: z.enum(REPORT_NAMES),
    by: z.enum(REPORT_PERIODS),
    group: z.string().nullable(),
    previous: part.nullable(),
  })
  .meta({ id: "OfficeReport" });
export type ReportMessage = z.output<typeof reportAnswer>;

interface ReportRequest {
  readonly from: CivilDate;
  readonly to: CivilDate;
  readonly group?: ReportGroup | undefined;
}

/** Returns the problem of a report's range or group, if any. */
export function findReportProblem(name: ReportName, { from, to, group }: ReportRequest): Problem | undefined {
  if (to < from) return createProblem("to", "at_least", from);
  const days = toDayNumber(to) - toDayNumber(from) + 1;
  if (days > MAX_REPORT_DAYS) return createProblem("to", "at_most", addDays(from, MAX_REPORT_DAYS - 1));
  if (group && !GROUPS_BY_REPORT[name].includes(group))
    return createProblem("group", "choice", GROUPS_BY_REPORT[name].join(", "));
  return undefined;
}

const HUNDREDTHS = 2;

function formatFigure(kind: FigureKind, value: number, decimals: number): string | number {
  if (kind === "count") return value;
  return toAmount(value, kind === "money" ? decimals : HUNDREDTHS);
}

const formatFigures = (name: ReportName, sums: ReportFigures, decimals: number) =>
  Object.fromEntries(
    listReportFigures(name, sums).map(([figureName, kind, value]) => [figureName, formatFigure(kind, value, decimals)]),
  );

interface ReportPart {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly ReportRow[];
  readonly totals: ReportFigures;
}

function toReportPartMessage(
  name: ReportName,
  { from, to, rows, totals }: ReportPart,
  decimals: number,
): z.output<typeof part> {
  return {
    from,
    to,
    data: rows.map(({ date, group, name: groupName, figures }) => ({
      period: date,
      group,
      group_name: groupName,
      figures: formatFigures(name, figures, decimals),
    })),
    totals: formatFigures(name, totals, decimals),
  };
}

/** Converts a report to the API format. */
export function toReportMessage(
  { name, by, group }: Pick<ReportMessage, "name" | "by"> & { readonly group: ReportGroup | undefined },
  report: ReportPart & { readonly previous: ReportPart | undefined },
  decimals: number,
): ReportMessage {
  const previous = report.previous ? toReportPartMessage(name, report.previous, decimals) : null;
  return { name, by, group: group ?? null, ...toReportPartMessage(name, report, decimals), previous };
}

/** Converts a report to a table. The rows of the compared year follow, with the dates of that year. */
export function toReportTable({ name, data, previous }: ReportMessage): ExportTable {
  const figures = listReportFigures(name, {}).map(([figureName]) => figureName);
  const rows = [...data, ...(previous?.data ?? [])];
  return {
    names: ["period", "group", "group_name", ...figures],
    kinds: ["date", undefined, undefined, ...figures.map(() => "number" as const)],
    rows: rows.map((item) => [
      item.period,
      item.group,
      item.group_name,
      ...figures.map((figureName) => item.figures[figureName] ?? null),
    ]),
  };
}
