import { addDays, type CivilDate, toDayNumber } from "#domain/dates.ts";
import { dividedBy, shareOut, sumCents } from "#domain/money.ts";

// The yearly reports; docs/interfaces/analytics.md#figures says what each figure means.

export const PRODUCT_REPORTS = [
  "monthly_billing_report",
  "monthly_billing_without_taxes_report",
  "number_of_days_report",
  "monthly_occupation_report",
  "monthly_contracts_report",
  "monthly_usage_report",
] as const;
export type ProductReport = (typeof PRODUCT_REPORTS)[number];

/** Reports whose figures are money; the others are hundredths. */
export function isMoney(report: ProductReport): boolean {
  return report === "monthly_billing_report" || report === "monthly_billing_without_taxes_report";
}

/** What a vehicle did in a month. */
export interface VehicleMonth {
  readonly month: number;
  readonly cents: number;
  readonly centsWithoutTaxes: number;
  readonly days: number;
  readonly occupiedDays: number;
  readonly contracts: number;
  readonly usageUnits: number;
}

/** When a vehicle was the company's to rent; absent: without limit. */
export interface InFleet {
  readonly acquiredOn: CivilDate | undefined;
  readonly releasedOn: CivilDate | undefined;
}

/** Twelve whole figures, January first: minor units of money, or hundredths. */
export type Months = readonly number[];

const HUNDREDTHS = 100;

/** The days that a branch rented a vehicle in a month, and the days that it was out at all. */
export interface BranchDays {
  readonly month: number;
  readonly days: number;
  readonly occupiedDays: number;
  /** Whether the branch is among those that are asked for. */
  readonly isWanted: boolean;
}

/**
 * A vehicle's figures of a year: all of them, or those of the branches that are asked for. A day may belong to two
 * branches' contracts, so that the occupation is shared out by the days of each: branches add up.
 */
export function getVehicleFigures(
  report: ProductReport,
  year: number,
  vehicle: InFleet,
  months: readonly VehicleMonth[],
  branches: readonly BranchDays[] = [],
): Months {
  return Array.from({ length: 12 }, (_, index) => {
    const month = index + 1;
    const monthBranches = branches.filter((branch) => branch.month === month);
    if (report === "monthly_occupation_report" && monthBranches.length > 0)
      return sharedOccupation(year, vehicle, monthBranches);
    const monthData = months.find((vehicleMonth) => vehicleMonth.month === month);
    return monthData ? getFigure(report, year, vehicle, monthData) : 0;
  });
}

function sharedOccupation(year: number, vehicle: InFleet, branches: readonly BranchDays[]): number {
  const [{ month, occupiedDays } = { month: 1, occupiedDays: 0 }] = branches;
  const totalOccupation = occupation(occupiedDays, daysInFleet(year, month, vehicle));
  const shares = shareOut(
    totalOccupation,
    branches.map(({ days }) => days),
  );
  return sumCents(shares.filter((_, index) => branches[index]?.isWanted));
}

function getFigure(report: ProductReport, year: number, vehicle: InFleet, month: VehicleMonth): number {
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

/**
 * Hundredths of a percent. A vehicle that was rented on days on which it was not in the fleet was in the fleet on
 * those, too.
 */
function occupation(occupied: number, inFleet: number): number {
  const days = Math.max(occupied, inFleet);
  return days === 0 ? 0 : dividedBy(occupied * HUNDREDTHS * HUNDREDTHS, days);
}

// The days of a month on which the vehicle was in the fleet; the day of its release is none.
function daysInFleet(year: number, month: number, { acquiredOn, releasedOn }: InFleet): number {
  const first = getFirstDayInMonth(year, month);
  const next = month === 12 ? getFirstDayInMonth(year + 1, 1) : getFirstDayInMonth(year, month + 1);
  const from = Math.max(toDayNumber(first), acquiredOn ? toDayNumber(acquiredOn) : Number.NEGATIVE_INFINITY);
  const until = Math.min(toDayNumber(next), releasedOn ? toDayNumber(releasedOn) : Number.POSITIVE_INFINITY);
  return Math.max(0, until - from);
}

/** The first day of a month. */
export function getFirstDayInMonth(year: number, month: number): CivilDate {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01` as CivilDate;
}

/** The last day of a year. */
export function getLastDayInYear(year: number): CivilDate {
  return addDays(getFirstDayInMonth(year + 1, 1), -1);
}

/** Sums of several rows, month by month. */
export function addUpMonths(rows: readonly Months[]): Months {
  return Array.from({ length: 12 }, (_, index) => sumCents(rows.map((row) => row[index] ?? 0)));
}

/** What an extra or a supplement came to in a month at a branch. */
export interface Sale {
  readonly code: string;
  readonly name: string | undefined;
  readonly branchCode: string;
  readonly month: number;
  readonly cents: number;
}

export interface SalesRow {
  readonly code: string;
  readonly name: string | undefined;
  readonly months: Months;
  readonly branches: readonly { readonly code: string; readonly months: Months }[];
}

/**
 * Extras or supplements with what each branch sold of them, in the order of their codes; those that came to nothing are
 * left out.
 */
export function salesRows(sales: readonly Sale[]): SalesRow[] {
  return [...Map.groupBy(sales, ({ code }) => code)]
    .map(([code, ofCode]) => {
      const branches = [...Map.groupBy(ofCode, ({ branchCode }) => branchCode)].map(([branch, ofBranch]) => ({
        code: branch,
        months: addUpMonths(ofBranch.map(({ month, cents }) => inMonth(month, cents))),
      }));
      return { code, name: ofCode[0]?.name, branches, months: addUpMonths(branches.map(({ months }) => months)) };
    })
    .filter(({ months }) => months.some((cents) => cents !== 0));
}

function inMonth(month: number, cents: number): Months {
  return Array.from({ length: 12 }, (_, index) => (index === month - 1 ? cents : 0));
}
