import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { withTemporaryFolder } from "../files.ts";
import { parseJsonOutput, readCommandOutput, runOrThrow } from "../processes.ts";
import { getErrorMessage } from "../steps.ts";
import { type HealthWatch, type VersionsByWorker, watchHealth } from "./health.ts";
import type { DeployedWorker } from "./workers.ts";

/** A Worker with its uploaded new version and its current one. */
interface Change {
  readonly worker: DeployedWorker;
  readonly before: string;
  readonly after: string;
}

/** Traffic percentages of the new versions. At 0, they're requested explicitly. */
const STEPS = [0, 10, 50, 100] as const;
const REQUESTS_PER_STEP = 5;
const MAX_VERSION_REQUESTS = 20;

/** Reasons to deploy at once instead of in steps. */
interface RolloutChoice {
  /** Whether the operator asks for it. */
  readonly isAtOnce: boolean;
  /** Whether the cell has no companies yet. `secret put` may have created its Workers without code. */
  readonly isNewCell: boolean;
}

/**
 * Chooses between a deployment in steps and a full one. Only missing versions mean that nothing serves: health may be
 * unknown for other reasons.
 *
 * @throws if versions serve whose health can't be read
 */
export function chooseRollout(
  serving: readonly (string | undefined)[],
  hasHealth: boolean,
  { isAtOnce, isNewCell }: RolloutChoice,
): "full" | "gradual" {
  if (isAtOnce) return "full";
  if (isNewCell || serving.includes(undefined)) {
    console.log("nothing serves yet: deployed at once");
    return "full";
  }
  if (hasHealth) return "gradual";
  throw new Error(
    "Versions serve, but /healthz doesn't answer, so the new ones couldn't be checked. Nothing was deployed. " +
      "Try again, or add --at-once to deploy without these checks.",
  );
}

/**
 * Deploys the Workers in order. Existing ones get the new versions gradually with a health check at each step, and
 * all are rolled back if unhealthy. If nothing is deployed yet, or if it's chosen, deploys fully. Throws if the
 * deployment isn't healthy in the end.
 */
export async function rollOutVersions(
  workers: readonly DeployedWorker[],
  healthWatch: Omit<HealthWatch, "before">,
  choice: RolloutChoice,
): Promise<void> {
  const before = await healthWatch.readHealth(new Map());
  const watched: HealthWatch = { ...healthWatch, before };
  if (before && before.status !== "ok") console.log(`before: ${before.status}; only what becomes worse is taken back`);
  const serving = await Promise.all(workers.map(servingVersion));
  if (chooseRollout(serving, before !== undefined, choice) === "full") return deployFully(workers, watched);
  const changes: Change[] = [];
  // Upload all first. A failed upload then has changed nothing.
  for (const [index, worker] of workers.entries())
    changes.push({ worker, before: serving[index] ?? "", after: await upload(worker) });
  await shift(changes, watched);
  // Routes and cron triggers don't belong to versions.
  for (const { wrangler } of workers.filter(({ role }) => role !== "printer"))
    await runOrThrow(...wrangler("triggers", "deploy"));
}

async function deployFully(workers: readonly DeployedWorker[], watched: HealthWatch): Promise<void> {
  for (const { wrangler, name } of workers) {
    await runOrThrow(...wrangler("deploy"));
    console.log(`${name}: deployed`);
  }
  const worse = await watchHealth(watched, REQUESTS_PER_STEP);
  if (worse.length > 0)
    throw new Error(`Deployed, but unhealthy: ${worse.join(", ")}. Run npm run doctor for details.`);
}

async function shift(changes: readonly Change[], watched: HealthWatch): Promise<void> {
  const versions: VersionsByWorker = new Map(changes.map(({ worker, after }) => [worker.name, after]));
  try {
    for (const share of STEPS) {
      for (const change of changes) await give(change, share);
      const worse = await (share === 0 ? askByName(watched, versions) : watchHealth(watched, REQUESTS_PER_STEP));
      if (worse.length > 0) throw new Error(`With ${share} % of the requests: ${worse.join(", ")}.`);
      console.log(share === 0 ? "asked by name, no request given: well" : `${share} % of the requests: well`);
    }
  } catch (error) {
    throw new Error(`${getErrorMessage(error)}\n${await takeBack(changes, watched)}`);
  }
}

async function takeBack(changes: readonly Change[], watched: HealthWatch): Promise<string> {
  for (const change of changes.toReversed()) await give(change, "none");
  const worse = await watchHealth(watched, 1);
  const now = worse.length === 0 ? "it is as well as before" : `it is still unhealthy: ${worse.join(", ")}`;
  return `Taken back: every request has the versions from before; ${now}. What was migrated stays.`;
}

// Requests the new versions explicitly until they respond, then checks their health. A new version takes a moment to be
// available everywhere. A front Worker that doesn't report its version is trusted.
async function askByName(watched: HealthWatch, versions: VersionsByWorker): Promise<readonly string[]> {
  const expectedVersions = new Set(versions.values());
  for (let time = 1; ; time++) {
    const version = (await watched.readHealth(versions))?.version;
    if (version === undefined || expectedVersions.has(version)) return watchHealth(watched, 2, versions);
    if (time === MAX_VERSION_REQUESTS) return ["the new version is not reached by its name"];
    await setTimeout(watched.pauseMilliseconds);
  }
}

/**
 * Returns the version with all or most of the traffic. Undefined if the Worker was never deployed. Of two with the same
 * share, it's the older one: a deployment that was killed didn't finish checking the other.
 */
async function servingVersion({ wrangler }: DeployedWorker): Promise<string | undefined> {
  const status = parseJsonOutput<{
    readonly versions?: readonly { readonly version_id: string; readonly percentage: number }[];
  }>(await readCommandOutput(wrangler("deployments", "status", "--json")));
  const [first, second] = status?.versions?.toSorted((a, b) => b.percentage - a.percentage) ?? [];
  if (!first || !second || first.percentage > second.percentage) return first?.version_id;
  // The latest ten versions, oldest first.
  const listed =
    parseJsonOutput<readonly { readonly id: string }[]>(
      await readCommandOutput(wrangler("versions", "list", "--json")),
    ) ?? [];
  const getAge = ({ version_id }: typeof first) => listed.findIndex(({ id }) => id === version_id);
  return getAge(first) <= getAge(second) ? first.version_id : second.version_id;
}

function upload({ name, wrangler }: DeployedWorker): Promise<string> {
  return withTemporaryFolder("wrangler", async (folder) => {
    const file = join(folder, "output.ndjson");
    await runOrThrow(...wrangler("versions", "upload"), { WRANGLER_OUTPUT_FILE_PATH: file, CI: "true" });
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const outputEntries = lines.map(
      (line) => JSON.parse(line) as { readonly type: string; readonly version_id?: string },
    );
    const version = outputEntries.find(({ type }) => type === "version-upload")?.version_id;
    if (!version) throw new Error(`wrangler didn't report which version of ${name} it uploaded.`);
    return version;
  });
}

async function give({ worker, before, after }: Change, share: number | "none"): Promise<void> {
  const singleVersion = share === "none" ? before : share === 100 ? after : undefined;
  const split = singleVersion ? [`${singleVersion}@100%`] : [`${after}@${share}%`, `${before}@${100 - Number(share)}%`];
  await runOrThrow(...worker.wrangler("versions", "deploy", ...split, "--yes"), { CI: "true" });
}
