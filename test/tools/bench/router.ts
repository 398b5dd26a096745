import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, Response, type V4WorkerOptions } from "miniflare";
import { readMigrations } from "#scripts/deployment/migrate-cells.ts";
import { projectRoot } from "#scripts/processes.ts";
import { splitStatements } from "#scripts/sql-statements.ts";
import { bundleEntry, CELL_KEYS } from "#support/cells.ts";
import { companyRows, sealedSecrets } from "#support/company-rows.ts";
import { type Call, createClient, signedCall } from "#tools/platform/client.ts";
import { applyMigrations } from "#worker/directory/apply-migrations.ts";
import { claimDatabase } from "#worker/directory/owner.ts";
import { load } from "./load.ts";

const ACCOUNT = "acme";
const WARM_UP = 50;
const PAIRS = 400;
const ROUNDS = 5;
const CONNECTIONS = 10;
const MAX_ADDED_MS = 1;
const MAX_LOST_SHARE = 0.1;
const DAY = 86_400_000;
const KEY = { apiKey: "agency", secret: "agency-secret" };

const toDate = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

let turn = 0;

/** Requests that need no database call, and one. Dates change, so that no search is answered from memory. */
const OPERATIONS: Readonly<Record<string, () => Call<string>>> = {
  "location-list": () => sign("/location-list"),
  availability: () => {
    turn += 1;
    const dates = { "date-from": toDate(30 + (turn % 200)), "date-to": toDate(33 + (turn % 200)) };
    const place = { "time-from": "10:00", "time-to": "10:00", "pickup-place": "1", "return-place": "1" };
    return sign(`/availability?${new URLSearchParams({ ...dates, ...place })}`);
  },
};

const sign = (path: string) => signedCall(KEY, { account: ACCOUNT, method: "GET", path: `/api/booking/ota${path}` });

/** A cell behind the router, the same cell without one, and their database. */
async function startCells() {
  const [router = "", cell = ""] = await Promise.all(["router", "office"].map(bundleEntry));
  const worker = (name: string, contents: string, options: object): V4WorkerOptions => ({
    name,
    compatibilityDate: "2026-08-15",
    compatibilityFlags: ["nodejs_compat"],
    modules: [{ type: "ESModule", path: `${name}.js`, contents }],
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    ...options,
  });
  const { ROUTER_KEY, ...keys } = CELL_KEYS;
  const cellOptions = (bindings: object) => ({
    bindings: { ...keys, ...bindings, CELL: "01", BASE_DOMAIN: "localhost", LOG_LEVEL: "error" },
    d1Databases: { DIRECTORY: "directory", DB_0001: "company" },
    r2Buckets: ["FILES", "BACKUPS"],
    serviceBindings: { PRINTER: () => new Response("{}") },
    durableObjects: { SHOPPING_CARTS: { className: "ShoppingCart", useSQLite: true } },
  });
  const workers = [
    worker("router", router, {
      bindings: { ...CELL_KEYS, BASE_DOMAIN: "localhost" },
      d1Databases: { DIRECTORY: "directory" },
      serviceBindings: { CELL_01: "cell" },
    }),
    worker("cell", cell, cellOptions({ ROUTER_KEY })),
    worker("alone", cell, cellOptions({})),
  ];
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers, cf: false }));
  await miniflare.ready;
  const open = async (binding: string) => (await miniflare.getD1Database(binding, "cell")) as unknown as D1Database;
  await fill(await open("DIRECTORY"), await open("DB_0001"));
  const port = async (name: string) => Number((await miniflare.unsafeGetDirectURL(name)).port);
  return { routed: await port("router"), alone: await port("alone"), dispose: () => miniflare.dispose() };
}

async function fill(directory: D1Database, company: D1Database): Promise<void> {
  const schema = splitStatements(readFileSync(join(projectRoot, "directory/0001_directory.sql"), "utf8"));
  await directory.batch(schema.map((sql) => directory.prepare(sql)));
  const { error } = await applyMigrations(company, 1, await readMigrations());
  if (error) throw new Error(error);
  await claimDatabase(company, ACCOUNT, "the benchmark's database");
  await company.batch(companyRows(company, await sealedSecrets(CELL_KEYS.MASTER_KEY, ACCOUNT)));
  await directory.batch([
    directory.prepare("INSERT INTO cells (name) VALUES ('01')"),
    directory.prepare("INSERT INTO slots (cell, slot, state) VALUES ('01', 1, 'used')"),
    directory
      .prepare("INSERT INTO accounts (name, cell, slot, state, created_at) VALUES (?, '01', 1, 'active', 0)")
      .bind(ACCOUNT),
  ]);
}

const getMedian = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Measures requests through the router and directly to the same cell, in turn. Returns a table. All Workers of the
 * local runtime share one thread, so the router's processor time also reduces the throughput of its cell.
 */
export async function measureRouter(seconds: number): Promise<string> {
  const { routed, alone, dispose } = await startCells();
  try {
    const lines: string[] = [];
    for (const [name, next] of Object.entries(OPERATIONS)) {
      const [through, direct] = await timePairs(routed, alone, next);
      const [busyThrough, busyDirect] = await loadInTurn(routed, alone, next, seconds);
      const added = through - direct;
      const lost = 1 - busyThrough / busyDirect;
      const isWithin = added <= MAX_ADDED_MS && lost <= MAX_LOST_SHARE;
      const figures = [direct.toFixed(2), through.toFixed(2), added.toFixed(2), Math.round(busyDirect)];
      lines.push(
        `| ${[name, ...figures, Math.round(busyThrough), lost.toFixed(2), isWithin ? "within" : "**over**"].join(" | ")} |`,
      );
    }
    return `| operation | cell p50 ms | through the router | added (at most ${MAX_ADDED_MS}) | cell, per second | through the router | lost share (at most ${MAX_LOST_SHARE}) | verdict |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join("\n")}`;
  } finally {
    await dispose();
  }
}

async function timePairs(routed: number, alone: number, next: () => Call<string>): Promise<readonly [number, number]> {
  const clients = [createClient(routed), createClient(alone)] as const;
  const times: [number[], number[]] = [[], []];
  for (let pair = 0; pair < WARM_UP + PAIRS; pair++)
    for (const index of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const call = next();
      const start = performance.now();
      const { status, bytes } = await clients[index].send(call);
      if (status !== 200) throw new Error(`${call.path} answered ${status}: ${bytes}`);
      if (pair >= WARM_UP) times[index].push(performance.now() - start);
    }
  return [getMedian(times[0]), getMedian(times[1])];
}

// Rounds are compared one by one, because the machine's speed changes during a measurement.
async function loadInTurn(
  routed: number,
  alone: number,
  next: () => Call<string>,
  seconds: number,
): Promise<readonly [number, number]> {
  const measure = async (port: number) => (await load(port, next, { connections: CONNECTIONS, seconds })).perSecond;
  const rounds: { readonly through: number; readonly direct: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = await measure(alone);
    const through = await measure(routed);
    rounds.push({ through, direct: (first + (await measure(alone))) / 2 });
  }
  const direct = getMedian(rounds.map((round) => round.direct));
  return [direct * getMedian(rounds.map((round) => round.through / round.direct)), direct];
}
