import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type AgreedContract, changeContract, type RequestedContractChange } from "#domain/contracts/change.ts";
import { listChangeableExtras } from "#domain/contracts/change-extras.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { planAction } from "#domain/contracts/plan.ts";
import { isPlanUnchanged } from "#domain/contracts/unchanged-plan.ts";
import type { CivilDate, Period, TimeText } from "#domain/dates.ts";
import {
  CATALOGUE_NOW,
  createBranch,
  createCatalogue,
  createCategory,
  createExtra,
  createPeriod,
  createPlace,
  createPromotionCode,
  createSettings,
  createTariff,
} from "#support/catalogue.ts";
import { createContract, createContractUnit, type OrderedRental } from "#support/domain-contracts.ts";

const HOURS = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
  ...{ weekday, opens: "08:00" as TimeText, closes: "20:00" as TimeText },
}));
const PERIOD = createPeriod("2026-06-01 07:00", "2026-06-04 07:00");

/** Catalogue whose prices are all multiplied. Both ends of `PERIOD` are out of hours. */
function createPricedCatalogue(times: number, parts: Parameters<typeof createCatalogue>[0] = {}): Catalogue {
  const driver = { description: "", descriptions: {}, allowed: true, depositCents: 1000 * times };
  return createCatalogue({
    settings: createSettings({
      outOfHoursPickupCents: 3000 * times,
      outOfHoursReturnCents: 2000 * times,
      graceMinutes: 0,
      depositShare: 2000,
    }),
    branches: [
      createBranch({ openingHours: HOURS }),
      createBranch({ code: "ISLE", branchGroupId: 2, openingHours: HOURS }),
      createBranch({ code: "TOWN", branchGroupId: 3, openingHours: HOURS }),
    ],
    places: [
      createPlace({ priceCents: 500 * times }),
      createPlace({ id: 2, branchCode: "ISLE", priceCents: 700 * times }),
      createPlace({ id: 3, branchCode: "TOWN", priceCents: 300 * times }),
    ],
    oneWayFees: [
      { between: "branchGroup", from: 1, to: 2, priceCents: 9000 * times },
      { between: "branchGroup", from: 3, to: 2, priceCents: 4000 * times },
    ],
    categories: [createCategory(), createCategory({ code: "B", name: "Furgoneta", vat: 1000 })],
    tariffs: [createTariff(5000 * times), createTariff(8000 * times, { categoryCode: "B" })],
    extras: [
      createExtra({ priceCents: 400 * times }),
      createExtra({ id: 2, code: "GPS", name: "Navegador", pricePer: "rental", priceCents: 1500 * times }),
    ],
    promotionCodes: [createPromotionCode()],
    driverAgeRules: [
      { ...driver, id: 1, ageFrom: 18, ageTo: 24, costPer: "rental", costCents: 3000 * times },
      { ...driver, id: 2, ageFrom: 25, ageTo: 29, costPer: "day", costCents: 200 * times },
      { ...driver, id: 3, ageFrom: 80, ageTo: 99, costPer: "day", costCents: 0, allowed: false },
    ],
    ...parts,
  });
}

const AGREED = createPricedCatalogue(1);
const NEW = createPricedCatalogue(2);
const ORDERED: OrderedRental = {
  catalogue: AGREED,
  period: PERIOD,
  request: { returnPlaceId: 2, driverAge: 22 },
  products: [{ code: "A", quantity: 2 }],
  extras: [
    { code: "SEAT", quantity: 2 },
    { code: "GPS", quantity: 1 },
  ],
};

const createRentalContract = (changes: Partial<Contract> = {}, ordered: OrderedRental = {}) =>
  createContract(changes, { ...ORDERED, ...ordered });

const STAFF = { now: CATALOGUE_NOW, isStaff: true, actor: "staff:1" };
const CUSTOMER = { now: CATALOGUE_NOW, isStaff: false };

function change(
  wish: RequestedContractChange,
  {
    contract = createRentalContract(),
    catalogue = NEW,
    by = STAFF,
  }: { contract?: Contract; catalogue?: Catalogue; by?: typeof STAFF | typeof CUSTOMER } = {},
): AgreedContract {
  const changed = changeContract(catalogue, contract, wish, by);
  if (!changed.ok) throw new Error(`${changed.error.field}: ${changed.error.reason.code}`);
  return changed.value;
}

function findProblem(
  wish: RequestedContractChange,
  options: { contract?: Contract; catalogue?: Catalogue; by?: typeof STAFF | typeof CUSTOMER } = {},
) {
  const { contract = createRentalContract(), catalogue = NEW, by = STAFF } = options;
  const changed = changeContract(catalogue, contract, wish, by);
  return changed.ok ? undefined : `${changed.error.field} ${changed.error.reason.code}`;
}

const toDates = (period: Partial<Record<keyof Period, string>>) => period as Partial<Period>;

describe("a changed reservation has current prices for the changed parts and agreed ones for the others", () => {
  const agreed = {
    ...{ item: 30_000, extras: 3900, pickup: 500, returned: 9700, from: 3000, to: 2000, driver: 3000 },
  };

  // Proves "rules.md: the life of a contract": Changed parts have current prices, the others agreed ones
  test.each<{ change: string; wish: RequestedContractChange; prices: Partial<typeof agreed> }>([
    { change: "nothing", wish: {}, prices: {} },
    {
      change: "everything as agreed",
      wish: { period: PERIOD, pickupPlaceId: 1, returnPlaceId: 2, categoryCode: "A", quantity: 2, driverAge: 22 },
      prices: {},
    },
    { change: "one more vehicle", wish: { quantity: 3 }, prices: { item: 45_000 } },
    { change: "one vehicle less", wish: { quantity: 1 }, prices: { item: 15_000 } },
    { change: "another category", wish: { categoryCode: "B" }, prices: { item: 96_000 } },
    { change: "another promotion", wish: { promotionCode: "WELCOME10" }, prices: { item: 54_000 } },
    {
      change: "a later day of return",
      wish: { period: toDates({ dateTo: "2026-06-05" }) },
      prices: { item: 80_000, extras: 7900, to: 4000 },
    },
    {
      change: "the same length a day later",
      wish: { period: toDates({ dateFrom: "2026-06-02", dateTo: "2026-06-05" }) },
      prices: { item: 60_000, from: 6000, to: 4000 },
    },
    {
      change: "another day of pickup",
      wish: { period: toDates({ dateFrom: "2026-06-02" }) },
      prices: { item: 40_000, extras: 4700, from: 6000 },
    },
    {
      change: "another closed hour of pickup",
      wish: { period: toDates({ timeFrom: "07:30" }) },
      prices: { from: 6000 },
    },
    { change: "an open hour of pickup", wish: { period: toDates({ timeFrom: "08:00" }) }, prices: { from: 0 } },
    { change: "another closed hour of return", wish: { period: toDates({ timeTo: "06:00" }) }, prices: { to: 4000 } },
    {
      change: "another pickup, also for the one-way fee",
      wish: { pickupPlaceId: 3 },
      prices: { pickup: 600, returned: 9400, from: 6000 },
    },
    { change: "another return", wish: { returnPlaceId: 1 }, prices: { returned: 1000, to: 4000 } },
    {
      change: "both places",
      wish: { pickupPlaceId: 3, returnPlaceId: 3 },
      prices: { pickup: 600, returned: 600, from: 6000, to: 4000 },
    },
    { change: "another age by the same rule", wish: { driverAge: 24 }, prices: {} },
    { change: "an age by another rule", wish: { driverAge: 27 }, prices: { driver: 1200 } },
    { change: "an age without a rule", wish: { driverAge: 40 }, prices: { driver: 0 } },
    {
      change: "more of an extra",
      wish: {
        extras: [
          { code: "SEAT", quantity: 3 },
          { code: "GPS", quantity: 1 },
        ],
      },
      prices: { extras: 5100 },
    },
    { change: "no extras", wish: { extras: [] }, prices: { extras: 0 } },
  ])("calculates each part of a reservation's price after a change of $change", ({ wish, prices }) => {
    const { totals, lines, extras } = change(wish);
    expect({
      ...{ item: totals.itemCents, extras: totals.extrasCents, pickup: totals.pickupPlaceCents },
      ...{ returned: totals.returnPlaceCents, from: totals.timeFromCents, to: totals.timeToCents },
      driver: totals.driverAgeCents,
    }).toEqual({ ...agreed, ...prices });
    expect(totals.totalCents).toBe(Object.values({ ...agreed, ...prices }).reduce((sum, cents) => sum + cents, 0));
    expect(lines.reduce((sum, { itemCents }) => sum + itemCents, 0)).toBe(totals.itemCents);
    expect(extras.reduce((sum, { extraCents }) => sum + extraCents, 0)).toBe(totals.extrasCents);
    expect(totals.bookingAmountCents).toBe(Math.round(totals.totalCents / 5));
  });

  test("keeps the agreed driver age price only while the number of days stays the same", () => {
    const contract = createRentalContract({}, { request: { returnPlaceId: 2, driverAge: 27 } });
    const getDriverCents = (wish: RequestedContractChange) => change(wish, { contract }).totals.driverAgeCents;
    expect(getDriverCents({ returnPlaceId: 1 })).toBe(600);
    expect(getDriverCents({ period: toDates({ dateTo: "2026-06-05" }) })).toBe(1600);
    expect(change({}, { contract }).totals.driverAgeDepositCents).toBe(1000);
    expect(change({ driverAge: 22 }, { contract }).totals.driverAgeDepositCents).toBe(2000);
  });

  test("changes nothing if the same request is repeated after catalogue prices changed", () => {
    const own = createRentalContract();
    const wishes = fc.record(
      {
        period: fc.constant(PERIOD),
        pickupPlaceId: fc.constant(1),
        returnPlaceId: fc.constant(2),
        categoryCode: fc.constant("A"),
        quantity: fc.constant(2),
        driverAge: fc.constant(22),
        extras: fc.shuffledSubarray([...(ORDERED.extras ?? [])], { minLength: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(wishes, fc.integer({ min: 0, max: 50 }), fc.boolean(), (requestedChange, times, isStaff) => {
        const catalogue = createPricedCatalogue(times);
        const plan = planAction(
          catalogue,
          own,
          { action: "change", requestedChange },
          { now: CATALOGUE_NOW, at: 0, isStaff },
        );
        if (!plan.ok) throw new Error(JSON.stringify(plan.error));
        expect(plan.value.differenceCents).toBe(0);
        expect(isPlanUnchanged(own, plan.value)).toBe(true);
      }),
    );
  });
});

describe("a change is accepted or refused for", () => {
  const stop = { from: "2026-06-01" as CivilDate, to: "2026-06-30" as CivilDate };
  const rule = {
    ...{ categoryCode: undefined, branchCode: undefined, seasonId: undefined, salesChannel: undefined },
    ...{ minimumDays: undefined, maximumDays: undefined, minimumNoticeMinutes: undefined, horizonDays: undefined },
    ...{ noPickupWeekdays: undefined, noReturnWeekdays: undefined, noPickupDates: undefined, noReturnDates: undefined },
    stopSale: stop,
  };

  test.each<{ name: string; wish: RequestedContractChange; problem: string | undefined }>([
    { name: "a category that isn't sold", wish: { categoryCode: "Z" }, problem: "product no_price" },
    { name: "no units", wish: { quantity: 0 }, problem: "quantity unit_required" },
    { name: "an unknown extra", wish: { extras: [{ code: "NONE", quantity: 1 }] }, problem: "extra no_extra" },
    {
      name: "quantity zero of an unknown extra",
      wish: { extras: [{ code: "NONE", quantity: 0 }] },
      problem: undefined,
    },
    { name: "as many extras as sold", wish: { extras: [{ code: "SEAT", quantity: 3 }] }, problem: undefined },
    { name: "more extras than sold", wish: { extras: [{ code: "SEAT", quantity: 4 }] }, problem: "quantity max_extra" },
    {
      name: "more extras in two parts",
      wish: {
        extras: [
          { code: "SEAT", quantity: 2 },
          { code: "SEAT", quantity: 2 },
        ],
      },
      problem: "quantity max_extra",
    },
    { name: "an unknown code", wish: { promotionCode: "NONE" }, problem: "promotionCode no_promotion" },
    { name: "an unknown place", wish: { pickupPlaceId: 9 }, problem: "pickupPlace no_pickup_place" },
    {
      name: "a return before the pickup",
      wish: { period: toDates({ dateTo: "2026-05-30" }) },
      problem: "dateTo return_not_after_pickup",
    },
    {
      name: "a pickup in the past",
      wish: { period: toDates({ dateFrom: "2026-01-09" }) },
      problem: "dateFrom pickup_in_past",
    },
    { name: "an age that isn't accepted", wish: { driverAge: 85 }, problem: "driverAge driver_age" },
  ])("returns the problem of a reservation's change, if any: $name: $problem", ({ wish, problem }) => {
    expect(findProblem(wish)).toBe(problem);
  });

  test("rejects a change to a contract without a product", () => {
    expect(findProblem({}, { contract: createRentalContract({ lines: [], units: [] }) })).toBe(
      "product product_required",
    );
  });

  test.each<{ name: string; wish: RequestedContractChange; isChecked: boolean }>([
    { name: "another day", wish: { period: toDates({ dateTo: "2026-06-05" }) }, isChecked: true },
    { name: "another place", wish: { returnPlaceId: 1 }, isChecked: true },
    { name: "another category", wish: { categoryCode: "B" }, isChecked: true },
    { name: "an additional unit", wish: { quantity: 3 }, isChecked: true },
    { name: "fewer units", wish: { quantity: 1 }, isChecked: false },
    { name: "as many units", wish: { quantity: 2 }, isChecked: false },
    { name: "other extras", wish: { extras: [] }, isChecked: false },
    { name: "another driver", wish: { driverAge: 40 }, isChecked: false },
  ])(
    "checks a change to $name against new selling rules, which bind customers and warn staff: $isChecked",
    ({ wish, isChecked }) => {
      const catalogue = createPricedCatalogue(2, { sellingRules: [rule] });
      expect(findProblem(wish, { catalogue, by: CUSTOMER })).toBe(isChecked ? "dateFrom stop_sale" : undefined);
      const { brokenRules = [] } = change(wish, { catalogue });
      expect(brokenRules.some(({ reason }) => reason.code === "stop_sale")).toBe(isChecked);
    },
  );
});

describe("the agreed quantity of an extra", () => {
  const withFour = () => {
    const contract = createRentalContract();
    const [seat, gps] = contract.extras;
    return { ...contract, extras: [{ ...seat, quantity: 4 }, gps] } as Contract;
  };

  test.each([
    { quantity: 4, isSold: true, problem: undefined },
    { quantity: 5, isSold: true, problem: "quantity max_extra" },
    { quantity: 4, isSold: false, problem: undefined },
    { quantity: 5, isSold: false, problem: "quantity max_extra" },
  ])(
    "allows up to the agreed 4 of an extra although the limit is 3: quantity $quantity, on sale $isSold",
    ({ quantity, isSold, problem }) => {
      const catalogue = isSold ? NEW : createPricedCatalogue(2, { extras: [] });
      expect(findProblem({ extras: [{ code: "SEAT", quantity }] }, { contract: withFour(), catalogue })).toBe(problem);
    },
  );

  test("keeps an extra's agreed price, name and tax if it's no longer sold", () => {
    const { extras } = change(
      { period: toDates({ dateTo: "2026-06-05" }) },
      { catalogue: createPricedCatalogue(2, { extras: [] }) },
    );
    expect(extras).toMatchObject([
      { code: "SEAT", description: "Silla", unitCents: 1200, vat: 2100 },
      { code: "GPS", description: "Navegador", unitCents: 1500, vat: 2100 },
    ]);
  });

  test("leaves charges added after the booking unchanged, without a new discount", () => {
    const contract = createRentalContract();
    const fine = { id: 9, extraCode: "GPS", description: "Multa", quantity: 1, unitCents: 800, extraCents: 800 };
    const charged = { ...contract, extras: [...contract.extras, { ...fine, chargedOn: "2026-06-04" as CivilDate }] };
    const discount = { kind: "percentage", value: 5000, reason: "", by: "staff:1" } as const;
    const { extras, totals } = change({ extras: [], discount }, { contract: charged });
    expect(extras).toEqual([expect.objectContaining({ description: "Multa", extraCents: 800, discountCents: 0 })]);
    expect([totals.itemCents, totals.extrasCents]).toEqual([15_000, 800]);
  });
});

describe("the extras that a rental can have", () => {
  const list = (contract: Contract, catalogue: Catalogue, days: number) =>
    listChangeableExtras(catalogue, contract, days).map(({ code, name, unitCents, quantity, maxQuantity }) => [
      ...[code, name, unitCents, quantity, maxQuantity],
    ]);

  test("lists an extra at its agreed price if the change doesn't affect that price, otherwise at its current one", () => {
    const agreed = ["GPS", "Navegador", 1500, 1, 3];
    expect(list(createRentalContract(), NEW, 3)).toEqual([["SEAT", "Silla", 1200, 2, 3], agreed]);
    expect(list(createRentalContract(), NEW, 4)).toEqual([["SEAT", "Silla", 3200, 2, 3], agreed]);
    expect(list(createRentalContract({ extras: [] }), NEW, 3)).toEqual([
      ["SEAT", "Silla", 2400, 0, 3],
      ["GPS", "Navegador", 3000, 0, 3],
    ]);
  });

  test("lists an extra that is no longer sold up to its agreed quantity, and no extras of a transfer", () => {
    const catalogue = createPricedCatalogue(2, { extras: [createExtra({ limitPer: "vehicle" })] });
    expect(list(createRentalContract(), catalogue, 3)).toEqual([
      ["SEAT", "Silla", 1200, 2, 6],
      ["GPS", "Navegador", 1500, 1, 1],
    ]);
    expect(list(createRentalContract({ kind: "transfer" }), catalogue, 3)).toEqual([]);
  });
});

describe("a promotion code", () => {
  const coded = () =>
    createRentalContract({}, { request: { returnPlaceId: 2, driverAge: 22, promotionCode: "WELCOME10" } });
  const expired = { promotionCodes: [createPromotionCode({ rentalTo: "2026-06-01" as CivilDate })] };

  test.each<{
    name: string;
    wish: RequestedContractChange;
    item: number;
    code: string | undefined;
    isIdle: boolean;
    parts?: object;
  }>([
    { name: "stays with its agreed price", wish: {}, item: 27_000, code: "WELCOME10", isIdle: false },
    { name: "is removed by an empty code", wish: { promotionCode: "" }, item: 60_000, code: undefined, isIdle: false },
    {
      name: "stays if it no longer applies but still lowers agreed prices",
      wish: { quantity: 1 },
      item: 13_500,
      code: "WELCOME10",
      isIdle: false,
      parts: expired,
    },
    {
      name: "is removed if it no longer applies to new dates",
      wish: { period: toDates({ dateFrom: "2026-06-02" }) },
      item: 40_000,
      code: undefined,
      isIdle: true,
      parts: expired,
    },
    {
      name: "applies to new dates",
      wish: { period: toDates({ dateFrom: "2026-06-02" }) },
      item: 36_000,
      code: "WELCOME10",
      isIdle: false,
    },
    {
      name: "is removed if it applies to no product of the reservation",
      wish: { categoryCode: "B" },
      item: 96_000,
      code: undefined,
      isIdle: true,
      parts: { promotionCodes: [createPromotionCode({ categoryCode: "A" })] },
    },
    {
      name: "applies to another category",
      wish: { categoryCode: "B" },
      item: 86_400,
      code: "WELCOME10",
      isIdle: false,
    },
  ])("applies a change to a reservation's promotion code and price: $name", ({ wish, item, code, isIdle, parts }) => {
    const { totals, promotionCode, idleCode } = change(wish, {
      contract: coded(),
      catalogue: createPricedCatalogue(2, parts),
    });
    expect([totals.itemCents, promotionCode, idleCode !== undefined]).toEqual([item, code, isIdle]);
  });
});

describe("a discount", () => {
  const agreed = { kind: "percentage", value: 1000, reason: "Loyal", by: "staff:9", amountCents: 3390 } as const;
  const requested = { kind: "percentage", value: 1000, reason: "Loyal" } as const;

  test.each<{ name: string; wish: RequestedContractChange; by: string | undefined; cents: number }>([
    { name: "stays if the change doesn't mention it", wish: {}, by: "staff:9", cents: 3390 },
    { name: "applies to changed prices", wish: { extras: [] }, by: "staff:9", cents: 3000 },
    { name: "keeps its author if given again", wish: { discount: requested }, by: "staff:9", cents: 3390 },
    {
      name: "has the author who changes its value",
      wish: { discount: { ...requested, value: 2000 } },
      by: "staff:1",
      cents: 6780,
    },
    {
      name: "has the author who changes its reason",
      wish: { discount: { ...requested, reason: "New" } },
      by: "staff:1",
      cents: 3390,
    },
    {
      name: "has the author who changes its type",
      wish: { discount: { ...requested, kind: "amount" } },
      by: "staff:1",
      cents: 1000,
    },
    { name: "is removed by null", wish: { discount: null }, by: undefined, cents: 0 },
  ])("applies a change to a discount that staff gave: $name", ({ wish, by, cents }) => {
    const { discount, lines, extras } = change(wish, { contract: createRentalContract({ discount: agreed }) });
    expect(discount?.by).toBe(by);
    const parts = [...lines, ...extras].map(({ discountCents = 0 }) => discountCents);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents);
    expect(discount?.amountCents ?? 0).toBe(cents);
  });

  test.each<{ name: string; quantity: number; difference: number; cents: number }>([
    { name: "of a manual price is shared by the units left", quantity: 1, difference: -5001, cents: 2501 },
    { name: "of a manual price stays for the same units", quantity: 2, difference: -5001, cents: 5001 },
    { name: "of a manual price stays for more units", quantity: 3, difference: -5001, cents: 5001 },
    { name: "given by staff stays for fewer units", quantity: 1, difference: 0, cents: 5001 },
  ])("recalculates a discount when the number of units changes: $name", ({ quantity, difference, cents }) => {
    const manual = { kind: "amount", value: 5001, reason: "", by: "staff:9", amountCents: 5001 } as const;
    const contract = createRentalContract({ discount: manual, priceDifferenceCents: difference });
    expect(change({ quantity }, { contract }).discount?.amountCents).toBe(cents);
  });
});

describe("lines and units", () => {
  const listLines = ({ lines }: AgreedContract) =>
    lines.map(({ id, categoryCode, quantity, unitCents, unitIds }) => [id, categoryCode, quantity, unitCents, unitIds]);
  const both = {
    products: [
      { code: "A", quantity: 2 },
      { code: "B", quantity: 1 },
    ],
  };

  test("keeps a line and its units if the line's category changes, and leaves other categories' lines unchanged", () => {
    expect(
      listLines(
        change(
          { categoryCode: "C" },
          {
            contract: createRentalContract({}, both),
            catalogue: createPricedCatalogue(2, {
              categories: [createCategory(), createCategory({ code: "B" }), createCategory({ code: "C" })],
              tariffs: [createTariff(5000), createTariff(9000, { categoryCode: "C" })],
            }),
          },
        ),
      ),
    ).toEqual([
      [1, "C", 2, 27_000, undefined],
      [2, "B", 1, 24_000, undefined],
    ]);
  });

  test("keeps delivered units first, then those with a vehicle, then the earliest, if the quantity decreases", () => {
    const units = [
      createContractUnit({ id: 11 }),
      createContractUnit({ id: 12 }),
      createContractUnit({ id: 13, reference: "A-1" }),
      createContractUnit({ id: 14, reference: "A-2", deliveredAt: 1 }),
    ];
    const contract = createRentalContract({ units }, { products: [{ code: "A", quantity: 4 }] });
    const keep = (quantity: number) => change({ quantity }, { contract }).lines[0]?.unitIds;
    expect([keep(4), keep(3), keep(2), keep(1)]).toEqual([undefined, [14, 13, 11], [14, 13], [14]]);
  });

  test("adds and removes units in the last line of a product that has lines at two prices", () => {
    const contract = createRentalContract({}, { products: [{ code: "A", quantity: 3 }] });
    const [line] = contract.lines;
    const split = {
      ...contract,
      lines: [
        { ...line, id: 1, quantity: 2, unitCents: 14_000 },
        { ...line, id: 2, quantity: 1, unitCents: 14_001 },
      ],
      units: [1, 1, 2].map((lineId, index) => createContractUnit({ id: 11 + index, lineId })),
    } as Contract;
    const quantities = (quantity: number) =>
      change({ quantity }, { contract: split }).lines.map(({ id, quantity: each, unitCents }) => [id, each, unitCents]);
    expect(quantities(3)).toEqual([
      [1, 2, 14_000],
      [2, 1, 14_001],
    ]);
    expect(quantities(5)).toEqual([
      [1, 2, 14_000],
      [2, 3, 14_001],
    ]);
    expect(quantities(2)).toEqual([[1, 2, 14_000]]);
    expect(quantities(1)).toEqual([[1, 1, 14_000]]);
  });
});

describe("an imported rental whose places aren't in the catalogue", () => {
  const imported = () => {
    const contract = createRentalContract();
    return {
      ...contract,
      ...{ pickupPlaceId: undefined, returnPlaceId: undefined, pickupPlace: "Old port", returnPlace: "Old hotel" },
    };
  };

  test.each<{
    name: string;
    wish: RequestedContractChange;
    pickup: string;
    returned: string;
    cents: readonly [number, number];
  }>([
    {
      name: "keeps its places with other dates",
      wish: { period: toDates({ dateTo: "2026-06-05" }) },
      pickup: "Old port",
      returned: "Old hotel",
      cents: [500, 9700],
    },
    {
      name: "gets another pickup place, and the one-way fee from there",
      wish: { pickupPlaceId: 3 },
      pickup: "Aeropuerto",
      returned: "Old hotel",
      cents: [600, 8000],
    },
    {
      name: "gets another return place at its price",
      wish: { returnPlaceId: 1 },
      pickup: "Old port",
      returned: "Aeropuerto",
      cents: [500, 1000],
    },
  ])("changes an imported rental with unknown places: $name", ({ wish, pickup, returned, cents }) => {
    const changed = change(wish, { contract: imported() });
    expect([changed.pickupPlace.name, changed.returnPlace.name]).toEqual([pickup, returned]);
    expect([changed.totals.pickupPlaceCents, changed.totals.returnPlaceCents]).toEqual(cents);
    expect([changed.pickupPlace.id, changed.returnPlace.id]).toEqual([wish.pickupPlaceId, wish.returnPlaceId]);
  });
});
