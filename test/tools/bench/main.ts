import { rm } from "node:fs/promises";
import { join } from "node:path";
import { buildApp } from "#scripts/app.ts";
import { isFilled } from "#scripts/demo/empty-database.ts";
import { completeLedger } from "#scripts/ledgers.ts";
import { bundleWorker, openDatabases, serve } from "#scripts/local-runtime.ts";
import { migrate } from "#scripts/migrations.ts";
import { projectRoot } from "#scripts/processes.ts";
import { developmentSecrets } from "#scripts/state-folder.ts";
import { step } from "#scripts/steps.ts";
import { type AccountName, type Client, clientOf } from "#tools/platform/client.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { bareWorker } from "./bare-worker.ts";
import {
  buy,
  type CartCost,
  type CartOperation,
  cartCalls,
  cartRows,
  isAboutCarts,
  purchase,
  rentals,
  transfers,
} from "./carts.ts";
import { FAR_DATABASE_MILLISECONDS, FAR_OBJECT_MILLISECONDS, farTable, farWorker, measureFar } from "./far.ts";
import { fieldOperations, readFieldData } from "./field.ts";
import { integrationOperations } from "./integration.ts";
import { fillLarge } from "./large-account.ts";
import { type Cost, costOf, load } from "./load.ts";
import { officeOperations } from "./office.ts";
import { agencyOperations, type Operation } from "./operations.ts";
import { startUpMilliseconds } from "./start-up.ts";
import { type Around, isSteady, startProbe } from "./steadiness.ts";
import { type Measured, tableOf, verdictOf } from "./table.ts";

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
async function warmCost(client: Client, operation: Operation): Promise<Cost> {
  for (let call = 0; call < WARM_UP_CALLS; call++) await costOf(client, operation.next(), operation.shown);
  const costs: Cost[] = [];
  for (let call = 0; call < SAMPLES; call++) costs.push(await costOf(client, operation.next(), operation.shown));
  return { calls: Math.max(...costs.map(({ calls }) => calls)), rows: Math.max(...costs.map(({ rows }) => rows)) };
}

async function measure(masterKey: string): Promise<number> {
  const { codes, places } = await offered();
  const bundle = await bundleWorker({ development: false, folder: join(STATE, "worker") });
  const bindings = { MASTER_KEY: masterKey, SERVER_TIMING: "on", LOG_LEVEL: "error" };
  const server = await serve({ stateDir: STATE, bundle, bindings });
  const { port } = server;
  const client = clientOf(port);
  const small = new Map<string, Cost>();
  const costs: {
    readonly operation: Operation;
    readonly large: Cost;
    readonly alone: Measured["alone"];
    readonly busy: Measured["busy"];
    readonly around: Around;
  }[] = [];
  const probe = await startProbe(join(STATE, "probe"), bindings);
  const databases = await server.openDatabases();
  const fieldOf = async (account: AccountName) => {
    const db = databases.get(account);
    if (!db) throw new Error(`wrangler.toml binds no database for ${account}`);
    return readFieldData(client, account, db);
  };
  const field = { acme: await fieldOf("acme"), globex: await fieldOf("globex") };
  const operations = (account: AccountName) =>
    [
      ...fieldOperations(account, field[account]),
      ...officeOperations(account, field[account]),
      ...integrationOperations(account, CONTRACTS[account]),
      ...agencyOperations(account, codes, places),
    ].filter(({ name }) => ONLY.some((text) => name.includes(text)));
  for (const operation of operations("globex")) small.set(operation.name, await warmCost(client, operation));
  for (const operation of operations("acme")) {
    const large = await warmCost(client, operation);
    const { value, around } = await probe.around(async () => ({
      alone: await load(port, operation.next, { connections: 1, seconds: SECONDS }),
      busy: await load(port, operation.next, { connections: 10, seconds: SECONDS }),
    }));
    costs.push({ operation, large, ...value, around });
  }
  await probe.dispose();
  const bought = async (account: AccountName): Promise<ReadonlyMap<CartOperation, CartCost>> => {
    if (!isAboutCarts(ONLY)) return new Map();
    const shops = [rentals(account, { codes, places }), transfers(account)];
    const costs: (readonly [CartOperation, CartCost])[] = [];
    for (const shop of shops) costs.push(...(await buy(client, shop, PURCHASES)));
    return new Map(costs);
  };
  const smallCarts = await bought("globex");
  const largeCarts = await bought("acme");
  const cartSpeeds = new Map<string, Measured["busy"]>();
  for (const [name, next] of Object.entries(
    isAboutCarts(ONLY) ? await cartCalls(client, rentals("acme", { codes, places })) : {},
  )) {
    cartSpeeds.set(name, await load(port, next, { connections: 10, seconds: SECONDS }));
  }
  const [search] = agencyOperations("acme", codes, places).filter(({ name }) => name === "availability");
  const steady = search && (await load(port, search.next, { connections: 10, seconds: SECONDS, perSecond: 100 }));
  const manyConnections = search && (await load(port, search.next, { connections: 50, seconds: SECONDS }));
  await server.dispose();

  const far = await serve({ stateDir: STATE, bundle: await farWorker(bundle, join(STATE, "far")), bindings });
  const farCosts = await measureFar(clientOf(far.port), operations("acme"), (turn) =>
    purchase(rentals("acme", { codes, places }), turn),
  );
  await far.dispose();

  const bare = await measureBare(bindings);
  const measured = costs.map((one) => ({
    ...one,
    small: small.get(one.operation.name) ?? { calls: 0, rows: 0 },
    ratio:
      one.operation.bare === "none" || !isSteady(one.around) ? undefined : one.busy.perSecond / bare.batch.perSecond,
  }));
  const compared = [...cartSpeeds].map(([name, { perSecond }]) => {
    return [name, { perSecond, ratio: perSecond / bare.both.perSecond }] as const;
  });
  const carts = cartRows(smallCarts, largeCarts, new Map(compared));
  console.log(`\n${tableOf(measured, bare.batch)}\n${carts.rows.join("\n")}\n`);
  const unsteady = costs.filter(({ around }) => !isSteady(around)).map(({ operation }) => operation.name);
  if (unsteady.length > 0)
    console.log(
      `The machine is busy: the bare Worker differed by more than 15 % around ${unsteady.length} of ${costs.length} rows, whose speed is not judged: ${unsteady.join(", ")}.\n`,
    );
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
    `Availability at 100 requests per second, open loop: p99 ${steady?.p99} ms. With 50 connections: ${manyConnections?.failed} failed.`,
  );
  console.log(
    `\nFar away, with ${FAR_DATABASE_MILLISECONDS} ms before each D1 call and ${FAR_OBJECT_MILLISECONDS} ms before each object call:\n\n${farTable(farCosts)}\n`,
  );
  const startUp = await startUpMilliseconds(join(bundle.folder, "index.js"));
  console.log(
    `Worker: ${Math.ceil(bundle.gzipBytes / 1000)} kB gzip, start-up ${startUp} ms of CPU. Speeds are of this run and machine; only counts are judged.`,
  );
  return carts.isWithin && measured.every((one) => verdictOf(one) === "within") ? 0 : 1;
}

async function measureBare(bindings: Readonly<Record<string, string>>) {
  const server = await serve({ stateDir: STATE, bundle: await bareWorker(join(STATE, "bare")), bindings });
  const bareCall = (path: string) => () => ({ account: "acme", method: "GET", path }) as const;
  const options = { connections: 10, seconds: SECONDS };
  await load(server.port, bareCall("/batch"), { connections: 1, seconds: 1 });
  const batch = await load(server.port, bareCall("/batch"), options);
  const object = await load(server.port, bareCall("/object"), options);
  const both = await load(server.port, bareCall("/both"), options);
  const page = await load(server.port, bareCall("/page"), options);
  await server.dispose();
  return { batch, object, both, page };
}

await runTool("bench", async () => {
  // The accounts of the last run serve again; `npm run bench -- --fresh` makes them anew.
  if (process.argv.includes("--fresh")) await rm(STATE, { recursive: true, force: true });
  await buildApp();
  const secrets = await developmentSecrets(STATE);
  await prepare(secrets.MASTER_KEY);
  return measure(secrets.MASTER_KEY);
});
