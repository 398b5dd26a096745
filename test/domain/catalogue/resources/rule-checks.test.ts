import { describe, expect, test } from "vitest";
import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import { getDefaultResourceValues } from "#domain/catalogue/resources/parse.ts";
import { checkSeasonPeriods, checkTariffBrackets } from "#domain/catalogue/resources/price-checks.ts";
import type { Resource, ResourceCheckContext } from "#domain/catalogue/resources/resource.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import {
  checkBranch,
  checkCalendarSubject,
  checkCancellationTerm,
  checkDiscountFields,
  checkDriverAges,
  checkExtraStocksAndReduction,
  checkFamily,
  checkLegalText,
  checkOneWayFee,
  checkOpeningHours,
  checkPartnerKey,
  checkPhotoPositions,
  checkPlace,
  checkRepatriation,
  checkSellingRule,
  checkServicePlan,
  checkSettings,
  checkSpecialHours,
  checkTransferPointsAndZones,
  checkTransferSupplement,
  checkUser,
} from "#domain/catalogue/resources/rule-checks.ts";
import { findResourceCheckProblems } from "#domain/catalogue/resources/rule-problems.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { createBranch, createCatalogue, createSettings } from "#support/catalogue.ts";

type Found = readonly [field: string, code: string, ...values: readonly (string | number)[]];
type Case = readonly [title: string, values: ResourceValues, ...found: readonly Found[]];
type Check = (
  values: ResourceValues,
  others: ResourceCheckContext,
) => readonly { field: string; code: string; params?: object | undefined }[];

const SERIES_SETTINGS = { seriesPattern: "{kind}{yy}", currency: "EUR" };

function createContext(catalogue: Partial<ResourceCheckContext["catalogue"]> = {}, id?: string): ResourceCheckContext {
  const known = { branches: new Map(), driverAgeRules: [], families: [], seasonPeriods: [], settings: SERIES_SETTINGS };
  return { id, catalogue: { ...known, ...catalogue } };
}

function listFoundProblems(check: Check, values: ResourceValues, context = createContext()): Found[] {
  return check(values, context).map(({ field, code, params }) => [field, code, ...Object.values(params ?? {})]);
}

/** Declares one test per case: the problems that a check finds, in order. */
function decide(check: Check, cases: readonly Case[], context?: ResourceCheckContext): void {
  test.each(cases.map(([title, values, ...expected]) => [title, values, expected] as const))(
    "checks an office resource: %s",
    (_, values, expected) => {
      expect(listFoundProblems(check, values, context)).toEqual(expected);
    },
  );
}

describe("the dates of an offer", () => {
  const later = { date_from: "2026-08-01", date_to: "2026-07-31" };
  decide(checkDiscountFields, [
    ["may be one day", { date_from: "2026-08-01", date_to: "2026-08-01", value: 1 }],
    ["may be open at an end", { date_from: "2026-08-01", date_to: null, value: 1 }],
    ["are in order", { ...later, value: 1 }, ["date_to", "after", "2026-08-01"]],
    [
      "of its rentals are in order",
      { rental_date_from: "2026-08-02", rental_date_to: "2026-08-01", value: 1 },
      ["rental_date_to", "after", "2026-08-02"],
    ],
    ["belong to a discount above zero", { value: 0 }, ["value", "positive"]],
  ]);
});

describe("opening hours of a weekday", () => {
  const openingHours = [{ weekday: 1, opens: "08:00" as TimeText, closes: "12:00" as TimeText }];
  const branches = new Map([["AIR", createBranch({ code: "AIR", openingHours })]]);
  const hours = (opens: string, closes: string, weekday = 1) => ({
    rental_location_code: "AIR",
    ...{ weekday, opens, closes },
  });
  decide(
    checkOpeningHours,
    [
      ["may begin when others end", hours("12:00", "16:00")],
      ["may end when others begin", hours("07:00", "08:00")],
      ["don't overlap others", hours("11:59", "16:00"), ["opens", "overlap", "08:00–12:00"]],
      ["don't overlap others at their start", hours("07:00", "08:01"), ["opens", "overlap", "08:00–12:00"]],
      ["may overlap those of another day", hours("08:00", "12:00", 2)],
      ["end after they begin", hours("16:00", "16:00"), ["closes", "later", "16:00"]],
    ],
    createContext({ branches }),
  );

  test("accepts changed hours of a weekday that overlap only their own previous version", () => {
    expect(
      listFoundProblems(checkOpeningHours, hours("08:00", "13:00"), createContext({ branches }, "AIR~1~08:00")),
    ).toEqual([]);
    expect(
      listFoundProblems(checkOpeningHours, hours("08:00", "13:00"), createContext({ branches }, "AIR~2~08:00")),
    ).toHaveLength(1);
  });
});

describe("special hours of a date", () => {
  const times = (...list: readonly (readonly [string, string])[]) => ({
    times: list.map(([opens, closes]) => ({ opens, closes })),
  });
  decide(checkSpecialHours, [
    ["may be none", { times: null }],
    ["may follow each other", times(["09:00", "13:00"], ["13:00", "17:00"], ["08:00", "09:00"])],
    ["don't overlap", times(["09:00", "13:00"], ["12:59", "17:00"]), ["times.1.opens", "overlap", "09:00–13:00"]],
    ["end after they begin", times(["09:00", "09:00"]), ["times.0.closes", "later", "09:00"]],
  ]);
});

describe("a legal text", () => {
  decide(checkLegalText, [
    ["is a text", { language: "en", text: "x", url: "" }],
    ["or an address", { language: "en", text: null, url: "https://a.example" }],
    ["isn't both", { language: "en", text: "x", url: "https://a.example" }, ["text", "one_of", "text, url"]],
    ["isn't empty", { language: "en", text: "", url: null }, ["text", "one_of", "text, url"]],
  ]);

  test.each([
    ["es", []],
    ["xx", ["language"]],
  ])("requires a legal text in a language of customers: %s", (language, fields) => {
    expect(listFoundProblems(checkLegalText, { language, text: "x" }).map(([field]) => field)).toEqual(fields);
  });
});

describe("a pickup or return place", () => {
  const none = ["is_pickup", "at_least_one_of", "is_pickup, is_return"] as const;
  decide(checkPlace, [
    ["is for pickups", { is_pickup: true, is_return: false, return_place_ids: [2] }],
    ["or for returns", { is_pickup: false, is_return: true, return_place_ids: [] }],
    ["is for something", { is_pickup: false, is_return: false, return_place_ids: [] }, none],
    [
      "without pickups limits no returns",
      { is_pickup: false, is_return: true, return_place_ids: [2] },
      ["return_place_ids", "together", "is_pickup"],
    ],
  ]);
});

describe("a service plan", () => {
  decide(checkServicePlan, [
    ["is by distance", { every_units: 10_000 }],
    ["or by time", { every_months: 12, category_code: "A" }],
    ["has an interval", { category_code: "A" }, ["every_units", "at_least_one_of", "every_units, every_months"]],
    [
      "is for a category or a vehicle",
      { every_units: 1, category_code: "A", vehicle_reference: "V1" },
      ["vehicle_reference", "at_most_one_of", "category_code, vehicle_reference"],
    ],
  ]);
});

describe("the ages of a rule", () => {
  const driverAgeRules = [{ ...createCatalogue().driverAgeRules[0], id: 7, ageFrom: 21, ageTo: 24 }];
  const known = { driverAgeRules: driverAgeRules as unknown as ResourceCheckContext["catalogue"]["driverAgeRules"] };
  decide(
    checkDriverAges,
    [
      ["may be one year", { age_from: 20, age_to: 20 }],
      ["may begin after others", { age_from: 25, age_to: 99 }],
      ["are in order", { age_from: 30, age_to: 29 }, ["age_to", "after", 30]],
      ["don't overlap others at their start", { age_from: 18, age_to: 21 }, ["age_from", "overlap", "21–24"]],
      ["don't overlap others at their end", { age_from: 24, age_to: 30 }, ["age_from", "overlap", "21–24"]],
    ],
    createContext(known),
  );

  test("accepts changed ages of a rule that overlap only their own previous version", () => {
    expect(listFoundProblems(checkDriverAges, { age_from: 20, age_to: 25 }, createContext(known, "7"))).toEqual([]);
  });
});

describe("a family", () => {
  const family = (id: number, parentId?: number) => ({ id, parentId });
  const families = [family(1), family(2, 1), family(3, 2), family(8, 9), family(9, 8)];
  const known = { families: families as unknown as ResourceCheckContext["catalogue"]["families"] };

  test.each([
    [undefined, 3, []],
    ["3", 1, []],
    ["1", null, []],
    ["1", 1, [["parent_id", "below"]]],
    ["1", 2, [["parent_id", "below"]]],
    ["1", 3, [["parent_id", "below"]]],
    // Stored by other means: the search ends anyway.
    ["1", 8, []],
  ])("checks that a family isn't below itself: family %s below %s: %o", (id, parent_id, expected) => {
    expect(listFoundProblems(checkFamily, { parent_id }, createContext(known, id))).toEqual(expected);
  });
});

describe("an extra", () => {
  const stocks = (...ids: readonly number[]) => ({ stocks: ids.map((id) => ({ rental_storage_id: id })) });
  const together = ["deposit_reduction_type", "together", "deposit_reduction"] as const;
  const noReduction = { deposit_reduction: null, guarantee_reduction: null };
  decide(checkExtraStocksAndReduction, [
    ["has one stock per group", stocks(1, 2)],
    ["doesn't have two", stocks(1, 2, 1), ["stocks.2.rental_storage_id", "twice"]],
    ["reduces the deposit by its type", { deposit_reduction_type: "amount", deposit_reduction: 0 }],
    ["or the guarantee", { deposit_reduction_type: "amount", guarantee_reduction: 100 }],
    ["reduces by something", { ...noReduction, deposit_reduction_type: "amount" }, together],
    ["reduces in a unit", { deposit_reduction_type: null, guarantee_reduction: 100 }, together],
  ]);

  test("rejects two photos of an extra or a category at the same position", () => {
    const photos = [{ position: 1 }, { position: 1 }, { position: 2 }, { position: 1 }];
    expect(listFoundProblems(checkPhotoPositions, { photos })).toEqual([
      ["photos.1.position", "twice"],
      ["photos.3.position", "twice"],
    ]);
  });
});

describe("a calendar", () => {
  const subjectProblem = ["category_code", "one_of", "vehicle_reference, category_code"] as const;
  decide(checkCalendarSubject, [
    ["is of a vehicle", { vehicle_reference: "V1", category_code: null }],
    ["or of a category", { category_code: "A" }],
    ["isn't of both", { vehicle_reference: "V1", category_code: "A" }, subjectProblem],
    ["is of something", {}, subjectProblem],
  ]);
});

describe("a one-way fee", () => {
  const ends = "pickup_place_id, rental_location_code, rental_storage_id";
  const both = { rental_location_code: "A", return_rental_location_code: "B", rental_storage_id: 1 };
  decide(checkOneWayFee, [
    ["is for two places", { pickup_place_id: 1, return_place_id: 2 }],
    ["is for two branches", { rental_location_code: "A", return_rental_location_code: "B" }],
    ["is for two groups", { rental_storage_id: 1, return_rental_storage_id: 2 }],
    ["has both ends", { pickup_place_id: 1 }, ["return_place_id", "together", "pickup_place_id"]],
    [
      "has both ends, also the first",
      { return_rental_storage_id: 1 },
      ["rental_storage_id", "together", "return_rental_storage_id"],
    ],
    ["is for something", {}, ["pickup_place_id", "one_of", ends]],
    ["is for one pair", { ...both, return_rental_storage_id: 2 }, ["pickup_place_id", "one_of", ends]],
    [
      "has different ends",
      { rental_storage_id: 1, return_rental_storage_id: 1 },
      ["return_rental_storage_id", "same", "rental_storage_id"],
    ],
  ]);
});

describe("a selling rule", () => {
  const noLimits = getDefaultResourceValues(getResource("selling-rules").fields);
  decide(checkSellingRule, [
    ["has a limit", noLimits, ["minimum_days", "limit_required"]],
    ["has a limit besides empty lists", { ...noLimits, no_pickup_dates: [] }, ["minimum_days", "limit_required"]],
    ["may limit pickups only", { ...noLimits, no_pickup_weekdays: [7] }],
    ["may have equal limits", { minimum_days: 3, maximum_days: 3 }],
    ["may have one limit", { minimum_days: 3, maximum_days: null }],
    ["has limits in order", { minimum_days: 4, maximum_days: 3 }, ["maximum_days", "after", 4]],
    ["stops sales on one day", { stop_sale_from: "2026-08-01", stop_sale_to: "2026-08-01" }],
    [
      "stops sales in order",
      { stop_sale_from: "2026-08-02", stop_sale_to: "2026-08-01" },
      ["stop_sale_to", "after", "2026-08-02"],
    ],
    ["stops sales up to a day", { stop_sale_from: "2026-08-02" }, ["stop_sale_to", "together", "stop_sale_from"]],
  ]);
});

describe("a cancellation term", () => {
  decide(checkCancellationTerm, [
    ["has hours", { occasion: "cancellation", hours_before: 0 }],
    ["has hours for a cancellation", { occasion: "cancellation" }, ["hours_before", "together", "cancellation"]],
    ["of a no-show has none", { occasion: "no_show", hours_before: null }],
    [
      "of a no-show refuses them",
      { occasion: "no_show", hours_before: 1 },
      ["hours_before", "together", "cancellation"],
    ],
  ]);
});

test("rejects a repatriation from a branch group to itself", () => {
  expect(listFoundProblems(checkRepatriation, { rental_storage_id: 1, return_rental_storage_id: 2 })).toEqual([]);
  expect(listFoundProblems(checkRepatriation, { rental_storage_id: 1, return_rental_storage_id: 1 })).toEqual([
    ["return_rental_storage_id", "same", "rental_storage_id"],
  ]);
});

describe("a transfer's connection", () => {
  decide(checkTransferPointsAndZones, [
    ["is from a zone to a point", { from_zone_id: 1, to_point_id: 1 }],
    ["may stay in a zone", { from_zone_id: 1, to_zone_id: 1 }],
    [
      "has both ends",
      { from_point_id: 1, from_zone_id: 1 },
      ["from_point_id", "one_of", "from_point_id, from_zone_id"],
      ["to_point_id", "one_of", "to_point_id, to_zone_id"],
    ],
    ["leaves its point", { from_point_id: 1, to_point_id: 1 }, ["to_point_id", "same", "from_point_id"]],
  ]);
});

describe("the period of a supplement", () => {
  decide(checkTransferSupplement, [
    ["may be at night", { time_from: "22:00", time_to: "06:00", value: 1 }],
    ["has both times", { time_to: "06:00", value: 1 }, ["time_from", "together", "time_to"]],
    ["has both dates", { date_from: "2026-08-01", value: 1 }, ["date_to", "together", "date_from"]],
    [
      "has its dates in order, and costs something",
      { date_from: "2026-08-02", date_to: "2026-08-01", value: 0 },
      ["date_to", "after", "2026-08-02"],
      ["value", "positive"],
    ],
  ]);
});

describe("a user", () => {
  const nowhere = ["branch_codes", "at_least_one_of", "all_branches, branch_codes"] as const;
  const scope = ["all_branches", "scope", "role: administrator"] as const;
  decide(checkUser, [
    ["works at all branches", { all_branches: true, branch_codes: [], role: "agent" }],
    ["or at some", { all_branches: false, branch_codes: ["A"], role: "agent" }],
    ["works somewhere", { all_branches: false, branch_codes: [], role: "agent" }, nowhere],
    ["administers all branches", { all_branches: false, branch_codes: ["A"], role: "administrator" }, scope],
    ["that administers has one problem", { all_branches: false, branch_codes: [], role: "administrator" }, scope],
    ["without access may have any", { all_branches: false, branch_codes: ["A"], role: "administrator", active: false }],
  ]);
});

describe("a partner's key", () => {
  const publicKey = `MCowBQYDK2VwAyEA${"A".repeat(43)}=`;
  decide(checkPartnerKey, [
    ["sells for its agency", { scope_ota: true, agency_id: 1, networks: ["192.0.2.0/24"], public_key: publicKey }],
    ["reads without one", { scope_ota: false }],
    ["sells for no other", { scope_ota: true, agency_id: null }, ["agency_id", "missing"]],
    ["is of Ed25519", { public_key: publicKey.slice(1) }, ["public_key", "public_key"]],
    ["is bound to networks", { networks: ["192.0.2.0/24", "home"] }, ["networks", "network"]],
  ]);
});

describe("account settings", () => {
  const seriesLetters = { full: "F", advance: "F", simplified: "S", credit_note: "R", internal_bond: "B" };
  const valid = {
    ...{ minimum_days: 1, maximum_days: 1, languages: ["es", "en"], default_language: "es" },
    ...{ series_pattern: "{kind}{yy}", series_letters: seriesLetters, tax_rate_codes: {} },
  };
  const letters = (changed: object) => ({ ...valid, series_letters: { ...seriesLetters, ...changed } });
  const pattern = ["series_pattern", "pattern", "{kind}"] as const;
  decide(checkSettings, [
    ["may share the full invoices' series with advances", valid],
    ["have lengths in order", { ...valid, minimum_days: 2 }, ["maximum_days", "after", 2]],
    ["have a language", { ...valid, languages: [] }, ["languages", "language"], ["default_language", "choice", ""]],
    ["have their own language", { ...valid, default_language: "de" }, ["default_language", "choice", "es, en"]],
    ["name the kind in each series", { ...valid, series_pattern: "{yy}" }, pattern],
    ["know their placeholders", { ...valid, series_pattern: "{kind}{month}" }, pattern],
    ["have letters for each kind", letters({ simplified: "" }), ["series_letters.simplified", "letters"]],
    ["have at most five letters", letters({ simplified: "ABCDEF" }), ["series_letters.simplified", "letters"]],
    ["have no letters for others", letters({ receipt: "X" }), ["series_letters.receipt", "unknown_field"]],
    ["have different letters", letters({ credit_note: "S" }), ["series_letters.credit_note", "same", "simplified"]],
    ["keep advances apart from others", letters({ advance: "S" }), ["series_letters.advance", "taken"]],
    ["know the tax agency's codes", { ...valid, tax_rate_codes: { "0.00": "E5", "21.00": "02:E2" } }],
    [
      "refuse other rates and codes",
      { ...valid, tax_rate_codes: { low: "E5", "0.00": "XX" } },
      ["tax_rate_codes.low", "rate_name"],
      ["tax_rate_codes.0.00", "rate_code"],
    ],
    ["have an account without a number", { ...valid, accounts: { customers: "4300", iban: "" } }],
    ["have the number of an account", { ...valid, accounts: { iban: "es91 2100 0418 4502 0005 1332" } }],
    [
      "refuse a mistyped number of an account",
      { ...valid, accounts: { iban: "ES91 2100 0418 4502 0005 1323" } },
      ["accounts.iban", "form", "ES91 2100 0418 4502 0005 1332"],
    ],
  ]);
});

describe("branches of different taxpayers", () => {
  const branches = new Map([
    ["AIR", createBranch({ code: "AIR", documentId: "B-1234 5678" })],
    ["TOWN", createBranch({ code: "TOWN" })],
  ]);
  const withPattern = (seriesPattern: string) =>
    createContext({ branches, settings: { ...createSettings(), seriesPattern, currency: "EUR" } });
  const two = ["document_id", "series_of_two", "B12345678", "B87654321", "{branch}"] as const;

  test.each([
    ["{kind}", { code: "TOWN", document_id: "b12345678" }, []],
    ["{kind}", { code: "TOWN", document_id: null }, []],
    ["{kind}", { code: "AIR", document_id: "B87654321" }, []],
    ["{kind}", { code: "TOWN", document_id: "B87654321" }, [two]],
    ["{kind}{branch}", { code: "TOWN", document_id: "B87654321" }, []],
    ["{kind}", { code: "TOWN", document_id: null, currency: "EUR" }, []],
    ["{kind}", { code: "TOWN", document_id: null, currency: "GBP" }, [["currency", "currency_of_company", "EUR"]]],
  ])(
    "requires series by branch for branches of several taxpayers: pattern %s and branch %o: %o",
    (pattern, values, expected) => {
      expect(listFoundProblems(checkBranch, values, withPattern(pattern))).toEqual(expected);
    },
  );
});

describe("rental lengths of a price", () => {
  const brackets = (...list: readonly (readonly [number, number | null])[]) => ({
    brackets: list.map(([from_days, to_days]) => ({ from_days, to_days })),
  });
  decide(checkTariffBrackets, [
    ["follow each other in any order", brackets([4, null], [1, 3])],
    ["exist", brackets(), ["brackets", "missing"]],
    ["are in order", brackets([3, 2], [1, 2]), ["brackets.0.to_days", "after", 3]],
    ["don't overlap", brackets([1, 3], [3, 5]), ["brackets.1.from_days", "overlap", "1–3"]],
    ["don't overlap one day", brackets([1, 5], [1, 1]), ["brackets.1.from_days", "overlap", "1–5"]],
    ["don't overlap an open one", brackets([8, 9], [7, null]), ["brackets.0.from_days", "overlap", "7+"]],
    ["have no gap", brackets([1, 2], [5, 6]), ["brackets.1.from_days", "gap", "3–4"]],
    ["have no gap of a day", brackets([4, 6], [1, 2]), ["brackets.0.from_days", "gap", "3"]],
  ]);
});

describe("the periods of a season", () => {
  const seasonPeriods = [{ seasonId: 2, dateFrom: "2026-07-01" as CivilDate, dateTo: "2026-08-31" as CivilDate }];
  const known = { seasonPeriods } as Pick<ResourceCheckContext["catalogue"], "seasonPeriods">;
  const periods = (...list: readonly (readonly [string, string])[]) => ({
    periods: list.map(([date_from, date_to]) => ({ date_from, date_to })),
  });
  const high = "2026-07-01 – 2026-08-31";
  decide(
    checkSeasonPeriods,
    [
      [
        "may begin on the day after another season",
        periods(["2026-09-01", "2026-09-30"], ["2026-06-01", "2026-06-30"]),
      ],
      ["don't begin on its last day", periods(["2026-08-31", "2026-09-30"]), ["periods.0.date_from", "overlap", high]],
      ["don't end on its first day", periods(["2026-06-01", "2026-07-01"]), ["periods.0.date_from", "overlap", high]],
      ["are in order", periods(["2026-06-02", "2026-06-01"]), ["periods.0.date_to", "after", "2026-06-02"]],
      [
        "don't overlap each other",
        periods(["2026-01-01", "2026-01-31"], ["2026-01-31", "2026-02-10"]),
        ["periods.1.date_from", "overlap", "2026-01-01 – 2026-01-31"],
      ],
    ],
    createContext(known, "1"),
  );

  test("accepts changed periods of a season that overlap only the periods they replace", () => {
    expect(
      listFoundProblems(checkSeasonPeriods, periods(["2026-08-01", "2026-09-30"]), createContext(known, "2")),
    ).toEqual([]);
  });
});

describe("rules between fields", () => {
  const fee: Check = ({ pickup_place_id: place }) => [
    { field: "price", code: "positive" },
    { field: "return_place_id", code: "together", params: { field: "pickup_place_id" } },
    ...(place === undefined ? [] : [{ field: "days", code: "positive" }]),
  ];
  const resource = { check: fee as NonNullable<Resource["check"]> };

  test("checks each rule between fields of a resource unless one of its fields is invalid", () => {
    const values = { pickup_place_id: 1 };
    const list = (...refused: readonly string[]) =>
      findResourceCheckProblems(
        resource,
        { values, problems: refused.map((field) => ({ field, code: "invalid" })) },
        createContext(),
      ).map(({ field }) => field);
    expect(list()).toEqual(["price", "return_place_id", "days"]);
    expect(list("price")).toEqual(["return_place_id", "days"]);
    expect(list("pickup_place_id")).toEqual(["price"]);
    expect(list("return_place_id.0.name")).toEqual(["price", "days"]);
  });
});
