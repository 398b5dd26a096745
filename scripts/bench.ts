import { rm } from "node:fs/promises";
import { join } from "node:path";
import { buildApp } from "./app.ts";
import { bareWorker } from "./bench/bare-worker.ts";
import {
  buy,
  type CartCost,
  type CartOperation,
  cartCalls,
  cartRows,
  isAboutCarts,
  rentals,
  transfers,
} from "./bench/carts.ts";
import { fieldGoods, fieldOperations } from "./bench/field.ts";
import { integrationOperations } from "./bench/integration.ts";
import { type Cost, costOf, load, type Target } from "./bench/load.ts";
import { agencyOperations, type Operation } from "./bench/operations.ts";
import { type Measured, tableOf, verdictOf } from "./bench/table.ts";
import { isFilled } from "./demo/emptiness.ts";
import { fillLarge } from "./demo/large.ts";
import { completeLedger } from "./ledgers.ts";
import { bundleWorker, openDatabases, serve } from "./local-runtime.ts";
import { migrate } from "./migrations.ts";
import { end, projectRoot } from "./processes.ts";
import { developmentSecrets } from "./state-folder.ts";
import { reportFailure, step } from "./steps.ts";

const STATE = join(projectRoot, ".wrangler/bench");
const WARM_UP_CALLS = 20;
const SAMPLES = 20;
const PURCHASES = 120;
const CONTRACTS = { acme: 100_000, globex: 10_000 } as const;
/** Only the operations whose name has one of these texts. */
const ONLY = (process.env["BENCH_ONLY"] ?? "").split(",");
const SECONDS = Number(process.env["BENCH_SECONDS"] || 3);

async function prepare(masterKey: string): Promise<void> {
  await migrate(STATE);
  const { databases, dispose } = await openDatabases(STATE);
  try {
    for (const account of ["acme", "globex"] as const) {
      const db = databases.get(account);
      if (!db) throw new Error(`wrangler.toml binds no database for ${account}`);
      if (await isFilled(db)) {
        await completeLedger(db);
        continue;
      }
      const options = { contracts: CONTRACTS[account], now: new Date(), masterKey, account, log: () => undefined };
      await step(
        `Filled ${account}: ${CONTRACTS[account].toLocaleString("en")} contracts`,
        () => fillLarge(db, options),
        () => "",
      );
    }
  } finally {
    await dispose();
  }
}

async function offered(): Promise<{ readonly codes: readonly string[]; readonly places: readonly number[] }> {
  const { databases, dispose } = await openDatabases(STATE);
  try {
    const db = databases.get("acme");
    const codes = await db
      ?.prepare("SELECT code FROM categories WHERE web_public = 1 ORDER BY code")
      .all<{ code: string }>();
    const places = await db
      ?.prepare("SELECT id FROM pickup_places WHERE is_pickup = 1 AND is_return = 1 AND web_public = 1 ORDER BY id")
      .all<{ id: number }>();
    return { codes: codes?.results.map(({ code }) => code) ?? [], places: places?.results.map(({ id }) => id) ?? [] };
  } finally {
    await dispose();
  }
}

/** The dearest of some warm calls. */
async function warmCost(port: number, operation: Operation): Promise<Cost> {
  const target = targetOf(port, operation);
  for (let call = 0; call < WARM_UP_CALLS; call++) await costOf(target, operation.next(), operation.isPerRow);
  const costs: Cost[] = [];
  for (let call = 0; call < SAMPLES; call++) costs.push(await costOf(target, operation.next(), operation.isPerRow));
  return { calls: Math.max(...costs.map(({ calls }) => calls)), rows: Math.max(...costs.map(({ rows }) => rows)) };
}

function targetOf(port: number, { account }: Operation): Target {
  return { port, host: `${account}.localhost` };
}

async function measure(masterKey: string): Promise<number> {
  const { codes, places } = await offered();
  const bundle = await bundleWorker({ development: false, folder: join(STATE, "worker") });
  const bindings = { MASTER_KEY: masterKey, SERVER_TIMING: "on", LOG_LEVEL: "error" };
  const server = await serve({ stateDir: STATE, bundle, bindings });
  const small = new Map<string, Cost>();
  const costs: {
    readonly operation: Operation;
    readonly large: Cost;
    readonly alone: Measured["alone"];
    readonly busy: Measured["busy"];
  }[] = [];
  const databases = await server.openDatabases();
  const fieldOf = async (account: "acme" | "globex") => {
    const db = databases.get(account);
    if (!db) throw new Error(`wrangler.toml binds no database for ${account}`);
    return fieldGoods({ port: server.port, host: `${account}.localhost` }, db);
  };
  const field = { acme: await fieldOf("acme"), globex: await fieldOf("globex") };
  const operations = (account: "acme" | "globex") =>
    [
      ...fieldOperations(account, field[account]),
      ...integrationOperations(account, CONTRACTS[account]),
      ...agencyOperations(account, codes, places),
    ].filter(({ name }) => ONLY.some((text) => name.includes(text)));
  for (const operation of operations("globex")) small.set(operation.name, await warmCost(server.port, operation));
  for (const operation of operations("acme")) {
    const large = await warmCost(server.port, operation);
    const target = targetOf(server.port, operation);
    const alone = await load(target, operation.next, { connections: 1, seconds: SECONDS });
    const busy = await load(target, operation.next, { connections: 10, seconds: SECONDS });
    costs.push({ operation, large, alone, busy });
  }
  const goods = rentals({ codes, places });
  const bought = async (host: string): Promise<ReadonlyMap<CartOperation, CartCost>> => {
    if (!isAboutCarts(ONLY)) return new Map();
    const target = { port: server.port, host };
    return new Map([...(await buy(target, goods, PURCHASES)), ...(await buy(target, transfers, PURCHASES))]);
  };
  const smallCarts = await bought("globex.localhost");
  const largeCarts = await bought("acme.localhost");
  const cartTarget = { port: server.port, host: "acme.localhost" };
  const cartSpeeds = new Map<string, Measured["busy"]>();
  for (const [name, next] of Object.entries(isAboutCarts(ONLY) ? await cartCalls(cartTarget, goods) : {})) {
    cartSpeeds.set(name, await load(cartTarget, next, { connections: 10, seconds: SECONDS }));
  }
  const [search] = agencyOperations("acme", codes, places).filter(({ name }) => name === "availability");
  const steady =
    search &&
    (await load(targetOf(server.port, search), search.next, { connections: 10, seconds: SECONDS, perSecond: 100 }));
  const crowd =
    search && (await load(targetOf(server.port, search), search.next, { connections: 50, seconds: SECONDS }));
  await server.dispose();

  const bare = await measureBare(bindings);
  const measured = costs.map((one) => ({
    ...one,
    small: small.get(one.operation.name) ?? { calls: 0, rows: 0 },
    ratio: one.operation.bare === "none" ? undefined : one.busy.perSecond / bare.batch.perSecond,
  }));
  const compared = [...cartSpeeds].map(([name, { perSecond }]) => {
    return [name, { perSecond, ratio: perSecond / bare.both.perSecond }] as const;
  });
  const carts = cartRows(smallCarts, largeCarts, new Map(compared));
  console.log(`\n${tableOf(measured, bare.batch)}\n${carts.rows.join("\n")}\n`);
  console.log(
    `Bare write of a Durable Object and that batch: ${Math.round(bare.both.perSecond)} per second; carts are compared with it.`,
  );
  console.log(
    `Bare write of a Durable Object: p50 ${bare.object.p50} ms, ${Math.round(bare.object.perSecond)} per second.`,
  );
  console.log(
    `Bare select of a hundred contracts and nothing else: p50 ${bare.page.p50} ms, ${Math.round(bare.page.perSecond)} per second, ${(bare.page.perSecond / bare.batch.perSecond).toFixed(2)} of the batch.`,
  );
  console.log(
    `Availability at 100 requests per second, open loop: p99 ${steady?.p99} ms. With 50 connections: ${crowd?.failed} failed.`,
  );
  console.log(
    `Worker: ${Math.ceil(bundle.gzipBytes / 1000)} kB gzip. Speeds are of this run and machine; only counts are judged.`,
  );
  return carts.isWithin && measured.every((one) => verdictOf(one) === "within") ? 0 : 1;
}

async function measureBare(bindings: Readonly<Record<string, string>>) {
  const server = await serve({ stateDir: STATE, bundle: await bareWorker(join(STATE, "bare")), bindings });
  const target = { port: server.port, host: "acme.localhost" };
  const bareCall = (path: string) => () => ({ method: "GET", path, headers: {} }) as const;
  const options = { connections: 10, seconds: SECONDS };
  await load(target, bareCall("/batch"), { connections: 1, seconds: 1 });
  const batch = await load(target, bareCall("/batch"), options);
  const object = await load(target, bareCall("/object"), options);
  const both = await load(target, bareCall("/both"), options);
  const page = await load(target, bareCall("/page"), options);
  await server.dispose();
  return { batch, object, both, page };
}

try {
  // The accounts of the last run serve again; `npm run bench -- --fresh` makes them anew.
  if (process.argv.includes("--fresh")) await rm(STATE, { recursive: true, force: true });
  await buildApp();
  const secrets = await developmentSecrets(STATE);
  await prepare(secrets.MASTER_KEY);
  await end(await measure(secrets.MASTER_KEY));
} catch (error) {
  reportFailure(error);
  await end(1);
}
