import { describe, expect, test } from "vitest";
import { findDefaultPickupPlace, type RentalRequest, resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { TimeText } from "#domain/dates.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import {
  CATALOGUE_NOW,
  createBranch,
  createCatalogue,
  createPeriod,
  createPlace,
  createRentalRequest,
  createResolvedRentalTerms,
  createSettings,
} from "#support/catalogue.ts";

const open = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: "08:00" as TimeText, closes: "20:00" as TimeText }));
const MONDAY_TO_FRIDAY = createPeriod("2026-06-01", "2026-06-05");

function refusal(catalogue: Catalogue, request: RentalRequest) {
  const terms = resolveRentalTerms(catalogue, request, CATALOGUE_NOW);
  return terms.ok ? undefined : terms.error.field;
}

/** Returns the message for the caller. */
function sentence(catalogue: Catalogue, request: RentalRequest) {
  const terms = resolveRentalTerms(catalogue, request, CATALOGUE_NOW);
  return terms.ok ? undefined : `${terms.error.kind}: ${terms.error.field}: ${formatProblem(terms.error.reason)}`;
}

describe("the period", () => {
  test.each([
    ["ends before it begins", createPeriod("2026-06-05", "2026-06-01"), "dateTo"],
    ["ends as it begins", createPeriod("2026-06-01", "2026-06-01"), "dateTo"],
    ["is past", createPeriod("2026-01-09", "2026-02-01"), "dateFrom"],
    ["began a minute ago", createPeriod("2026-01-10 08:59", "2026-02-01"), "dateFrom"],
    ["is longer than the account allows", createPeriod("2026-02-01", "2027-02-15"), "dateTo"],
  ])("rejects a rental period that %s", (_, period, field) => {
    expect(refusal(createCatalogue(), createRentalRequest(period))).toBe(field);
  });

  test("accepts a period that begins in the current minute", () => {
    expect(
      refusal(createCatalogue(), createRentalRequest(createPeriod("2026-01-10 09:00", "2026-01-11"))),
    ).toBeUndefined();
  });

  test("rejects a period shorter than the account allows", () => {
    const catalogue = createCatalogue({ settings: createSettings({ minimumDays: 3 }) });
    expect(refusal(catalogue, createRentalRequest(createPeriod("2026-06-01", "2026-06-03")))).toBe("dateTo");
  });
});

test("accepts a rental of the maximum length, and rejects a longer one", () => {
  const catalogue = createCatalogue({ settings: createSettings({ maximumDays: 3 }) });
  expect(refusal(catalogue, createRentalRequest(createPeriod("2026-06-01", "2026-06-04")))).toBeUndefined();
  expect(refusal(catalogue, createRentalRequest(createPeriod("2026-06-01", "2026-06-05")))).toBe("dateTo");
});

// Proves "rules.md: quotes, counts and agreements": A return before the pickup, a past date, places and hours that are
//   closed: 400 by name
test.each([
  [createRentalRequest(createPeriod("2026-06-05", "2026-06-01")), "dateTo: the return must be after the pickup"],
  [createRentalRequest(createPeriod("2026-01-09", "2026-02-01")), "dateFrom: the pickup is in the past"],
  [createRentalRequest(createPeriod("2026-06-01", "2026-06-02")), "dateTo: the shortest rental is 2 days"],
  [createRentalRequest(createPeriod("2026-06-01", "2026-06-12")), "dateTo: the longest rental is 10 days"],
  [createRentalRequest(MONDAY_TO_FRIDAY, { pickupPlaceId: 9 }), "pickupPlace: there is no pickup place 9"],
  [createRentalRequest(MONDAY_TO_FRIDAY, { returnPlaceId: 9 }), "returnPlace: there is no return place 9"],
  [
    createRentalRequest(MONDAY_TO_FRIDAY, { returnPlaceId: 2 }),
    "returnPlace: place 2 is not a return place for a pickup at 1",
  ],
  [createRentalRequest(createPeriod("2026-06-06", "2026-06-08")), "timeFrom: the branch is closed at the pickup time"],
  [createRentalRequest(createPeriod("2026-06-04", "2026-06-06")), "timeTo: the branch is closed at the return time"],
  [createRentalRequest(MONDAY_TO_FRIDAY, { driverAge: 20 }), "driverAge: this driver's age is not accepted: Jóvenes"],
  [createRentalRequest(MONDAY_TO_FRIDAY, { driverAgeRuleId: 9 }), "driverAge: there is no driver age rule 9"],
  [createRentalRequest(MONDAY_TO_FRIDAY, { salesChannel: "NOSUCH" }), "salesChannel: there is no sales channel NOSUCH"],
])("returns the field and reason why a requested rental isn't possible (%#)", (request, expectedProblem) => {
  const rule = {
    id: 1,
    description: "Jóvenes",
    descriptions: {},
    depositCents: 0,
    costPer: "rental",
    costCents: 0,
  } as const;
  const catalogue = createCatalogue({
    settings: createSettings({ minimumDays: 2, maximumDays: 10, outOfHoursAllowed: false }),
    branches: [createBranch({ openingHours: open })],
    places: [createPlace({ returnPlaceIds: new Set([1]) }), createPlace({ id: 2 })],
    driverAgeRules: [{ ...rule, ageFrom: 0, ageTo: 20, allowed: false }],
  });
  expect(sentence(catalogue, request)).toBe(`invalid: ${expectedProblem}`);
  expect(sentence(catalogue, createRentalRequest(MONDAY_TO_FRIDAY))).toBeUndefined();
});

describe("places", () => {
  const catalogue = createCatalogue({
    places: [
      createPlace({ returnPlaceIds: new Set([1, 2]) }),
      createPlace({ id: 2, isPickup: false, priceCents: 1500 }),
      createPlace({ id: 3, isReturn: false, priceCents: 700 }),
      createPlace({ id: 4, webPublic: false }),
      createPlace({ id: 5 }),
    ],
  });

  test.each([
    ["an unknown pickup place", { pickupPlaceId: 99 }, "pickupPlace"],
    ["an unknown return place", { returnPlaceId: 99 }, "returnPlace"],
    ["a return place as pickup place", { pickupPlaceId: 2 }, "pickupPlace"],
    ["a pickup place as return place", { returnPlaceId: 3 }, "returnPlace"],
    ["a place that is not public", { pickupPlaceId: 4 }, "pickupPlace"],
    ["a return place that is not valid for the pickup", { returnPlaceId: 5 }, "returnPlace"],
  ])("rejects a rental with %s", (_, changes, field) => {
    expect(refusal(catalogue, createRentalRequest(MONDAY_TO_FRIDAY, changes))).toBe(field);
  });

  test("uses the only pickup place by default", () => {
    const none = [createPlace({ id: 2, isPickup: false }), createPlace({ id: 4, webPublic: false })];
    expect(findDefaultPickupPlace(createCatalogue({ places: [createPlace(), ...none] }))?.id).toBe(1);
    expect(
      findDefaultPickupPlace(createCatalogue({ places: [createPlace(), ...none, createPlace({ id: 5 })] })),
    ).toBeUndefined();
    expect(findDefaultPickupPlace(createCatalogue({ places: none }))).toBeUndefined();
  });

  test("throws for a place of a missing branch, because the account's data is invalid", () => {
    const brokenCatalogue = createCatalogue({ places: [createPlace({ branchCode: "LOST" })] });
    expect(() => refusal(brokenCatalogue, createRentalRequest(MONDAY_TO_FRIDAY))).toThrow(
      "place 1 names the missing branch LOST",
    );
  });

  // Proves "rules.md: quotes, counts and agreements": A place costs what it costs
  test("adds the supplement of each place", () => {
    const terms = createResolvedRentalTerms(catalogue, MONDAY_TO_FRIDAY, { pickupPlaceId: 3, returnPlaceId: 2 });
    expect(terms).toMatchObject({ pickupPlaceCents: 700, returnPlaceCents: 1500 });
  });
});

describe("opening hours", () => {
  const branches = [createBranch({ openingHours: open, closedDates: new Set(["2026-06-03"]) })];

  test.each([
    ["before opening", "2026-06-01 07:59", "2026-06-05 10:00", 3000, 0],
    ["at opening and at closing", "2026-06-01 08:00", "2026-06-05 20:00", 0, 0],
    ["after closing", "2026-06-01 20:01", "2026-06-05 20:01", 3000, 2000],
    ["on a day the branch never opens", "2026-06-06 10:00", "2026-06-08 10:00", 3000, 0],
    ["on a closed date", "2026-06-01 10:00", "2026-06-03 10:00", 0, 2000],
  ])("charges the supplement of a pickup or return %s", (_, from, to, timeFromCents, timeToCents) => {
    expect(createResolvedRentalTerms(createCatalogue({ branches }), createPeriod(from, to))).toMatchObject({
      timeFromCents,
      timeToCents,
    });
  });

  test.each([
    ["pickup", "2026-06-01 07:00", "2026-06-05 10:00", "timeFrom"],
    ["return", "2026-06-01 10:00", "2026-06-05 22:00", "timeTo"],
  ])("rejects a %s in closed hours if the account doesn't allow it", (_, from, to, field) => {
    const catalogue = createCatalogue({ branches, settings: createSettings({ outOfHoursAllowed: false }) });
    expect(refusal(catalogue, createRentalRequest(createPeriod(from, to)))).toBe(field);
  });

  test("treats a branch without opening hours as always open", () => {
    expect(
      createResolvedRentalTerms(createCatalogue(), createPeriod("2026-06-06 03:00", "2026-06-07 03:00")),
    ).toMatchObject({
      timeFromCents: 0,
      timeToCents: 0,
    });
  });
});

describe("the driver's age", () => {
  const rule = { id: 1, description: "Jóvenes", descriptions: {}, depositCents: 20_000 };
  const catalogue = createCatalogue({
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
  ])(
    "charges a driver of %i years by the age rule, per day or once",
    (driverAge, driverAgeCents, driverAgeDepositCents) => {
      expect(createResolvedRentalTerms(catalogue, MONDAY_TO_FRIDAY, { driverAge })).toMatchObject({
        driverAgeCents,
        driverAgeDepositCents,
      });
    },
  );

  test.each([
    [2, 4000],
    [3, 2500],
  ])("uses the rule %i if specified, whatever the age", (driverAgeRuleId, driverAgeCents) => {
    const terms = createResolvedRentalTerms(catalogue, MONDAY_TO_FRIDAY, { driverAgeRuleId, driverAge: 10 });
    expect(terms).toMatchObject({ driverAgeCents, driverAgeRule: { id: driverAgeRuleId } });
  });

  test("charges no supplement for an unspecified driver's age", () => {
    expect(createResolvedRentalTerms(catalogue, MONDAY_TO_FRIDAY)).toMatchObject({
      driverAgeCents: 0,
      driverAgeDepositCents: 0,
    });
  });

  test("rejects a driver who is too young", () => {
    expect(refusal(catalogue, createRentalRequest(MONDAY_TO_FRIDAY, { driverAge: 20 }))).toBe("driverAge");
  });
});

describe("the sales channel", () => {
  test("rejects an unknown sales channel if the account has several", () => {
    expect(refusal(createCatalogue(), createRentalRequest(MONDAY_TO_FRIDAY, { salesChannel: "NOSUCH" }))).toBe(
      "salesChannel",
    );
  });

  // Proves "agency.md: operations": sales-chanel-code is used only when there are several channels
  test("ignores the requested sales channel if the account has none", () => {
    const terms = createResolvedRentalTerms(createCatalogue({ salesChannels: new Set() }), MONDAY_TO_FRIDAY, {
      salesChannel: "NOSUCH",
    });
    expect(terms.salesChannel).toBeUndefined();
  });
});
