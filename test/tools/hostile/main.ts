import { fork } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readNumber, readOptions } from "#scripts/command-line.ts";
import { runAtProcessEnd } from "#scripts/processes.ts";
import { runStep } from "#scripts/steps.ts";
import type { ResponseSpeed } from "#tools/bench/load.ts";
import { loadSteadily } from "#tools/bench/steady-load.ts";
import { type Call, createClient, createSignedCall, parseJson } from "#tools/platform/client.ts";
import { getPartnerKey } from "#tools/platform/credentials.ts";
import { type Platform, preparePlatform } from "#tools/platform/platform.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { readLiveMemory } from "#tools/soak/heap.ts";
import { createSearchCall } from "#tools/soak/request-mix.ts";
import { evaluateHostileRun, formatMegabytes, type HostileRun } from "./evaluate.ts";
import { preparePrinting } from "./file-attacks.ts";

// npm run hostile -- [--seconds 60] [--only <text>]: attacks one account and measures the other's searches before,
// during and after, for so many seconds each. The attack then goes on for as long while the printer works and the
// memory is read. --only selects attacks by name.

const { values } = readOptions({
  options: {
    seconds: { type: "string", default: "60" },
    only: { type: "string", default: "" },
  },
});
const SECONDS = readNumber("seconds", values.seconds);
const MEASURED = "globex";
/** Open loop: the rate doesn't depend on responses. */
const SEARCHES_PER_SECOND = 20;
const WARM_UP_SECONDS = 5;
const BEFORE_ATTACK_MILLISECONDS = 2000;
/** As in production, because more frequent cron runs would hide the cost of attacks. */
const CLOCK_MILLISECONDS = 60_000;

const WORKERS = ["rental-platform", "rental-platform-office", "rental-platform-printer"];
const READ_MEMORY_EVERY_MILLISECONDS = 2_000;
const PRINT_EVERY_MILLISECONDS = 100;

/** Returns the measured account's searches at its first place. */
async function createSearchCalls(port: number): Promise<() => Call<string>> {
  const key = getPartnerKey(MEASURED, `${MEASURED}-agency`);
  const path = "/api/booking/ota/location-list?customer-language=en";
  const list = parseJson(
    await createClient(port).send(createSignedCall(key, { account: MEASURED, method: "GET", path })),
  );
  const placeId = String(list.response[0].id);
  let callIndex = 0;
  return () => createSearchCall({ name: MEASURED, key, placeId }, callIndex++);
}

/** Runs work during attacks from another process. Returns its result and the attacker's responses. */
async function underAttack<T>(port: number, work: () => Promise<T>): Promise<readonly [T, HostileRun["attacks"]]> {
  const child = fork(join(import.meta.dirname, "attacker.ts"), [String(port), values.only]);
  const unregisterChild = runAtProcessEnd(async () => child.kill());
  const receive = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`the attacker ended with ${code}`)));
    });
  await receive();
  child.send("start");
  await setTimeout(BEFORE_ATTACK_MILLISECONDS);
  const workResult = await work();
  const attackResults = receive();
  child.send("enough");
  const attacks = (await attackResults) as HostileRun["attacks"];
  unregisterChild();
  return [workResult, attacks];
}

/**
 * Reads the live memory of each isolate during work, and returns the peaks: zero for an isolate that ended or was never
 * read. Each reading collects garbage in all isolates, which stops the shared thread for up to 60 ms, so no duration is
 * measured meanwhile.
 */
async function watchMemory(inspectorPort: number, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const peaks = new Map<string, number>();
  const lost = new Set<string>();
  const ended = new AbortController();
  const read = async (worker: string) => {
    const bytes = await readLiveMemory(inspectorPort, worker).catch(() => undefined);
    // An isolate without a request can't be read yet.
    if (bytes === undefined) lost.add(worker);
    else if (!peaks.has(worker)) lost.delete(worker);
    if (bytes !== undefined) peaks.set(worker, Math.max(peaks.get(worker) ?? 0, bytes));
  };
  const reading = (async () => {
    while (!ended.signal.aborted) {
      await Promise.all(WORKERS.map(read));
      await setTimeout(READ_MEMORY_EVERY_MILLISECONDS);
    }
  })();
  await work().finally(() => ended.abort());
  await reading;
  return Object.fromEntries(WORKERS.map((worker) => [worker, lost.has(worker) ? 0 : (peaks.get(worker) ?? 0)]));
}

/** Prints documents of the attacked account for a number of seconds. */
async function printDocuments(port: number): Promise<void> {
  const print = await preparePrinting(createClient(port));
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until; ) {
    await print();
    await setTimeout(PRINT_EVERY_MILLISECONDS);
  }
}

async function attackAndMeasure({ port, inspectorPort }: Platform): Promise<HostileRun> {
  const next = await createSearchCalls(port);
  const search = (seconds: number) => loadSteadily(port, next, { perSecond: SEARCHES_PER_SECOND, seconds });
  const measure = async (when: string): Promise<ResponseSpeed> => {
    const speed = await search(SECONDS);
    const { p50, p99, longest, answered, failed } = speed;
    const busy = loadavg()[0]?.toFixed(1);
    console.log(`| ${[when, answered, failed, p50, p99, longest, busy].join(" | ")} |`);
    if (failed > 0) console.log(`Not answered well: ${JSON.stringify(speed.failures)}`);
    return speed;
  };
  await search(WARM_UP_SECONDS);
  console.log("\n| searches | answered | failed | p50 ms | p99 ms | longest ms | load of the machine |");
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  const before = await measure("quiet, before");
  const [{ under: duringAttack, memory }, attacks] = await underAttack(port, async () => ({
    under: await measure("under attack"),
    memory: await watchMemory(inspectorPort, () => Promise.all([search(SECONDS), printDocuments(port)])),
  }));
  const after = await measure("quiet, after");
  return { before, duringAttack, after, attacks, memory };
}

await runTool("hostile", async (stateDir) => {
  const platform = await runStep(
    "Demo companies and Worker",
    () => preparePlatform(stateDir, CLOCK_MILLISECONDS),
    () => "",
  );
  await platform.start();
  const run = await attackAndMeasure(platform);
  await platform.kill();
  console.log(`\nOn ${cpus().length} cores. Responses of the attacked account:`);
  for (const [name, outcome] of Object.entries(run.attacks)) {
    const answers = Object.entries(outcome).map(([status, count]) => `${count} × ${status}`);
    console.log(`  ${name}: ${answers.join(", ")}`);
  }
  const memory = Object.entries(run.memory).map(([worker, bytes]) => `${worker} ${formatMegabytes(bytes)}`);
  console.log(`Live memory under attack: ${memory.join(", ")}.`);
  const { result, reasons } = evaluateHostileRun(run);
  console.log(`\n${result.toUpperCase()}: ${reasons.join("; ")}.`);
  if (result === "not judged") console.log("This run shows nothing: repeat it on a machine that does nothing else.");
  return result === "beyond" ? 1 : 0;
});
