import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyDiscountToLinesAndExtras,
  getAgentDiscountLimitCents,
  getDiscountAmount,
  getDiscountableCents,
  isWithinAgentLimits,
} from "#domain/bookings/discounts.ts";

const line = (unitCents: number, quantity = 1) => ({ unitCents, quantity });
const percentage = (value: number) => ({ kind: "percentage", value, reason: "Regular", by: "staff:1" }) as const;
const amount = (value: number) => ({ kind: "amount", value, reason: "Regular", by: "staff:1" }) as const;
const cents = fc.integer({ min: 0, max: 1_000_000 });
const part = fc.record({ unitCents: cents, quantity: fc.integer({ min: 1, max: 9 }) });
const arbitraryDiscount = fc.oneof(fc.integer({ min: 0, max: 10_000 }).map(percentage), cents.map(amount));

describe("a discount", () => {
  test("calculates a percentage discount on products and extras, and deducts it from the products", () => {
    const { lines, extras, discount } = applyDiscountToLinesAndExtras([line(9000)], [line(1000)], percentage(1000));
    expect([lines[0]?.itemCents, extras[0]?.extraCents, discount?.amountCents]).toEqual([8000, 1000, 1000]);
  });

  test("deducts a discount from extras only once the products cost nothing, and makes no price negative", () => {
    const { lines, extras, discount } = applyDiscountToLinesAndExtras([line(5000)], [line(1000, 2)], amount(6000));
    expect([lines[0]?.itemCents, extras[0]?.extraCents, discount?.amountCents]).toEqual([0, 1000, 6000]);
    expect(applyDiscountToLinesAndExtras([line(5000)], [], amount(6000)).discount).toMatchObject({
      value: 6000,
      amountCents: 5000,
    });
  });

  test("doesn't discount extras that are charged after the return", () => {
    const { extras } = applyDiscountToLinesAndExtras(
      [line(100)],
      [{ ...line(4000), chargedOn: "2030-06-10" }],
      percentage(10_000),
    );
    expect(extras[0]).toMatchObject({ extraCents: 4000, discountCents: 0 });
  });

  test("splits a discount over any products and extras to the cent", () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(part), arbitraryDiscount, (lines, extras, discount) => {
        const applied = applyDiscountToLinesAndExtras(lines, extras, discount);
        const costs = [
          ...applied.lines.map((each) => each.itemCents),
          ...applied.extras.map((each) => each.extraCents),
        ];
        const total = costs.reduce((sum, cost) => sum + cost, 0);
        expect(costs.every((cost) => cost >= 0)).toBe(true);
        expect(total + (applied.discount?.amountCents ?? 0)).toBe(getDiscountableCents(lines, extras));
      }),
    );
  });

  test("calculates the same prices if a discount is applied again to its own result", () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(part), arbitraryDiscount, (lines, extras, discount) => {
        const once = applyDiscountToLinesAndExtras(lines, extras, discount);
        expect(applyDiscountToLinesAndExtras(once.lines, once.extras, once.discount)).toEqual(once);
      }),
    );
  });
});

describe("the limit of agents", () => {
  test("limits an agent's discount to the lower of percentage and amount", () => {
    const limits = { agentDiscountBasisPoints: 1000, agentLimitCents: 10_000 };
    expect(getAgentDiscountLimitCents(limits, 50_000)).toBe(5000);
    expect(getAgentDiscountLimitCents(limits, 500_000)).toBe(10_000);
  });

  test("allows no percentage above the agent's, also if its amount rounds to the same cents", () => {
    const limits = { agentDiscountBasisPoints: 1000, agentLimitCents: 10_000 };
    const percentage = (value: number) => {
      const discount = { kind: "percentage", value, reason: "Late car", by: "staff:4" } as const;
      return isWithinAgentLimits(limits, { ...discount, amountCents: getDiscountAmount(discount, 1500) }, 1500);
    };
    const amount = (value: number) =>
      isWithinAgentLimits(
        limits,
        { kind: "amount", value, amountCents: value, reason: "Late car", by: "staff:4" },
        1500,
      );
    expect([percentage(1000), percentage(1001)]).toEqual([true, false]);
    expect([amount(150), amount(151)]).toEqual([true, false]);
  });
});
