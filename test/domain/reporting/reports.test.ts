import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import {
  getRangeOneYearEarlier,
  getReportPeriodStart,
  getUtilisation,
  listRentedDays,
  listReportFigures,
  sumRowsByPeriodAndGroup,
  toDailyRevenue,
} from "#domain/reporting/reports.ts";

const date = (text: string) => text as CivilDate;

describe("revenue by day", () => {
  test("distributes a month's revenue over its rented days without losing a cent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 1_000_000 }),
        fc.integer({ min: 1, max: 28 }),
        fc.integer({ min: 0, max: 27 }),
        (cents, firstDay, length) => {
          const lastDay = Math.min(28, firstDay + length);
          const sums = { cents, centsWithoutTaxes: cents - 1, days: lastDay - firstDay + 1, contracts: 1 };
          const month = { year: 2024, month: 2, firstDay, lastDay, group: "A", name: null, ...sums };
          const rows = toDailyRevenue([month]);
          const [total] = sumRowsByPeriodAndGroup(rows, "month", { from: date("2024-02-01"), to: date("2024-02-29") });
          expect(total?.figures).toEqual({ gross: cents, net: cents - 1, days: sums.days, contracts: 1 });
        },
      ),
    );
  });

  test("adds up revenue by week from Monday, and omits days outside of the range", () => {
    const month = { year: 2024, month: 6, firstDay: 1, lastDay: 10, group: null, name: null };
    const rows = toDailyRevenue([{ ...month, cents: 1000, centsWithoutTaxes: 1000, days: 10, contracts: 1 }]);
    const weeks = sumRowsByPeriodAndGroup(rows, "week", { from: date("2024-06-02"), to: date("2024-06-10") });
    expect(weeks.map((week) => [week.date, week.figures["gross"]])).toEqual([
      ["2024-05-27", 100],
      ["2024-06-03", 700],
      ["2024-06-10", 100],
    ]);
    expect(getReportPeriodStart("month", date("2024-06-10"))).toBe("2024-06-01");
    expect(getRangeOneYearEarlier({ from: date("2024-02-29"), to: date("2024-03-01") })).toEqual({
      from: "2023-02-28",
      to: "2023-03-01",
    });
  });
});

describe("utilisation", () => {
  const month = { year: 2024, month: 1, rented: [1 + 32, 0, 0, 1] } as const;

  test("reads rented days from a month's bit fields", () => {
    expect(listRentedDays(month)).toEqual(["2024-01-01", "2024-01-02", "2024-01-31"]);
  });

  test("calculates utilisation as rented by available days, from the purchase until the sale", () => {
    const vehicle = {
      group: "A-1",
      name: null,
      acquiredOn: undefined,
      releasedOn: date("2024-01-11"),
      months: [month],
    };
    const range = { from: date("2024-01-01"), to: date("2024-01-31") };
    const [row] = getUtilisation([vehicle], "month", range);
    expect(row?.figures).toEqual({ rented_days: 3, available_days: 10 });
    expect(listReportFigures("utilisation", row?.figures ?? {}).find(([name]) => name === "utilisation")).toEqual([
      "utilisation",
      "hundredths",
      3000,
    ]);
    const days = getUtilisation([vehicle], "day", { from: range.from, to: addDays(range.from, 2) });
    expect(days.map(({ figures }) => figures["rented_days"])).toEqual([1, 1, 0]);
  });

  test("reads a rented day after free ones, and reports no period in which the vehicle wasn't owned", () => {
    const late = { ...month, rented: [0, 32, 0, 0] } as const;
    expect(listRentedDays(late)).toEqual(["2024-01-12"]);
    const releasedOn = date("2024-01-09");
    const vehicle = { group: null, name: null, acquiredOn: undefined, releasedOn, months: [] };
    const range = { from: date("2024-01-01"), to: date("2024-01-21") };
    const weeks = getUtilisation([vehicle], "week", range);
    expect(weeks.map((week) => [week.date, week.figures["available_days"]])).toEqual([
      ["2024-01-01", 7],
      ["2024-01-08", 1],
    ]);
    // The vehicle is rented after its release on Tuesday. By week, its rented days also count as available.
    const rented = [{ ...month, rented: [32 ** 2 + 32 ** 3 + 32 ** 4, 0, 0, 0] as const }];
    const soldVehicle = { ...vehicle, releasedOn: date("2024-01-02"), months: rented };
    expect(getUtilisation([soldVehicle], "week", range).map(({ figures }) => figures)).toEqual([
      { rented_days: 3, available_days: 3 },
    ]);
    const all = getUtilisation([{ ...vehicle, releasedOn: undefined }], "week", range);
    expect(all.map(({ figures }) => figures["available_days"])).toEqual([7, 7, 7]);
  });
});
