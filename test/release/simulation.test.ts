import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { simulate } from "#tools/simulation/run.ts";
import { SABOTAGES } from "#tools/simulation/sabotages.ts";
import { shrink } from "#tools/simulation/shrink.ts";
import { drawSteps, type Step } from "#tools/simulation/steps.ts";
import { buildWorker } from "#tools/simulation/worker-build.ts";

let folder: string;
let load: Awaited<ReturnType<typeof buildWorker>>["load"];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "simulation-"));
  ({ load } = await buildWorker(folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("weeks of crowds, lost and doubled calls, wrong clocks and kills break no law, and the same seed lives them again", async () => {
  const steps = drawSteps({ seed: "gate", bookings: 60, kills: 1 });
  const life = await simulate({ seed: "gate", steps, load });
  expect(life.broken).toEqual([]);
  expect(life.kills).toBe(1);
  expect(life.checks).toBeGreaterThan(50);
  const states = [...life.history.bookings.values()];
  for (const state of ["booked", "refused", "cancelled"]) expect(states).toContain(state);
  expect((await simulate({ seed: "gate", steps, load })).digest).toBe(life.digest);
});

test("a guard that is missing is found, shrunk to the bookings that show it, and found again by these alone", async () => {
  const without = { seed: "gate", load, ...(SABOTAGES["stock"] && { sabotage: SABOTAGES["stock"] }) };
  const law = async (steps: readonly Step[]) => (await simulate({ ...without, steps })).broken[0]?.law;
  const steps = drawSteps({ seed: "gate", bookings: 24, kills: 0 });
  expect(await law(steps)).toBe("stock is never exceeded");
  const fewest = await shrink(steps, async (fewer) => (await law(fewer)) === "stock is never exceeded");
  expect(fewest.length).toBeLessThanOrEqual(2);
  expect(new Set(fewest.map(({ does }) => does))).toEqual(new Set(["book"]));
  expect(await law(fewest)).toBe("stock is never exceeded");
  expect((await simulate({ seed: "gate", steps: fewest, load })).broken).toEqual([]);
});

test("money that is not what was charged is found out", async () => {
  const steps: readonly Step[] = [BUY];
  const { broken } = await simulate({
    seed: "money",
    steps,
    load,
    ...(SABOTAGES["money"] && { sabotage: SABOTAGES["money"] }),
  });
  expect(broken.map(({ law }) => law)).toContain("a booking is paid as far as its charges say, deposits apart");
  expect((await simulate({ seed: "money", steps, load })).broken).toEqual([]);
});

const BUY: Step = {
  id: 1,
  at: 1000,
  does: "buy",
  rental: { code: "A", quantity: 1, seats: 0, from: 20, days: 3 },
  pays: 5,
  refunds: 30,
};
