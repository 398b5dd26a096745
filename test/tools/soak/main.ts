import { cpus, loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { readNumber, readOptions } from "#scripts/command-line.ts";
import { runStep } from "#scripts/steps.ts";
import { applyLoad } from "#tools/bench/load.ts";
import { createClient, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { makeAccounts } from "./accounts.ts";
import {
  findSoakFaults,
  formatMebibytes,
  getHeapGrowth,
  getReadings,
  type MemoryReading,
  type SoakResult,
} from "./evaluate.ts";
import { readHeap } from "./heap.ts";
import { CALL_CREATORS, createRequestMix } from "./request-mix.ts";
import { type StartedPlatform, startPlatform } from "./start-platform.ts";

// npm run test:soak -- [--minutes 10] [--connections 50] [--accounts 50] [--longest 10]: sends requests to `npm start`
// for that time, with so many connections and accounts. Requests that take longer than --longest seconds fail.

const { values } = readOptions({
  options: {
    minutes: { type: "string", default: "10" },
    connections: { type: "string", default: "50" },
    accounts: { type: "string", default: "50" },
    longest: { type: "string", default: "10" },
  },
});
const ACCOUNTS = readNumber("accounts", values.accounts);
const CONNECTIONS = readNumber("connections", values.connections);
const SECONDS = readNumber("minutes", values.minutes) * 60;
const MAX_RUN_SECONDS = readNumber("longest", values.longest);
/** Isolates of the platform, for requests and for cron, each with a path it answers. */
const WORKERS = { "rental-platform": "/healthz", "rental-platform-office": "/api/v1/office/attention" };
const READ_EVERY_SECONDS = 30;
const LONG_HEALTH_MILLISECONDS = 1000;
/** Two demo companies and a copy. */
const TRIED_ACCOUNTS = 3;

/** Requests besides the load, and their results. */
interface Watch {
  readonly readings: MemoryReading[];
  readonly problems: string[];
  longestMilliseconds: number;
  /** Health checks that took longer than a second, with their duration. */
  readonly waits: string[];
}

async function readHeaps({ port, inspectorPort }: StartedPlatform, watch: Watch, startedAt: number): Promise<void> {
  const client = createClient(port);
  for (const [worker, path] of Object.entries(WORKERS)) {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const heap = await readHeap(inspectorPort, worker, () => client.send({ account: "acme", method: "GET", path }));
    watch.readings.push({ worker, seconds, ...heap });
  }
}

/** Checks health every second and heaps every half minute until the load ends. */
async function watchOver(started: StartedPlatform, watch: Watch, signal: AbortSignal): Promise<void> {
  const client = createClient(started.port);
  const startedAt = performance.now();
  const second = () => Math.round((performance.now() - startedAt) / 1000);
  let nextReading = 0;
  while (!signal.aborted) {
    if (performance.now() - startedAt >= nextReading) {
      nextReading += READ_EVERY_SECONDS * 1000;
      await readHeaps(started, watch, startedAt).catch((error: Error) => watch.problems.push(error.message));
    }
    await askHealth(client, watch, second());
    await setTimeout(1000);
  }
  await readHeaps(started, watch, startedAt).catch((error: Error) => watch.problems.push(error.message));
  await askHealth(client, watch, second());
}

async function askHealth(client: ReturnType<typeof createClient>, watch: Watch, second: number): Promise<void> {
  const startedAt = performance.now();
  const call = { account: "acme", method: "GET", path: "/healthz" } as const;
  const status = await client.send(call, "anew").then(
    (answer) => answer.status,
    (error: Error) => error.message,
  );
  const waited = Math.round(performance.now() - startedAt);
  watch.longestMilliseconds = Math.max(watch.longestMilliseconds, waited);
  if (waited > LONG_HEALTH_MILLISECONDS) watch.waits.push(`${waited} ms after ${second} s`);
  if (status !== 200) watch.problems.push(`/healthz after ${second} s: ${status}`);
}

/** Sends each kind of request once, to ensure that they succeed. */
async function tryOut({ port }: StartedPlatform, accounts: Parameters<typeof createRequestMix>[0]): Promise<void> {
  const client = createClient(port);
  for (const account of accounts.filter((_, index) => index < TRIED_ACCOUNTS)) {
    const next = createRequestMix([account]);
    for (let kindIndex = 0; kindIndex < CALL_CREATORS.length; kindIndex++) {
      const call = next();
      const answer = await client.send(call);
      if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
    }
  }
}

async function soak(started: StartedPlatform, accounts: Parameters<typeof createRequestMix>[0]): Promise<SoakResult> {
  const watch: Watch = { readings: [], problems: [], longestMilliseconds: 0, waits: [] };
  const over = new AbortController();
  const watched = watchOver(started, watch, over.signal);
  const speed = await applyLoad(started.port, createRequestMix(accounts), {
    connections: CONNECTIONS,
    seconds: SECONDS,
    longestSeconds: MAX_RUN_SECONDS,
  });
  over.abort();
  await watched;
  console.log(
    `${speed.answered.toLocaleString("en")} answers, ${Math.round(speed.perSecond)} per second; p50 ${speed.p50} ms, p99 ${speed.p99} ms, ` +
      `longest ${speed.longest} ms, of /healthz ${watch.longestMilliseconds} ms; ${started.lines().toLocaleString("en")} lines of log read.`,
  );
  if (watch.waits.length > 0) console.log(`/healthz waited: ${watch.waits.join(", ")}.`);
  if (speed.failed > 0) console.log(`Not answered well: ${JSON.stringify(speed.failures)}`);
  return {
    answered: speed.answered,
    failed: speed.failed,
    longestMilliseconds: Math.max(speed.longest, watch.longestMilliseconds),
    longestAllowedMilliseconds: MAX_RUN_SECONDS * 1000,
    problems: watch.problems,
    readings: watch.readings,
  };
}

function printHeaps(soaked: SoakResult): void {
  console.log("\n| isolate | after s | heap | kept |\n| --- | --- | --- | --- |");
  for (const { worker, seconds, used, retained } of soaked.readings)
    console.log(`| ${worker} | ${seconds} | ${formatMebibytes(used)} | ${formatMebibytes(retained)} |`);
  for (const worker of Object.keys(WORKERS)) {
    const growth = getHeapGrowth(getReadings(soaked, worker));
    const growthText =
      growth === undefined ? "the run is too short to say whether it grows" : `${formatMebibytes(growth)} growth`;
    console.log(`${worker}: ${growthText}`);
  }
}

await runTool("soak", async (stateDir) => {
  const accounts = await runStep(
    `${ACCOUNTS} accounts`,
    () => makeAccounts(stateDir, ACCOUNTS),
    () => "",
  );
  const started = await runStep(
    "npm start",
    () => startPlatform(stateDir),
    () => "",
  );
  await tryOut(started, accounts);
  const [loadBefore = 0] = loadavg();
  console.log(`Load of the machine: ${loadBefore.toFixed(1)} before, on ${cpus().length} cores.`);
  const soaked = await soak(started, accounts);
  await started.end();
  printHeaps(soaked);
  const faults = findSoakFaults(soaked);
  for (const fault of new Set(faults)) console.log(`  ${fault}`);
  if (faults.length > 0 && loadBefore > cpus().length)
    console.log("The machine was busy before it began: repeat it on one that does nothing else before believing this.");
  console.log(faults.length === 0 ? "It answered to the end." : `${faults.length} faults.`);
  return faults.length === 0 ? 0 : 1;
});
