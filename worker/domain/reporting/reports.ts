import { addDays, type CivilDate, toDayNumber, toIsoWeekday } from "#domain/dates.ts";
import { divideRounded, splitAmount } from "#domain/money.ts";

/** Reports of the office (docs/interfaces/office.md#reports). */
export const REPORT_NAMES = [
  "revenue",
  "utilisation",
  "rentals",
  "cancellations",
  "expenses",
  "quotes",
  "forward-bookings",
] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

export const REPORT_PERIODS = ["day", "week", "month"] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** Criteria by which rows of reports can be grouped. */
export const REPORT_GROUPS = [
  "category",
  "vehicle",
  "branch",
  "channel",
  "agency",
  "agent",
  "customer",
  "extra",
] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

const CONTRACT_GROUPS = ["category", "vehicle", "branch", "channel", "agency", "agent", "customer"] as const;

/** Criteria by which each report can be grouped. */
export const GROUPS_BY_REPORT: Readonly<Record<ReportName, readonly ReportGroup[]>> = {
  revenue: REPORT_GROUPS,
  utilisation: ["category", "vehicle", "branch"],
  rentals: CONTRACT_GROUPS,
  cancellations: CONTRACT_GROUPS,
  expenses: ["category", "vehicle", "branch"],
  quotes: ["branch", "customer"],
  "forward-bookings": CONTRACT_GROUPS,
};

/** Type of a figure: an amount in minor units, a count, or a percentage in hundredths. */
export type FigureKind = "money" | "count" | "hundredths";

/** Summed figures of each report. */
const REPORT_SUMS = {
  revenue: { gross: "money", net: "money", days: "count", contracts: "count" },
  utilisation: { rented_days: "count", available_days: "count", gross: "money" },
  rentals: { rentals: "count", days: "count", total: "money", lead_days: "count" },
  cancellations: { cancelled: "count", no_shows: "count", expired: "count", total: "money", fees: "money" },
  expenses: {
    ...{ expenses: "count", subtotal: "money", taxes: "money", total: "money" },
    ...{ maintenance: "money", revenue_net: "money" },
  },
  quotes: { quotes: "count", accepted: "count", declined: "count", total: "money", accepted_total: "money" },
  "forward-bookings": { rentals: "count", days: "count", total: "money" },
} as const satisfies Readonly<Record<ReportName, Readonly<Record<string, "money" | "count">>>>;

/** Figures of a report by name. Amounts are in minor units. */
export type ReportFigures = Readonly<Record<string, number>>;

/** Figures of a day or a period for one group. */
export interface ReportRow {
  readonly date: CivilDate;
  readonly group: string | null;
  readonly name: string | null;
  readonly figures: ReportFigures;
}

/** First and last day of a report, both included. */
export interface ReportRange {
  readonly from: CivilDate;
  readonly to: CivilDate;
}

/** Returns the first day of a day's period. Weeks start on Monday. */
export function getReportPeriodStart(by: ReportPeriod, date: CivilDate): CivilDate {
  if (by === "month") return `${date.slice(0, 7)}-01` as CivilDate;
  return by === "week" ? addDays(date, 1 - toIsoWeekday(date)) : date;
}

/** Returns the range a year earlier. 29 February becomes 28 February. */
export function getRangeOneYearEarlier({ from, to }: ReportRange): ReportRange {
  return { from: subtractYear(from), to: subtractYear(to) };
}

function subtractYear(date: CivilDate): CivilDate {
  const year = String(Number(date.slice(0, 4)) - 1).padStart(4, "0");
  return `${year}${date.slice(4) === "-02-29" ? "-02-28" : date.slice(4)}` as CivilDate;
}

/** Adds rows of the range by period and group, in this order. */
export function sumRowsByPeriodAndGroup(
  rows: readonly ReportRow[],
  by: ReportPeriod,
  { from, to }: ReportRange,
): ReportRow[] {
  const sums = new Map<string, ReportRow>();
  for (const row of rows) {
    if (row.date < from || row.date > to) continue;
    const date = getReportPeriodStart(by, row.date);
    const key = `${date} ${row.group ?? ""}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...known, figures: sumFigures(known.figures, row.figures) } : { ...row, date });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Adds figures by name. */
export function sumFigures(figures: ReportFigures, others: ReportFigures): ReportFigures {
  const names = new Set([...Object.keys(figures), ...Object.keys(others)]);
  return Object.fromEntries([...names].map((name) => [name, (figures[name] ?? 0) + (others[name] ?? 0)]));
}

/** Ledger sums of a month. A vehicle's sums belong to its rented days, others to one day. */
export interface LedgerMonth {
  readonly year: number;
  readonly month: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly group: string | null;
  readonly name: string | null;
  readonly cents: number;
  readonly centsWithoutTaxes: number;
  readonly days: number;
  readonly contracts: number;
}

/** Distributes ledger sums over their days. All days of a month add up to the ledger. */
export function toDailyRevenue(months: readonly LedgerMonth[]): ReportRow[] {
  return months.flatMap(({ year, month, firstDay, lastDay, group, name, ...sums }) => {
    const first = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01` as CivilDate;
    const start = Math.max(1, firstDay);
    const weights = Array.from({ length: Math.max(start, lastDay) - start + 1 }, () => 1);
    const [gross, net, days] = [sums.cents, sums.centsWithoutTaxes, sums.days].map((sum) => splitAmount(sum, weights));
    return weights.map((_, index) => ({
      date: addDays(first, start - 1 + index),
      group,
      name,
      figures: {
        gross: gross?.[index] ?? 0,
        net: net?.[index] ?? 0,
        days: days?.[index] ?? 0,
        contracts: index === 0 ? sums.contracts : 0,
      },
    }));
  });
}

/** Rented days of a vehicle's month, five bits per day as in `ledger_products`. */
export interface RentedMonth {
  readonly year: number;
  readonly month: number;
  readonly rented: readonly [days1To10: number, days11To20: number, days21To30: number, day31: number];
}

/** Vehicle with its time in the fleet and its rented days. */
export interface FleetVehicle {
  readonly group: string | null;
  readonly name: string | null;
  readonly acquiredOn: CivilDate | undefined;
  readonly releasedOn: CivilDate | undefined;
  readonly months: readonly RentedMonth[];
}

const DAYS_PER_FIELD = 10;
const VALUES_PER_DAY = 32;

/** Returns the rented days of a month. */
export function listRentedDays({ year, month, rented }: RentedMonth): CivilDate[] {
  const first = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01` as CivilDate;
  return Array.from({ length: 31 }, (_, day) => day)
    .filter((day) => {
      const field = rented[Math.floor(day / DAYS_PER_FIELD) as 0 | 1 | 2 | 3];
      // Fields have up to 50 bits, too many for bitwise operators.
      return Math.floor(field / VALUES_PER_DAY ** (day % DAYS_PER_FIELD)) % VALUES_PER_DAY > 0;
    })
    .map((day) => addDays(first, day));
}

/**
 * Returns rented and available days of vehicles by period. Days rented outside the fleet period count as available, as
 * in the yearly report.
 */
export function getUtilisation(vehicles: readonly FleetVehicle[], by: ReportPeriod, range: ReportRange): ReportRow[] {
  const periods = listPeriods(by, range);
  const rows = vehicles.flatMap((vehicle) => {
    const rented = vehicle.months.flatMap(listRentedDays);
    return periods.map(({ date, from, to }) => {
      const days = rented.filter((day) => day >= from && day <= to).length;
      const available = Math.max(days, countFleetDays(vehicle, from, to));
      const { group, name } = vehicle;
      return { date, group, name, figures: { rented_days: days, available_days: available } };
    });
  });
  const first = getReportPeriodStart(by, range.from);
  return sumRowsByPeriodAndGroup(rows, by, { from: first, to: range.to }).filter(
    ({ figures }) => figures["available_days"] !== 0,
  );
}

function listPeriods(by: ReportPeriod, { from, to }: ReportRange) {
  const periods: { readonly date: CivilDate; readonly from: CivilDate; to: CivilDate }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const date = getReportPeriodStart(by, day);
    const last = periods.at(-1);
    if (last?.date === date) last.to = day;
    else periods.push({ date, from: day, to: day });
  }
  return periods;
}

// The release day doesn't count.
function countFleetDays({ acquiredOn, releasedOn }: FleetVehicle, from: CivilDate, to: CivilDate): number {
  const first = Math.max(toDayNumber(from), acquiredOn ? toDayNumber(acquiredOn) : Number.NEGATIVE_INFINITY);
  const end = Math.min(toDayNumber(to) + 1, releasedOn ? toDayNumber(releasedOn) : Number.POSITIVE_INFINITY);
  return Math.max(0, end - first);
}

/** Figures calculated from the sums of a period. */
const DERIVED: Readonly<
  Record<ReportName, Readonly<Record<string, readonly [FigureKind, (sums: ReportFigures) => number]>>>
> = {
  revenue: { average_daily_rate: ["money", ({ gross, days }) => ratio(gross, days)] },
  utilisation: {
    utilisation: ["hundredths", ({ rented_days: rented, available_days: days }) => ratio(percent(rented), days)],
    revenue_per_available_day: ["money", ({ gross, available_days: days }) => ratio(gross, days)],
  },
  rentals: {
    average_daily_rate: ["money", ({ total, days }) => ratio(total, days)],
    average_length: ["hundredths", ({ days, rentals }) => ratio(hundred(days), rentals)],
    average_lead_time: ["hundredths", ({ lead_days: days, rentals }) => ratio(hundred(days), rentals)],
  },
  cancellations: {},
  expenses: {
    margin: ["money", ({ revenue_net: net = 0, subtotal = 0, maintenance = 0 }) => net - subtotal - maintenance],
  },
  quotes: { acceptance: ["hundredths", ({ accepted, quotes }) => ratio(percent(accepted), quotes)] },
  "forward-bookings": {},
};

const hundred = (value = 0) => value * 100;
const percent = (value = 0) => value * 10_000;
const ratio = (value = 0, by = 0) => (by === 0 ? 0 : divideRounded(value, by));

/** Returns all figures of a report with their types: the sums, and the figures calculated from them. */
export function listReportFigures(
  report: ReportName,
  sums: ReportFigures,
): readonly (readonly [string, FigureKind, number])[] {
  const summed = Object.entries(REPORT_SUMS[report]).map(([name, kind]) => [name, kind, sums[name] ?? 0] as const);
  const derived = Object.entries(DERIVED[report]).map(([name, [kind, derive]]) => [name, kind, derive(sums)] as const);
  return [...summed, ...derived];
}
