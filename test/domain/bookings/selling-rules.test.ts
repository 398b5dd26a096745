import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import {
  findBrokenRuleWithoutReason,
  getBookingWindow,
  getRentalLengthLimits,
  isDayAllowedBySellingRules,
  listBrokenSellingRules,
  listBrokenSellingRulesForStaff,
  needsManagerOverride,
} from "#domain/bookings/selling-rules.ts";
import type { Catalogue, SellingRule } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import {
  CATALOGUE_NOW,
  createBranch,
  createCatalogue,
  createCategory,
  createPeriod,
  createPlace,
  createRentalRequest,
  createSettings,
} from "#support/catalogue.ts";

const SUMMER = { seasonId: 5, dateFrom: "2026-06-01" as CivilDate, dateTo: "2026-08-31" as CivilDate };

const createRule = (changes: Partial<SellingRule>): SellingRule => ({
  categoryCode: undefined,
  branchCode: undefined,
  seasonId: undefined,
  salesChannel: undefined,
  minimumDays: undefined,
  maximumDays: undefined,
  minimumNoticeMinutes: undefined,
  horizonDays: undefined,
  stopSale: undefined,
  noPickupWeekdays: undefined,
  noReturnWeekdays: undefined,
  noPickupDates: undefined,
  noReturnDates: undefined,
  ...changes,
});

const createRuledCatalogue = (
  sellingRules: readonly SellingRule[],
  parts: Parameters<typeof createCatalogue>[0] = {},
) => createCatalogue({ sellingRules, seasonPeriods: [SUMMER], ...parts });

function getTerms(catalogue: Catalogue, from: string, to: string, isStaff = false) {
  const request = createRentalRequest(createPeriod(from, to), { salesChannel: "WEB" });
  const terms = resolveRentalTerms(catalogue, request, CATALOGUE_NOW, { isStaff, keepsPickup: false });
  if (!terms.ok) throw new Error(terms.error.field);
  return terms.value;
}

/** Lists field and code of what a rental of category A from branch AIR on channel WEB breaks. */
function listBroken(rules: readonly SellingRule[], from: string, to: string) {
  const catalogue = createRuledCatalogue(rules);
  const broken = listBrokenSellingRules(catalogue, getTerms(catalogue, from, to), { code: "A" });
  return broken.map(({ field, reason, isWarningOnly }) => `${field} ${reason.code}${isWarningOnly ? ", warning" : ""}`);
}

const CATEGORY = { categoryCode: "A" };
const BRANCH = { branchCode: "AIR" };
const SEASON = { seasonId: 5 };
const CHANNEL = { salesChannel: "WEB" };
// Scopes of selling rules, the most specific first.
const SCOPES = [
  { ...CATEGORY, ...BRANCH, ...SEASON, ...CHANNEL },
  { ...CATEGORY, ...BRANCH, ...SEASON },
  { ...CATEGORY, ...BRANCH, ...CHANNEL },
  { ...CATEGORY, ...BRANCH },
  { ...CATEGORY, ...SEASON, ...CHANNEL },
  { ...CATEGORY, ...SEASON },
  { ...CATEGORY, ...CHANNEL },
  CATEGORY,
  { ...BRANCH, ...SEASON, ...CHANNEL },
  { ...BRANCH, ...SEASON },
  { ...BRANCH, ...CHANNEL },
  BRANCH,
  { ...SEASON, ...CHANNEL },
  SEASON,
  CHANNEL,
  {},
];

const SALE = { categoryCode: "A", branchCode: "AIR", salesChannel: "WEB", date: "2026-06-10" as CivilDate };

describe("the most specific selling rule", () => {
  // Proves "rules.md: sales and payments": The most specific rule with a value counts
  test.each([
    {
      wins: "category",
      over: "branch, season and channel",
      first: CATEGORY,
      second: { ...BRANCH, ...SEASON, ...CHANNEL },
    },
    { wins: "branch", over: "season and channel", first: BRANCH, second: { ...SEASON, ...CHANNEL } },
    { wins: "season", over: "channel", first: SEASON, second: CHANNEL },
    { wins: "channel", over: "a rule for all", first: CHANNEL, second: {} },
  ])("prefers a selling rule of the scope $wins over one of $over", ({ first, second }) => {
    const rules = [createRule({ ...first, minimumDays: 2 }), createRule({ ...second, minimumDays: 9 })];
    for (const ordered of [rules, rules.toReversed()]) {
      expect(getRentalLengthLimits(createRuledCatalogue(ordered), SALE).minimumDays).toBe(2);
      expect(listBroken(ordered, "2026-06-10", "2026-06-12")).toEqual([]);
      expect(listBroken(ordered, "2026-06-10", "2026-06-11")).toEqual(["dateTo minimum_days"]);
    }
  });

  // Proves "rules.md: sales and payments": … of all scopes, whatever the order of entry
  test("applies the most specific of sixteen rule scopes that sets a value, in any order of entry", () => {
    const scopes = fc.shuffledSubarray(SCOPES, { minLength: 1 });
    fc.assert(
      fc.property(scopes, (some) => {
        const catalogue = createRuledCatalogue(
          some.map((scope) => createRule({ ...scope, minimumDays: 1 + SCOPES.indexOf(scope) })),
        );
        const best = Math.min(...some.map((scope) => SCOPES.indexOf(scope)));
        expect(getRentalLengthLimits(catalogue, SALE).minimumDays).toBe(1 + best);
      }),
    );
  });

  test("takes each value from the most specific selling rule that sets it", () => {
    const rules = [
      createRule({ ...CATEGORY, minimumDays: 2 }),
      createRule({ ...BRANCH, minimumDays: 5, maximumDays: 6 }),
      createRule({ minimumDays: 7, maximumDays: 8 }),
    ];
    expect(getRentalLengthLimits(createRuledCatalogue(rules), SALE)).toEqual({ minimumDays: 2, maximumDays: 6 });
  });

  test.each([
    { of: "another category", scope: { categoryCode: "B" } },
    { of: "another branch", scope: { branchCode: "TOWN" } },
    { of: "another season", scope: { seasonId: 6 } },
    { of: "another channel", scope: { salesChannel: "AGENCY" } },
  ])("ignores a selling rule of $of", ({ scope }) => {
    expect(
      getRentalLengthLimits(createRuledCatalogue([createRule({ ...scope, minimumDays: 9 })]), SALE).minimumDays,
    ).toBe(1);
  });

  test("never sells rental lengths outside the account's limits", () => {
    const settings = createSettings({ minimumDays: 3, maximumDays: 20 });
    const lengths = (rule: Partial<SellingRule>) =>
      getRentalLengthLimits(createRuledCatalogue([createRule(rule)], { settings }), SALE);
    expect(lengths({})).toEqual({ minimumDays: 3, maximumDays: 20 });
    expect(lengths({ minimumDays: 2, maximumDays: 30 })).toEqual({ minimumDays: 3, maximumDays: 20 });
    expect(lengths({ minimumDays: 4, maximumDays: 10 })).toEqual({ minimumDays: 4, maximumDays: 10 });
  });
});

describe("a selling rule's limit", () => {
  const stop = { from: "2026-06-10" as CivilDate, to: "2026-06-12" as CivilDate };
  const [from, to] = ["2026-06-10", "2026-06-13"];

  // 10 June 2026 is a Wednesday, the booking is on 10 January at 09:00.
  test.each<{ limit: string; rule: Partial<SellingRule>; from: string; to: string; broken: readonly string[] }>([
    { limit: "minimum days, exactly", rule: { minimumDays: 3 }, from, to, broken: [] },
    { limit: "minimum days, one less", rule: { minimumDays: 4 }, from, to, broken: ["dateTo minimum_days"] },
    { limit: "maximum days, exactly", rule: { maximumDays: 3 }, from, to, broken: [] },
    { limit: "maximum days, one more", rule: { maximumDays: 2 }, from, to, broken: ["dateTo maximum_days"] },
    {
      limit: "notice, exactly",
      rule: { minimumNoticeMinutes: 60 },
      from: "2026-01-10 10:00",
      to: "2026-01-12",
      broken: [],
    },
    {
      limit: "notice, a minute less",
      rule: { minimumNoticeMinutes: 61 },
      from: "2026-01-10 10:00",
      to: "2026-01-12",
      broken: ["dateFrom minimum_notice, warning"],
    },
    { limit: "horizon, exactly", rule: { horizonDays: 30 }, from: "2026-02-09 09:00", to: "2026-02-12", broken: [] },
    {
      limit: "horizon, a minute more",
      rule: { horizonDays: 30 },
      from: "2026-02-09 09:01",
      to: "2026-02-12",
      broken: ["dateFrom booking_horizon, warning"],
    },
    { limit: "weekday of the pickup", rule: { noPickupWeekdays: [3] }, from, to, broken: ["dateFrom no_pickups_on"] },
    { limit: "weekday of the return", rule: { noReturnWeekdays: [6] }, from, to, broken: ["dateTo no_returns_on"] },
    {
      limit: "weekdays of the other end",
      rule: { noPickupWeekdays: [6], noReturnWeekdays: [3] },
      from,
      to,
      broken: [],
    },
    { limit: "date of the pickup", rule: { noPickupDates: [from] }, from, to, broken: ["dateFrom no_pickups_on"] },
    { limit: "date of the return", rule: { noReturnDates: [to] }, from, to, broken: ["dateTo no_returns_on"] },
    { limit: "dates of the other end", rule: { noPickupDates: [to], noReturnDates: [from] }, from, to, broken: [] },
    {
      limit: "stop-sale, ends the day before",
      rule: { stopSale: stop },
      from: "2026-06-07",
      to: "2026-06-09",
      broken: [],
    },
    {
      limit: "stop-sale, first day",
      rule: { stopSale: stop },
      from: "2026-06-08",
      to: "2026-06-10",
      broken: ["dateFrom stop_sale"],
    },
    {
      limit: "stop-sale, inside",
      rule: { stopSale: stop },
      from: "2026-06-11",
      to: "2026-06-12",
      broken: ["dateFrom stop_sale"],
    },
    {
      limit: "stop-sale, around",
      rule: { stopSale: stop },
      from: "2026-06-01",
      to: "2026-06-20",
      broken: ["dateFrom stop_sale"],
    },
    {
      limit: "stop-sale, last day",
      rule: { stopSale: stop },
      from: "2026-06-12",
      to: "2026-06-15",
      broken: ["dateFrom stop_sale"],
    },
    {
      limit: "stop-sale, begins the day after",
      rule: { stopSale: stop },
      from: "2026-06-13",
      to: "2026-06-15",
      broken: [],
    },
  ])("lists a broken limit of a selling rule: $limit", ({ rule, broken, ...period }) => {
    expect(listBroken([createRule(rule)], period.from, period.to)).toEqual(broken);
  });

  // Proves "rules.md: sales and payments": Stop-sales add up
  test("stops sales if any matching rule does, even if a more specific one stops other days", () => {
    const july = { from: "2026-07-01" as CivilDate, to: "2026-07-31" as CivilDate };
    const rules = [createRule({ stopSale: stop }), createRule({ ...CATEGORY, stopSale: july })];
    expect(listBroken(rules, "2026-06-10", "2026-06-11")).toEqual(["dateFrom stop_sale"]);
    expect(listBroken(rules, "2026-07-10", "2026-07-11")).toEqual(["dateFrom stop_sale"]);
    expect(listBroken(rules, "2026-06-20", "2026-06-21")).toEqual([]);
  });

  test("lists all limits that a rental breaks", () => {
    const rules = [
      createRule({ minimumDays: 5, noPickupWeekdays: [3], noReturnWeekdays: [6], stopSale: stop, horizonDays: 9 }),
    ];
    expect(listBroken(rules, from, to)).toEqual([
      "dateFrom booking_horizon, warning",
      "dateTo minimum_days",
      "dateFrom no_pickups_on",
      "dateTo no_returns_on",
      "dateFrom stop_sale",
    ]);
  });

  test("ignores minimum notice and booking horizon for a pickup that stays as agreed", () => {
    const catalogue = createRuledCatalogue([createRule({ minimumNoticeMinutes: 600_000, horizonDays: 1 })]);
    const terms = { ...getTerms(catalogue, from, to), keepsPickup: true };
    expect(listBrokenSellingRules(catalogue, terms, { code: "A" })).toEqual([]);
  });
});

describe("staff", () => {
  const advisory = {
    kind: "invalid",
    field: "dateFrom",
    reason: { code: "no_pickups_on", params: {} },
    isWarningOnly: true,
  } as never;
  const forbidden = { ...(advisory as object), isWarningOnly: false } as never;

  test.each([
    { broken: "nothing", rules: [], ruleReason: undefined, isForbidden: false, isForManagers: false },
    { broken: "an advisory rule", rules: [advisory], ruleReason: undefined, isForbidden: false, isForManagers: false },
    {
      broken: "another rule",
      rules: [advisory, forbidden],
      ruleReason: undefined,
      isForbidden: true,
      isForManagers: true,
    },
    {
      broken: "another rule, with a reason",
      rules: [forbidden],
      ruleReason: "VIP",
      isForbidden: false,
      isForManagers: true,
    },
  ])(
    "decides whether staff need a reason or a manager to break $broken",
    ({ rules, ruleReason, isForbidden, isForManagers }) => {
      expect(findBrokenRuleWithoutReason(rules, { ruleReason })).toBe(isForbidden ? forbidden : undefined);
      expect(needsManagerOverride(rules)).toBe(isForManagers);
    },
  );

  test("warns staff of closed hours, and requires a reason for other broken rules, each listed once", () => {
    const open = [{ weekday: 3, opens: "08:00", closes: "20:00" }] as never;
    const catalogue = createRuledCatalogue([createRule({ noPickupWeekdays: [3] })], {
      settings: createSettings({ minimumDays: 5 }),
      branches: [createBranch({ openingHours: open })],
      categories: [createCategory(), createCategory({ code: "B" })],
    });
    const list = (from: string, to: string) =>
      listBrokenSellingRulesForStaff(catalogue, getTerms(catalogue, from, to, true), [{ code: "A" }]).map(
        ({ field, reason, isWarningOnly }) => `${field} ${reason.code}${isWarningOnly ? ", warning" : ""}`,
      );
    expect(list("2026-06-10 08:00", "2026-06-17 20:00")).toEqual(["dateFrom no_pickups_on"]);
    expect(list("2026-06-10 07:59", "2026-06-11 10:00")).toEqual([
      "dateTo minimum_days",
      "dateFrom no_pickups_on",
      "timeFrom closed_at_pickup, warning",
      "timeTo closed_at_return, warning",
    ]);
  });

  test("lets staff sell beyond the booking horizon up to about ten years ahead", () => {
    const catalogue = createRuledCatalogue([]);
    const list = (from: string, to: string) =>
      listBrokenSellingRules(catalogue, getTerms(catalogue, from, to), { code: "A" }).map(
        ({ isWarningOnly }) => isWarningOnly,
      );
    expect(list("2036-01-11 09:00", "2036-01-12 09:00")).toEqual([true]);
    expect(list("2036-01-11 09:01", "2036-01-12 09:00")).toEqual([false]);
  });
});

test("returns field, code and limit of a broken selling rule", () => {
  const catalogue = createRuledCatalogue([createRule({ horizonDays: 30 })]);
  expect(listBrokenSellingRules(catalogue, getTerms(catalogue, "2026-06-10", "2026-06-12"), { code: "A" })).toEqual([
    { kind: "invalid", field: "dateFrom", reason: createReason("booking_horizon", 30), isWarningOnly: true },
  ]);
});

describe("a calendar", () => {
  const categories = [createCategory(), createCategory({ code: "B" }), createCategory({ code: "C", webPublic: false })];
  const isOpenOn = (
    rules: readonly Partial<SellingRule>[],
    date: string,
    action: "deliveries" | "collections",
    categoryCode?: string,
  ) =>
    isDayAllowedBySellingRules(createRuledCatalogue(rules.map(createRule), { categories }), {
      ...{ action, branchCode: "AIR", date: date as CivilDate, categoryCode },
    });
  const wednesday = "2026-06-10";
  const stop = { from: wednesday as CivilDate, to: wednesday as CivilDate };

  test.each<{
    rules: readonly Partial<SellingRule>[];
    name: string;
    deliveries: boolean;
    collections: boolean;
    category?: string;
  }>([
    { name: "no rules", rules: [], deliveries: true, collections: true },
    { name: "no pickups that weekday", rules: [{ noPickupWeekdays: [3] }], deliveries: false, collections: true },
    { name: "no returns that weekday", rules: [{ noReturnWeekdays: [3] }], deliveries: true, collections: false },
    { name: "no pickups that day", rules: [{ noPickupDates: [wednesday] }], deliveries: false, collections: true },
    { name: "no returns that day", rules: [{ noReturnDates: [wednesday] }], deliveries: true, collections: false },
    { name: "a stop-sale", rules: [{ stopSale: stop }], deliveries: false, collections: false },
    {
      name: "a rule of another branch",
      rules: [{ branchCode: "TOWN", noPickupWeekdays: [3] }],
      deliveries: true,
      collections: true,
    },
    {
      name: "a rule of one channel",
      rules: [{ salesChannel: "WEB", noPickupWeekdays: [3] }],
      deliveries: true,
      collections: true,
    },
    {
      name: "a rule of the season",
      rules: [{ seasonId: 5, noPickupWeekdays: [3], noReturnWeekdays: [3] }],
      deliveries: false,
      collections: true,
    },
    {
      name: "one public category open",
      rules: [{ categoryCode: "A", noPickupWeekdays: [3] }],
      deliveries: true,
      collections: true,
    },
    {
      name: "that category closed",
      rules: [{ categoryCode: "A", noPickupWeekdays: [3] }],
      category: "A",
      deliveries: false,
      collections: true,
    },
    {
      name: "only a private category open",
      rules: [
        { categoryCode: "A", noPickupWeekdays: [3] },
        { categoryCode: "B", noPickupWeekdays: [3] },
      ],
      deliveries: false,
      collections: true,
    },
  ])("opens or closes calendar days with $name", ({ rules, category, deliveries, collections }) => {
    expect([
      isOpenOn(rules, wednesday, "deliveries", category),
      isOpenOn(rules, wednesday, "collections", category),
    ]).toEqual([deliveries, collections]);
  });

  test("opens calendar days without selling rules by the account's settings, even if there is no category", () => {
    const empty = createRuledCatalogue([], {
      categories: [],
      settings: createSettings({ minimumNoticeMinutes: 60, horizonDays: 2 }),
    });
    const day = { branchCode: "AIR", date: wednesday as CivilDate };
    expect(isDayAllowedBySellingRules(empty, { ...day, action: "deliveries" })).toBe(true);
    expect(getBookingWindow(empty, day)).toEqual({ noticeMinutes: 60, horizonMinutes: 2880 });
  });

  test("opens calendar days by the least strict notice and horizon of any channel and public category", () => {
    const day = { branchCode: "AIR", date: wednesday as CivilDate };
    const settings = createSettings({ minimumNoticeMinutes: 60, horizonDays: 100 });
    const window = (rules: readonly Partial<SellingRule>[], categoryCode?: string) => {
      const catalogue = createRuledCatalogue(rules.map(createRule), { categories, settings });
      const { noticeMinutes, horizonMinutes } = getBookingWindow(catalogue, {
        ...day,
        ...(categoryCode && { categoryCode }),
      });
      return [noticeMinutes, horizonMinutes / 1440];
    };
    expect(window([])).toEqual([60, 100]);
    expect(window([{ minimumNoticeMinutes: 500, horizonDays: 20 }])).toEqual([500, 20]);
    expect(window([{ salesChannel: "WEB", minimumNoticeMinutes: 10, horizonDays: 300 }])).toEqual([10, 300]);
    expect(window([{ salesChannel: "WEB", minimumNoticeMinutes: 500, horizonDays: 20 }])).toEqual([60, 100]);
    expect(window([{ categoryCode: "A", minimumNoticeMinutes: 10, horizonDays: 300 }])).toEqual([10, 300]);
    expect(window([{ categoryCode: "A", minimumNoticeMinutes: 500, horizonDays: 20 }], "A")).toEqual([500, 20]);
    expect(window([{ categoryCode: "C", minimumNoticeMinutes: 10, horizonDays: 300 }])).toEqual([60, 100]);
    expect(window([{ seasonId: 6, minimumNoticeMinutes: 10 }])).toEqual([60, 100]);
  });
});

test("applies the selling rules of the pickup branch, not of the return branch", () => {
  const catalogue = createRuledCatalogue([createRule({ branchCode: "TOWN", minimumDays: 9 })], {
    branches: [createBranch(), createBranch({ code: "TOWN" })],
    places: [createPlace(), createPlace({ id: 2, branchCode: "TOWN" })],
  });
  const count = (pickupPlaceId: number, returnPlaceId: number) => {
    const request = createRentalRequest(createPeriod("2026-06-10", "2026-06-12"), { pickupPlaceId, returnPlaceId });
    const terms = resolveRentalTerms(catalogue, request, CATALOGUE_NOW);
    return terms.ok ? listBrokenSellingRules(catalogue, terms.value, { code: "A" }).length : undefined;
  };
  expect([count(1, 2), count(2, 1)]).toEqual([0, 1]);
});
