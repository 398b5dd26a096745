import { existsSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { listPending, type Pending } from "../accounts/account-migrations.ts";
import type { Target } from "../accounts/target.ts";
import { installedBrowser } from "../browser-path.ts";
import { projectRoot } from "../processes.ts";
import { hasSecrets, stateFolderEntries } from "../state-folder.ts";
import { areTypesUpToDate } from "../types.ts";
import { type Finding, grave, slight } from "./configuration.ts";

const GIGABYTE = 1_000_000_000;
const NEEDED_GIGABYTES = 2;

/** What is wrong with this machine and its local accounts. */
export async function findMachineProblems(target: Target): Promise<readonly Finding[]> {
  const found = await Promise.all([node(), disk(target.stateDir), findPortProblems(), types()]);
  return [...found.flat(), ...browser(), ...(await findStateProblems(target))];
}

async function node(): Promise<readonly Finding[]> {
  const { devDependencies } = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const wanted = devDependencies["node"] ?? "";
  return process.versions.node === wanted
    ? []
    : [
        slight(
          `this is Node ${process.versions.node}, the project's own is ${wanted}`,
          "npm ci; and npm run … in place of node …",
        ),
      ];
}

function browser(): readonly Finding[] {
  return installedBrowser()
    ? []
    : [
        slight(
          "no Chromium or Chrome",
          "only tests in the browser need it: apt-get install chromium, or the variable CHROMIUM",
        ),
      ];
}

/** The nearest folder that is there already. */
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}

async function disk(folder: string): Promise<readonly Finding[]> {
  const { bavail, bsize } = await statfs(existing(folder));
  const free = (bavail * bsize) / GIGABYTE;
  if (free >= NEEDED_GIGABYTES) return [];
  return [grave(`${free.toFixed(1)} GB are free where ${folder} is`, `${NEEDED_GIGABYTES} GB, or STATE_DIR elsewhere`)];
}

/** Who has the port of `npm start`, if it is not free. */
export async function findPortProblems(): Promise<readonly Finding[]> {
  const number = Number(process.env["PORT"] || 8787);
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host: "127.0.0.1", port: number, exclusive: true }, () => probe.close(() => resolve(true)));
  });
  if (isFree) return [];
  const isOurs = await fetch(`http://localhost:${number}/healthz`, { signal: AbortSignal.timeout(5000) })
    .then(async (answer) => ((await answer.json()) as { readonly status?: string }).status === "ok")
    .catch(() => false);
  return isOurs
    ? [slight(`port ${number} is taken by an npm start that runs`, "nothing, or PORT for another one beside it")]
    : [grave(`port ${number} is taken by something else`, `PORT=${number + 1} npm start`)];
}

async function types(): Promise<readonly Finding[]> {
  return (await areTypesUpToDate())
    ? []
    : [grave("worker/env.d.ts does not say what wrangler.toml says", "npm run types")];
}

/** Local databases that nothing can be read of, or whose migrations are not this code's. */
export async function findStateProblems(target: Target): Promise<readonly Finding[]> {
  const { stateDir } = target;
  if (!existsSync(join(stateDir, stateFolderEntries[0] ?? ""))) return [];
  if (!hasSecrets(stateDir))
    return [grave(`${stateDir} has databases and no key to their secrets`, "npm run reset, then npm start")];
  const pending = await listPending(target);
  const found = pending.flatMap(({ account, unknown }) =>
    unknown.length === 0
      ? []
      : grave(
          `${account.name} has ${unknown.join(", ")}, which this code does not know`,
          "the branch that has it, or npm run reset",
        ),
  );
  return found.length > 0 ? found : toBehind(pending, target);
}

/** Accounts whose migrations are behind, here or at Cloudflare. */
export async function behind(target: Target): Promise<readonly Finding[]> {
  return toBehind(await listPending(target), target);
}

function toBehind(pending: readonly Pending[], target: Target): readonly Finding[] {
  const flags = target.isRemote ? ` --remote --env ${target.environment}` : "";
  const behindAccounts = pending.filter(({ waiting }) => waiting.length > 0);
  return behindAccounts.map(({ account, waiting }) =>
    slight(
      `${account.name} waits for ${waiting.length} migrations`,
      `npm run migrate -- --apply${flags}${target.isRemote ? ", or npm run deploy" : ", or npm start"}`,
    ),
  );
}
