import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyRate,
  divideRounded,
  getNetAmount,
  parseAmount,
  prorate,
  splitAmount,
  sumCents,
  toAmount,
} from "#domain/money.ts";

const cents = fc.integer({ min: 0, max: 1_000_000_000_000 });
const weights = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 60 });

describe("amounts", () => {
  // Proves "conventions.md": Money amounts are decimal numbers carried in strings
  test.each([
    [12_345, 2, "123.45"],
    [5, 2, "0.05"],
    [0, 2, "0.00"],
    [-1, 2, "-0.01"],
    [1500, 0, "1500"],
    [1234, 3, "1.234"],
    [900_719_925_474_099, 2, "9007199254740.99"],
  ])("formats %i minor units of %i decimals as %s", (amount, decimals, text) => {
    expect(toAmount(amount, decimals)).toBe(text);
  });

  test("writes integer amounts as exact decimals", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 3 }), (amount, decimals) => {
        expect(toAmount(amount, decimals)).toBe(new Decimal(amount).dividedBy(10 ** decimals).toFixed(decimals));
      }),
    );
  });

  test("parses amounts as exact decimals and rejects more decimals than the currency", () => {
    const digits = (maxDigits: number) => fc.stringMatching(new RegExp(`^\\d{1,${maxDigits}}$`));
    fc.assert(
      fc.property(
        digits(12),
        fc.option(digits(6)),
        fc.integer({ min: 0, max: 3 }),
        (totalCents, fraction, decimals) => {
          const text = fraction === null ? totalCents : `${totalCents}.${fraction}`;
          const exact = new Decimal(text).times(10 ** decimals);
          expect(parseAmount(text, decimals)).toBe(exact.isInteger() ? exact.toNumber() : undefined);
        },
      ),
    );
  });

  test.each(["", "-1", "+1", ".5", "1.", "1,5", "1e3", " 1", "1 ", "0x1", "1.0000000", "1234567890123", "٣"])(
    "rejects the amount %j",
    (text) => {
      expect(parseAmount(text, 2)).toBeUndefined();
    },
  );

  // Proves "rules.md: quotes, counts and agreements": Shares are rounded half up, `booking_amount` too
  test("rounds a percentage of an amount half up", () => {
    expect(applyRate(5, 1000)).toBe(1);
    expect(applyRate(4, 1000)).toBe(0);
    expect(applyRate(333, 5000)).toBe(167);
  });

  // Proves "rules.md and conventions.md: the agency interface": price_without_taxes rounded half up once per line
  test.each([
    [12_100, 2100, 10_000],
    [9000, 2100, 7438],
    [100, 0, 100],
    [1, 2100, 1],
  ])("calculates from %i with tax at %i basis points %i without tax", (amount, vat, without) => {
    expect(getNetAmount(amount, vat)).toBe(without);
  });

  test("divides amounts of any size and sign like exact decimals, rounded half up", () => {
    const amounts = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.maxSafeInteger());
    const parts = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2_000_000_000 }));
    const round = (exact: Decimal) => exact.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber() + 0;
    fc.assert(
      fc.property(amounts, parts, fc.integer({ min: 0, max: 10_000 }), (amount, divisor, rate) => {
        expect(divideRounded(amount, divisor)).toBe(round(new Decimal(amount).dividedBy(divisor)));
        expect(prorate(amount, rate, divisor)).toBe(round(new Decimal(amount).times(rate).dividedBy(divisor)));
        expect(applyRate(amount, rate)).toBe(round(new Decimal(amount).times(rate).dividedBy(10_000)));
        expect(getNetAmount(amount, rate)).toBe(round(new Decimal(amount).times(10_000).dividedBy(10_000 + rate)));
      }),
    );
  });

  test.each([
    [5, 2, 3],
    [-5, 2, -3],
    [7, 3, 2],
    [-7, 3, -2],
    [9_007_199_254_740_991, 2, 4_503_599_627_370_496],
  ])("divides the amount %i by %i to %i, rounded half up", (amount, parts, share) => {
    expect(divideRounded(amount, parts)).toBe(share);
  });

  test("keeps the tax in an amount between zero and the amount", () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), (amount, vat) => {
        expect(getNetAmount(amount, vat)).toBeLessThanOrEqual(amount);
        expect(getNetAmount(amount, vat)).toBeGreaterThanOrEqual(Math.floor(amount / 2));
      }),
    );
  });
});

describe("splitting an amount", () => {
  test("splits an amount into shares that add up exactly", () => {
    fc.assert(
      fc.property(cents, weights, (amount, shares) => {
        fc.pre(sumCents(shares) > 0);
        expect(sumCents(splitAmount(amount, shares))).toBe(amount);
      }),
    );
  });

  test("keeps each share less than a cent from its exact part", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), weights, (amount, shares) => {
        const totalCents = sumCents(shares);
        fc.pre(totalCents > 0);
        splitAmount(amount, shares).forEach((share, index) => {
          expect(Math.abs(share - (amount * (shares[index] ?? 0)) / totalCents)).toBeLessThan(1);
        });
      }),
    );
  });

  test("assigns the remainder of a split amount to the largest fractions, the first of equal ones", () => {
    expect(splitAmount(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitAmount(10, [5, 3, 1])).toEqual([6, 3, 1]);
    expect(splitAmount(1, [1, 2])).toEqual([0, 1]);
  });

  test("throws an error instead of losing an amount if all weights are zero", () => {
    expect(() => splitAmount(10, [0, 0])).toThrow(RangeError);
    expect(() => splitAmount(10, [5, -5])).toThrow(RangeError);
    expect(splitAmount(0, [0, 0])).toEqual([0, 0]);
  });
});
