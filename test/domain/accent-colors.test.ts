import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveAccentColors, getRelativeLuminance } from "#domain/accent-colors.ts";

const getContrast = (first: string, second: string): number => {
  const [light = 0, dark = 0] = [getRelativeLuminance(first), getRelativeLuminance(second)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

test("calculates the luminance of WCAG", () => {
  expect(["#000000", "#ffffff"].map(getRelativeLuminance)).toEqual([0, 1]);
  expect(getRelativeLuminance("#777777")).toBeCloseTo(0.184, 3);
  expect(getContrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("keeps a company's color where it can be read", () => {
  expect(deriveAccentColors("#0b5fb0").light).toBe("#0b5fb0");
  expect(deriveAccentColors("#7dbfff").dark).toBe("#7dbfff");
});

test("derives from any color accents that can be read on light and dark pages and on buttons", () => {
  const hexColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(hexColor, (color) => {
      const { light, dark } = deriveAccentColors(color);
      for (const ground of ["#ffffff", "#f6f5f1"]) expect(getContrast(light, ground)).toBeGreaterThanOrEqual(4.5);
      for (const ground of ["#14171a", "#1d2226"]) expect(getContrast(dark, ground)).toBeGreaterThanOrEqual(4.5);
      // Texts of buttons.
      expect(getContrast(light, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(getContrast(dark, "#06121d")).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
