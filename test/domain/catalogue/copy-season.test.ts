import { expect, test } from "vitest";
import { copySeason, copySeasonSellingRule, shiftDateByYears } from "#domain/catalogue/resources/copy-season.ts";

const season = (name: string, ...periods: readonly (readonly [string, string])[]) => ({
  name,
  periods: periods.map(([date_from, date_to]) => ({ date_from, date_to })),
});

test("moves all periods of a season by the same years, also over New Year", () => {
  const winter = season("Winter 2026/2027", ["2027-02-01", "2027-02-28"], ["2026-12-15", "2027-01-10"]);
  expect(copySeason(winter, 2028)).toEqual({
    years: 2,
    values: season("Winter 2028/2029", ["2029-02-01", "2029-02-28"], ["2028-12-15", "2029-01-10"]),
  });
});

test.each([
  ["High", undefined, "High 2027"],
  ["High 2026", undefined, "High 2027"],
  ["High 2026", "Summer", "Summer"],
])("names the copy to 2027 of the season %s, with the new name %s, %s", (name, newName, copied) => {
  expect(copySeason(season(name, ["2026-07-01", "2026-08-31"]), 2027, newName)?.values["name"]).toBe(copied);
});

test("returns no copy of a season without periods", () => {
  expect(copySeason(season("Empty"), 2027)).toBeUndefined();
});

test.each([
  ["2028-02-29", 1, "from", "2029-03-01"],
  ["2028-02-29", 1, "to", "2029-02-28"],
  ["2028-02-29", 4, "to", "2032-02-29"],
  ["2027-02-28", 1, "to", "2028-02-28"],
] as const)("shifts the date %s by %i years as the field %s of a period: %s", (date, years, end, movedDate) => {
  expect(shiftDateByYears(date, years, end)).toBe(movedDate);
});

test("moves the dates of a selling rule with its copied season, and keeps the other values", () => {
  const rule = {
    ...{ category_code: "A", season_id: 1, minimum_days: 3, no_pickup_weekdays: [7], stop_sale_to: null },
    ...{ stop_sale_from: "2026-08-01", no_pickup_dates: ["2026-08-15"], no_return_dates: null },
  };
  expect(copySeasonSellingRule(rule, 9, 1)).toEqual({
    ...{ category_code: "A", season_id: 9, minimum_days: 3, no_pickup_weekdays: [7], stop_sale_to: null },
    ...{ stop_sale_from: "2027-08-01", no_pickup_dates: ["2027-08-15"], no_return_dates: null },
  });
});
