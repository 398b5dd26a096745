import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, Response, type V4WorkerOptions } from "miniflare";
import { readMigrations } from "#scripts/deployment/migrate-cells.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { splitStatements } from "#scripts/sql-statements.ts";
import { bundleEntry, CELL_KEYS } from "#support/cells.ts";
import { type Call, createClient } from "#tools/platform/client.ts";
import { applyMigrations } from "#worker/directory/apply-migrations.ts";
import { claimDatabase, DATABASE_OWNER_TABLE } from "#worker/directory/owner.ts";
import { readCategoriesAndPlacesFrom } from "./account-operations.ts";
import { fillLargeAccount } from "./large-account.ts";
import { applyLoad } from "./load.ts";
import { formatTable } from "./markdown-table.ts";
import { createAgencyOperations, type Operation } from "./operations.ts";
import { readServerMilliseconds } from "./server-time.ts";
import { getMedian } from "./statistics.ts";

const ACCOUNT = "acme";
const WARM_UP = 50;
const PAIRS = 400;
const ROUNDS = 5;
const CONNECTIONS = 10;
const MAX_ADDED_MS = 1;
const MAX_LOST_SHARE = 0.1;
const CONTRACTS = 10_000;
/** Requests that need no call of the database, a read and a write. */
const OPERATIONS = ["location-list", "availability", "booking"];
/** Requests of agencies: many searches and lists for each booking. */
const MIX = [...Array.from({ length: 10 }, () => ["location-list", "availability"]).flat(), "booking"];
/** A router that does nothing. Its cost is that of a second Worker, which no router can save. */
const EMPTY_ROUTER = "export default { fetch: (request, env) => env.CELL.fetch(request) };";

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
    worker("empty", EMPTY_ROUTER, { serviceBindings: { CELL: "alone" } }),
  ];
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers, cf: false }));
  await miniflare.ready;
  const open = async (binding: string) => (await miniflare.getD1Database(binding, "cell")) as unknown as D1Database;
  const company = await open("DB_0001");
  await fill(await open("DIRECTORY"), company);
  const { codes, places } = await readCategoriesAndPlacesFrom(company);
  const operations = createAgencyOperations(ACCOUNT, codes, places).filter(({ name }) => OPERATIONS.includes(name));
  const port = async (name: string) => Number((await miniflare.unsafeGetDirectURL(name)).port);
  return {
    operations: [...operations, mixOperations(operations)],
    routed: await port("router"),
    empty: await port("empty"),
    alone: await port("alone"),
    dispose: () => miniflare.dispose(),
  };
}

type Requests = Pick<Operation, "name" | "next">;

function mixOperations(operations: readonly Requests[]): Requests {
  let turn = 0;
  const next = () => {
    const name = MIX[turn++ % MIX.length];
    const operation = operations.find((other) => other.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    return operation.next();
  };
  return { name: "mix", next };
}

async function fill(directory: D1Database, company: D1Database): Promise<void> {
  const schema = splitStatements(readFileSync(join(PROJECT_ROOT, "directory/0001_directory.sql"), "utf8"));
  await directory.batch(schema.map((sql) => directory.prepare(sql)));
  const { error } = await applyMigrations(company, 1, await readMigrations());
  if (error) throw new Error(error);
  // Filling deletes all rows.
  await claimDatabase(company, ACCOUNT, "the benchmark's database");
  const masterKey = CELL_KEYS.MASTER_KEY;
  await fillLargeAccount(company, { contracts: CONTRACTS, now: new Date(), masterKey, account: ACCOUNT });
  await company
    .prepare(`INSERT OR IGNORE INTO ${DATABASE_OWNER_TABLE} (id, account) VALUES (1, ?)`)
    .bind(ACCOUNT)
    .run();
  await directory.batch([
    directory.prepare("INSERT INTO cells (name) VALUES ('01')"),
    directory.prepare("INSERT INTO slots (cell, slot, state) VALUES ('01', 1, 'used')"),
    directory
      .prepare("INSERT INTO accounts (name, cell, slot, state, created_at) VALUES (?, '01', 1, 'active', 0)")
      .bind(ACCOUNT),
  ]);
}

/**
 * Measures requests through the router and directly to the same cell, in turn. Returns a table. All Workers of the
 * local runtime share one thread. The lost share of its throughput is therefore that of the router's CPU time, which
 * other programs of the machine don't change. The goal for the lost share is judged for the mix, because even an empty
 * router takes more than the goal from the shortest answers.
 */
export async function measureRouter(seconds: number): Promise<string> {
  const { operations, routed, empty, alone, dispose } = await startCells();
  try {
    const rows: (string | number)[][] = [];
    for (const { name, next } of operations) {
      const [through, direct] = await timePairs(routed, alone, next);
      const [busyThrough, busyEmpty, busyDirect] = await loadInTurn([routed, empty, alone], next, seconds);
      const getLostShare = (busy: Busy) => 1 - busyDirect.processor / busy.processor;
      const lostShare = getLostShare(busyThrough);
      const isWithin = through - direct <= MAX_ADDED_MS && (name !== "mix" || lostShare <= MAX_LOST_SHARE);
      rows.push([
        ...[name, ...[direct, through, through - direct].map((time) => time.toFixed(2))],
        ...[busyDirect, busyThrough].map(({ perSecond }) => Math.round(perSecond)),
        ...[busyDirect, busyThrough].map(({ processor }) => processor.toFixed(3)),
        ...[getLostShare(busyEmpty).toFixed(2), lostShare.toFixed(2), isWithin ? "within" : "**over**"],
      ]);
    }
    const head = ["operation", "p50 ms of the cell", "through the router", "added", "per second, cell"];
    const processorHead = ["through the router", "CPU ms, cell", "through the router"];
    return formatTable([...head, ...processorHead, "lost share, empty router", "lost share", "verdict"], rows);
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
      if (status >= 300) throw new Error(`${call.path} answered ${status}: ${bytes}`);
      if (pair >= WARM_UP) times[index].push(performance.now() - start);
    }
  return [getMedian(times[0], Number), getMedian(times[1], Number)];
}

interface Busy {
  readonly perSecond: number;
  /** CPU time per response in ms. */
  readonly processor: number;
}

async function loadInTurn(
  ports: readonly [routed: number, empty: number, alone: number],
  next: () => Call<string>,
  seconds: number,
): Promise<readonly [Busy, Busy, Busy]> {
  const rounds: [Busy[], Busy[], Busy[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, port] of ports.entries()) {
      const before = readServerMilliseconds() ?? 0;
      const { perSecond, answered } = await applyLoad(port, next, { connections: CONNECTIONS, seconds });
      rounds[index]?.push({ perSecond, processor: ((readServerMilliseconds() ?? 0) - before) / answered });
    }
  const summarize = (all: readonly Busy[]): Busy => ({
    perSecond: getMedian(all, ({ perSecond }) => perSecond),
    processor: getMedian(all, ({ processor }) => processor),
  });
  return [summarize(rounds[0]), summarize(rounds[1]), summarize(rounds[2])];
}
