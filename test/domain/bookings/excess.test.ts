import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  getUnreducedExcess,
  listExtraExcessReductions,
  reduceLineExcess,
  sumExcess,
  sumExcessReduction,
  toReducedExcess,
} from "#domain/bookings/excess.ts";
import type { ExcessReduction } from "#domain/catalogue/catalogue.ts";
import { createExtra } from "#support/catalogue.ts";

type Reduction = readonly [type: ExcessReduction["type"], deposit: number | undefined, guarantee: number | undefined];

const reductions = (...list: readonly Reduction[]) =>
  list.map(([type, depositValue, guaranteeValue]): ExcessReduction => ({ type, depositValue, guaranteeValue }));
const FULL = { depositCents: 30_000, guaranteeCents: 60_001 };

describe("the deposit and the excess of a unit", () => {
  test.each<readonly [string, readonly ExcessReduction[], number, number]>([
    ["stay without reductions", [], 30_000, 60_001],
    ["become the fixed amounts of an extra", reductions(["amount", 10_000, 0]), 10_000, 0],
    ["are reduced by the percentages, rounded half up", reductions(["percentage", 2500, 5000]), 22_500, 30_000],
    ["are reduced independently of each other", reductions(["amount", undefined, 500]), 30_000, 500],
    ["never rise", reductions(["amount", 30_001, 60_002]), 30_000, 60_001],
    ["are reduced to zero at most", reductions(["percentage", 10_001, 10_000]), 0, 0],
    ["become the lowest of several", reductions(["amount", 20_000, 100], ["percentage", 5000, 100]), 15_000, 100],
  ])(
    "calculates a unit's deposit and excess with reductions by extras: they %s",
    (_, list, depositUnitCents, guaranteeUnitCents) => {
      expect(toReducedExcess(FULL, list)).toEqual({
        ...{ depositUnitCents, guaranteeUnitCents },
        depositReductionUnitCents: 30_000 - depositUnitCents,
        guaranteeReductionUnitCents: 60_001 - guaranteeUnitCents,
      });
    },
  );

  test("recalculates the full deposit and excess of a unit from the reduced ones, for any reductions", () => {
    const rate = fc.integer({ min: 0, max: 10_000 });
    const reduction = fc.record({
      type: fc.constantFrom("amount", "percentage"),
      depositValue: rate,
      guaranteeValue: rate,
    });
    fc.assert(
      fc.property(fc.array(reduction), (list) => {
        expect(getUnreducedExcess(toReducedExcess(FULL, list as ExcessReduction[]))).toEqual(FULL);
      }),
    );
  });

  test("lists the reductions of deposit and excess by the chosen extras", () => {
    const [excessReduction] = reductions(["amount", 100, 200]);
    const extras = new Map([
      ["FULL", createExtra({ code: "FULL", excessReduction })],
      ["SEAT", createExtra({ code: "SEAT" })],
    ]);
    expect(listExtraExcessReductions({ extras }, ["SEAT", "FULL", "GONE"])).toEqual([excessReduction]);
  });
});

describe("an extra sold later", () => {
  const line = (lineId: number, quantity: number, soldReductions: readonly ExcessReduction[] = []) => ({
    ...{ lineId, quantity },
    ...toReducedExcess(FULL, soldReductions),
  });
  const lines = [line(1, 2), line(2, 1, reductions(["amount", 5000, 5000]))];

  test("lowers deposit and excess of booked lines by an extra sold later, and keeps lower amounts of earlier extras", () => {
    const lowered = reduceLineExcess(lines, reductions(["amount", 10_000, 1000]));
    expect(lowered).toEqual([
      {
        ...{ lineId: 1, quantity: 2, depositUnitCents: 10_000, guaranteeUnitCents: 1000 },
        ...{ depositReductionUnitCents: 20_000, guaranteeReductionUnitCents: 59_001 },
      },
      {
        ...{ lineId: 2, quantity: 1, depositUnitCents: 5000, guaranteeUnitCents: 1000 },
        ...{ depositReductionUnitCents: 25_000, guaranteeReductionUnitCents: 59_001 },
      },
    ]);
    // Two units by 200.00 and 590.01, one by 0.00 and 40.00.
    expect(sumExcessReduction(lines, lowered)).toEqual({ depositCents: 40_000, guaranteeCents: 122_002 });
  });

  test("lowers only the deposit or only the excess if an extra sold later reduces only one of them", () => {
    const lowerFirst = (deposit?: number, guarantee?: number) =>
      reduceLineExcess(lines.slice(0, 1), reductions(["amount", deposit, guarantee])).map((excessLine) => [
        excessLine.depositUnitCents,
        excessLine.guaranteeUnitCents,
      ]);
    expect(lowerFirst(100)).toEqual([[100, 60_001]]);
    expect(lowerFirst(undefined, 100)).toEqual([[30_000, 100]]);
  });

  test("changes no booked line by an extra sold later if deposit and excess are already as low", () => {
    expect(reduceLineExcess(lines.slice(1), reductions(["amount", 5000, 5000]))).toEqual([]);
    expect(reduceLineExcess(lines, [])).toEqual([]);
    expect(sumExcessReduction([], lines)).toEqual({ depositCents: 0, guaranteeCents: 0 });
  });

  test("sums the deposit and excess of all lines, and lowers only the deposit if the extra has no value for the excess", () => {
    const [first, second] = lines;
    const both = [first, second].flatMap((excessLine) => excessLine ?? []);
    // Three units of 300.00 and 600.01.
    expect(sumExcess(both, [])).toEqual({ depositCents: 90_000, guaranteeCents: 180_003 });
    expect(sumExcess(both, reductions(["amount", 100, undefined]))).toEqual({
      depositCents: 300,
      guaranteeCents: 180_003,
    });
  });
});
