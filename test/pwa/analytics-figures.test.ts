import { expect, test } from "vitest";
import { formatsOf, sumByMonth, sumOf } from "../../pwa/analytics/src/figures.ts";

test.each([
  ["EUR", ["0.10", "0.20"], "0.30"],
  ["JPY", ["1200", "34"], "1234"],
  ["KWD", ["0.005", "1.004", "0.006"], "1.015"],
])("amounts of %s sum up to the last of their decimals", (_currency, amounts, sum) => {
  expect(sumOf(amounts)).toBe(sum);
  const lines = amounts.map((total) => ({ date: "2026-03-05", total }));
  const [whole] = sumByMonth(lines, () => "all");
  expect([whole?.months[2], whole?.total]).toEqual([sum, sum]);
});

test("nothing sums up to nothing, and what is most comes first", () => {
  expect(sumOf([])).toBe("0");
  const lines = [
    { date: "2026-01-31", total: "9.00" },
    { date: "2026-12-01", total: "10.00" },
  ];
  expect(sumByMonth(lines, ({ date }) => date).map(({ total }) => total)).toEqual(["10.00", "9.00"]);
});

test("figures are written as on the company's papers, its own dollars as $", () => {
  const texts = (language: string, country_code: string, currency: string) => {
    const { money, month, percent } = formatsOf(language, { country_code, currency });
    return [money("1234.50").replace(/\s/g, " "), month(8), percent("21.5").replace(/\s/g, " ")];
  };
  expect(texts("es", "US", "USD")).toEqual(["1.235 $", "sept", "21,5 %"]);
  expect(texts("en", "US", "USD")).toEqual(["$1,235", "Sep", "21.5%"]);
  expect(texts("en", "ES", "EUR")).toEqual(["€1,235", "Sep", "21.5%"]);
});
