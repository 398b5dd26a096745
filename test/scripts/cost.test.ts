import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { calculateMonthlyBill, estimateMonthlyUsage } from "#scripts/cost/model.ts";
import { parseRowsReadByOperation, replaceCostTable } from "#scripts/cost/table.ts";

const benchmarks = readFileSync(resolve("docs/benchmarks.md"), "utf8");
const rows = parseRowsReadByOperation(benchmarks);

test("matches the guide's cost table to the measured rows", () => {
  const page = readFileSync(resolve("docs/production.md"), "utf8");
  expect(replaceCostTable(page, rows)).toBe(page);
});

test("calculates the bill of each item from its use above the included amount", () => {
  const [one, many] = [1, 1000];
  const { rowsRead } = estimateMonthlyUsage(rows);
  const line = calculateMonthlyBill(rows, [one, many]).find(({ item }) => item === "D1 rows read");
  expect(line?.amounts[0]).toBe(0);
  expect(line?.amounts[1]).toBeCloseTo((many * Number(rowsRead.toPrecision(3)) - 25_000) * 0.001);
  expect(calculateMonthlyBill(rows, [one]).reduce((sum, { amounts }) => sum + (amounts[0] ?? 0), 0)).toBeLessThan(15);
});

test("charges more for searches that read more rows", () => {
  const getCost = (search: number) =>
    calculateMonthlyBill({ ...rows, search }, [10_000]).reduce((sum, { amounts }) => sum + (amounts[0] ?? 0), 0);
  expect(getCost(rows.search + 1000)).toBeGreaterThan(getCost(rows.search));
});

test("throws an error for an operation without a measurement", () => {
  expect(() => parseRowsReadByOperation(benchmarks.replace("| availability |", "| other |"))).toThrow('"availability"');
  expect(() => replaceCostTable("no markers", rows)).toThrow("<!-- cost -->");
});
