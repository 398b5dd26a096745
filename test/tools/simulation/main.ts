import { readFile, writeFile } from "node:fs/promises";
import { readNumber, readOptions } from "#scripts/command-line.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { SQL_BY_INJECTED_BUG } from "./injected-bugs.ts";
import { runSimulation, type SimulationResult } from "./run.ts";
import { findSmallestFailure } from "./smallest-failure.ts";
import { generateSteps, type Step } from "./steps.ts";
import { buildWorker } from "./worker-build.ts";

// npm run test:simulation -- [--seed <seed>] [--lives 10] [--bookings 1000] [--kills 1] [--without <guard>]: simulates
// complete lives of new companies with so many contested bookings and kills, and checks all invariants after each step.
// --without removes a guard first, and the run must then fail.
// npm run test:simulation -- --replay <file>: repeats the steps of a failed run.

const { values } = readOptions({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    lives: { type: "string", default: "10" },
    bookings: { type: "string", default: "1000" },
    kills: { type: "string", default: "1" },
    without: { type: "string" },
    replay: { type: "string" },
  },
});

const LIVES = readNumber("lives", values.lives);
const BOOKINGS = readNumber("bookings", values.bookings);
const KILLS = values.kills === "0" ? 0 : readNumber("kills", values.kills);

const HEAD = `
| lives | bookings asked | booked | refused | bought | paid | phones' work | kills | faults | checks after a step that wrote | days | seconds |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`;

type Load = Awaited<ReturnType<typeof buildWorker>>["load"];

function countMatching<T>(items: Iterable<T>, is: (item: T) => boolean): number {
  return [...items].filter(is).length;
}

function getFigures(outcome: SimulationResult): readonly number[] {
  const { history } = outcome;
  const bookings = [...history.bookings.values()];
  return [
    1,
    bookings.length,
    countMatching(bookings, (state) => state !== "asked" && state !== "refused"),
    countMatching(bookings, (state) => state === "refused"),
    countMatching(history.purchases.values(), ({ state }) => state === "placed"),
    countMatching(history.payments.values(), ({ isTold }) => isTold),
    countMatching(history.operations.values(), (state) => state === "applied"),
    outcome.kills,
    [...outcome.faults.values()].reduce((sum, count) => sum + count, 0),
    outcome.checks,
    outcome.afterDays,
  ];
}

async function explain(
  seed: string,
  steps: readonly Step[],
  outcome: SimulationResult,
  loadWorker: Load,
): Promise<void> {
  const [first] = outcome.broken;
  console.log(`Seed ${seed}, after ${outcome.afterDays} days: ${first?.invariant}: ${first?.evidence}`);
  const fails = async (fewer: readonly Step[]) => {
    const { broken } = await runSimulation({ seed, steps: fewer, loadWorker, ...sabotage() });
    return broken[0]?.invariant === first?.invariant;
  };
  const shrunkSteps = await findSmallestFailure(steps, fails);
  const file = `simulation-${seed.replaceAll(/\W/g, "-")}.json`;
  await writeFile(file, `${JSON.stringify({ seed, steps: shrunkSteps }, undefined, 1)}\n`);
  console.log(`${shrunkSteps.length} of ${steps.length} steps are enough:`);
  for (const step of shrunkSteps.slice(0, 20)) console.log(`  ${JSON.stringify(step)}`);
  console.log(`npm run test:simulation -- --replay ${file}${values.without ? ` --without ${values.without}` : ""}`);
}

function sabotage(): { readonly sabotageSql?: string } {
  if (!values.without) return {};
  const chosenSabotage = SQL_BY_INJECTED_BUG[values.without];
  if (!chosenSabotage) throw new Error(`--without is one of: ${Object.keys(SQL_BY_INJECTED_BUG).join(", ")}`);
  return { sabotageSql: chosenSabotage };
}

/** Runs lives one after the other until the first violation. */
async function liveThrough(loadWorker: Load): Promise<number> {
  const began = performance.now();
  const sums: number[] = [];
  for (let life = 1; life <= LIVES; life++) {
    const seed = `${values.seed}.${life}`;
    const steps = generateSteps({ seed, bookings: BOOKINGS, kills: KILLS });
    const outcome = await runSimulation({ seed, steps, loadWorker, ...sabotage() });
    if (outcome.broken.length > 0) {
      await explain(seed, steps, outcome, loadWorker);
      return 1;
    }
    for (const [at, figure] of getFigures(outcome).entries()) sums[at] = (sums[at] ?? 0) + figure;
    if (life % 10 === 0) console.log(`${life} lives, ${Math.round((performance.now() - began) / 1000)} s`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${HEAD}\n| ${[...sums, seconds].map((figure) => figure.toLocaleString("en")).join(" | ")} |\n`);
  console.log(`Seed ${values.seed}: every invariant held after every step.`);
  return 0;
}

async function replay(file: string, loadWorker: Load): Promise<number> {
  const { seed, steps } = JSON.parse(await readFile(file, "utf8")) as { seed: string; steps: readonly Step[] };
  const { broken, afterDays } = await runSimulation({ seed, steps, loadWorker, ...sabotage() });
  console.log(broken.length === 0 ? "Every invariant held." : `After ${afterDays} days: ${JSON.stringify(broken)}`);
  return broken.length === 0 ? 0 : 1;
}

await runTool("simulation", async (folder) => {
  console.log(`Seed ${values.seed} (npm run test:simulation -- --seed ${values.seed} repeats it, draw by draw)`);
  const { load } = await buildWorker(folder);
  return values.replay ? replay(values.replay, load) : liveThrough(load);
});
