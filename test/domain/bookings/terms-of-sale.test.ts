import { describe, expect, test } from "vitest";
import { draftBooking } from "#domain/bookings/draft.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import { findAvailability } from "#domain/bookings/search.ts";
import { listBrokenSellingRules } from "#domain/bookings/selling-rules.ts";
import type { Catalogue, SellingRule } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import {
  CATALOGUE_NOW,
  createBranch,
  createCatalogue,
  createCategory,
  createExtra,
  createPeriod,
  createPlace,
  createRentalRequest,
} from "#support/catalogue.ts";

const date = (text: string) => text as CivilDate;

function createRule(changes: Partial<SellingRule>): SellingRule {
  const names = ["categoryCode", "branchCode", "seasonId", "salesChannel", "minimumDays", "maximumDays"] as const;
  const more = ["minimumNoticeMinutes", "horizonDays", "stopSale", "noPickupWeekdays", "noReturnWeekdays"] as const;
  const none = [...names, ...more, "noPickupDates", "noReturnDates"].map((name) => [name, undefined]);
  return { ...(Object.fromEntries(none) as unknown as SellingRule), ...changes };
}

function listReasons(rules: readonly SellingRule[], from: string, to: string, changes = {}): readonly string[] {
  const catalogue = createCatalogue({ sellingRules: rules });
  const terms = resolveRentalTerms(catalogue, createRentalRequest(createPeriod(from, to), changes), CATALOGUE_NOW);
  if (!terms.ok) throw new Error(formatProblem(terms.error.reason));
  return listBrokenSellingRules(catalogue, terms.value, createCategory()).map(({ reason }) => formatProblem(reason));
}

describe("selling rules", () => {
  // Proves "agency.md: operations": Selling rules by category, branch, season and channel
  // Proves "rules.md: sales and payments": Rules have lengths, notice, horizon, stop-sales, weekdays and dates
  test.each([
    ["a minimum of days", { minimumDays: 3 }, "2026-06-01", "2026-06-03", "the shortest rental is 3 days"],
    ["a maximum of days", { maximumDays: 2 }, "2026-06-01", "2026-06-04", "the longest rental is 2 days"],
    [
      "a stop-sale",
      { stopSale: { from: date("2026-06-03"), to: date("2026-06-09") } },
      "2026-06-01",
      "2026-06-03",
      "is not sold",
    ],
    ["weekdays without pickups", { noPickupWeekdays: [1] }, "2026-06-01", "2026-06-04", "no pickups on 2026-06-01"],
    [
      "dates without returns",
      { noReturnDates: ["2026-06-04"] },
      "2026-06-01",
      "2026-06-04",
      "no returns on 2026-06-04",
    ],
    [
      "a notice of its own",
      { minimumNoticeMinutes: 90_000 },
      "2026-02-10",
      "2026-02-12",
      "at least 90000 minutes before",
    ],
    ["a horizon of its own", { horizonDays: 30 }, "2026-06-01", "2026-06-04", "at most 30 days before"],
  ])("refuses a rental by a selling rule with %s", (_name, rule, from, to, reason) => {
    expect(listReasons([createRule(rule)], from, to)).toEqual([expect.stringContaining(reason)]);
    expect(listReasons([createRule({ ...rule, categoryCode: "B" })], from, to)).toEqual([]);
  });

  // Proves "agency.md: operations": Minimum notice and horizon of the account
  // Proves "rules.md: sales and payments": A notice of an hour and a horizon of two years by default
  test("requires one hour's notice by default, and allows pickups up to two years ahead", () => {
    expect(listReasons([], "2026-01-10 09:59", "2026-01-12")).toHaveLength(1);
    expect(listReasons([], "2026-01-10 10:00", "2026-01-12")).toEqual([]);
    expect(listReasons([], "2028-01-11", "2028-01-12")).toHaveLength(1);
  });

  // Proves "agency.md: operations": The most specific rule wins
  test("applies the most specific selling rule that sets a value to a rental", () => {
    const rules = [
      createRule({ minimumDays: 7 }),
      createRule({ categoryCode: "A", maximumDays: 20 }),
      createRule({ categoryCode: "A", branchCode: "AIR", minimumDays: 2 }),
      createRule({ salesChannel: "AGENCY", minimumDays: 9 }),
    ];
    expect(listReasons(rules, "2026-06-01", "2026-06-03")).toEqual([]);
    expect(listReasons(rules, "2026-06-01", "2026-06-02")).toEqual(["the shortest rental is 2 days"]);
  });

  // Proves "agency.md: operations": A search lists what is not sellable as unavailable; a booking is refused with the
  //   reason
  // Proves "rules.md: sales and payments": Products blocked by rules are listed as unavailable and refused with the
  //   reason
  test("lists products that a selling rule blocks as unavailable, and refuses their booking with the reason", () => {
    const catalogue = createCatalogue({ sellingRules: [createRule({ minimumDays: 3 })] });
    const terms = resolveRentalTerms(
      catalogue,
      createRentalRequest(createPeriod("2026-06-01", "2026-06-03")),
      CATALOGUE_NOW,
    );
    if (!terms.ok) throw new Error(formatProblem(terms.error.reason));
    const span = terms.value.span;
    const stock = {
      spans: { vehicles: span, extras: span },
      categoryUnits: new Map([["A", 5]]),
      categoryAllocations: new Map(),
      extraAllocations: new Map(),
    };
    expect(findAvailability(catalogue, terms.value, stock).products).toMatchObject([{ freeUnits: 0, stockUnits: 5 }]);
    expect(draftBooking(catalogue, terms.value, [{ code: "A", quantity: 1 }], [])).toMatchObject({
      ok: false,
      error: { field: "dateTo", reason: { code: "minimum_days", params: { days: 3 } } },
    });
    expect(draftBooking(catalogue, terms.value, [{ code: "A", quantity: 1 }], [], { isStaff: true }).ok).toBe(true);
    expect(draftBooking(catalogue, terms.value, [{ code: "Z", quantity: 1 }], [])).toMatchObject({
      error: { field: "product", reason: { code: "no_product", params: { product: "Z" } } },
    });
    const unpriced = { ...catalogue, tariffs: [] };
    expect(draftBooking(unpriced, terms.value, [{ code: "A", quantity: 1 }], [])).toMatchObject({
      error: { field: "product", reason: { code: "no_price", params: { product: "A" } } },
    });
  });

  // Proves "agency.md: operations": A closed day has no pickup unless out-of-hours work is taken on it
  // Proves "rules.md: sales and payments": A closed day has no pickup unless the account works on it
  test("allows no pickups on a closed day unless out-of-hours service is offered", () => {
    const closedDates = new Set(["2026-12-25"]);
    const agreed = (workedDates: ReadonlySet<string>, isStaff = false) =>
      resolveRentalTerms(
        createCatalogue({ branches: [createBranch({ closedDates, workedDates })] }),
        createRentalRequest(createPeriod("2026-12-25", "2026-12-28")),
        CATALOGUE_NOW,
        { isStaff, keepsPickup: false },
      );
    expect(agreed(new Set())).toMatchObject({ ok: false, error: { field: "dateFrom" } });
    expect(agreed(closedDates).ok).toBe(true);
    expect(agreed(new Set(), true).ok).toBe(true);
  });
});

describe("a return elsewhere", () => {
  const catalogueWith = (oneWayFees: Catalogue["oneWayFees"]) =>
    createCatalogue({
      oneWayFees,
      branches: [createBranch(), createBranch({ code: "ISLE", branchGroupId: 2 })],
      places: [createPlace({ priceCents: 500 }), createPlace({ id: 2, branchCode: "ISLE", priceCents: 700 })],
    });
  const getTripCost = (catalogue: Catalogue, pickupPlaceId: number, returnPlaceId: number) => {
    const request = createRentalRequest(createPeriod("2026-06-01", "2026-06-03"), { pickupPlaceId, returnPlaceId });
    const terms = resolveRentalTerms(catalogue, request, CATALOGUE_NOW);
    return terms.ok ? terms.value.returnPlaceCents : terms.error;
  };
  const groupRate = { between: "branchGroup", from: 1, to: 2, priceCents: 9000 } as const;

  // Proves "rules.md: sales and payments": One-way fees by pair of branch groups, each way its own
  test("charges the one-way fee of the pair of branch groups, separately by direction", () => {
    const catalogue = catalogueWith([groupRate]);
    expect([getTripCost(catalogue, 1, 2), getTripCost(catalogue, 2, 1), getTripCost(catalogue, 1, 1)]).toEqual([
      9700, 500, 500,
    ]);
  });

  // Proves "agency.md: operations": One-way fees by pair, each way its own
  // Proves "rules.md: sales and payments": Those of branches before, those of places before all
  test("prefers the one-way fee of branches over branch groups, and of places over branches", () => {
    const branchRate = { between: "branch", from: "AIR", to: "ISLE", priceCents: 8000 } as const;
    const placeRate = { between: "place", from: 1, to: 2, priceCents: 0 } as const;
    expect(getTripCost(catalogueWith([groupRate, branchRate]), 1, 2)).toBe(8700);
    expect(getTripCost(catalogueWith([groupRate, branchRate, placeRate]), 1, 2)).toBe(700);
  });
});

describe("an extra", () => {
  const drafted = (changes: Parameters<typeof createExtra>[0], quantity: number, vehicles = 1) => {
    const catalogue = createCatalogue({
      categories: [createCategory({ depositCents: 90_000, guaranteeCents: 20_000 })],
      extras: [createExtra({ code: "COVER", maxQuantity: 2, ...changes })],
    });
    const terms = resolveRentalTerms(
      catalogue,
      createRentalRequest(createPeriod("2026-06-01", "2026-06-03")),
      CATALOGUE_NOW,
    );
    if (!terms.ok) throw new Error(formatProblem(terms.error.reason));
    return draftBooking(catalogue, terms.value, [{ code: "A", quantity: vehicles }], [{ code: "COVER", quantity }]);
  };

  // Proves "agency.md: operations": An extra may lower deposit and guarantee, and all sums include it
  // Proves "rules.md: sales and payments": An extra lowers deposit and guarantee in all sums and lines
  test.each([
    ["by a share", { type: "percentage", depositValue: 10_000, guaranteeValue: 5000 }, [0, 10_000, 90_000, 10_000]],
    ["to an amount", { type: "amount", depositValue: 30_000, guaranteeValue: undefined }, [30_000, 20_000, 60_000, 0]],
  ] as const)(
    "lowers deposit and excess %s by an extra, and includes it in all totals",
    (_name, excessReduction, expected) => {
      const draft = drafted({ excessReduction }, 1);
      if (!draft.ok) throw new Error(formatProblem(draft.error.reason));
      const { totals, lines } = draft.value;
      expect(lines.map(({ depositUnitCents: left, depositReductionUnitCents: off }) => [left, off])).toEqual([
        [expected[0], expected[2]],
      ]);
      expect([
        totals.productDepositCents,
        totals.productGuaranteeCents,
        totals.productDepositReductionCents,
        totals.productGuaranteeReductionCents,
      ]).toEqual(expected);
      expect(totals.totalDepositCents).toBe(totals.productDepositCents + totals.productGuaranteeCents);
    },
  );

  // Proves "agency.md: operations": Limits of extras count per vehicle if the extra is set so
  // Proves "rules.md: sales and payments": Limits of extras count for a booking or for each vehicle
  // Proves "rentals.md": 18c
  test("limits an extra's quantity per booking, or per vehicle if set so", () => {
    expect(drafted({}, 3, 2)).toMatchObject({ ok: false, error: { field: "quantity" } });
    expect(drafted({ limitPer: "vehicle" }, 4, 2).ok).toBe(true);
    expect(drafted({ limitPer: "vehicle" }, 5, 2).ok).toBe(false);
  });
});
