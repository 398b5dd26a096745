import { setTimeout } from "node:timers/promises";

/** Health response of a deployment. */
export interface DeepHealth {
  readonly status: string;
  readonly files: string;
  readonly office: string;
  readonly printer: string;
  /** Version of the Worker that responded. */
  readonly version?: string;
  readonly accounts: Readonly<Record<string, number>>;
  readonly next: number | null;
}

/** Requests a deployment's health. Returns undefined if it doesn't respond. */
export type HealthReader = (versions: VersionsByWorker) => Promise<DeepHealth | undefined>;

/** Requested version by Worker name. */
export type VersionsByWorker = ReadonlyMap<string, string>;

const PATIENCE_MILLISECONDS = 30_000;

/** Returns the variable MONITOR_KEY. Undefined if it's missing or empty. */
export const readMonitorKey = (): string | undefined => process.env["MONITOR_KEY"] || undefined;

/** Requests `/healthz?deep` with all its pages, of a cell if there are several, or `/healthz` without a monitor key. */
export function createHealthReader(address: string, monitorKey: string | undefined, cell?: string): HealthReader {
  // A router answers for one of its cells, so the query names the cell.
  const cellQuery = cell === undefined ? "" : `&cell=${cell}`;
  return async (versions) => {
    // The override selects an exact version, even one that gets no traffic yet.
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
      let sum = await read(`/healthz?deep${cellQuery}`);
      if (sum.accounts === undefined) return undefined;
      while (sum.next !== null) {
        const more = await read(`/healthz?deep&page=${sum.next}${cellQuery}`);
        sum = { ...more, accounts: added(sum.accounts, more.accounts) };
      }
      return sum;
    } catch {
      return undefined;
    }
  };
}

/** Whether a deployment refuses the monitor key, so that its health stays unknown. */
export async function isMonitorKeyRefused(address: string, monitorKey: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${monitorKey}` };
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  return fetch(`${address}/healthz?deep`, { headers, signal }).then(
    ({ status }) => status === 401,
    () => false,
  );
}

function shallow({ status }: DeepHealth): DeepHealth | undefined {
  if (status !== "ok") return undefined;
  return { status, files: "ok", office: "ok", printer: "ok", accounts: {}, next: null };
}

function added(a: DeepHealth["accounts"], b: DeepHealth["accounts"]): DeepHealth["accounts"] {
  return Object.fromEntries(Object.entries(a).map(([status, count]) => [status, count + (b[status] ?? 0)]));
}

/** Lists what is worse than before. Empty if nothing is. */
export function listHealthRegressions(before: DeepHealth | undefined, now: DeepHealth | undefined): readonly string[] {
  if (!now) return ["nothing of ours answers"];
  const parts = (["files", "office", "printer"] as const)
    .filter((part) => now[part] !== "ok" && (before === undefined || before[part] === "ok"))
    .map((part) => `${part}: ${now[part]}`);
  const accounts = Object.entries(now.accounts)
    .filter(([status, count]) => status !== "ok" && count > (before?.accounts[status] ?? 0))
    .map(([status, count]) => `${count} accounts ${status}`);
  return [...parts, ...accounts];
}

/** Health check settings: the earlier state, and a pause between checks. */
export interface HealthWatch {
  readonly readHealth: HealthReader;
  readonly before: DeepHealth | undefined;
  readonly pauseMilliseconds: number;
}

/** Checks health repeatedly. Returns problems at their first occurrence, after one retry. */
export async function watchHealth(
  { readHealth, before, pauseMilliseconds }: HealthWatch,
  checks: number,
  versions: VersionsByWorker = new Map(),
): Promise<readonly string[]> {
  for (let time = 0; time < checks; time++) {
    if (time > 0) await setTimeout(pauseMilliseconds);
    if (listHealthRegressions(before, await readHealth(versions)).length === 0) continue;
    await setTimeout(pauseMilliseconds);
    const worse = listHealthRegressions(before, await readHealth(versions));
    if (worse.length > 0) return worse;
  }
  return [];
}
