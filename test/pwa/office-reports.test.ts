import "./page.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import {
  listReportFigures,
  REPORT_GROUPS,
  REPORT_NAMES,
  REPORT_PERIODS,
  type ReportRow,
  sumRowsByPeriodAndGroup,
} from "#domain/reporting/reports.ts";
import { toReportMessage } from "#worker/api/office/report-messages.ts";
import texts from "../../pwa/office/src/i18n/lists/en.ts";
import {
  formatFigure,
  getReportRange,
  listPeriodStarts,
  parseFigures,
  REPORT_RANGE_NAMES,
  type Report,
  sumReportRows,
  toChartSeries,
} from "../../pwa/office/src/pages/reports/report-tables.ts";

const range = { from: "2030-01-15" as CivilDate, to: "2030-03-10" as CivilDate };
const NAMES = { now: "Now", before: "Before", other: "Other" };

const row = (date: string, group: string | null, figures: Record<string, number>): ReportRow => ({
  date: date as CivilDate,
  group,
  name: group && `Name of ${group}`,
  figures,
});

const ROWS = [
  row("2030-01-20", "ECON", { gross: 10_000, net: 8_264, days: 2, contracts: 1 }),
  row("2030-01-31", "SUV", { gross: 30_000, net: 24_793, days: 3, contracts: 1 }),
  row("2030-03-01", "ECON", { gross: 5_000, net: 4_132, days: 1, contracts: 1 }),
  row("2030-03-02", null, { gross: -1_000, net: -826, days: 0, contracts: 0 }),
];

function createReport(rows: readonly ReportRow[], isCompared = false): Report {
  const summed = sumRowsByPeriodAndGroup(rows, "month", range);
  const totals = { gross: 44_000, net: 36_363, days: 6, contracts: 3 };
  const part = { ...range, rows: summed, totals };
  const before = { from: "2029-01-15", to: "2029-03-10", rows: [], totals: {} };
  return toReportMessage(
    { name: "revenue", by: "month", group: "category" },
    { ...part, previous: isCompared ? before : undefined },
    2,
  );
}

const report = createReport(ROWS);

describe("tables of a report", () => {
  test("makes a report's figures add up by group and by period, and calculates averages from the sums", () => {
    for (const toKey of [
      (item: Report["data"][number]) => [item.group ?? "", item.group_name ?? ""] as const,
      (item: Report["data"][number]) => [item.period, item.period] as const,
    ]) {
      const rows = sumReportRows("revenue", report.data, toKey, 2);
      const sum = (at: number) => rows.reduce((total, { figures }) => total + (figures[at]?.[2] ?? 0), 0);
      expect([sum(0), sum(1), sum(2), sum(3)]).toEqual([44_000, 36_363, 6, 3]);
    }
    const [econ] = sumReportRows("revenue", report.data, ({ group }) => [group ?? "", ""], 2);
    expect(econ?.figures).toContainEqual(["average_daily_rate", "money", 5_000]);
  });

  test("parses every report figure as the server wrote it, also negative ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 1e6 }), (gross, days) => {
        const [item] = createReport([row("2030-02-01", "ECON", { gross, days })]).data;
        expect(parseFigures("revenue", item?.figures ?? {}, 2)).toMatchObject({ gross, days });
      }),
    );
  });

  test("formats a report's figures by their kind, counts without decimals", () => {
    expect([
      formatFigure("count", 12, 2),
      formatFigure("money", 1_205, 2),
      formatFigure("hundredths", 5_025, 0),
    ]).toEqual(["12", "12.05", "50.25"]);
  });
});

describe("the chart of a report", () => {
  test("stacks the groups of a sum in the chart, with zero for months without figures", () => {
    const { series, isStacked } = toChartSeries(report, "gross", 2, NAMES);
    expect(isStacked).toBe(true);
    expect(series).toEqual([
      { label: "Name of SUV", values: [30_000, 0, 0] },
      { label: "Name of ECON", values: [10_000, 0, 5_000] },
      { label: "", values: [0, 0, -1_000] },
    ]);
  });

  test("sums the groups beyond the five largest as Other in a chart", () => {
    const many = ["A", "B", "C", "D", "E", "F", "G"].map((group, at) =>
      row("2030-02-01", group, { gross: 1_000 * (at + 1), days: 1 }),
    );
    const { series } = toChartSeries(createReport(many), "gross", 2, NAMES);
    expect(series.map(({ label }) => label)).toEqual([..."GFEDC"].map((name) => `Name of ${name}`).concat("Other"));
    expect(series.at(-1)?.values).toEqual([0, 3_000, 0]);
  });

  test("shows an average as one unstacked series, and a compared figure as one series for each year", () => {
    expect(toChartSeries(report, "average_daily_rate", 2, NAMES)).toEqual({
      series: [{ label: "Now", values: [8_000, 0, 4_000] }],
      isStacked: false,
    });
    const compared = toChartSeries(createReport(ROWS, true), "gross", 2, NAMES);
    expect(compared.series).toEqual([
      { label: "Now", values: [40_000, 0, 4_000] },
      { label: "Before", values: [0, 0, 0] },
    ]);
  });
});

describe("ranges of reports", () => {
  // Proves "rules.md: quotes, counts and agreements": Utilisation counts days up to today unless other dates are chosen
  test.each([
    ["to_date", "2030-01-01", "2030-05-17"],
    ["month", "2030-05-01", "2030-05-31"],
    ["last_month", "2030-04-01", "2030-04-30"],
    ["quarter", "2030-04-01", "2030-06-30"],
    ["year", "2030-01-01", "2030-12-31"],
    ["last_year", "2029-01-01", "2029-12-31"],
    ["next_months", "2030-05-17", "2030-07-31"],
  ] as const)("calculates the days of the report range %s", (name, from, to) => {
    expect(getReportRange(name, "2030-05-17" as CivilDate)).toEqual({ from, to });
  });

  test("lists the periods of every date range without duplicates or gaps", () => {
    for (const name of REPORT_RANGE_NAMES) {
      const dates = getReportRange(name, "2028-02-29" as CivilDate);
      const days = listPeriodStarts("day", dates);
      const dayCount = (Date.parse(dates.to) - Date.parse(dates.from)) / 86_400_000 + 1;
      expect([name, days.length, new Set(days).size]).toEqual([name, dayCount, dayCount]);
      expect(listPeriodStarts("month", dates)[0]).toBe(`${dates.from.slice(0, 7)}-01`);
    }
    expect(listPeriodStarts("week", { from: "2030-01-01" as CivilDate, to: "2030-01-15" as CivilDate })).toEqual([
      "2029-12-31",
      "2030-01-07",
      "2030-01-14",
    ]);
  });
});

test("has a text for every figure, group, period and range of a report", () => {
  const figures = REPORT_NAMES.flatMap((name) => listReportFigures(name, {}).map(([figure]) => `figure.${figure}`));
  const keys = [
    ...figures,
    ...REPORT_NAMES.flatMap((name) => [`report.${name}`, `reportAbout.${name}`]),
    ...REPORT_GROUPS.map((group) => `group.${group}`),
    ...REPORT_PERIODS.map((period) => `by.${period}`),
    ...REPORT_RANGE_NAMES.map((range) => `range.${range}`),
  ];
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(keys));
});
