import { join } from "node:path";
import { serve } from "#scripts/local-runtime.ts";
import { bareWorker } from "./bare-worker.ts";
import { load, type Speed } from "./load.ts";
import { loadSteadily, type Rate } from "./steady-load.ts";

/** A machine on which the bare Worker differs by more than this before and after a row is busy with something else. */
const MAX_DIFFERENCE = 0.15;
const PROBE_SECONDS = 0.5;

/** What the bare Worker answered in a second before and after a row was measured. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** Whether the machine was as fast after a row as before it, so that the row's speed says something. */
export function isSteady({ before, after }: Around): boolean {
  return Math.abs(before - after) <= MAX_DIFFERENCE * Math.max(before, after);
}

/** What is said of the rows around which the machine was not steady: their speed is not judged. */
export function busyNote(rows: readonly { readonly name: string; readonly around: Around }[]): string {
  const unsteady = rows.filter(({ around }) => !isSteady(around)).map(({ name }) => name);
  if (unsteady.length === 0)
    return "The machine was steady: the bare Worker differed by at most 15 % around each row.\n";
  return `The machine is busy: the bare Worker differed by more than 15 % around ${unsteady.length} of ${rows.length} rows, whose speed is not judged: ${unsteady.join(", ")}.\n`;
}

/** A bare Worker beside the platform, over a database of its own, asked between any two rows. */
export interface Probe {
  /** Measures something between two looks at the machine. */
  around<T>(measure: () => Promise<T>): Promise<{ readonly value: T; readonly around: Around }>;
  /** How fast it answers five selects and five writes: only here, where they change nothing that is measured. */
  readonly writes: (seconds: number) => Promise<Speed>;
  /** How long it lets a steady load of its batch wait: what is longer there is the machine's own doing. */
  readonly steadily: (rate: Rate) => Promise<Speed>;
  readonly dispose: () => Promise<void>;
}

/** Serves the bare Worker in a folder of its own. */
export async function startProbe(folder: string, bindings: Readonly<Record<string, string>>): Promise<Probe> {
  const bundle = await bareWorker(join(folder, "worker"));
  const server = await serve({ stateDir: folder, bundle, bindings });
  const databases = await server.openDatabases();
  const db = databases.get("acme");
  await db?.prepare("CREATE TABLE IF NOT EXISTS bookings (id INTEGER PRIMARY KEY, status TEXT NOT NULL)").run();
  await db
    ?.prepare("INSERT OR IGNORE INTO bookings SELECT value, 'done' FROM json_each(?)")
    .bind(JSON.stringify(Array.from({ length: 1000 }, (_, index) => index + 1)))
    .run();
  const ask = (path: string, seconds: number) => {
    const call = () => ({ account: "acme", method: "GET", path }) as const;
    return load(server.port, call, { connections: 10, seconds });
  };
  const perSecond = async () => (await ask("/batch", PROBE_SECONDS)).perSecond / PROBE_SECONDS;
  await perSecond();
  let before = await perSecond();
  const around = async <T>(measure: () => Promise<T>) => {
    const value = await measure();
    const rates = { before, after: await perSecond() };
    before = rates.after;
    return { value, around: rates };
  };
  const batch = () => ({ account: "acme", method: "GET", path: "/batch" }) as const;
  const steadily: Probe["steadily"] = (rate) => loadSteadily(server.port, batch, rate);
  return { around, steadily, writes: (seconds) => ask("/writes", seconds), dispose: server.dispose };
}
