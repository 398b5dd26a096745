import { describe, expect, test } from "vitest";
import { listHandOverTimes } from "#domain/bookings/calendar.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import { checkSpecialHours } from "#domain/catalogue/resources/rule-checks.ts";
import { getBranchSpecialHours, listSpecialHours } from "#domain/catalogue/special-hours.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import {
  CATALOGUE_NOW,
  createBranch,
  createCatalogue,
  createPeriod,
  createRentalRequest,
  createResolvedRentalTerms,
  createSettings,
} from "#support/catalogue.ts";

const time = (opens: string, closes: string) => ({ opens: opens as TimeText, closes: closes as TimeText });
const EVE = { date: "2026-12-24", branchCode: null, times: [time("09:00", "13:00")] };
const CHRISTMAS = { date: "2026-12-25", branchCode: null, times: [] };
const OWN_CHRISTMAS = { date: "2026-12-25", branchCode: "TOWN", times: [time("10:00", "12:00")] };
const openingHours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, ...time("08:00", "20:00") }));
const branches = [createBranch({ openingHours, specialHours: getBranchSpecialHours([EVE, CHRISTMAS], "AIR") })];

describe("special hours", () => {
  test("prefers a branch's special hours over those of all branches", () => {
    for (const dates of [
      [CHRISTMAS, OWN_CHRISTMAS],
      [OWN_CHRISTMAS, CHRISTMAS],
    ]) {
      expect(getBranchSpecialHours(dates, "TOWN").get("2026-12-25")).toEqual(OWN_CHRISTMAS.times);
      expect(getBranchSpecialHours(dates, "AIR").get("2026-12-25")).toEqual([]);
    }
  });

  test.each([
    ["within the special hours", "2026-12-24 13:00", 0],
    ["within the weekday's hours only", "2026-12-24 15:00", 3000],
    ["on the day before", "2026-12-23 15:00", 0],
  ])("charges the out-of-hours supplement by a date's special hours: pickup %s", (_, from, timeFromCents) => {
    expect(
      createResolvedRentalTerms(createCatalogue({ branches }), createPeriod(from, "2026-12-28 10:00")),
    ).toMatchObject({
      timeFromCents,
    });
  });

  test("adds a supplement for a return on a closed date, and rejects a pickup", () => {
    const catalogue = createCatalogue({ branches });
    expect(createResolvedRentalTerms(catalogue, createPeriod("2026-12-23 10:00", "2026-12-25 10:00"))).toMatchObject({
      timeToCents: 2000,
    });
    const pickup = createRentalRequest(createPeriod("2026-12-25 10:00", "2026-12-28 10:00"));
    expect(resolveRentalTerms(catalogue, pickup, CATALOGUE_NOW)).toMatchObject({ error: { field: "dateFrom" } });
    expect(resolveRentalTerms(catalogue, pickup, CATALOGUE_NOW, { isStaff: true, keepsPickup: false })).toMatchObject({
      ok: true,
    });
  });

  test("limits the times in calendars by special hours", () => {
    const catalogue = createCatalogue({ branches, settings: createSettings({ outOfHoursAllowed: false }) });
    const timesOn = (date: string, action: "deliveries" | "collections") =>
      listHandOverTimes(catalogue, { action, branches }, date as CivilDate, CATALOGUE_NOW);
    const eve = timesOn("2026-12-24", "deliveries");
    expect([eve[0], eve.at(-1)]).toEqual(["09:00", "13:00"]);
    expect(timesOn("2026-12-25", "deliveries")).toEqual([]);
    expect(timesOn("2026-12-25", "collections")).toEqual([]);
  });

  test("extends a branch's opening by special hours", () => {
    const late = getBranchSpecialHours([{ ...EVE, times: [time("08:00", "23:00")] }], "AIR");
    const catalogue = createCatalogue({ branches: [createBranch({ openingHours, specialHours: late })] });
    expect(createResolvedRentalTerms(catalogue, createPeriod("2026-12-24 22:00", "2026-12-28 10:00"))).toMatchObject({
      timeFromCents: 0,
    });
  });

  test("lists the special hours of a period in the order of dates", () => {
    const specialHours = getBranchSpecialHours([CHRISTMAS, EVE], "AIR");
    expect(listSpecialHours({ specialHours }, "2026-12-24", "2027-12-24")).toEqual([
      { date: "2026-12-24", times: ["09:00–13:00"] },
      { date: "2026-12-25", times: [] },
    ]);
    expect(listSpecialHours({ specialHours }, "2026-12-25", "2027-12-24")).toHaveLength(1);
    expect(listSpecialHours({ specialHours }, "2026-12-20", "2026-12-24")).toHaveLength(1);
  });

  test("rejects special hours that overlap or don't end after they begin", () => {
    const times = [time("09:00", "13:00"), time("12:00", "15:00"), time("18:00", "18:00")];
    expect(checkSpecialHours({ times }).map(({ field }) => field)).toEqual(["times.1.opens", "times.2.closes"]);
    expect(checkSpecialHours({ times: [] })).toEqual([]);
  });
});
