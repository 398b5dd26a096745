import { setTimeout } from "node:timers/promises";

/** What a deployment says of itself. */
export interface DeepHealth {
  readonly status: string;
  readonly files: string;
  readonly office: string;
  readonly printer: string;
  /** The version of the Worker that answered. */
  readonly version?: string;
  readonly accounts: Readonly<Record<string, number>>;
  readonly next: number | null;
}

/** How a deployment's health is asked for; undefined where nothing of ours answers. */
export type AskHealth = (versions: Versions) => Promise<DeepHealth | undefined>;

/** The version to be asked of each Worker, by the Worker's name. */
export type Versions = ReadonlyMap<string, string>;

const PATIENCE_MILLISECONDS = 30_000;

/** Asks `/healthz?deep` of an address, all its pages put together; without a monitor's key `/healthz` alone. */
export function askHealthAt(address: string, monitorKey: string | undefined): AskHealth {
  return async (versions) => {
    // The very version is asked, even one that nobody else is given yet.
    const overrides = [...versions].map(([worker, id]) => `${worker}="${id}"`).join(", ");
    const headers = {
      ...(monitorKey !== undefined && { Authorization: `Bearer ${monitorKey}` }),
      ...(overrides !== "" && { "Cloudflare-Workers-Version-Overrides": overrides }),
    };
    const read = async (path: string) => {
      const answer = await fetch(`${address}${path}`, { headers, signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
      return (await answer.json()) as DeepHealth;
    };
    try {
      if (monitorKey === undefined) return shallow(await read("/healthz"));
      let sum = await read("/healthz?deep");
      if (sum.accounts === undefined) return undefined;
      while (sum.next !== null) {
        const more = await read(`/healthz?deep&page=${sum.next}`);
        sum = { ...more, accounts: added(sum.accounts, more.accounts) };
      }
      return sum;
    } catch {
      return undefined;
    }
  };
}

function shallow({ status }: DeepHealth): DeepHealth | undefined {
  if (status !== "ok") return undefined;
  return { status, files: "ok", office: "ok", printer: "ok", accounts: {}, next: null };
}

function added(a: DeepHealth["accounts"], b: DeepHealth["accounts"]): DeepHealth["accounts"] {
  return Object.fromEntries(Object.entries(a).map(([status, count]) => [status, count + (b[status] ?? 0)]));
}

/** What is worse than it was before; nothing where all is as well as it was. */
export function findWorse(before: DeepHealth | undefined, now: DeepHealth | undefined): readonly string[] {
  if (!now) return ["nothing of ours answers"];
  const parts = (["files", "office", "printer"] as const)
    .filter((part) => now[part] !== "ok" && (before === undefined || before[part] === "ok"))
    .map((part) => `${part}: ${now[part]}`);
  const accounts = Object.entries(now.accounts)
    .filter(([status, count]) => status !== "ok" && count > (before?.accounts[status] ?? 0))
    .map(([status, count]) => `${count} accounts ${status}`);
  return [...parts, ...accounts];
}

/** How a deployment is watched: by what it was before, with a pause between two questions. */
export interface Watch {
  readonly ask: AskHealth;
  readonly before: DeepHealth | undefined;
  readonly pauseMilliseconds: number;
}

/** Asks several times, a pause between; answers what is worse at the first time it is, after one more try. */
export async function watch(
  { ask, before, pauseMilliseconds }: Watch,
  times: number,
  versions: Versions = new Map(),
): Promise<readonly string[]> {
  for (let time = 0; time < times; time++) {
    if (time > 0) await setTimeout(pauseMilliseconds);
    if (findWorse(before, await ask(versions)).length === 0) continue;
    await setTimeout(pauseMilliseconds);
    const worse = findWorse(before, await ask(versions));
    if (worse.length > 0) return worse;
  }
  return [];
}
