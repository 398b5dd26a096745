import { addDays, type CivilDate, toDayNumber } from "#domain/dates.ts";
import { divideRounded, splitAmount, sumCents } from "#domain/money.ts";

// Annual reports. docs/interfaces/analytics.md#figures defines each figure.

export const PRODUCT_REPORTS = [
  "monthly_billing_report",
  "monthly_billing_without_taxes_report",
  "number_of_days_report",
  "monthly_occupation_report",
  "monthly_contracts_report",
  "monthly_usage_report",
] as const;
export type ProductReport = (typeof PRODUCT_REPORTS)[number];

/** Whether a report contains money. The others contain hundredths. */
export function isMoneyReport(report: ProductReport): boolean {
  return report === "monthly_billing_report" || report === "monthly_billing_without_taxes_report";
}

/** Figures of a vehicle in a month. */
export interface VehicleMonth {
  readonly month: number;
  readonly cents: number;
  readonly centsWithoutTaxes: number;
  readonly days: number;
  readonly occupiedDays: number;
  readonly contracts: number;
  readonly usageUnits: number;
}

/** Period in which a vehicle was in the fleet. Absent dates have no limit. */
export interface FleetPeriod {
  readonly acquiredOn: CivilDate | undefined;
  readonly releasedOn: CivilDate | undefined;
}

/** Twelve integers, January first: minor units of money, or hundredths. */
export type MonthlyFigures = readonly number[];

const HUNDREDTHS = 100;

/** Days that a branch rented out a vehicle in a month, and the total days that it was out. */
export interface BranchVehicleMonth {
  readonly month: number;
  readonly days: number;
  readonly occupiedDays: number;
  /** Whether the branch is in the filter. */
  readonly isWanted: boolean;
}

/**
 * Returns a vehicle's annual figures, in total or for the filtered branches. Contracts of two branches may
 * share a day. So the occupancy is split by the days of each branch, and all branches add up to the total.
 */
export function getMonthlyVehicleFigures(
  report: ProductReport,
  year: number,
  vehicle: FleetPeriod,
  months: readonly VehicleMonth[],
  branches: readonly BranchVehicleMonth[] = [],
): MonthlyFigures {
  return Array.from({ length: 12 }, (_, index) => {
    const month = index + 1;
    const monthBranches = branches.filter((branch) => branch.month === month);
    if (report === "monthly_occupation_report" && monthBranches.length > 0)
      return sharedOccupation(year, vehicle, monthBranches);
    const monthData = months.find((vehicleMonth) => vehicleMonth.month === month);
    return monthData ? getFigure(report, year, vehicle, monthData) : 0;
  });
}

function sharedOccupation(year: number, vehicle: FleetPeriod, branches: readonly BranchVehicleMonth[]): number {
  const [{ month, occupiedDays } = { month: 1, occupiedDays: 0 }] = branches;
  const totalOccupation = occupation(occupiedDays, daysInFleet(year, month, vehicle));
  const shares = splitAmount(
    totalOccupation,
    branches.map(({ days }) => days),
  );
  return sumCents(shares.filter((_, index) => branches[index]?.isWanted));
}

function getFigure(report: ProductReport, year: number, vehicle: FleetPeriod, month: VehicleMonth): number {
  switch (report) {
    case "monthly_billing_report":
      return month.cents;
    case "monthly_billing_without_taxes_report":
      return month.centsWithoutTaxes;
    case "number_of_days_report":
      return month.days * HUNDREDTHS;
    case "monthly_occupation_report":
      return occupation(month.occupiedDays, daysInFleet(year, month.month, vehicle));
    case "monthly_contracts_report":
      return month.contracts * HUNDREDTHS;
    case "monthly_usage_report":
      return month.usageUnits * HUNDREDTHS;
  }
}

/** Returns hundredths of a percent. Days rented outside the fleet period count as fleet days. */
function occupation(occupied: number, inFleet: number): number {
  const days = Math.max(occupied, inFleet);
  return days === 0 ? 0 : divideRounded(occupied * HUNDREDTHS * HUNDREDTHS, days);
}

// Returns the days of a month in the fleet. The release day doesn't count.
function daysInFleet(year: number, month: number, { acquiredOn, releasedOn }: FleetPeriod): number {
  const first = getFirstDayInMonth(year, month);
  const next = month === 12 ? getFirstDayInMonth(year + 1, 1) : getFirstDayInMonth(year, month + 1);
  const from = Math.max(toDayNumber(first), acquiredOn ? toDayNumber(acquiredOn) : Number.NEGATIVE_INFINITY);
  const until = Math.min(toDayNumber(next), releasedOn ? toDayNumber(releasedOn) : Number.POSITIVE_INFINITY);
  return Math.max(0, until - from);
}

/** Returns the first day of a month. */
export function getFirstDayInMonth(year: number, month: number): CivilDate {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01` as CivilDate;
}

/** Returns the last day of a year. */
export function getLastDayInYear(year: number): CivilDate {
  return addDays(getFirstDayInMonth(year + 1, 1), -1);
}

/** Adds several rows by month. */
export function sumFiguresByMonth(rows: readonly MonthlyFigures[]): MonthlyFigures {
  return Array.from({ length: 12 }, (_, index) => sumCents(rows.map((row) => row[index] ?? 0)));
}

/** Sales of an extra or supplement at a branch in a month. */
export interface MonthlySale {
  readonly code: string;
  readonly name: string | undefined;
  readonly branchCode: string;
  readonly month: number;
  readonly cents: number;
}

export interface SalesRow {
  readonly code: string;
  readonly name: string | undefined;
  readonly months: MonthlyFigures;
  readonly branches: readonly { readonly code: string; readonly months: MonthlyFigures }[];
}

/** Returns extras or supplements with the sales per branch, in code order. Omits those without sales. */
export function toSalesRows(sales: readonly MonthlySale[]): SalesRow[] {
  return [...Map.groupBy(sales, ({ code }) => code)]
    .map(([code, ofCode]) => {
      const branches = [...Map.groupBy(ofCode, ({ branchCode }) => branchCode)].map(([branch, ofBranch]) => ({
        code: branch,
        months: sumFiguresByMonth(ofBranch.map(({ month, cents }) => inMonth(month, cents))),
      }));
      return { code, name: ofCode[0]?.name, branches, months: sumFiguresByMonth(branches.map(({ months }) => months)) };
    })
    .filter(({ months }) => months.some((cents) => cents !== 0));
}

function inMonth(month: number, cents: number): MonthlyFigures {
  return Array.from({ length: 12 }, (_, index) => (index === month - 1 ? cents : 0));
}
