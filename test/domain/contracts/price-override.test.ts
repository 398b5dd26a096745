import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPriceDifferenceToLines } from "#domain/contracts/price-override.ts";
import { sumCents } from "#domain/money.ts";

const createLine = (quantity: number, unitCents: number, code = "A") => ({
  ...{ code, quantity, unitCents, itemCents: quantity * unitCents },
});

/** Returns quantity and unit price of each line. */
const override = (lines: readonly ReturnType<typeof createLine>[], differenceCents: number) =>
  applyPriceDifferenceToLines(lines, differenceCents)?.map(({ quantity, unitCents }) => [quantity, unitCents]);

describe("a manual price", () => {
  test.each<{ name: string; units: [number, number][]; difference: number; lines: [number, number][] | undefined }>([
    { name: "equal to the calculated price", units: [[2, 5000]], difference: 0, lines: [[2, 5000]] },
    { name: "higher", units: [[1, 5000]], difference: 700, lines: [[1, 5700]] },
    { name: "lower", units: [[1, 5000]], difference: -700, lines: [[1, 4300]] },
    { name: "shared evenly", units: [[2, 5000]], difference: -1000, lines: [[2, 4500]] },
    {
      name: "shared unevenly",
      units: [[3, 5000]],
      difference: -100,
      lines: [
        [1, 4966],
        [2, 4967],
      ],
    },
    {
      name: "higher for one unit",
      units: [[2, 5000]],
      difference: 1,
      lines: [
        [1, 5000],
        [1, 5001],
      ],
    },
    { name: "zero", units: [[1, 5000]], difference: -5000, lines: [[1, 0]] },
    { name: "a cent below zero", units: [[1, 5000]], difference: -5001, lines: undefined },
    {
      name: "off the first product only",
      units: [
        [1, 5000],
        [2, 3000],
      ],
      difference: -2000,
      lines: [
        [1, 3000],
        [2, 3000],
      ],
    },
    {
      name: "all of the first product",
      units: [
        [1, 5000],
        [2, 3000],
      ],
      difference: -5000,
      lines: [
        [1, 0],
        [2, 3000],
      ],
    },
    {
      name: "more than the first product",
      units: [
        [1, 5000],
        [2, 3000],
      ],
      difference: -5001,
      lines: undefined,
    },
    {
      name: "more than all products",
      units: [
        [1, 5000],
        [2, 3000],
      ],
      difference: -11_001,
      lines: undefined,
    },
    { name: "without a product", units: [], difference: 100, lines: undefined },
  ])("splits a manual price over the lines, or rejects it, if it is $name", ({ units, difference, lines }) => {
    expect(
      override(
        units.map(([quantity, cents]) => createLine(quantity, cents)),
        difference,
      ),
    ).toEqual(lines);
  });

  test("splits a manual price over a product's units to within a cent, and refuses a negative price", () => {
    const arbitraryLines = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(100_000)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(arbitraryLines, fc.integer({ min: -500_000, max: 500_000 }), (some, difference) => {
        const lines = some.map(([quantity, cents], index) => createLine(quantity, cents, String(index)));
        const [first, ...rest] = lines;
        const priced = applyPriceDifferenceToLines(lines, difference);
        expect(priced === undefined).toBe((first?.itemCents ?? 0) + difference < 0);
        if (priced === undefined) return;
        const own = priced.filter(({ code }) => code === "0");
        expect(priced.filter(({ code }) => code !== "0")).toEqual(rest);
        expect(sumCents(priced.map(({ itemCents }) => itemCents))).toBe(
          sumCents(lines.map(({ itemCents }) => itemCents)) + difference,
        );
        expect(sumCents(own.map(({ quantity }) => quantity))).toBe(first?.quantity);
        for (const { quantity, unitCents, itemCents } of own) {
          expect(itemCents).toBe(quantity * unitCents);
          expect(quantity).toBeGreaterThan(0);
          expect(unitCents).toBeGreaterThanOrEqual(0);
        }
        const prices = own.map(({ unitCents }) => unitCents);
        expect(Math.max(...prices) - Math.min(...prices)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
