import { expect, test } from "vitest";
import {
  averageOccupation,
  createFormats,
  dayIn,
  MONTHS,
  sumAmounts,
  sumByMonth,
} from "../../pwa/analytics/src/figures.ts";

test.each([
  ["EUR", ["0.10", "0.20"], "0.30"],
  ["JPY", ["1200", "34"], "1234"],
  ["KWD", ["0.005", "1.004", "0.006"], "1.015"],
])("amounts of %s sum up to the last of their decimals", (_currency, amounts, sum) => {
  expect(sumAmounts(amounts)).toBe(sum);
  const lines = amounts.map((total) => ({ date: "2026-03-05", total }));
  const [whole] = sumByMonth(lines, () => "all");
  expect([whole?.months[2], whole?.total]).toEqual([sum, sum]);
});

test("nothing sums up to nothing, and what is most comes first", () => {
  expect(sumAmounts([])).toBe("0");
  const lines = [
    { date: "2026-01-31", total: "9.00" },
    { date: "2026-12-01", total: "10.00" },
  ];
  expect(sumByMonth(lines, ({ date }) => date).map(({ total }) => total)).toEqual(["10.00", "9.00"]);
});

test.each([
  ["Atlantic/Canary", "2025-12-31"],
  ["Europe/Madrid", "2026-01-01"],
  ["America/New_York", "2025-12-31"],
  ["Pacific/Auckland", "2026-01-01"],
])("today is the company's own day in %s, wherever the browser is", (timezone, day) => {
  expect(dayIn(timezone, Date.parse("2025-12-31T23:30:00Z"))).toBe(day);
});

test("figures are written as on the company's papers, its own dollars as $", () => {
  const texts = (language: string, country_code: string, currency: string) => {
    const { money, month, percent } = createFormats(language, { country_code, currency });
    return [money("1234.50").replace(/\s/g, " "), month(8), percent("21.5").replace(/\s/g, " ")];
  };
  expect(texts("es", "US", "USD")).toEqual(["1.235 $", "sept", "21,5 %"]);
  expect(texts("en", "US", "USD")).toEqual(["$1,235", "Sep", "21.5%"]);
  expect(texts("en", "ES", "EUR")).toEqual(["€1,235", "Sep", "21.5%"]);
});

test("occupation is averaged over the months that have begun, and of a vehicle over those since it was bought", () => {
  const row = (bought: string | null, figures: readonly string[]) => ({
    ...(Object.fromEntries(MONTHS.map((month, at) => [month, figures[at] ?? 0])) as Record<
      (typeof MONTHS)[number],
      string
    >),
    total: 0,
    purchasable_adquisition_date: bought,
  });
  const rows = [
    row("2024-03-01", ["80.00", "60.00", "40.00", "20.00"]),
    row("2026-03-20", [...Array(2).fill("0"), "90.00"]),
  ];
  const { ofRows, ofMonths, whole } = averageOccupation(rows, 2026, "2026-03-27");
  expect([ofRows, ofMonths.slice(0, 5), whole]).toEqual([[60, 90], [80, 60, 65, 10, 0], 67.5]);
  expect(averageOccupation(rows, 2025, "2026-03-27").ofRows).toEqual([200 / 12, 90]);
  expect(averageOccupation(rows, 2027, "2026-03-27").ofRows[0]).toBe(200 / 12);
  expect(averageOccupation([], 2026, "2026-03-27").whole).toBe(0);
});
