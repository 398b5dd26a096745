import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runOrThrow } from "../processes.ts";
import { type AskHealth, type DeepHealth, type Versions, watch } from "./health.ts";
import { ask, jsonIn } from "./remote.ts";
import type { DeployedWorker } from "./workers.ts";

/** A Worker whose new version is uploaded, beside the one that serves. */
interface Change {
  readonly worker: DeployedWorker;
  readonly before: string;
  readonly after: string;
}

export interface Rollout {
  /** In the order in which they are deployed. */
  readonly workers: readonly DeployedWorker[];
  readonly ask: AskHealth;
  /** Between two questions about health. */
  readonly pauseMilliseconds: number;
  readonly log: (line: string) => void;
}

/** How many of a hundred requests the new versions are given, step by step; at 0 they are asked by name. */
const STEPS = [0, 10, 50, 100] as const;
const ASKED_AT_EACH_STEP = 5;
const ASKED_FOR_THE_VERSION = 20;

/**
 * Deploys the Workers. Where they serve already, their new versions are given a share of the requests, step by step,
 * and health is asked at each: what is unhealthy is taken back, all of it. Where nothing serves yet, or `isAtOnce`,
 * they are deployed whole. Throws where the deployment is not well in the end.
 */
export async function rollOutVersions(rollout: Rollout, isAtOnce: boolean): Promise<void> {
  const { workers, ask: askHealth, log } = rollout;
  const before = await askHealth(new Map());
  if (before && before.status !== "ok") log(`before: ${before.status}; only what becomes worse is taken back`);
  const serving = await Promise.all(workers.map(servingVersion));
  if (isAtOnce || !before || serving.some((version) => version === undefined)) {
    if (!isAtOnce) log("nothing serves yet: deployed at once");
    for (const { wrangler, name } of workers) {
      await runOrThrow(...wrangler("deploy"));
      log(`${name}: deployed`);
    }
    return refuseUnhealthy(rollout, before);
  }
  const changes: Change[] = [];
  // Uploaded first, all of them: one that cannot be uploaded has changed nothing.
  for (const [index, worker] of workers.entries())
    changes.push({ worker, before: serving[index] ?? "", after: await upload(worker) });
  await shift(rollout, changes, before);
  // Routes and the clock are of no version.
  for (const { wrangler } of workers.filter(({ role }) => role !== "printer"))
    await runOrThrow(...wrangler("triggers", "deploy"));
}

async function shift(rollout: Rollout, changes: readonly Change[], before: DeepHealth): Promise<void> {
  const { log } = rollout;
  const versions: Versions = new Map(changes.map(({ worker, after }) => [worker.name, after]));
  try {
    for (const share of STEPS) {
      for (const change of changes) await give(change, share);
      const worse = await lookAt(rollout, { share, versions, before });
      if (worse.length > 0) throw new Error(`With ${share} % of the requests: ${worse.join(", ")}.`);
      log(share === 0 ? "asked by name, no request given: well" : `${share} % of the requests: well`);
    }
  } catch (error) {
    const now = await takeBack(rollout, changes, before);
    throw new Error(`${error instanceof Error ? error.message : error}\n${now}`);
  }
}

async function takeBack(rollout: Rollout, changes: readonly Change[], before: DeepHealth): Promise<string> {
  for (const change of changes.toReversed()) await give(change, "none");
  const worse = await watch(rollout.ask, { ...rollout, before, versions: new Map(), times: 1 });
  const now = worse.length === 0 ? "it is as well as before" : `it is still unhealthy: ${worse.join(", ")}`;
  return `Taken back: every request has the versions from before; ${now}. What was migrated stays.`;
}

interface Look {
  readonly share: number;
  readonly versions: Versions;
  readonly before: DeepHealth;
}

function lookAt(rollout: Rollout, { share, versions, before }: Look): Promise<readonly string[]> {
  if (share === 0) return askByName(rollout, versions, before);
  return watch(rollout.ask, { ...rollout, before, versions: new Map(), times: ASKED_AT_EACH_STEP });
}

// It takes a moment until a version is known everywhere; a front that does not say its version is taken at its word.
async function askByName(rollout: Rollout, versions: Versions, before: DeepHealth): Promise<readonly string[]> {
  const wanted = new Set(versions.values());
  for (let time = 0; time < ASKED_FOR_THE_VERSION; time++) {
    const version = (await rollout.ask(versions))?.version;
    if (version === undefined || wanted.has(version)) break;
    if (time === ASKED_FOR_THE_VERSION - 1) return ["the new version is not reached by its name"];
    await setTimeout(rollout.pauseMilliseconds);
  }
  return watch(rollout.ask, { ...rollout, before, versions, times: 2 });
}

async function refuseUnhealthy(rollout: Rollout, before: DeepHealth | undefined): Promise<void> {
  const worse = await watch(rollout.ask, { ...rollout, before, versions: new Map(), times: ASKED_AT_EACH_STEP });
  if (worse.length > 0)
    throw new Error(`Deployed at once, and unhealthy: ${worse.join(", ")}. npm run doctor says more.`);
}

/** The version that all requests have, or most; undefined where the Worker was never deployed. */
async function servingVersion({ wrangler }: DeployedWorker): Promise<string | undefined> {
  const status = jsonIn<{
    readonly versions?: readonly { readonly version_id: string; readonly percentage: number }[];
  }>(await ask(wrangler("deployments", "status", "--json")));
  return status?.versions?.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id;
}

async function upload({ name, wrangler }: DeployedWorker): Promise<string> {
  const file = join(tmpdir(), `wrangler-${randomUUID()}.ndjson`);
  try {
    await runOrThrow(...wrangler("versions", "upload"), { WRANGLER_OUTPUT_FILE_PATH: file, CI: "true" });
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const said = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly version_id?: string });
    const version = said.find(({ type }) => type === "version-upload")?.version_id;
    if (!version) throw new Error(`wrangler did not say which version of ${name} it uploaded.`);
    return version;
  } finally {
    await rm(file, { force: true });
  }
}

async function give({ worker, before, after }: Change, share: number | "none"): Promise<void> {
  const split =
    share === "none"
      ? [`${before}@100%`]
      : share === 100
        ? [`${after}@100%`]
        : [`${after}@${share}%`, `${before}@${100 - share}%`];
  await runOrThrow(...worker.wrangler("versions", "deploy", ...split, "--yes"), { CI: "true" });
}
