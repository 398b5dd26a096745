import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCompanies, toNewCompanySettings } from "#scripts/accounts/add.ts";
import { callDirectory } from "#scripts/accounts/directory.ts";
import { migrateCells } from "#scripts/deployment/migrate-cells.ts";
import { MAX_RESULT_BYTES } from "#support/cloudflare-limits.ts";
import { createSmallCells } from "#support/directory.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { type CompanyBehaviour, createCompanyDatabase } from "./company-database.ts";
import { addLatency, Network } from "./latency.ts";
import { VirtualClock } from "./virtual-clock.ts";

// Build constant of the Worker, which the modules below read.
Object.assign(globalThis, { DEVELOPMENT_BUILD: false });
const { fullApp } = await import("#worker/entry/full-app.ts");
const { routeRequest } = await import("#worker/router/app.ts");
const { runCronTick } = await import("#worker/usecases/operations/scheduled.ts");

const CALL_MS = 150;
const PER_CELL = 250;
/** One company in this many has due mails and webhooks. */
const BUSY = 10;
/** One company in this many stops answering in the second round. */
const SILENT = 50;
const KEYS = {
  BASE_DOMAIN: "rentals.test",
  MASTER_KEY: Buffer.alloc(32, "test master key ").toString("base64"),
  ROUTER_KEY: "router-key-of-more-than-thirty-two-letters",
  OPERATOR_KEY: "operator-key-of-thirty-two-letters",
};
const OPERATOR_URL = "https://rentals.test";
const TERMS = {
  account: "later",
  company: "Later",
  country: "ES",
  currency: "EUR",
  timezone: "Europe/Madrid",
  languages: "es",
  email: "boss@later.test",
};

/** Simulated duration of an operation, its limit, and its number of calls by kind. */
export interface SimulatedTask {
  readonly title: string;
  readonly milliseconds: number;
  readonly limitMs: number;
  readonly calls: Readonly<Record<string, number>>;
}

interface Deployment {
  readonly clock: VirtualClock;
  readonly directory: SqliteD1;
  readonly cells: readonly string[];
  readonly databases: ReadonlyMap<string, D1Database>;
  readonly isPartlySilent?: boolean;
}

/**
 * Simulates companies in cells of 250. Each call of a database takes 150 ms. Directory, router, cron job, operator's
 * routes and commands run their real code. Only calls take time, and each invocation has six connections.
 */
export async function simulateCompanies(companies: number): Promise<readonly SimulatedTask[]> {
  const deployment = createDeployment(companies);
  const clockAt = deployment.clock.now();
  const quiet = await runClocks(deployment, clockAt);
  // In the second round of five minutes, the owners of the databases are known.
  const silent = await runClocks(withSilent(deployment), clockAt + 5 * 60_000);
  const added = await addCompany(deployment);
  const migrated = await migrateAll(deployment);
  return [quiet, silent, added, migrated, await showOverview(deployment)];
}

const getKey = (cell: string, slot: number) => `${cell}/${slot}`;

function createDeployment(companies: number): Deployment {
  const clock = new VirtualClock();
  const { directory } = createSmallCells();
  directory.rows("DELETE FROM accounts");
  directory.rows("DELETE FROM slots");
  directory.rows("DELETE FROM cells");
  const cells = Array.from({ length: Math.ceil(companies / PER_CELL) }, (_, index) =>
    String(index + 1).padStart(2, "0"),
  );
  const databases = new Map<string, D1Database>();
  const spare = createSqliteD1().db;
  for (const cell of cells) {
    directory.rows("INSERT INTO cells (name) VALUES (?)", cell);
    directory.rows(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${PER_CELL})
        INSERT INTO slots (cell, slot, state, schema_version)
        SELECT ?1, i, iif(i > ${PER_CELL}, 'spare', 'used'), '0001_first.sql' FROM n`,
      cell,
    );
    directory.rows(
      `INSERT INTO accounts (name, cell, slot, state, created_at)
        SELECT 'company-' || cell || '-' || slot, cell, slot, 'active', 0 FROM slots WHERE cell = ? AND state = 'used'`,
      cell,
    );
    for (let slot = 1; slot <= PER_CELL; slot++) {
      const behaviour: CompanyBehaviour = slot % BUSY === 0 ? { due: ["mails", "webhooks"] } : {};
      databases.set(getKey(cell, slot), createCompanyDatabase(`company-${cell}-${slot}`, behaviour, clock.now()));
    }
    databases.set(getKey(cell, PER_CELL + 1), spare);
  }
  return { clock, directory, cells, databases };
}

/** Bindings of a cell's invocation, with its own connections. */
function cellEnvironment({ directory, databases }: Deployment, cell: string, network: Network): Cloudflare.Env {
  const connections = network.connect();
  const slots = Array.from({ length: PER_CELL + 1 }, (_, index) => index + 1).flatMap((slot) => {
    const database = databases.get(getKey(cell, slot));
    const binding = `DB_${String(slot).padStart(4, "0")}`;
    return database ? [[binding, addLatency(database, "D1, companies", connections)] as const] : [];
  });
  return {
    ...KEYS,
    CELL: cell,
    LOG_LEVEL: "error",
    DIRECTORY: addLatency(directory.db, "D1, directory", connections),
    JOBS: { sendBatch: (messages: readonly unknown[]) => connections("queue", () => void messages.length) },
    ...Object.fromEntries(slots),
  } as unknown as Cloudflare.Env;
}

async function runClocks(deployment: Deployment, at: number): Promise<SimulatedTask> {
  const { clock, cells, directory, isPartlySilent } = deployment;
  const network = new Network(clock, CALL_MS);
  // The invocation would wait longer for silent companies, after it recorded all others.
  const options = { lateLimitMs: 1 };
  const milliseconds = await withoutLog(() =>
    clock.measure(async () => {
      await Promise.all(cells.map((cell) => runCronTick(cellEnvironment(deployment, cell, network), at, options)));
    }),
  );
  const recorded = directory.rows("SELECT 1 FROM cells WHERE clock_at = ?", at);
  if (recorded.length !== cells.length) throw new Error("not every cell recorded its cron job");
  const title = `cron job of a minute${isPartlySilent ? ", one company in 50 doesn't answer" : ""}`;
  return { title, milliseconds, limitMs: 30_000, calls: network.counts };
}

function withSilent(deployment: Deployment): Deployment {
  const databases = new Map(deployment.databases);
  for (const cell of deployment.cells)
    for (let slot = SILENT; slot <= PER_CELL; slot += SILENT)
      databases.set(
        getKey(cell, slot),
        createCompanyDatabase(`company-${cell}-${slot}`, { isSilent: true }, deployment.clock.now()),
      );
  return { ...deployment, databases, isPartlySilent: true };
}

async function withoutLog<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = () => undefined;
  try {
    return await work();
  } finally {
    console.log = log;
  }
}

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext;

/** Runs a command of administrators. Its requests go to the router and then to the cells. */
async function operate(deployment: Deployment, network: Network, command: () => Promise<void>): Promise<number> {
  const send = async (request: Request): Promise<Response> => {
    const services = deployment.cells.map((cell) => [
      `CELL_${cell}`,
      {
        fetch: (forwarded: Request, init: RequestInit) =>
          fullApp.fetch(new Request(forwarded, init), cellEnvironment(deployment, cell, network), context),
      },
    ]);
    const bindings = { ...KEYS, DIRECTORY: addLatency(deployment.directory.db, "D1, directory", network.connect()) };
    return routeRequest(request, { ...bindings, ...Object.fromEntries(services) } as never);
  };
  const realFetch = globalThis.fetch;
  globalThis.fetch = (async (input: string, init: RequestInit) => {
    if (!input.startsWith(OPERATOR_URL)) throw new Error(`${input} isn't simulated`);
    // The way from the administrator to Cloudflare and back.
    await deployment.clock.sleep(CALL_MS);
    network.counts["requests"] = (network.counts["requests"] ?? 0) + 1;
    return send(new Request(input, init));
  }) as typeof fetch;
  try {
    return await withoutLog(() => deployment.clock.measure(command));
  } finally {
    globalThis.fetch = realFetch;
  }
}

const target = {
  isRemote: true,
  environment: "production",
  stateDir: "",
  operator: { url: OPERATOR_URL, key: KEYS.OPERATOR_KEY },
};

async function addCompany(deployment: Deployment): Promise<SimulatedTask> {
  const network = new Network(deployment.clock, CALL_MS);
  process.env["MASTER_KEY"] = KEYS.MASTER_KEY;
  const milliseconds = await operate(deployment, network, () =>
    addCompanies([toNewCompanySettings(TERMS)], target, deployment.clock.now()),
  );
  const placed = deployment.directory.rows("SELECT state FROM accounts WHERE name = ?", TERMS.account);
  if (placed[0]?.["state"] !== "active") throw new Error("the new company isn't active");
  return { title: "a new company", milliseconds, limitMs: 10_000, calls: network.counts };
}

async function migrateAll(deployment: Deployment): Promise<SimulatedTask> {
  const network = new Network(deployment.clock, CALL_MS);
  const folder = await mkdtemp(join(tmpdir(), "ten-thousand-"));
  try {
    await writeFile(join(folder, "0001_first.sql"), "SELECT 1;");
    for (const file of ["0002_second.sql", "0003_third.sql", "0004_fourth.sql"])
      await writeFile(join(folder, file), "CREATE TABLE IF NOT EXISTS later (a);");
    const milliseconds = await operate(deployment, network, () => migrateCells(target, undefined, folder));
    const behind = deployment.directory.rows("SELECT 1 FROM slots WHERE schema_version IS NOT '0004_fourth.sql'");
    if (behind.length > 0) throw new Error(`${behind.length} databases aren't migrated`);
    return { title: "three migrations of all databases", milliseconds, limitMs: 900_000, calls: network.counts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function showOverview(deployment: Deployment): Promise<SimulatedTask> {
  const network = new Network(deployment.clock, CALL_MS);
  let bytes = 0;
  const milliseconds = await operate(deployment, network, async () => {
    bytes = JSON.stringify(await callDirectory(target, "GET", "")).length;
  });
  if (bytes > MAX_RESULT_BYTES) throw new Error("the overview is larger than D1's limit");
  return { title: "the operator's overview", milliseconds, limitMs: 5_000, calls: network.counts };
}
