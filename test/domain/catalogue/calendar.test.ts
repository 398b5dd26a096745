import { describe, expect, test } from "vitest";
import { type CalendarPlace, listOpenDays, listTimes } from "#domain/catalogue/calendar.ts";
import type { CivilDate, TimeOfDay } from "#domain/dates.ts";
import { aCatalogue } from "#support/catalogue.ts";

const catalogue = aCatalogue();
const branches = [...catalogue.branches.values()];
const deliveries: CalendarPlace = { action: "deliveries", branches };
const at = (date: string, time = "12:10") => ({ date: date as CivilDate, time: time as TimeOfDay });
const day = "2026-06-03" as CivilDate;

describe("the times of a day", () => {
  test("are those still to come today, all of another day, none of a day that is over", () => {
    const all = listTimes(catalogue, deliveries, day, at("2026-06-01"));
    expect(all.length).toBeGreaterThan(0);
    expect(listTimes(catalogue, deliveries, day, at(day))).toEqual(all.filter((time) => time >= "12:10"));
    expect(listTimes(catalogue, deliveries, day, at("2026-06-04"))).toEqual([]);
  });

  test("are remembered as they are: whoever changes their list changes no other", () => {
    const all = listTimes(catalogue, deliveries, day, at("2026-06-01"));
    const count = all.length;
    all.length = 0;
    expect(listTimes(catalogue, deliveries, day, at("2026-06-01"))).toHaveLength(count);
  });

  test("are another catalogue's own", () => {
    expect(listOpenDays(catalogue, deliveries, [day, day], at("2026-06-01"))).toEqual([day]);
    const [branch] = branches;
    if (!branch) throw new Error("the company has no branch");
    const closed = { ...branch, closedDates: new Set([day]) };
    const other = { ...catalogue, branches: new Map([[closed.code, closed]]) };
    const place = { ...deliveries, branches: [closed] };
    expect(listOpenDays(other, place, [day, day], at("2026-06-01"))).toEqual([]);
  });
});
