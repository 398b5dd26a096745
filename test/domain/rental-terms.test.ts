import { describe, expect, test } from "vitest";
import type { Catalogue } from "#domain/catalogue.ts";
import type { TimeOfDay } from "#domain/dates.ts";
import { agreeTerms, type RentalRequest } from "#domain/rental-terms.ts";
import { aBranch, aCatalogue, aPeriod, aPlace, aRequest, NOW, someSettings, termsFor } from "#support/catalogue.ts";

const open = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: "08:00" as TimeOfDay, closes: "20:00" as TimeOfDay }));
const MONDAY_TO_FRIDAY = aPeriod("2026-06-01", "2026-06-05");

function refusal(catalogue: Catalogue, request: RentalRequest) {
  const terms = agreeTerms(catalogue, request, NOW);
  return terms.ok ? undefined : terms.error.field;
}

describe("the period", () => {
  test.each([
    ["ends before it begins", aPeriod("2026-06-05", "2026-06-01"), "dateTo"],
    ["ends as it begins", aPeriod("2026-06-01", "2026-06-01"), "dateTo"],
    ["is past", aPeriod("2026-01-09", "2026-02-01"), "dateFrom"],
    ["began a minute ago", aPeriod("2026-01-10 08:59", "2026-02-01"), "dateFrom"],
    ["is longer than the account allows", aPeriod("2026-02-01", "2027-02-15"), "dateTo"],
  ])("is refused when it %s", (_, period, field) => {
    expect(refusal(aCatalogue(), aRequest(period))).toBe(field);
  });

  test("may begin this very minute", () => {
    expect(refusal(aCatalogue(), aRequest(aPeriod("2026-01-10 09:00", "2026-01-11")))).toBeUndefined();
  });

  test("is refused when it is shorter than the account allows", () => {
    const catalogue = aCatalogue({ settings: someSettings({ minimumDays: 3 }) });
    expect(refusal(catalogue, aRequest(aPeriod("2026-06-01", "2026-06-03")))).toBe("dateTo");
  });
});

describe("places", () => {
  const catalogue = aCatalogue({
    places: [
      aPlace({ returnPlaceIds: new Set([1, 2]) }),
      aPlace({ id: 2, isPickup: false, priceCents: 1500 }),
      aPlace({ id: 3, isReturn: false, priceCents: 700 }),
      aPlace({ id: 4, webPublic: false }),
      aPlace({ id: 5 }),
    ],
  });

  test.each([
    ["an unknown pickup place", { pickupPlaceId: 99 }, "pickupPlace"],
    ["an unknown return place", { returnPlaceId: 99 }, "returnPlace"],
    ["a return place as pickup place", { pickupPlaceId: 2 }, "pickupPlace"],
    ["a pickup place as return place", { returnPlaceId: 3 }, "returnPlace"],
    ["a place that is not public", { pickupPlaceId: 4 }, "pickupPlace"],
    ["a return place that is not valid for the pickup", { returnPlaceId: 5 }, "returnPlace"],
  ])("%s is refused", (_, changes, field) => {
    expect(refusal(catalogue, aRequest(MONDAY_TO_FRIDAY, changes))).toBe(field);
  });

  test("cost what each of them costs", () => {
    const terms = termsFor(catalogue, MONDAY_TO_FRIDAY, { pickupPlaceId: 3, returnPlaceId: 2 });
    expect(terms).toMatchObject({ pickupPlaceCents: 700, returnPlaceCents: 1500 });
  });
});

describe("hours", () => {
  const branches = [aBranch({ openingHours: open, closedDates: new Set(["2026-06-03"]) })];

  test.each([
    ["before opening", "2026-06-01 07:59", "2026-06-05 10:00", 3000, 0],
    ["at opening and at closing", "2026-06-01 08:00", "2026-06-05 20:00", 0, 0],
    ["after closing", "2026-06-01 20:01", "2026-06-05 20:01", 3000, 2000],
    ["on a day the branch never opens", "2026-06-06 10:00", "2026-06-08 10:00", 3000, 0],
    ["on a day it is closed for once", "2026-06-01 10:00", "2026-06-03 10:00", 0, 2000],
  ])("a time %s costs its supplement", (_, from, to, timeFromCents, timeToCents) => {
    expect(termsFor(aCatalogue({ branches }), aPeriod(from, to))).toMatchObject({ timeFromCents, timeToCents });
  });

  test.each([
    ["pickup", "2026-06-01 07:00", "2026-06-05 10:00", "timeFrom"],
    ["return", "2026-06-01 10:00", "2026-06-05 22:00", "timeTo"],
  ])("a %s in closed hours is refused where the account does not allow it", (_, from, to, field) => {
    const catalogue = aCatalogue({ branches, settings: someSettings({ outOfHoursAllowed: false }) });
    expect(refusal(catalogue, aRequest(aPeriod(from, to)))).toBe(field);
  });

  test("a branch without hours is open at any time", () => {
    expect(termsFor(aCatalogue(), aPeriod("2026-06-06 03:00", "2026-06-07 03:00"))).toMatchObject({
      timeFromCents: 0,
      timeToCents: 0,
    });
  });
});

describe("the driver's age", () => {
  const rule = { id: 1, description: "Jóvenes", descriptions: {}, depositCents: 20_000 };
  const catalogue = aCatalogue({
    driverAgeRules: [
      { ...rule, ageFrom: 0, ageTo: 20, allowed: false, costPer: "rental", costCents: 0 },
      { ...rule, id: 2, ageFrom: 21, ageTo: 24, allowed: true, costPer: "day", costCents: 1000 },
      { ...rule, id: 3, ageFrom: 75, ageTo: 120, allowed: true, costPer: "rental", costCents: 2500 },
    ],
  });

  test.each([
    [21, 4000, 20_000],
    [24, 4000, 20_000],
    [25, 0, 0],
    [80, 2500, 20_000],
  ])("of %i costs by its rule, each day or once", (driverAge, driverAgeCents, driverAgeDepositCents) => {
    expect(termsFor(catalogue, MONDAY_TO_FRIDAY, { driverAge })).toMatchObject({
      driverAgeCents,
      driverAgeDepositCents,
    });
  });

  test("costs nothing when it is not said", () => {
    expect(termsFor(catalogue, MONDAY_TO_FRIDAY)).toMatchObject({ driverAgeCents: 0, driverAgeDepositCents: 0 });
  });

  test("too young is refused", () => {
    expect(refusal(catalogue, aRequest(MONDAY_TO_FRIDAY, { driverAge: 20 }))).toBe("driverAge");
  });
});

describe("the sales channel", () => {
  test("unknown is refused where there are several", () => {
    expect(refusal(aCatalogue(), aRequest(MONDAY_TO_FRIDAY, { salesChannel: "NOSUCH" }))).toBe("salesChannel");
  });

  test("is not looked at where there are not", () => {
    const terms = termsFor(aCatalogue({ salesChannels: new Set() }), MONDAY_TO_FRIDAY, { salesChannel: "NOSUCH" });
    expect(terms.salesChannel).toBeUndefined();
  });
});
