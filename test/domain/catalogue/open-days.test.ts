import { expect, test } from "vitest";
import { groupOpeningHours } from "#domain/catalogue/open-days.ts";
import type { TimeText } from "#domain/dates.ts";

const hours = (weekday: number, opens: string, closes: string) => ({
  weekday,
  opens: opens as TimeText,
  closes: closes as TimeText,
});

test("groups consecutive weekdays with equal opening hours, including closed days and midday breaks", () => {
  const week = [1, 2, 3, 4].flatMap((day) => [hours(day, "16:00", "20:00"), hours(day, "08:00", "13:00")]);
  expect(groupOpeningHours({ openingHours: [...week, hours(6, "09:00", "13:00")] })).toEqual([
    { first: 1, last: 4, times: ["08:00–13:00", "16:00–20:00"] },
    { first: 5, last: 5, times: [] },
    { first: 6, last: 6, times: ["09:00–13:00"] },
    { first: 7, last: 7, times: [] },
  ]);
});

test("returns no groups of opening hours for a branch that is always open", () => {
  expect(groupOpeningHours({ openingHours: [] })).toEqual([]);
});
