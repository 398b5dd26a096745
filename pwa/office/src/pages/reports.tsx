import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type CivilDate, parseCivilDate } from "#domain/dates.ts";
import {
  GROUPS_BY_REPORT,
  REPORT_NAMES,
  REPORT_PERIODS,
  type ReportName,
  type ReportPeriod,
  type ReportRange,
} from "#domain/reporting/reports.ts";
import { MAX_DATE } from "#shared/max-date.ts";
import { account, getCompanyDateTime } from "../account.ts";
import { toOfficePath } from "../api.ts";
import { CheckBox, Select } from "../desk/inputs.tsx";
import { ListDownload } from "../desk/list-download.tsx";
import { ListTools } from "../desk/list-tools.tsx";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { Sheet } from "../desk/sheet.tsx";
import { Skeleton } from "../desk/skeleton.tsx";
import { useMediaQuery } from "../desk/use-media-query.ts";
import { useResource } from "../desk/use-resource.tsx";
import { linkToWithQuery, replaceQueryValues, urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { getReportRange, REPORT_RANGE_NAMES, type Report } from "./reports/report-tables.ts";
import {
  listDisplayedFigures,
  ReportTables,
  ReportTotals,
  toChartProps,
  translateFigureName,
} from "./reports/report-view.tsx";

const NAMES = ["from", "to", "by", "group", "compare"] as const;

/** Reports with a chart, tables with totals, and files. The URL contains the choices. */
export default function Reports({ path }: { readonly path: readonly string[] }) {
  const name = REPORT_NAMES.find((report) => report === path[0]) ?? "revenue";
  const chosen = readChosen(name);
  const isWrong = chosen.to < chosen.from;
  const apiQuery = toQuery(chosen);
  const reportPath = `/reports/${name}`;
  const params = new URLSearchParams(Object.entries(apiQuery).filter(([, value]) => value !== ""));
  const { whole, problem, retry } = useResource<Report>(toOfficePath(`${reportPath}?${params}`), {
    isNeeded: !isWrong,
  });
  return (
    <main class="report">
      <div class="head">
        <h1>{t("reports")}</h1>
        <ListTools name={t("reports")}>
          <span class="actions">
            <button type="button" class="small" onClick={() => print()}>
              {t("printIt")}
            </button>
            <ListDownload path={reportPath} names={[]} also={Object.fromEntries(params)} />
          </span>
        </ListTools>
      </div>
      <nav class="chips tabs" aria-label={t("reports")}>
        {REPORT_NAMES.map((report) => (
          <a
            key={report}
            class="button"
            href={linkToWithQuery(getCommonQuery(report, chosen), "reports", report)}
            aria-current={report === name ? "page" : undefined}
          >
            {t(`report.${report}`)}
          </a>
        ))}
      </nav>
      <p class="soft">{t(`reportAbout.${name}`)}</p>
      <Choices name={name} chosen={chosen} />
      {isWrong && <p role="alert">{t("reportDatesWrong")}</p>}
      <LoadErrorMessage problem={problem} onRetry={retry} />
      {whole?.name !== name && !problem && !isWrong && <Skeleton />}
      {whole && !isWrong && whole.name === name && <Content report={whole} measure={chosen.measure} />}
    </main>
  );
}

interface ReportSelection extends ReportRange {
  readonly by: ReportPeriod;
  /** Name of the dimension by which rows are grouped. Empty if not grouped. */
  readonly group: string;
  readonly isCompared: boolean;
  /** Name of the figure that the chart shows. */
  readonly measure: string;
}

function readChosen(name: ReportName): ReportSelection {
  const { date: today } = getCompanyDateTime();
  const usual = getReportRange(name === "forward-bookings" ? "next_months" : "to_date", today as CivilDate);
  const measure = urlQuery.value.get("measure") ?? "";
  const figures = listDisplayedFigures(name);
  return {
    from: parseCivilDate(urlQuery.value.get("from") ?? "") ?? usual.from,
    to: parseCivilDate(urlQuery.value.get("to") ?? "") ?? usual.to,
    by: REPORT_PERIODS.find((period) => period === urlQuery.value.get("by")) ?? "month",
    group: GROUPS_BY_REPORT[name].find((group) => group === urlQuery.value.get("group")) ?? "",
    isCompared: urlQuery.value.get("compare") === "previous_year",
    measure: figures.includes(measure) ? measure : (MAIN_FIGURES[name] ?? figures[0] ?? ""),
  };
}

/** Figure shown initially in a report's chart. For reports not listed here, the first figure. */
const MAIN_FIGURES: Readonly<Partial<Record<ReportName, string>>> = { utilisation: "utilisation", expenses: "total" };

function toQuery({ from, to, by, group, isCompared }: ReportSelection) {
  return { from, to, by, group, compare: isCompared ? "previous_year" : "" };
}

// Returns the query that stays when switching to another report: the dates, and the grouping if that report has it.
function getCommonQuery(report: ReportName, chosen: ReportSelection): Readonly<Record<string, string>> {
  const queryNames = NAMES.filter((name) => urlQuery.value.has(name));
  const all = toQuery(chosen);
  const isCommon = (name: (typeof NAMES)[number]) =>
    name !== "group" || GROUPS_BY_REPORT[report].some((group) => group === all.group);
  return Object.fromEntries(queryNames.filter(isCommon).map((name) => [name, all[name]]));
}

function Choices({ name, chosen }: { readonly name: ReportName; readonly chosen: ReportSelection }) {
  const { from, to, by, group, isCompared } = chosen;
  const today = getCompanyDateTime().date as CivilDate;
  const rangeName = REPORT_RANGE_NAMES.find((range) => {
    const dates = getReportRange(range, today);
    return dates.from === from && dates.to === to;
  });
  const setDate = (field: "from" | "to") => (event: { readonly currentTarget: { readonly value: string } }) =>
    replaceQueryValues({ from, to, [field]: event.currentTarget.value || undefined });
  const isWide = useMediaQuery("(min-width: 700px)");
  const [isOpen, setOpen] = useState(false);
  const rangeInput = (
    <label>
      {t("reportRange")}
      <Select
        name="range"
        value={rangeName ?? ""}
        none={rangeName ? undefined : t("reportOther")}
        choices={REPORT_RANGE_NAMES.map((range) => [range, t(`range.${range}`)] as const)}
        onChange={(value) => {
          const range = REPORT_RANGE_NAMES.find((other) => other === value);
          if (range) replaceQueryValues({ ...getReportRange(range, today) });
        }}
      />
    </label>
  );
  const otherInputs = (
    <>
      <label>
        {t("field.date_from")}
        <input type="date" max={MAX_DATE} name="from" value={from} onChange={setDate("from")} />
      </label>
      <label>
        {t("field.date_to")}
        <input type="date" max={MAX_DATE} name="to" value={to} onChange={setDate("to")} />
      </label>
      <label>
        {t("reportBy")}
        <Select
          name="by"
          value={by}
          choices={REPORT_PERIODS.map((period) => [period, t(`by.${period}`)] as const)}
          onChange={(value) => replaceQueryValues({ by: value })}
        />
      </label>
      <label>
        {t("reportGroup")}
        <Select
          name="group"
          value={group}
          none={t("reportNoGroup")}
          choices={GROUPS_BY_REPORT[name].map((item) => [item, t(`group.${item}`)] as const)}
          onChange={(value) => replaceQueryValues({ group: value })}
        />
      </label>
      <CheckBox
        label={t("reportCompare")}
        name="compare"
        checked={isCompared}
        onChange={(isChecked) => replaceQueryValues({ compare: isChecked ? "previous_year" : undefined })}
      />
    </>
  );
  return (
    <search class="filters">
      {rangeInput}
      {isWide ? (
        otherInputs
      ) : (
        <button type="button" onClick={() => setOpen(true)}>
          {t("filters")}
        </button>
      )}
      {isOpen && !isWide && (
        <Sheet title={t("filters")} onClose={() => setOpen(false)}>
          {otherInputs}
          <div class="foot">
            <button type="button" class="main" onClick={() => setOpen(false)}>
              {t("showResults")}
            </button>
          </div>
        </Sheet>
      )}
    </search>
  );
}

type Chart = ComponentType<ReturnType<typeof toChartProps>>;

function Content({ report, measure }: { readonly report: Report; readonly measure: string }) {
  if (report.data.length === 0 && !report.previous?.data.length) return <p class="calm">{t("reportEmpty")}</p>;
  const decimals = account.value.currency_decimals;
  return (
    <>
      <ReportTotals report={report} decimals={decimals} />
      <section class="panel">
        <label class="measure">
          {t("reportMeasure")}
          <Select
            name="measure"
            value={measure}
            choices={listDisplayedFigures(report.name).map((figure) => [figure, translateFigureName(figure)] as const)}
            onChange={(value) => replaceQueryValues({ measure: value })}
          />
        </label>
        <LazyChart {...toChartProps(report, measure, decimals)} />
      </section>
      <ReportTables report={report} decimals={decimals} />
    </>
  );
}

// The chart library is as large as the rest of the office. The tables don't wait for it.
function LazyChart(props: ReturnType<typeof toChartProps>) {
  const [loaded, setLoaded] = useState<{ readonly Chart: Chart }>();
  useEffect(() => {
    import("./reports/chart.tsx").then(
      ({ default: Chart }) => setLoaded({ Chart }),
      () => undefined,
    );
  }, []);
  return loaded ? <loaded.Chart {...props} /> : <div class="chart" />;
}
