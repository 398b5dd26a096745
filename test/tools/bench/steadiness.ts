import { join } from "node:path";
import { startLocalServer } from "#scripts/local-runtime.ts";
import { buildBareWorker } from "./bare-worker.ts";
import { applyLoad, type ResponseSpeed } from "./load.ts";
import { type CallRate, loadSteadily } from "./steady-load.ts";

/** If the bare Worker's speed before and after a row differs by more than this, the machine is busy. */
const MAX_DIFFERENCE = 0.15;
const PROBE_SECONDS = 0.5;

/** Speed of the bare Worker before and after a row was measured. */
export interface ProbeRates {
  readonly before: number;
  readonly after: number;
}

/** Whether the machine was equally fast before and after a row, so that its speed is meaningful. */
export function isMachineSteady({ before, after }: ProbeRates): boolean {
  return Math.abs(before - after) <= MAX_DIFFERENCE * Math.max(before, after);
}

/** Returns the note about rows measured on a busy machine, with speeds that aren't evaluated. */
export function formatBusyNote(rows: readonly { readonly name: string; readonly around: ProbeRates }[]): string {
  const unsteady = rows.filter(({ around }) => !isMachineSteady(around)).map(({ name }) => name);
  if (unsteady.length === 0)
    return "The machine was steady: the bare Worker differed by at most 15 % around each row.\n";
  return `The machine is busy: the bare Worker differed by more than 15 % around ${unsteady.length} of ${rows.length} rows, whose speed is not judged: ${unsteady.join(", ")}.\n`;
}

/** A bare Worker with its own database, measured between rows. */
export interface BareWorkerProbe {
  /** Runs a measurement with the machine's speed taken before and after. */
  measureWithRates<T>(measure: () => Promise<T>): Promise<{ readonly value: T; readonly around: ProbeRates }>;
  /** Measures five selects and five writes, in a database that isn't measured otherwise. */
  readonly measureWrites: (seconds: number) => Promise<ResponseSpeed>;
  /** Measures latencies of its batch under steady load. Higher values there are caused by the machine. */
  readonly measureSteadily: (rate: CallRate) => Promise<ResponseSpeed>;
  readonly dispose: () => Promise<void>;
}

/** Serves the bare Worker in its own folder. */
export async function startBareWorkerProbe(
  folder: string,
  bindings: Readonly<Record<string, string>>,
): Promise<BareWorkerProbe> {
  const bundle = await buildBareWorker(join(folder, "worker"));
  const server = await startLocalServer({ stateDir: folder, bundle, bindings });
  const databases = await server.openDatabases();
  const db = databases.get("acme");
  await db?.prepare("CREATE TABLE IF NOT EXISTS bookings (id INTEGER PRIMARY KEY, status TEXT NOT NULL)").run();
  await db
    ?.prepare("INSERT OR IGNORE INTO bookings SELECT value, 'done' FROM json_each(?)")
    .bind(JSON.stringify(Array.from({ length: 1000 }, (_, index) => index + 1)))
    .run();
  const ask = (path: string, seconds: number) => {
    const call = () => ({ account: "acme", method: "GET", path }) as const;
    return applyLoad(server.port, call, { connections: 10, seconds });
  };
  const perSecond = async () => (await ask("/batch", PROBE_SECONDS)).perSecond / PROBE_SECONDS;
  await perSecond();
  let before = await perSecond();
  const measureWithRates = async <T>(measure: () => Promise<T>) => {
    const value = await measure();
    const rates = { before, after: await perSecond() };
    before = rates.after;
    return { value, around: rates };
  };
  const batch = () => ({ account: "acme", method: "GET", path: "/batch" }) as const;
  const measureSteadily: BareWorkerProbe["measureSteadily"] = (rate) => loadSteadily(server.port, batch, rate);
  return {
    measureWithRates,
    measureSteadily,
    measureWrites: (seconds) => ask("/writes", seconds),
    dispose: server.dispose,
  };
}
