import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { listPendingMigrations, type PendingMigrations } from "../accounts/account-migrations.ts";
import type { DeploymentTarget } from "../accounts/target.ts";
import { findInstalledBrowser } from "../browser-path.ts";
import { findListenErrorCode } from "../probe-port.ts";
import { hasSecrets, stateFolderEntries } from "../state-folder.ts";
import { areTypesUpToDate } from "../types.ts";
import { type ConfigIssue, createGraveIssue, createSlightIssue } from "./configuration.ts";

const GIGABYTE = 1_000_000_000;
const NEEDED_GIGABYTES = 2;
const UNREADABLE_HERE = "npm run account -- remove <account> --yes and add it again; npm run restore has its backups";

/** Finds problems of this machine and its local accounts. */
export async function findMachineProblems(target: DeploymentTarget): Promise<readonly ConfigIssue[]> {
  const machineIssues = await Promise.all([node(), disk(target.stateDir), findPortProblems(), types()]);
  return [...machineIssues.flat(), ...browser(), ...(await findLocalStateIssues(target))];
}

function node(): readonly ConfigIssue[] {
  const requiredVersion = manifest.devDependencies.node;
  if (process.versions.node === requiredVersion) return [];
  const problem = `this is Node ${process.versions.node}, the project's own is ${requiredVersion}`;
  return [createSlightIssue(problem, "npm ci; and npm run … in place of node …")];
}

function browser(): readonly ConfigIssue[] {
  if (findInstalledBrowser()) return [];
  const remedy = "only tests in the browser need it: apt-get install chromium, or the variable CHROMIUM";
  return [createSlightIssue("no Chromium or Chrome", remedy)];
}

/** Returns the nearest existing folder. */
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}

async function disk(folder: string): Promise<readonly ConfigIssue[]> {
  const { bavail, bsize } = await statfs(existing(folder));
  const free = (bavail * bsize) / GIGABYTE;
  if (free >= NEEDED_GIGABYTES) return [];
  return [
    createGraveIssue(
      `${free.toFixed(1)} GB are free where ${folder} is`,
      `${NEEDED_GIGABYTES} GB, or STATE_DIR elsewhere`,
    ),
  ];
}

/** Reports what occupies the port of `npm start`. */
export async function findPortProblems(): Promise<readonly ConfigIssue[]> {
  const number = Number(process.env["PORT"] || 8787);
  if ((await findListenErrorCode("127.0.0.1", number)) === undefined) return [];
  const isOwnServer = await fetch(`http://localhost:${number}/healthz`, { signal: AbortSignal.timeout(5000) })
    .then(async (answer) => ((await answer.json()) as { readonly status?: string }).status === "ok")
    .catch(() => false);
  return isOwnServer
    ? [
        createSlightIssue(
          `port ${number} is taken by an npm start that runs`,
          "nothing, or PORT for another one beside it",
        ),
      ]
    : [createGraveIssue(`port ${number} is taken by something else`, `PORT=${number + 1} npm start`)];
}

async function types(): Promise<readonly ConfigIssue[]> {
  if (await areTypesUpToDate()) return [];
  return [createGraveIssue("worker/env.d.ts does not say what wrangler.toml says", "npm run types")];
}

/** Finds local databases that can't be read, lack the key to their secrets or have other migrations than this code. */
export async function findLocalStateIssues(target: DeploymentTarget): Promise<readonly ConfigIssue[]> {
  const { stateDir } = target;
  if (!existsSync(join(stateDir, stateFolderEntries[0] ?? ""))) return [];
  if (!hasSecrets(stateDir))
    return [createGraveIssue(`${stateDir} has databases and no key to their secrets`, "npm run reset, then npm start")];
  const pending = await listPendingMigrations(target);
  const strange = pending.filter(({ unknown }) => unknown.length > 0);
  if (strange.length === 0) return toBehind(pending, target);
  return strange.map(({ account, unknown }) => {
    const problem = `${account.name} has ${unknown.join(", ")}, which this code does not know`;
    return createGraveIssue(problem, "the branch that has it, or npm run reset");
  });
}

/** Lists accounts with pending migrations, locally or on Cloudflare. */
export async function listPendingMigrationIssues(target: DeploymentTarget): Promise<readonly ConfigIssue[]> {
  return toBehind(await listPendingMigrations(target), target);
}

function toBehind(
  pending: readonly PendingMigrations[],
  { isRemote, environment }: DeploymentTarget,
): readonly ConfigIssue[] {
  const remedy = isRemote ? ` --remote --env ${environment}, or npm run deploy` : ", or npm start";
  return pending
    .filter(({ pending: waiting, problem }) => waiting.length > 0 || problem !== undefined)
    .map(({ account, pending: waiting, problem }) =>
      problem === undefined
        ? createSlightIssue(
            `${account.name} waits for ${waiting.length} migrations`,
            `npm run migrate -- --apply${remedy}`,
          )
        : createGraveIssue(`${account.name} ${problem}`, isRemote ? "docs/runbook.md, unreachable" : UNREADABLE_HERE),
    );
}
