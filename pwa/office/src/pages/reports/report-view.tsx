import { useState } from "preact/hooks";
import type { CivilDate } from "#domain/dates.ts";
import {
  type FigureKind,
  listReportFigures,
  type ReportFigures,
  type ReportPeriod,
} from "#domain/reporting/reports.ts";
import { getDayFormat, getMoneyFormat } from "#shared/locale.ts";
import { account, formatCents, formatKilometres, formatPercent, getUserLocale } from "../../account.ts";
import { t, tOr } from "../../texts.ts";
import {
  formatFigure,
  getGroupName,
  listPeriodStarts,
  type Report,
  readTotals,
  type SummedRow,
  sumReportRows,
  toChartSeries,
} from "./report-tables.ts";

/** Returns the name of a figure. */
export const translateFigureName = (figure: string) => tOr(`figure.${figure}`, figure);

const PERCENTAGES: ReadonlySet<string> = new Set(["utilisation", "acceptance"]);
/** Figures that aren't shown, because they only serve to calculate averages. */
const HIDDEN: ReadonlySet<string> = new Set(["lead_days"]);

/** Names of a report's visible figures. */
export const listDisplayedFigures = (name: Report["name"]) =>
  listReportFigures(name, {}).flatMap(([figure]) => (HIDDEN.has(figure) ? [] : [figure]));

function figureText(figure: string, kind: FigureKind, value: number): string {
  if (kind === "money") return formatCents(value);
  if (kind === "count") return formatKilometres(value);
  const text = formatFigure(kind, value, 0);
  return PERCENTAGES.has(figure) ? formatPercent(text) : formatKilometres(Number(text));
}

function periodText(by: ReportPeriod, start: CivilDate): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    getDayFormat(getUserLocale(), { ...options, timeZone: "UTC" }).format(Date.parse(`${start}T00:00:00Z`));
  if (by === "month") return format({ month: "short", year: "numeric" });
  const day = format({ day: "numeric", month: "short", year: "numeric" });
  return by === "week" ? t("reportWeekOf", { date: day }) : day;
}

interface ViewProps {
  readonly report: Report;
  /** Decimals of the currency. */
  readonly decimals: number;
}

/** Totals of the report, with the year before if compared. */
export function ReportTotals({ report, decimals }: ViewProps) {
  const totals = readTotals(report.name, report.totals, decimals);
  const before: ReportFigures = report.previous
    ? Object.fromEntries(
        readTotals(report.name, report.previous.totals, decimals).map(([figure, , value]) => [figure, value]),
      )
    : {};
  return (
    <dl class="headlines">
      {totals
        .filter(([figure]) => !HIDDEN.has(figure))
        .map(([figure, kind, value]) => (
          <div key={figure}>
            <dt>{translateFigureName(figure)}</dt>
            <dd>{figureText(figure, kind, value)}</dd>
            {report.previous && (
              <dd class="before">
                {t("reportBefore")}: {figureText(figure, kind, before[figure] ?? 0)} {changeText(value, before[figure])}
              </dd>
            )}
          </div>
        ))}
    </dl>
  );
}

const PERCENT = 100;

// A change from zero can't be expressed as a percentage.
function changeText(value: number, before = 0): string {
  if (before <= 0 || value === before) return "";
  const change = Math.round((value / before - 1) * PERCENT);
  return `(${change > 0 ? "+" : "−"}${formatPercent(String(Math.abs(change)))})`;
}

/** Tables by group, if grouped, and by period. Both have the report's totals. */
export function ReportTables({ report, decimals }: ViewProps) {
  const { name, by, group, data, previous } = report;
  const totals = readTotals(name, report.totals, decimals);
  const toGroup = (row: Report["data"][number]) => [row.group ?? "", getGroupName(group, row)] as const;
  const toPeriod = (row: Report["data"][number]) => [row.period, periodText(by, row.period as CivilDate)] as const;
  return (
    <>
      {group && (
        <ReportTable
          title={t(`group.${group as "category"}`)}
          rows={toSorted(sumReportRows(name, data, toGroup, decimals))}
          totals={totals}
        />
      )}
      <ReportTable title={t(`by.${by}`)} rows={sumReportRows(name, data, toPeriod, decimals)} totals={totals} />
      {previous && (
        <ReportTable
          title={t("reportBefore")}
          rows={
            group
              ? toSorted(sumReportRows(name, previous.data, toGroup, decimals))
              : sumReportRows(name, previous.data, toPeriod, decimals)
          }
          totals={readTotals(name, previous.totals, decimals)}
        />
      )}
    </>
  );
}

// Sorts the rows by their first figure, largest first.
const toSorted = (rows: readonly SummedRow[]) =>
  rows.toSorted((row, other) => (other.figures[0]?.[2] ?? 0) - (row.figures[0]?.[2] ?? 0));

interface Order {
  readonly figure: string;
  readonly isUp: boolean;
}

/** Key of the first column for sorting: groups by name, periods by date. */
const NAME_COLUMN = "";

function toOrder(rows: readonly SummedRow[], order: Order | undefined): readonly SummedRow[] {
  if (!order) return rows;
  const { figure, isUp } = order;
  const value = ({ figures }: SummedRow) => figures.find(([name]) => name === figure)?.[2] ?? 0;
  const label = ({ key, name }: SummedRow) => (/^\d{4}-\d\d-\d\d$/.test(key) ? key : name);
  const compare = (row: SummedRow, other: SummedRow) =>
    figure === NAME_COLUMN
      ? label(row).localeCompare(label(other), getUserLocale(), { numeric: true })
      : value(row) - value(other);
  return rows.toSorted((row, other) => (isUp ? compare(row, other) : compare(other, row)));
}

interface ReportTableProps {
  readonly title: string;
  readonly rows: readonly SummedRow[];
  readonly totals: SummedRow["figures"];
}

function ReportTable({ title, rows, totals }: ReportTableProps) {
  const [order, setOrder] = useState<Order>();
  // The first click on a figure's heading sorts it in descending order, on the name's in ascending order.
  const sortBy = (figure: string) =>
    setOrder({ figure, isUp: order?.figure === figure ? !order.isUp : figure === NAME_COLUMN });
  const sorted = (figure: string) => {
    if (order?.figure !== figure) return undefined;
    return order.isUp ? "ascending" : "descending";
  };
  const visible = (figures: SummedRow["figures"]) => figures.filter(([figure]) => !HIDDEN.has(figure));
  const cells = (figures: SummedRow["figures"]) =>
    visible(figures).map(([figure, kind, value]) => (
      <td key={figure} class="number">
        {value === 0 ? "–" : figureText(figure, kind, value)}
      </td>
    ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keys.
    <section class="table report-table" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col" aria-sort={sorted(NAME_COLUMN)}>
              <button type="button" class="sort" onClick={() => sortBy(NAME_COLUMN)}>
                {title}
              </button>
            </th>
            {visible(totals).map(([figure]) => (
              <th key={figure} scope="col" class="number" aria-sort={sorted(figure)}>
                <button type="button" class="sort" onClick={() => sortBy(figure)}>
                  {translateFigureName(figure)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {toOrder(rows, order).map(({ key, name, figures }) => (
            <tr key={key}>
              <th scope="row">{name || t("reportNoValue")}</th>
              {cells(figures)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("total")}</th>
            {cells(totals)}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Returns the properties of the chart of a figure. */
export function toChartProps(report: Report, measure: string, decimals: number) {
  const { by } = report;
  const kind = listReportFigures(report.name, {}).find(([figure]) => figure === measure)?.[1] ?? "count";
  const starts = listPeriodStarts(by, { from: report.from as CivilDate, to: report.to as CivilDate });
  const names = { now: translateFigureName(measure), before: t("reportBefore"), other: t("reportOther") };
  const { series, isStacked } = toChartSeries(report, measure, decimals, names);
  return {
    labels: starts.map((start) => periodText(by, start)),
    series: series.map(({ label, values }) => ({ label: label || t("reportNoValue"), values })),
    isStacked,
    description: t("reportChart", { figure: translateFigureName(measure), period: t(`by.${by}`) }),
    format: createFormat(kind, measure),
    formatAxis: createAxisFormat(kind, measure),
  };
}

// The chart draws minor units. Its functions are kept per figure, so that it isn't drawn again.
const cached = new Map<string, (value: number) => string>();

function getCachedFormat(key: string, create: () => (value: number) => string): (value: number) => string {
  const name = `${key} ${getUserLocale()}`;
  const format = cached.get(name) ?? create();
  cached.set(name, format);
  return format;
}

const createFormat = (kind: FigureKind, measure: string) =>
  getCachedFormat(`${kind} ${measure}`, () => (value) => figureText(measure, kind, Math.round(value)));

// Creates the format of the axis, which shows amounts without decimals.
const createAxisFormat = (kind: FigureKind, measure: string) =>
  kind === "money" ? getCachedFormat("axis", () => wholeAmount) : createFormat(kind, measure);

function wholeAmount(cents: number): string {
  const { currency, currency_decimals: decimals } = account.value;
  return getMoneyFormat(getUserLocale(), currency).format(cents / 10 ** decimals);
}
