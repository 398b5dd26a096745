import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import {
  type FleetPeriod,
  getFirstDayInMonth,
  getLastDayInYear,
  getMonthlyVehicleFigures,
  isMoneyReport,
  PRODUCT_REPORTS,
  sumFiguresByMonth,
  toSalesRows,
} from "#domain/reporting/analytics.ts";

const ALWAYS: FleetPeriod = { acquiredOn: undefined, releasedOn: undefined };
const MARCH = {
  ...{ month: 3, cents: 12_100, centsWithoutTaxes: 10_000 },
  ...{ days: 5, occupiedDays: 6, contracts: 2, usageUnits: 340 },
};
const months = (month: number, value: number) => Array.from({ length: 12 }, (_, at) => (at === month - 1 ? value : 0));
const inFleet = (acquiredOn?: string, releasedOn?: string) =>
  ({ acquiredOn, releasedOn }) as { acquiredOn: CivilDate | undefined; releasedOn: CivilDate | undefined };

describe("a vehicle's year", () => {
  test.each([
    ["monthly_billing_report", 12_100, true],
    ["monthly_billing_without_taxes_report", 10_000, true],
    ["number_of_days_report", 500, false],
    // 6 of the 31 days: 19.354…%.
    ["monthly_occupation_report", 1935, false],
    ["monthly_contracts_report", 200, false],
    ["monthly_usage_report", 34_000, false],
  ] as const)("shows a vehicle's March in the report %s as %i", (report, value, money) => {
    expect(getMonthlyVehicleFigures(report, 2026, ALWAYS, [MARCH])).toEqual(months(3, value));
    expect(isMoneyReport(report)).toBe(money);
    expect(PRODUCT_REPORTS).toContain(report);
  });

  test.each<readonly [string, number, number, FleetPeriod, number]>([
    ["a month of 28 days", 2026, 2, inFleet(), 2143],
    ["a leap month", 2028, 2, inFleet(), 2069],
    ["December", 2026, 12, inFleet(), 1935],
    ["a month without the days before its purchase", 2026, 3, inFleet("2026-03-21"), 5455],
    ["a month without the day of its release", 2026, 3, inFleet(undefined, "2026-03-13"), 5000],
    ["a month in which it was out for longer than owned", 2026, 3, inFleet("2026-03-30"), 10_000],
    ["a month before its purchase", 2026, 3, inFleet("2026-04-01"), 10_000],
  ])("calculates the occupation of six rented days in %s", (_, year, month, fleet, value) => {
    const figures = getMonthlyVehicleFigures("monthly_occupation_report", year, fleet, [{ ...MARCH, month }]);
    expect(figures).toEqual(months(month, value));
  });

  test("reports no occupation for months in which the vehicle wasn't in the fleet", () => {
    const idle = [{ ...MARCH, occupiedDays: 0 }];
    expect(getMonthlyVehicleFigures("monthly_occupation_report", 2026, inFleet("2027-01-01"), idle)).toEqual(
      months(1, 0),
    );
  });

  test("shares a vehicle's occupation by the days at each branch, and counts only the selected branches", () => {
    const branch = (days: number, isWanted: boolean) => ({ month: 3, days, occupiedDays: 6, isWanted });
    const figures = (...branches: readonly ReturnType<typeof branch>[]) =>
      getMonthlyVehicleFigures("monthly_occupation_report", 2026, ALWAYS, [MARCH], branches);
    // The branches share 19.35 % in proportion to their 4 and 2 days: 12.90 and 6.45.
    expect(figures(branch(4, true), branch(2, false))).toEqual(months(3, 1290));
    expect(figures(branch(4, false), branch(2, true))).toEqual(months(3, 645));
    expect(figures(branch(4, true), branch(2, true))).toEqual(months(3, 1935));
    expect(getMonthlyVehicleFigures("number_of_days_report", 2026, ALWAYS, [MARCH], [branch(4, true)])).toEqual(
      months(3, 500),
    );
  });

  test("reports a vehicle's year as the sum of its branches, however the days are shared", () => {
    const days = fc.array(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 31 }), (shares, occupiedDays) => {
        const figures = (isWanted: (index: number) => boolean) =>
          getMonthlyVehicleFigures(
            ...(["monthly_occupation_report", 2026, ALWAYS, []] as const),
            shares.map((share, index) => ({ month: 3, days: share, occupiedDays, isWanted: isWanted(index) })),
          )[2] ?? 0;
        const parts = shares.map((_, index) => figures((other) => other === index));
        expect(parts.reduce((sum, value) => sum + value, 0)).toBe(figures(() => true));
      }),
    );
  });
});

test("calculates first and last days of months and years for a report, and zero months without rows", () => {
  expect([getFirstDayInMonth(2026, 3), getFirstDayInMonth(999, 12)]).toEqual(["2026-03-01", "0999-12-01"]);
  expect([2026, 2028].map(getLastDayInYear)).toEqual(["2026-12-31", "2028-12-31"]);
  expect(sumFiguresByMonth([])).toEqual(months(1, 0));
  expect(sumFiguresByMonth([months(1, 5), months(1, 6)])).toEqual(months(1, 11));
});

describe("the sales of extras", () => {
  const sale = (code: string, branchCode: string, month: number, cents: number) => ({
    ...{ code, name: `Extra ${code}` },
    ...{ branchCode, month, cents },
  });

  test("adds up sales of extras by month and branch, and omits extras without sales", () => {
    const sales = [
      ...[sale("SEAT", "AIR", 1, 500), sale("GPS", "AIR", 2, 100), sale("SEAT", "TOWN", 1, 300)],
      ...[sale("SEAT", "AIR", 1, 50), sale("GPS", "AIR", 2, -100), sale("SEAT", "AIR", 12, 7)],
    ];
    const year = (january: number, december: number) => [january, ...Array(10).fill(0), december];
    expect(toSalesRows(sales)).toEqual([
      {
        ...{ code: "SEAT", name: "Extra SEAT", months: year(850, 7) },
        branches: [
          { code: "AIR", months: year(550, 7) },
          { code: "TOWN", months: year(300, 0) },
        ],
      },
    ]);
  });

  test("shows an extra whose sales of two months cancel out over the year", () => {
    expect(toSalesRows([sale("GPS", "AIR", 1, 100), sale("GPS", "AIR", 2, -100)])).toHaveLength(1);
  });
});
