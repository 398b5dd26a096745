import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Catalogue, DriverAgeRule } from "#domain/catalogue/catalogue.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { endContractEarly, extendContract, toAgreedContract } from "#domain/contracts/in-progress.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import {
  createBranch,
  createCatalogue,
  createExtra,
  createPeriod,
  createSettings,
  createTariff,
} from "#support/catalogue.ts";
import { createActionTime, createContract, createContractUnit } from "#support/domain-contracts.ts";

const RULE: DriverAgeRule = {
  ...{ id: 1, description: "", descriptions: {}, ageFrom: 18, ageTo: 24, allowed: true, depositCents: 0 },
  ...{ costPer: "day", costCents: 250 },
};

// 1 to 4 June, 3 days of 50.00, an extra of 4.00 a day, one of 15.00, a driver of 2.50 a day.
const createPricedCatalogue = (
  settings: Parameters<typeof createSettings>[0] = {},
  parts: Parameters<typeof createCatalogue>[0] = {},
) =>
  createCatalogue({
    settings: createSettings({
      graceMinutes: 120,
      earlyReturnRefund: "none",
      outOfHoursReturnCents: 2000,
      ...settings,
    }),
    branches: [
      createBranch({
        openingHours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
          ...{ weekday, opens: "08:00" as TimeText, closes: "20:00" as TimeText },
        })),
      }),
    ],
    extras: [createExtra(), createExtra({ id: 2, code: "GPS", pricePer: "rental", priceCents: 1500 })],
    driverAgeRules: [RULE],
    ...parts,
  });

const createRunningContract = (changes: Partial<Contract> = {}, catalogue = createPricedCatalogue(), units = 2) => {
  const contract = createContract(
    { status: "in_progress" },
    {
      catalogue,
      period: createPeriod("2026-06-01", "2026-06-04"),
      request: { driverAge: 20 },
      products: [{ code: "A", quantity: units }],
      extras: [
        { code: "SEAT", quantity: 2 },
        { code: "GPS", quantity: 1 },
      ],
    },
  );
  return { ...contract, units: contract.units.map((unit) => ({ ...unit, deliveredAt: 1 })), ...changes };
};

const toReturn = (text: string) => {
  const [date = "", time = "10:00"] = text.split(" ");
  return { dateTo: date as CivilDate, timeTo: time as TimeText };
};

const NOW = "2026-06-02 12:00";
const extend = (
  to: string,
  {
    contract = createRunningContract(),
    catalogue = createPricedCatalogue(),
    now = NOW,
  }: { contract?: Contract; catalogue?: Catalogue; now?: string } = {},
) => extendContract(catalogue, contract, toReturn(to), createActionTime(now));
const endEarly = (
  to: string,
  {
    contract = createRunningContract(),
    catalogue = createPricedCatalogue(),
  }: { contract?: Contract; catalogue?: Catalogue } = {},
) => endContractEarly(catalogue, contract, toReturn(to));

function summarize(result: ReturnType<typeof extend>) {
  if (!result.ok) return `${result.error.field} ${result.error.reason.code}`;
  const { days, totals } = result.value;
  return [days, totals.itemCents, totals.extrasCents, totals.driverAgeCents, totals.timeToCents];
}

describe("an extension", () => {
  // Days, products, extras, driver, hours of the return.
  // Proves "rules.md: the life of a contract": Further days cost the agreed daily price beyond the grace period
  test.each<{ name: string; to: string; now?: string; result: unknown }>([
    { name: "to the agreed time", to: "2026-06-04 10:00", result: "dateTo return_not_later" },
    { name: "to an earlier time", to: "2026-06-03", result: "dateTo return_not_later" },
    { name: "to the past", to: "2026-06-05", now: "2026-06-05 10:01", result: "dateTo return_in_past" },
    { name: "to this minute", to: "2026-06-05", now: "2026-06-05 10:00", result: [4, 40_000, 4700, 1000, 0] },
    { name: "by a minute", to: "2026-06-04 10:01", result: [3, 30_000, 3900, 750, 0] },
    { name: "within the grace period", to: "2026-06-04 12:00", result: [3, 30_000, 3900, 750, 0] },
    { name: "a minute beyond the grace period", to: "2026-06-04 12:01", result: [4, 40_000, 4700, 1000, 0] },
    { name: "by two days", to: "2026-06-06", result: [5, 50_000, 5500, 1250, 0] },
    { name: "to closing time", to: "2026-06-04 20:00", result: [4, 40_000, 4700, 1000, 0] },
    { name: "after closing time", to: "2026-06-04 20:01", result: [4, 40_000, 4700, 1000, 2000] },
  ])("prices or rejects an extension $name: $result", ({ to, now = NOW, result }) => {
    expect(summarize(extend(to, { now }))).toEqual(result);
  });

  test("names the account's maximum rental length as a broken rule of a longer extension", () => {
    const catalogue = createPricedCatalogue({ maximumDays: 5 });
    const longest = extend("2026-06-06", { catalogue });
    expect([summarize(longest), longest.ok && longest.value.brokenRules]).toEqual([[5, 50_000, 5500, 1250, 0], []]);
    const longer = extend("2026-06-07", { catalogue });
    expect([summarize(longer), longer.ok && longer.value.brokenRules]).toEqual([
      [6, 60_000, 6300, 1500, 0],
      [expect.objectContaining({ reason: { code: "maximum_days", params: { days: 5 } }, isWarningOnly: false })],
    ]);
  });

  test("charges an extension at the agreed daily prices, not the catalogue's", () => {
    const catalogue = createPricedCatalogue(
      {},
      { tariffs: [createTariff(9900)], extras: [createExtra({ priceCents: 900 })] },
    );
    expect(summarize(extend("2026-06-05", { catalogue }))).toEqual([4, 40_000, 4700, 1000, 0]);
  });

  test("rounds the daily price of an extension half up before it multiplies by the days", () => {
    const contract = createRunningContract({}, createPricedCatalogue(), 1);
    const [line] = contract.lines;
    const unevenContract = { ...contract, lines: [{ ...line, unitCents: 10_001, itemCents: 10_001 }] } as Contract;
    expect(summarize(extend("2026-06-06", { contract: unevenContract }))).toEqual([
      5,
      10_001 + 2 * 3334,
      5500,
      1250,
      0,
    ]);
  });

  test("charges an extension after an unrefunded early return only for days beyond the paid ones", () => {
    const paid = createRunningContract({ period: createPeriod("2026-06-01", "2026-06-02") });
    expect(summarize(extend("2026-06-03", { contract: paid }))).toEqual([3, 30_000, 3900, 750, 0]);
    expect(summarize(extend("2026-06-04", { contract: paid }))).toEqual([3, 30_000, 3900, 750, 0]);
    expect(summarize(extend("2026-06-05", { contract: paid }))).toEqual([4, 40_000, 4700, 1000, 0]);
  });

  test.each([
    { maximum: undefined, to: "2026-06-05", cents: 4700 },
    { maximum: 1600, to: "2026-06-05", cents: 4700 },
    { maximum: 1599, to: "2026-06-05", cents: 4698 },
    { maximum: 1200, to: "2026-06-05", cents: 3900 },
    { maximum: 1000, to: "2026-06-05", cents: 3900 },
  ])("charges an extra per day up to its maximum of $maximum: $cents", ({ maximum, to, cents }) => {
    const extras = [createExtra({ maximumPriceCents: maximum }), createExtra({ code: "GPS", pricePer: "rental" })];
    const result = extend(to, { catalogue: createPricedCatalogue({}, { extras }) });
    expect(result.ok && result.value.totals.extrasCents).toBe(cents);
  });

  test("charges no further days for discontinued extras, later charges and drivers without an age rule", () => {
    const contract = createRunningContract();
    const fine = { id: 9, extraCode: "SEAT", description: "Multa", quantity: 1, unitCents: 300, extraCents: 300 };
    const charged = { ...contract, extras: [...contract.extras, { ...fine, chargedOn: "2026-06-03" as CivilDate }] };
    expect(summarize(extend("2026-06-05", { contract: charged }))).toEqual([4, 40_000, 5000, 1000, 0]);
    const catalogue = createPricedCatalogue({}, { extras: [], driverAgeRules: [{ ...RULE, costPer: "rental" }] });
    expect(summarize(extend("2026-06-05", { contract: charged, catalogue }))).toEqual([4, 40_000, 4200, 750, 0]);
  });

  // Proves "rules.md: the life of a contract": Returned vehicles pay no further day; those on rent get their own line
  test.each<{ back: number; lines: readonly unknown[] }>([
    { back: 0, lines: [[1, 3, 20_000, 60_000, undefined]] },
    {
      back: 1,
      lines: [
        [1, 1, 15_000, 15_000, [11]],
        [undefined, 2, 20_000, 40_000, [12, 13]],
      ],
    },
    { back: 3, lines: [[1, 3, 15_000, 45_000, undefined]] },
  ])("charges only vehicles that are out, with $back of 3 back", ({ back, lines }) => {
    const contract = createRunningContract({}, createPricedCatalogue(), 3);
    const units = contract.units.map((unit, index) => (index < back ? { ...unit, collectedAt: 2 } : unit));
    const result = extend("2026-06-05", { contract: { ...contract, units } });
    if (!result.ok) throw new Error(result.error.field);
    const { lines: agreed } = result.value;
    expect(
      agreed.map(({ id, quantity, unitCents, itemCents, unitIds }) => [id, quantity, unitCents, itemCents, unitIds]),
    ).toEqual(lines);
  });
});

describe("an early return", () => {
  test.each<{ name: string; to: string; refund?: "unused_days" | "none"; result: unknown }>([
    { name: "at the agreed time", to: "2026-06-04 10:00", result: "dateTo return_not_earlier" },
    { name: "after the agreed time", to: "2026-06-05", result: "dateTo return_not_earlier" },
    { name: "at the pickup", to: "2026-06-01 10:00", result: "dateTo return_not_after_pickup" },
    { name: "in the past", to: "2026-06-02 09:59", refund: "unused_days", result: [1, 10_000, 2300, 250, 0] },
    { name: "before the pickup", to: "2026-06-01 09:59", result: "dateTo return_not_after_pickup" },
    { name: "this minute", to: "2026-06-02 12:00", refund: "unused_days", result: [1, 10_000, 2300, 250, 0] },
    {
      name: "a minute after the grace period",
      to: "2026-06-02 12:01",
      refund: "unused_days",
      result: [2, 20_000, 3100, 500, 0],
    },
    { name: "on the last day", to: "2026-06-04 09:59", refund: "unused_days", result: [3, 30_000, 3900, 750, 0] },
    { name: "without a refund", to: "2026-06-02 12:01", result: [3, 30_000, 3900, 750, 0] },
    { name: "after closing time", to: "2026-06-02 20:01", result: [3, 30_000, 3900, 750, 2000] },
  ])("prices or rejects an early return $name: $result", ({ to, refund = "none", result }) => {
    expect(summarize(endEarly(to, { catalogue: createPricedCatalogue({ earlyReturnRefund: refund }) }))).toEqual(
      result,
    );
  });
});

describe("changed return times", () => {
  test("keeps the agreed out-of-hours supplement only at the agreed day and time", () => {
    const contract = createRunningContract();
    const dear = { ...contract, totals: { ...contract.totals, timeToCents: 999 } };
    expect(toAgreedContract(createPricedCatalogue(), dear).totals.timeToCents).toBe(999);
    expect(summarize(extend("2026-06-04 12:00", { contract: dear }))).toEqual([3, 30_000, 3900, 750, 0]);
    expect(summarize(extend("2026-06-05 10:00", { contract: dear }))).toEqual([4, 40_000, 4700, 1000, 0]);
  });

  test("refunds the unused days of an extra if the used days cost less than the extra's maximum price", () => {
    const extras = [createExtra({ maximumPriceCents: 1200 }), createExtra({ code: "GPS", pricePer: "rental" })];
    const catalogue = createPricedCatalogue({ earlyReturnRefund: "unused_days" }, { extras });
    expect(summarize(endEarly("2026-06-02 12:00", { catalogue }))).toEqual([1, 10_000, 2300, 250, 0]);
  });

  test("charges the same for one extension as for two to the same day, if the prices divide evenly", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 14 }), fc.integer({ min: 1, max: 14 }), (first, more) => {
        const day = (number: number) => `2026-06-${String(number).padStart(2, "0")}`;
        const once = extend(day(first + more));
        const step = extend(day(first));
        if (!step.ok || !once.ok) throw new Error("refused");
        const { period, days, lines, extras, totals } = step.value;
        const contract = createRunningContract();
        const extended = {
          ...contract,
          ...{ period, days, totals, lines: lines.map((line) => ({ ...line, id: 1 })) },
          extras: contract.extras.map((extra, index) => ({ ...extra, ...extras[index] })),
        } as Contract;
        const twice = extend(day(first + more), { contract: extended });
        expect(twice.ok && twice.value.totals).toEqual(once.value.totals);
      }),
    );
  });

  test("changes nothing if the new return is the agreed one", () => {
    const contract = createRunningContract();
    const { totals, lines, period } = toAgreedContract(
      createPricedCatalogue({}, { tariffs: [createTariff(1)] }),
      contract,
    );
    expect({ totals, period }).toEqual({ totals: contract.totals, period: contract.period });
    expect(lines).toEqual([expect.objectContaining({ id: 1, unitCents: 15_000, itemCents: 30_000, vat: 2100 })]);
  });

  test("charges no out-of-hours supplement if the return branch no longer exists", () => {
    const contract = createRunningContract({ returnBranchCode: "GONE" });
    expect(summarize(extend("2026-06-05 23:00", { contract }))).toEqual([5, 50_000, 5500, 1250, 0]);
  });

  test("extends a line's units although a unit of another line was returned", () => {
    const contract = createRunningContract({}, createPricedCatalogue(), 1);
    const other = createContractUnit({ id: 99, lineId: 2, deliveredAt: 1, collectedAt: 2 });
    const result = extend("2026-06-05", { contract: { ...contract, units: [...contract.units, other] } });
    expect(result.ok && result.value.lines.map(({ quantity, unitCents }) => [quantity, unitCents])).toEqual([
      [1, 20_000],
    ]);
  });
});
