import { beforeAll, expect, test } from "vitest";
import { type SimulatedTask, simulateCompanies } from "#tools/ten-thousand/simulate.ts";

// 10,000 companies in 40 cells, with 150 ms for each database call, in simulated time.

const CELLS = 40;
let results: readonly SimulatedTask[];

beforeAll(async () => {
  results = await simulateCompanies(10_000);
}, 900_000);

test("operates 10,000 companies within the time limits of cron job, migrations, overview and a new company", () => {
  expect(results.map(({ title }) => title)).toEqual([
    "cron job of a minute",
    "cron job of a minute, one company in 50 doesn't answer",
    "a new company",
    "three migrations of all databases",
    "the operator's overview",
  ]);
  for (const { title, milliseconds, limitMs } of results) expect(milliseconds, title).toBeLessThanOrEqual(limitMs);
});

test("queries the directory three times in each cell's cron run", () => {
  expect(results[0]?.calls["D1, directory"]).toBe(3 * CELLS);
});
