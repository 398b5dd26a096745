import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import {
  getRangeOneYearEarlier,
  getUtilisation,
  type ReportFigures,
  type ReportGroup,
  type ReportName,
  type ReportPeriod,
  type ReportRange,
  type ReportRow,
  sumFigures,
  sumRowsByPeriodAndGroup,
  toDailyRevenue,
} from "#domain/reporting/reports.ts";
import { ok, type Result } from "#domain/result.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  fleetRentedDaysQuery,
  type ReportQueryInput,
  reportExpensesQuery,
  reportMaintenanceQuery,
  reportQuotesQuery,
  reportRentalSumsQuery,
  reportRevenueQuery,
} from "#worker/store/reporting/reports.ts";
import { getDayBounds, toCivilNow } from "#worker/tenancy/clock.ts";
import {
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type MissingRight,
} from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

export interface ReportRequest extends ReportRange {
  readonly report: ReportName;
  readonly by: ReportPeriod;
  readonly group: ReportGroup | undefined;
  readonly isCompared: boolean;
  /** Whether the report is exported to a file. A file by customer contains names. */
  readonly isExported: boolean;
}

export interface ReportRangeFigures extends ReportRange {
  readonly rows: readonly ReportRow[];
  readonly totals: ReportFigures;
}

export interface ManagementReport extends ReportRangeFigures {
  /** The same range a year earlier, if compared. */
  readonly previous: ReportRangeFigures | undefined;
}

/** Returns a report of the user's branches. One round trip. */
export async function readReport(
  request: StaffRequest,
  reportRequest: ReportRequest,
): Promise<
  Result<StaffAnswer<ManagementReport>, StaffRefusal | MissingRight | { readonly kind: "secondFactorStale" }>
> {
  const { tenant, now } = request;
  const { from, to, group, isCompared } = reportRequest;
  const userId = await getTokenUserId(request);
  const current = { from, to, group, userId };
  const previous = { ...current, ...(isCompared ? getRangeOneYearEarlier(current) : NOTHING) };
  const read = await readAsStaff(request, (catalogue) => {
    const createReportQueries = (input: ReportQueryInput, at: number | undefined) =>
      reportQueries(tenant.db, reportRequest.report, input, { catalogue, at });
    const yearAgo = reportRequest.report === "forward-bookings" ? now - YEAR_MS : undefined;
    return [...createReportQueries(current, undefined), ...createReportQueries(previous, yearAgo)] as const;
  });
  if (!read.ok) return read;
  const { staff, factor, freshToken, catalogue, rows } = read.value;
  const exportsPeople = reportRequest.isExported && group === "customer";
  const missing =
    findMissingRightRefusal(staff, "reports") ??
    (reportRequest.isExported ? findMissingRightRefusal(staff, "exports") : undefined) ??
    (exportsPeople ? findStaleFactorRefusal(factor) : undefined);
  if (missing) return missing;
  const { timezone } = catalogue.settings;
  const [revenue, contracts, expenses, quotes, fleet, maintenance, ...before] = rows;
  const toPart = (range: ReportRange, answers: ReportRows) =>
    toReportPart(reportRequest, range, toRows(reportRequest, range, answers, timezone));
  const value = {
    ...toPart(current, [revenue, contracts, expenses, quotes, fleet, maintenance]),
    previous: isCompared ? toPart(previous, before) : undefined,
  };
  return ok({ value, freshToken });
}

/** Range that contains no day, for a report without a comparison. */
const NOTHING: ReportRange = { from: "0001-01-02" as CivilDate, to: "0001-01-01" as CivilDate };

const YEAR_MS = 365 * 86_400_000;

// Reads only what the report needs. The others have an empty range and keep the answers' types.
function reportQueries(
  db: StaffRequest["tenant"]["db"],
  report: ReportName,
  input: ReportQueryInput,
  { catalogue, at }: { readonly catalogue: Catalogue; readonly at: number | undefined },
) {
  const nothing = { ...input, ...NOTHING };
  const when = (...reports: readonly ReportName[]) => (reports.includes(report) ? input : nothing);
  const days = getDayBounds(catalogue.settings.timezone, { dateFrom: input.from, dateTo: input.to });
  const { from = 0, until = 0 } = report === "quotes" && input.from <= input.to ? days : {};
  return [
    reportRevenueQuery(db, when("revenue", "utilisation", "expenses")),
    reportRentalSumsQuery(
      db,
      when("rentals", "cancellations", "forward-bookings"),
      report === "cancellations" ? "cancelled" : "active",
      at,
    ),
    reportExpensesQuery(db, when("expenses")),
    reportQuotesQuery(db, input, { from, until }),
    fleetRentedDaysQuery(db, when("utilisation")),
    reportMaintenanceQuery(db, when("expenses")),
  ] as const;
}

type ReportRows = QueryResults<ReturnType<typeof reportQueries>>;

function toRows(
  { report, by, group }: ReportRequest,
  range: ReportRange,
  [revenue, contracts, expenses, quotes, fleet, maintenance]: ReportRows,
  timezone: string,
): readonly ReportRow[] {
  const daily = toDailyRevenue(revenue);
  switch (report) {
    case "revenue":
      return daily;
    case "utilisation": {
      const vehicles = fleet.map((vehicle) => ({
        ...vehicle,
        acquiredOn: vehicle.acquiredOn ?? undefined,
        releasedOn: vehicle.releasedOn ?? undefined,
        months: toRentedMonths(vehicle.months),
      }));
      const used = getUtilisation(vehicles, by, range);
      const earned = daily.map(({ figures, ...row }) => ({ ...row, figures: { gross: figures["gross"] ?? 0 } }));
      // Rows of periods have the first day of the period, which may be before the range.
      const inRange = used.map((row) => (row.date < range.from ? { ...row, date: range.from } : row));
      return [...inRange, ...earned];
    }
    case "expenses": {
      const expenseRows = expenses.map(({ date, group, name, ...sums }) => ({
        ...{ date, group, name },
        figures: {
          expenses: sums.expenses,
          subtotal: sums.subtotalCents,
          taxes: sums.taxesCents,
          total: sums.totalCents,
        },
      }));
      const earned = daily
        .filter((row) => group === undefined || row.group !== null)
        .map(({ figures, ...row }) => ({ ...row, figures: { revenue_net: figures["net"] ?? 0 } }));
      const maintained = maintenance.map(({ cents, ...row }) => ({ ...row, figures: { maintenance: cents } }));
      return [...expenseRows, ...maintained, ...earned];
    }
    case "quotes":
      return quotes.map(({ at, status, cents, ...row }) => ({
        ...row,
        date: toCivilNow(timezone, at).date,
        figures: {
          quotes: 1,
          accepted: status === "accepted" ? 1 : 0,
          declined: status === "declined" ? 1 : 0,
          total: cents,
          accepted_total: status === "accepted" ? cents : 0,
        },
      }));
    case "rentals":
    case "forward-bookings":
      return contracts.map(({ date, group, name, contracts: rentals, days, cents, leadDays }) => ({
        ...{ date, group, name },
        figures: { rentals, days, total: cents, lead_days: leadDays },
      }));
    case "cancellations":
      return contracts.map(({ date, group, name, cancelled, noShows, expired, cents, feeCents }) => ({
        ...{ date, group, name },
        figures: { cancelled, no_shows: noShows, expired, total: cents, fees: feeCents },
      }));
  }
}

function toRentedMonths(text: string) {
  const months = JSON.parse(text) as [number, number, number, number, number, number][];
  return months.map(([year, month, ...rented]) => ({ year, month, rented }));
}

function toReportPart({ by }: ReportRequest, range: ReportRange, rows: readonly ReportRow[]): ReportRangeFigures {
  const summed = sumRowsByPeriodAndGroup(rows, by, range);
  const isEmpty = ({ figures }: ReportRow) => Object.values(figures).every((value) => value === 0);
  const totals = summed.reduce<ReportFigures>((sums, { figures }) => sumFigures(sums, figures), {});
  return { from: range.from, to: range.to, rows: summed.filter((row) => !isEmpty(row)), totals };
}
