import { describe, expect, test } from "vitest";
import { type CalendarScope, listHandOverTimes, listOpenDays } from "#domain/bookings/calendar.ts";
import type { Catalogue, SellingRule } from "#domain/catalogue/catalogue.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { createCatalogue } from "#support/catalogue.ts";

const catalogue = createCatalogue();
const branches = [...catalogue.branches.values()];
const deliveries: CalendarScope = { action: "deliveries", branches };
const toDayTime = (date: string, time = "12:10") => ({ date: date as CivilDate, time: time as TimeText });
const day = "2026-06-03" as CivilDate;

const createRule = (changes: Partial<SellingRule>) => ({ stopSale: undefined, ...changes }) as unknown as SellingRule;
const withRules = (...sellingRules: SellingRule[]) => createCatalogue({ sellingRules });

describe("pickup and return times of a day", () => {
  test("excludes pickup times without the required notice, but no return times", () => {
    expect(listHandOverTimes(catalogue, deliveries, day, toDayTime(day, "12:00"))[0]).toBe("13:00");
    expect(
      listHandOverTimes(catalogue, { ...deliveries, action: "collections" }, day, toDayTime(day, "12:00"))[0],
    ).toBe("12:00");
    expect(listHandOverTimes(catalogue, deliveries, day, toDayTime("2026-06-02", "23:30"))[0]).toBe("00:30");
  });

  test("excludes pickup days and times beyond the booking horizon", () => {
    const last = (now: string) => listHandOverTimes(catalogue, deliveries, day, toDayTime(now, "12:10")).at(-1);
    expect(last("2024-06-03")).toBe("12:00");
    expect(last("2024-06-02")).toBeUndefined();
    expect(listOpenDays(catalogue, deliveries, [day, "2026-06-09" as CivilDate], toDayTime("2024-06-05"))).toEqual([
      "2026-06-03",
      "2026-06-04",
      "2026-06-05",
    ]);
  });

  test("applies the least strict notice of any category, or that of the requested category", () => {
    const rules = [
      createRule({ minimumNoticeMinutes: 300 }),
      createRule({ minimumNoticeMinutes: 120, categoryCode: "A" }),
    ];
    const first = (rental: Catalogue, categoryCode?: string) =>
      listHandOverTimes(rental, { ...deliveries, categoryCode }, day, toDayTime(day, "12:00"))[0];
    expect(first(withRules(...rules))).toBe("14:00");
    expect(first(withRules(...rules), "A")).toBe("14:00");
    const other = { ...withRules(...rules) };
    const [category] = other.categories.values();
    if (!category) throw new Error("the company has no category");
    const both = { ...other, categories: new Map([...other.categories, ["B", { ...category, code: "B" }]]) };
    expect(first(both, "B")).toBe("17:00");
    expect(first(both)).toBe("14:00");
    expect(first(withRules(createRule({ minimumNoticeMinutes: 0, salesChannel: "WEB" })))).toBe("12:00");
  });

  test("lists today's remaining times, all of another day and none of a past day", () => {
    const all = listHandOverTimes(catalogue, deliveries, day, toDayTime("2026-06-01"));
    expect(all.length).toBeGreaterThan(0);
    expect(listHandOverTimes(catalogue, deliveries, day, toDayTime(day))).toEqual(
      all.filter((time) => time >= "13:10"),
    );
    expect(listHandOverTimes(catalogue, deliveries, day, toDayTime("2026-06-04"))).toEqual([]);
  });

  test("returns a copy of a day's times, so callers can't change the cached list", () => {
    const all = listHandOverTimes(catalogue, deliveries, day, toDayTime("2026-06-01"));
    const count = all.length;
    all.length = 0;
    expect(listHandOverTimes(catalogue, deliveries, day, toDayTime("2026-06-01"))).toHaveLength(count);
  });

  test("calculates open days separately for each catalogue", () => {
    expect(listOpenDays(catalogue, deliveries, [day, day], toDayTime("2026-06-01"))).toEqual([day]);
    const [branch] = branches;
    if (!branch) throw new Error("the company has no branch");
    const closed = { ...branch, closedDates: new Set([day]) };
    const other = { ...catalogue, branches: new Map([[closed.code, closed]]) };
    const place = { ...deliveries, branches: [closed] };
    expect(listOpenDays(other, place, [day, day], toDayTime("2026-06-01"))).toEqual([]);
  });
});
