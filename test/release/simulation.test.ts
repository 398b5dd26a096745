import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SQL_BY_INJECTED_BUG } from "#tools/simulation/injected-bugs.ts";
import { runSimulation } from "#tools/simulation/run.ts";
import { findSmallestFailure } from "#tools/simulation/smallest-failure.ts";
import { generateSteps, type Step } from "#tools/simulation/steps.ts";
import { buildWorker } from "#tools/simulation/worker-build.ts";

let folder: string;
let loadWorker: Awaited<ReturnType<typeof buildWorker>>["load"];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "simulation-"));
  ({ load: loadWorker } = await buildWorker(folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("violates no invariant in simulated weeks of lost and repeated calls, wrong clocks and kills, reproducible by seed", async () => {
  const steps = generateSteps({ seed: "gate", bookings: 60, kills: 1 });
  const life = await runSimulation({ seed: "gate", steps, loadWorker });
  expect(life.broken).toEqual([]);
  expect(life.kills).toBe(1);
  expect(life.checks).toBeGreaterThan(50);
  const states = [...life.history.bookings.values()];
  for (const state of ["booked", "refused", "cancelled"]) expect(states).toContain(state);
  expect((await runSimulation({ seed: "gate", steps, loadWorker })).digest).toBe(life.digest);
});

test("detects that the stock guard is missing, and reduces the case to two bookings that reproduce it", async () => {
  const without = {
    seed: "gate",
    loadWorker,
    ...(SQL_BY_INJECTED_BUG["stock"] && { sabotageSql: SQL_BY_INJECTED_BUG["stock"] }),
  };
  const findBrokenInvariant = async (steps: readonly Step[]) =>
    (await runSimulation({ ...without, steps })).broken[0]?.invariant;
  const steps = generateSteps({ seed: "gate", bookings: 24, kills: 0 });
  expect(await findBrokenInvariant(steps)).toBe("stock is never exceeded");
  const minimalSteps = await findSmallestFailure(
    steps,
    async (fewer) => (await findBrokenInvariant(fewer)) === "stock is never exceeded",
  );
  expect(minimalSteps.length).toBeLessThanOrEqual(2);
  expect(new Set(minimalSteps.map(({ does }) => does))).toEqual(new Set(["book"]));
  expect(await findBrokenInvariant(minimalSteps)).toBe("stock is never exceeded");
  expect((await runSimulation({ seed: "gate", steps: minimalSteps, loadWorker })).broken).toEqual([]);
});

test("detects a booking's paid amount that differs from its charges", async () => {
  const steps: readonly Step[] = [BUY];
  const { broken } = await runSimulation({
    seed: "money",
    steps,
    loadWorker,
    ...(SQL_BY_INJECTED_BUG["money"] && { sabotageSql: SQL_BY_INJECTED_BUG["money"] }),
  });
  expect(broken.map(({ invariant }) => invariant)).toContain(
    "a booking is paid as far as its charges say, deposits apart",
  );
  expect((await runSimulation({ seed: "money", steps, loadWorker })).broken).toEqual([]);
});

test.each([
  ["commissions", "a commission is what its terms say of its price"],
  ["keys", "no answer is a defect"],
  ["drawer", "the cash of a drawer is the sum of its charges"],
  ["places", "a vehicle stands where its last return said"],
  ["expenses", "what the office was told is there and done once"],
])("detects in simulated days at the office that the guard %s is missing", async (guard, findBrokenInvariant) => {
  const sabotageSql = SQL_BY_INJECTED_BUG[guard] ?? "";
  const { broken } = await runSimulation({ seed: "office", steps: OFFICE_DAYS, loadWorker, sabotageSql });
  expect(broken.map((broken) => broken.invariant)).toContain(findBrokenInvariant);
});

test("violates no invariant in simulated office days with all guards", async () => {
  const { broken, history } = await runSimulation({ seed: "office", steps: OFFICE_DAYS, loadWorker });
  expect([broken, history.faults]).toEqual([[], []]);
  const completedActions = [...history.office.values()]
    .filter(({ state }) => state === "done")
    .map(({ description }) => description);
  for (const move of ["agent", "surcharge", "reopen", "collect", "settle", "register/close", "blocks", "expenses"])
    expect(completedActions).toContainEqual(expect.stringContaining(move));
  expect(history.returned).toEqual(new Map([[expect.any(String), { branch: "TOWN", at: expect.any(Number) }]]));
});

const HOURS = 3_600_000;
const RENTAL_REQUEST = { code: "A", quantity: 1, seats: 0, from: 1, days: 2 };
const BACK = { branch: "TOWN", hoursLate: 3, isDamaged: true, deposit: 10_000, kept: 2500 };

/** A two-day rental from booking to completion. */
const OFFICE_DAYS: readonly Step[] = [
  { id: 1, at: HOURS, does: "book", rental: RENTAL_REQUEST },
  { id: 2, at: 2 * HOURS, does: "office", booking: 1, move: "agent", percent: 9 },
  { id: 3, at: 3 * HOURS, does: "office", booking: 1, move: "change", percent: 3 },
  { id: 4, at: 3 * HOURS, does: "count", branch: "AIR", cents: 500 },
  { id: 5, at: 4 * HOURS, does: "drive", booking: 1, back: BACK },
  { id: 6, at: 5 * HOURS, does: "office", booking: 1, move: "cash", percent: 20 },
  { id: 7, at: 6 * HOURS, does: "spend", vehicle: "A-3", cents: 12_345, wrongFor: 5 },
  { id: 8, at: 7 * HOURS, does: "block", vehicle: "C-1", from: 3, days: 2, liftedAfter: undefined },
  { id: 9, at: 28 * HOURS, does: "count", branch: "AIR", cents: 0 },
  { id: 10, at: 130 * HOURS, does: "office", booking: 1, move: "surcharge", percent: 40 },
  { id: 11, at: 132 * HOURS, does: "office", booking: 1, move: "settle", percent: 1 },
  { id: 12, at: 134 * HOURS, does: "office", booking: 1, move: "reopen", percent: 1 },
  { id: 13, at: 140 * HOURS, does: "count", branch: "AIR", cents: 0 },
];

const BUY: Step = {
  id: 1,
  at: 1000,
  does: "buy",
  rental: { code: "A", quantity: 1, seats: 0, from: 20, days: 3 },
  pays: 5,
  refunds: 30,
};
