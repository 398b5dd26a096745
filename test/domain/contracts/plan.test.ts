import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CancellationTerm } from "#domain/catalogue/catalogue.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { findImprobableExchangeReading, findUnitToExchange } from "#domain/contracts/exchange.ts";
import { type ActionContext, type ActionRequest, planAction } from "#domain/contracts/plan.ts";
import { priceSurcharge, priceSurcharges } from "#domain/contracts/surcharge.ts";
import type { CivilDate, Period } from "#domain/dates.ts";
import { CATALOGUE_NOW, createCatalogue, createCategory, createExtra, createSettings } from "#support/catalogue.ts";
import { createContract, createContractUnit } from "#support/domain-contracts.ts";

// Two vehicles of 150.00 for three days, a seat of 12.00 and a driver's navigator of 15.00.
const CATALOGUE = createCatalogue({
  settings: createSettings({ earlyReturnRefund: "unused_days" }),
  categories: [createCategory(), createCategory({ code: "B" })],
  extras: [createExtra()],
});
const ORDERED = {
  catalogue: CATALOGUE,
  products: [{ code: "A", quantity: 2 }],
  extras: [{ code: "SEAT", quantity: 1 }],
};
const TOTAL = 31_200;

const createRentalContract = (changes: Partial<Contract> = {}) => createContract(changes, ORDERED);
const out = createContractUnit({ id: 11, deliveredAt: 1 });
const createRunningContract = (changes: Partial<Contract> = {}) =>
  createRentalContract({ status: "in_progress", units: [out, createContractUnit({ id: 12 })], ...changes });

const DURING = { date: "2026-06-02" as CivilDate, time: CATALOGUE_NOW.time };

function plan(
  contract: Contract,
  request: ActionRequest,
  { terms = [], ...context }: Partial<ActionContext> & { readonly terms?: readonly CancellationTerm[] } = {},
) {
  const catalogue = { ...CATALOGUE, cancellationTerms: terms };
  return planAction(catalogue, contract, request, { now: CATALOGUE_NOW, at: 0, isStaff: true, ...context });
}

function planSuccessfully(...input: Parameters<typeof plan>) {
  const result = plan(...input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const { action, differenceCents, feeCents, toRefundCents, forgoneCents } = result.value;
  expect(action).toBe(input[1].action);
  return [differenceCents, feeCents, toRefundCents, forgoneCents];
}

function findProblem(...input: Parameters<typeof plan>) {
  const result = plan(...input);
  if (result.ok) return undefined;
  const { error } = result;
  expect(["actionNotAllowed", "invalid"]).toContain(error.kind);
  return error.kind === "actionNotAllowed" ? error.rule : `${error.field} ${error.reason.code}`;
}

const createPaidSums = (totalPaidCents: number) => ({ totalPaidCents, pendingCents: TOTAL - totalPaidCents });

describe("amounts of an action's plan", () => {
  const closed = { status: "done", closingCents: [500, 80, 20], units: [] } as const;
  const total = { totals: { ...createRentalContract().totals, totalCents: TOTAL + 600 } };

  test.each<{
    name: string;
    contract: Contract;
    request: ActionRequest;
    now?: typeof CATALOGUE_NOW;
    plan: readonly number[];
  }>([
    {
      name: "confirm",
      contract: createRentalContract({ status: "pending_confirmation" }),
      request: { action: "confirm" },
      plan: [0, 0, 0, 0],
    },
    { name: "assign", contract: createRentalContract(), request: { action: "assign" }, plan: [0, 0, 0, 0] },
    {
      name: "change nothing",
      contract: createRentalContract(createPaidSums(TOTAL)),
      request: { action: "change", requestedChange: {} },
      plan: [0, 0, 0, 0],
    },
    {
      name: "change of an overpaid reservation",
      contract: createRentalContract(createPaidSums(TOTAL + 100)),
      request: { action: "change", requestedChange: {} },
      plan: [0, 0, 100, 0],
    },
    {
      name: "one vehicle less, unpaid",
      contract: createRentalContract(),
      request: { action: "change", requestedChange: { quantity: 1 } },
      plan: [-15_000, 0, 0, 0],
    },
    {
      name: "one vehicle less, paid",
      contract: createRentalContract(createPaidSums(TOTAL)),
      request: { action: "change", requestedChange: { quantity: 1 } },
      plan: [-15_000, 0, 15_000, 0],
    },
    {
      name: "one vehicle less, partly paid",
      contract: createRentalContract(createPaidSums(20_000)),
      request: { action: "change", requestedChange: { quantity: 1 } },
      plan: [-15_000, 0, 3800, 0],
    },
    {
      name: "one vehicle more",
      contract: createRentalContract(createPaidSums(TOTAL)),
      request: { action: "change", requestedChange: { quantity: 3 } },
      plan: [15_000, 0, 0, 0],
    },
    {
      name: "other extras after a vehicle was closed",
      contract: createRunningContract({ closingCents: [500, 80, 20], ...total }),
      request: { action: "change", requestedChange: { extras: [] } },
      now: DURING,
      plan: [-1200, 0, 0, 0],
    },
    {
      name: "extend",
      contract: createRunningContract(),
      request: { action: "extend", to: { dateTo: "2026-06-05" as CivilDate, timeTo: "10:00" as Period["timeTo"] } },
      now: DURING,
      plan: [10_400, 0, 0, 0],
    },
    {
      name: "early return, paid",
      contract: createRunningContract(createPaidSums(TOTAL)),
      request: {
        action: "early-return",
        to: { dateTo: "2026-06-03" as CivilDate, timeTo: "10:00" as Period["timeTo"] },
      },
      now: DURING,
      plan: [-10_400, 0, 10_400, 0],
    },
    {
      name: "early return now, without a time",
      contract: createRunningContract(createPaidSums(TOTAL)),
      request: { action: "early-return", to: undefined },
      now: DURING,
      plan: [-20_800, 0, 20_800, 0],
    },
    {
      name: "exchange",
      contract: createRunningContract(),
      request: { action: "exchange", unitId: undefined, upgradeCents: undefined },
      plan: [0, 0, 0, 0],
    },
    {
      name: "exchange without an additional price",
      contract: createRunningContract(),
      request: { action: "exchange", unitId: 11, upgradeCents: 0 },
      plan: [0, 0, 0, 0],
    },
    {
      name: "paid upgrade",
      contract: createRunningContract(),
      request: { action: "exchange", unitId: 11, upgradeCents: 3000 },
      plan: [3000, 0, 0, 0],
    },
    {
      name: "reopen",
      contract: createRentalContract({ ...closed, ...createPaidSums(TOTAL), ...total, pendingCents: 600 }),
      request: { action: "reopen" },
      plan: [-600, 0, 0, 0],
    },
    {
      name: "reopen, paid",
      contract: createRentalContract({ ...closed, ...total, pendingCents: 0 }),
      request: { action: "reopen" },
      plan: [-600, 0, 600, 0],
    },
  ])(
    "calculates total, fee, refund and discount of an action: $name",
    ({ contract, request, now = CATALOGUE_NOW, plan: expected }) => {
      expect(planSuccessfully(contract, request, { now })).toEqual(expected);
    },
  );

  const terms: readonly CancellationTerm[] = [
    { occasion: "cancellation", salesChannel: undefined, hoursBefore: undefined, feeType: "amount", feeValue: 5000 },
    { occasion: "no_show", salesChannel: undefined, hoursBefore: undefined, feeType: "amount", feeValue: 8000 },
  ];

  test.each<{
    name: string;
    action: "cancel" | "no-show";
    paid: number;
    fee: number | undefined;
    plan: readonly number[] | string;
  }>([
    { name: "by the terms, unpaid", action: "cancel", paid: 0, fee: undefined, plan: [0, 5000, 0, 0] },
    { name: "by the terms, paid", action: "cancel", paid: TOTAL, fee: undefined, plan: [0, 5000, 26_200, 0] },
    { name: "with a lower fee", action: "cancel", paid: TOTAL, fee: 1000, plan: [0, 1000, 30_200, 4000] },
    { name: "without a fee", action: "cancel", paid: TOTAL, fee: 0, plan: [0, 0, TOTAL, 5000] },
    { name: "with a higher fee", action: "cancel", paid: TOTAL, fee: 6000, plan: [0, 6000, 25_200, 0] },
    { name: "at the whole price", action: "cancel", paid: TOTAL, fee: TOTAL, plan: [0, TOTAL, 0, 0] },
    { name: "above the whole price", action: "cancel", paid: TOTAL, fee: TOTAL + 1, plan: "fee fee_too_high" },
    { name: "of a no-show", action: "no-show", paid: TOTAL, fee: undefined, plan: [0, 8000, 23_200, 0] },
    { name: "of a no-show with a lower fee", action: "no-show", paid: 0, fee: 7000, plan: [0, 7000, 0, 1000] },
  ])("calculates fee and refund of a cancellation $name", ({ action, paid: cents, fee, plan: expected }) => {
    const contract = createRentalContract(createPaidSums(cents));
    const input = [contract, { action, feeCents: fee }, { terms, now: DURING }] as const;
    expect(typeof expected === "string" ? findProblem(...input) : planSuccessfully(...input)).toEqual(expected);
  });

  test("refunds what was paid beyond the cancellation fee, whatever the fee", () => {
    fc.assert(
      fc.property(fc.nat(TOTAL), fc.nat(TOTAL), (cents, fee) => {
        const [, feeCents = 0, toRefundCents = 0, givenAway] = planSuccessfully(
          createRentalContract(createPaidSums(cents)),
          { action: "cancel", feeCents: fee },
          { terms },
        );
        expect(toRefundCents).toBe(Math.max(0, cents - feeCents));
        expect(givenAway).toBe(Math.max(0, 5000 - fee));
      }),
    );
  });
});

describe("a contract in progress", () => {
  test.each<{
    name: string;
    requestedChange: Extract<ActionRequest, { action: "change" }>["requestedChange"];
    problem: string | undefined;
  }>([
    {
      name: "another pickup day",
      requestedChange: { period: { dateFrom: "2026-05-31" as CivilDate } },
      problem: "dateFrom contract_in_progress",
    },
    {
      name: "another pickup hour",
      requestedChange: { period: { timeFrom: "09:00" as Period["timeFrom"] } },
      problem: "timeFrom contract_in_progress",
    },
    {
      name: "another return day",
      requestedChange: { period: { dateTo: "2026-06-05" as CivilDate } },
      problem: "dateTo contract_in_progress",
    },
    {
      name: "another return hour",
      requestedChange: { period: { timeTo: "09:00" as Period["timeTo"] } },
      problem: "timeTo contract_in_progress",
    },
    {
      name: "another pickup place",
      requestedChange: { pickupPlaceId: 2 },
      problem: "pickupPlace contract_in_progress",
    },
    { name: "another category", requestedChange: { categoryCode: "B" }, problem: "product contract_in_progress" },
    { name: "more vehicles", requestedChange: { quantity: 3 }, problem: "quantity contract_in_progress" },
    {
      name: "a promotion code",
      requestedChange: { promotionCode: "WELCOME10" },
      problem: "promotionCode contract_in_progress",
    },
    {
      name: "the agreed data",
      requestedChange: {
        period: { dateTo: "2026-06-04" as CivilDate },
        pickupPlaceId: 1,
        categoryCode: "A",
        quantity: 2,
        promotionCode: "",
      },
      problem: undefined,
    },
    { name: "fewer vehicles, as many as delivered", requestedChange: { quantity: 1 }, problem: undefined },
    { name: "fewer vehicles than delivered", requestedChange: { quantity: 0 }, problem: "quantity units_delivered" },
    { name: "other extras", requestedChange: { extras: [] }, problem: undefined },
    { name: "another driver", requestedChange: { driverAge: 50 }, problem: undefined },
  ])("returns the problem of a change during the rental, if any: $name: $problem", ({ requestedChange, problem }) => {
    expect(findProblem(createRunningContract(), { action: "change", requestedChange }, { now: DURING })).toBe(problem);
  });

  test("rejects trip changes of a rental, and all other changes of a transfer", () => {
    const transfer = {
      vehicle: {},
      trips: [],
      extras: [],
      supplements: [],
      driven: [],
    } as unknown as Contract["transfer"];
    expect(findProblem(createRentalContract(), { action: "change", requestedChange: {}, transfer: {} })).toBe(
      "transfer no_trips",
    );
    const change = (requestedChange: object) =>
      [createRentalContract({ kind: "transfer", transfer }), { action: "change", requestedChange }] as const;
    expect(findProblem(...change({ quantity: 1 }))).toBe("transfer trips_required");
    expect(planSuccessfully(...change({ quantity: undefined }))).toEqual([0, 0, 0, 0]);
  });
});

describe("differences between customers and staff", () => {
  const late = { date: "2026-06-01" as CivilDate, time: "10:01" as Period["timeFrom"] };

  test.each([
    { isStaff: true, problem: undefined },
    { isStaff: false, problem: "pickup_time_passed" },
  ])("allows a cancellation after the pickup time only to staff, by staff: $isStaff", ({ isStaff, problem }) => {
    expect(findProblem(createRentalContract(), { action: "cancel", feeCents: undefined }, { now: late, isStaff })).toBe(
      problem,
    );
  });
});

describe("a contract whose tax was recovered for an unpaid debt", () => {
  const refused = "tax_recovered";
  const later = { date: "2026-06-01" as CivilDate, time: "10:01" as Period["timeFrom"] };

  test.each<{ name: string; contract?: Partial<Contract>; request: ActionRequest; staffOnly?: true; problem?: string }>(
    [
      { name: "a cancellation", request: { action: "cancel", feeCents: undefined }, problem: refused },
      { name: "a no-show", request: { action: "no-show", feeCents: undefined }, staffOnly: true, problem: refused },
      {
        name: "a reopening",
        contract: { status: "done", units: [] },
        request: { action: "reopen" },
        staffOnly: true,
        problem: refused,
      },
      {
        name: "a lower price",
        request: { action: "change", requestedChange: { quantity: 1 } },
        problem: refused,
      },
      { name: "the same price", request: { action: "change", requestedChange: {} } },
      { name: "a higher price", request: { action: "change", requestedChange: { quantity: 3 } } },
    ],
  )("decides on $name alike for staff and customers: $problem", ({ contract, request, staffOnly, problem }) => {
    const now = request.action === "no-show" ? later : CATALOGUE_NOW;
    for (const isStaff of staffOnly ? [true] : [true, false]) {
      const find = (changes: Partial<Contract>) =>
        findProblem(createRentalContract({ ...contract, ...changes }), request, { now, isStaff });
      expect([find({ isTaxRecovered: true }), find({})]).toEqual([problem, undefined]);
    }
  });

  test("refuses an early return that lowers the price", () => {
    const request: ActionRequest = {
      action: "early-return",
      to: { dateTo: "2026-06-03" as CivilDate, timeTo: CATALOGUE_NOW.time },
    };
    const find = (isTaxRecovered: boolean) =>
      findProblem(createRunningContract({ isTaxRecovered }), request, { now: DURING });
    expect([find(true), find(false)]).toEqual([refused, undefined]);
  });
});

describe("an exchange", () => {
  const units = [
    createContractUnit({ id: 11, deliveredAt: 1, collectedAt: 2 }),
    createContractUnit({ id: 12 }),
    createContractUnit({ id: 13, deliveredAt: 1 }),
    createContractUnit({ id: 14, deliveredAt: 1, lineId: 2 }),
  ];

  test.each([
    { asked: undefined, found: 13 },
    { asked: 14, found: 14 },
    { asked: 11, found: undefined },
    { asked: 12, found: undefined },
    { asked: 99, found: undefined },
  ])("chooses the unit to exchange: unit $asked requested, unit $found exchanged", ({ asked, found }) => {
    const contract = createRentalContract({ status: "in_progress", units });
    expect(findUnitToExchange(contract, asked)?.id).toBe(found);
    const problem = findProblem(contract, { action: "exchange", unitId: asked, upgradeCents: undefined });
    expect(problem).toBe(found === undefined ? "vehicle_not_out" : undefined);
  });

  // Proves "rules.md: the life of a contract": An upgrade is divided by the units of its line
  test.each([
    { upgrade: 3000, unit: 16_500 },
    { upgrade: 3001, unit: undefined },
    { upgrade: 2, unit: 15_001 },
  ])("divides an upgrade of $upgrade between the line's two vehicles: $unit", ({ upgrade, unit }) => {
    const result = plan(createRunningContract(), { action: "exchange", unitId: 11, upgradeCents: upgrade });
    expect(result.ok ? result.value.agreed?.lines[0]?.unitCents : undefined).toBe(unit);
    if (!result.ok)
      expect(result.error).toMatchObject({
        kind: "invalid",
        field: "upgrade_price",
        reason: { code: "share_equally" },
      });
  });

  test("charges an upgrade only on the exchanged vehicle's line, with the contract's discount", () => {
    const discount = { kind: "percentage", value: 1000, reason: "", by: "staff:1", amountCents: 4620 } as const;
    const ordered = {
      ...ORDERED,
      products: [
        { code: "A", quantity: 1 },
        { code: "B", quantity: 1 },
      ],
      extras: [],
    };
    const catalogue = {
      ...CATALOGUE,
      tariffs: [...CATALOGUE.tariffs, ...CATALOGUE.tariffs.map((tariff) => ({ ...tariff, categoryCode: "B" }))],
    };
    const contract = createContract(
      {
        status: "in_progress",
        discount,
        units: [createContractUnit({ deliveredAt: 1 }), createContractUnit({ id: 21, lineId: 2, deliveredAt: 1 })],
      },
      { ...ordered, catalogue },
    );
    const result = planAction(
      catalogue,
      contract,
      { action: "exchange", unitId: 21, upgradeCents: 1000 },
      { now: CATALOGUE_NOW, at: 0, isStaff: true },
    );
    expect(result.ok && result.value.agreed?.lines.map(({ unitCents, itemCents }) => [unitCents, itemCents])).toEqual([
      [15_000, 13_500],
      [16_000, 14_400],
    ]);
  });

  test.each([
    { name: "plausible readings", back: 1400, out: 550, field: undefined },
    { name: "the highest plausible return", back: 3000, out: 550, field: undefined },
    { name: "too many kilometres driven", back: 3001, out: 550, field: "kilometres_in kilometres_unlikely" },
    { name: "less than at the delivery", back: 999, out: 550, field: "kilometres_in kilometres_lower" },
    { name: "a replacement below its reading", back: 1400, out: 499, field: "kilometres_out kilometres_lower" },
    { name: "a replacement far above it", back: 1400, out: 1501, field: "kilometres_out kilometres_unlikely" },
    { name: "the highest plausible replacement", back: 1400, out: 1500, field: undefined },
  ])("checks the readings of an exchange: $name: $field", ({ back, out: kilometresOut, field }) => {
    const day = 86_400_000;
    const unit = createContractUnit({ reference: "A-1", deliveryKilometres: 1000, deliveredAt: day });
    const exchange = {
      reference: "A-2",
      kilometresIn: back,
      kilometresOut,
      fuelEighthsIn: 8,
      fuelEighthsOut: 8,
      damagesIn: [],
      hasConfirmedReadings: false,
    };
    const occasion = { at: 3 * day, vehicleKilometres: 500, kilometresADay: 1000 };
    const problem = findImprobableExchangeReading(unit, exchange, occasion);
    expect(problem && `${problem.field} ${problem.reason.code}`).toBe(field);
    const reference = field?.startsWith("kilometres_in") ? "A-1" : "A-2";
    if (problem) expect(problem).toMatchObject({ kind: "invalid", reason: { params: { vehicle: reference } } });
    expect(findImprobableExchangeReading(unit, { ...exchange, hasConfirmedReadings: true }, occasion)).toBeUndefined();
  });
});

describe("a later charge", () => {
  const extra = { code: "FINE", name: "Multa", pricePer: "rental", priceCents: 3000, vat: 2100 } as const;
  const MAX_CENTS = 100_000_000_000;

  test.each<{
    name: string;
    priced: "rental" | "day" | "none";
    unit: number | undefined;
    quantity: number;
    cents?: number;
    away?: number;
    problem?: string;
  }>([
    { name: "at the extra's price", priced: "rental", unit: undefined, quantity: 2, cents: 6000, away: 0 },
    { name: "at a higher price", priced: "rental", unit: 3001, quantity: 1, cents: 3001, away: 0 },
    { name: "at a lower price", priced: "rental", unit: 2900, quantity: 2, cents: 5800, away: 200 },
    { name: "of nothing", priced: "rental", unit: 0, quantity: 1, problem: "amount positive" },
    {
      name: "of a daily extra without an amount",
      priced: "day",
      unit: undefined,
      quantity: 1,
      problem: "amount amount_required",
    },
    { name: "of a daily extra with an amount", priced: "day", unit: 100, quantity: 1, cents: 100, away: 0 },
    { name: "at the limit", priced: "rental", unit: MAX_CENTS / 2, quantity: 2, cents: MAX_CENTS, away: 0 },
    {
      name: "above the limit",
      priced: "rental",
      unit: MAX_CENTS / 2 + 1,
      quantity: 2,
      problem: "amount amount_too_high",
    },
    { name: "of an unknown extra", priced: "none", unit: 100, quantity: 1, problem: "code no_extra" },
  ])("prices or rejects a later charge $name", ({ priced, unit, quantity, cents, away, problem }) => {
    const chargeable = priced === "none" ? undefined : { ...extra, pricePer: priced };
    const request = { code: "FINE", quantity, unitCents: unit, text: undefined };
    const result = priceSurcharge(chargeable, request, "2026-06-09" as CivilDate);
    if (!result.ok) {
      const { kind, field, reason } = result.error;
      return expect(`${kind} ${field} ${reason.code}`).toBe(`invalid ${problem}`);
    }
    expect(problem).toBeUndefined();
    expect(result.value.surcharge.description).toBe("Multa");
    return expect([result.value.surcharge.extraCents, result.value.forgoneCents]).toEqual([cents, away]);
  });

  test("links a later charge only to damage recorded on the contract", () => {
    const request = { code: "FINE", quantity: 1, unitCents: 100, text: undefined, damage: 3 };
    const day = "2026-06-09" as CivilDate;
    const known = priceSurcharge({ ...extra, damageId: "d-3" }, request, day);
    expect(known.ok && known.value.surcharge.damageId).toBe("d-3");
    const unknown = priceSurcharge({ ...extra, damageId: null }, request, day);
    expect(!unknown.ok && [unknown.error.field, unknown.error.reason.code]).toEqual(["damage", "no_damage"]);
  });

  test("prices all charges of a return together, and names the first invalid one", () => {
    const requests = [
      { code: "FINE", quantity: 2, unitCents: undefined, text: undefined },
      { code: "FINE", quantity: 1, unitCents: 1500, text: "Door", damageId: "d-1" },
    ];
    const priced = priceSurcharges([extra], requests, "2026-06-09" as CivilDate);
    expect(priced.ok && priced.value.surcharges.map(({ extraCents, damageId }) => [extraCents, damageId])).toEqual([
      [extra.priceCents * 2, undefined],
      [1500, "d-1"],
    ]);
    expect(priced.ok && priced.value.forgoneCents).toBe(Math.max(0, extra.priceCents - 1500));
    const unknown = { code: "NONE", quantity: 1, unitCents: 1, text: undefined };
    const refused = priceSurcharges([extra], [...requests, unknown], "2026-06-09" as CivilDate);
    expect(!refused.ok && refused.error.field).toBe("surcharges.2.code");
  });

  test("adds a later charge to a finished rental's total, and includes its text in the description", () => {
    const request = { action: "surcharge", code: "FINE", quantity: 1, unitCents: 2000, text: "M-30" } as const;
    const contract = createRentalContract({ status: "done" });
    expect(planSuccessfully(contract, request, { chargeable: extra })).toEqual([2000, 0, 0, 1000]);
    const result = plan(contract, request, { chargeable: extra });
    expect(result.ok && result.value.surcharge).toMatchObject({
      description: "Multa: M-30",
      chargedOn: CATALOGUE_NOW.date,
      vat: 2100,
    });
    expect(findProblem(contract, request)).toBe("code no_extra");
    expect(findProblem(createRentalContract(), request, { chargeable: extra })).toBe("closed_only");
  });
});
