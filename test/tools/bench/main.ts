import { rm } from "node:fs/promises";
import { join } from "node:path";
import { buildPages } from "#scripts/build-pages.ts";
import { hasDemoData } from "#scripts/demo/empty-database.ts";
import { bundleWorker, startLocalServer } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { createMissingLedgers } from "#scripts/missing-ledgers.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { runStep } from "#scripts/steps.ts";
import { type AccountName, createClient } from "#tools/platform/client.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import {
  createAccountOperations,
  getDatabase,
  measureWarmCost,
  readCategoriesAndPlaces,
  useDatabase,
} from "./account-operations.ts";
import { buildBareWorker } from "./bare-worker.ts";
import {
  type CartCost,
  type CartOperation,
  createCartCalls,
  createPurchaseCalls,
  createRentalShop,
  createTransferShop,
  formatCartNotes,
  formatCartRows,
  matchesCartOperation,
  measureBareWorkerCarts,
  measurePurchases,
} from "./carts.ts";
import {
  buildWorkerWithDistantDatabase,
  DISTANT_DATABASE_MILLISECONDS,
  DISTANT_OBJECT_MILLISECONDS,
  formatDistantCallTable,
  measureDistantCallCosts,
} from "./distant-database.ts";
import { measureGrowth } from "./growth/measure-growth.ts";
import { fillLargeAccount } from "./large-account.ts";
import { applyLoad, type CallCost, type ResponseSpeed } from "./load.ts";
import { createAgencyOperations, type Operation } from "./operations.ts";
import { comparePeers } from "./peers/compare-peers.ts";
import { measureRouter } from "./router.ts";
import { readServerMilliseconds } from "./server-time.ts";
import { measureStartUpMilliseconds } from "./start-up.ts";
import { formatBusyNote, isMachineSteady, type ProbeRates, startBareWorkerProbe } from "./steadiness.ts";
import { loadSteadily } from "./steady-load.ts";
import { formatOperationTable, getVerdict, type MeasuredOperation } from "./table.ts";

const STATE = join(PROJECT_ROOT, ".wrangler/bench");
const PURCHASES = 120;
const CONTRACTS = { acme: 100_000, globex: 10_000 } as const;
/** Name filters of the measured operations. */
const ONLY = (process.env["BENCH_ONLY"] ?? "").split(",");
const SECONDS = Number(process.env["BENCH_SECONDS"] || 3);
/** A thousand searches per round, so that the 99th percentile isn't a single request. */
const STEADY = { perSecond: 100, seconds: 10 };
const STEADY_ROUNDS = 5;

async function prepare(masterKey: string): Promise<void> {
  await migrateLocalDatabases(STATE);
  for (const account of ["acme", "globex"] as const)
    await useDatabase(STATE, account, async (db) => {
      if (await hasDemoData(db)) return void (await createMissingLedgers(db));
      const contracts = CONTRACTS[account];
      await runStep(
        `Filled ${account}: ${contracts.toLocaleString("en")} contracts`,
        () => fillLargeAccount(db, { contracts, now: new Date(), masterKey, account }),
        () => "",
      );
    });
}

/** Sends requests one after the other and measures the server's CPU time per response. */
async function loadSequentially(
  port: number,
  { next }: Pick<Operation, "next">,
): Promise<Pick<MeasuredOperation, "alone" | "processor">> {
  const before = readServerMilliseconds();
  const sequentialLoad = await applyLoad(port, next, { connections: 1, seconds: SECONDS });
  const after = readServerMilliseconds();
  const hasProcessorTime = before !== undefined && after !== undefined && sequentialLoad.answered > 0;
  return {
    alone: sequentialLoad,
    processor: hasProcessorTime ? (after - before) / sequentialLoad.answered : undefined,
  };
}

async function measure(masterKey: string): Promise<number> {
  const offered = await readCategoriesAndPlaces(STATE);
  const bundle = await bundleWorker({ development: false, folder: join(STATE, "worker") });
  const bindings = { MASTER_KEY: masterKey, SERVER_TIMING: "on", LOG_LEVEL: "error", SEARCH_CACHE: "on" };
  const server = await startLocalServer({ stateDir: STATE, bundle, bindings });
  const { port } = server;
  const client = createClient(port);
  const costs: (Omit<MeasuredOperation, "small" | "ratio"> & { readonly around: ProbeRates })[] = [];
  const probe = await startBareWorkerProbe(join(STATE, "probe"), bindings);
  const databases = await server.openDatabases();
  const readAccountOperations = async (account: AccountName) => {
    const options = { db: getDatabase(databases, account), offered, contracts: CONTRACTS[account] };
    const all = await createAccountOperations(client, account, options);
    return all.filter(({ name }) => ONLY.some((text) => name.includes(text)));
  };
  // Only once, because field work can't be sent again.
  const operations = await readAccountOperations("acme");
  // Count costs before the load test, because its bookings would increase them.
  const countAll = async (all: readonly Operation[]) => {
    const counted = new Map<string, CallCost>();
    for (const operation of all) counted.set(operation.name, await measureWarmCost(client, operation));
    return counted;
  };
  const small = await countAll(await readAccountOperations("globex"));
  const large = await countAll(operations);
  const bought = async (account: AccountName): Promise<ReadonlyMap<CartOperation, CartCost>> => {
    if (!matchesCartOperation(ONLY)) return new Map();
    const shops = [createRentalShop(account, offered), await createTransferShop(account, databases.get(account))];
    const costs: (readonly [CartOperation, CartCost])[] = [];
    for (const shop of shops) costs.push(...(await measurePurchases(client, shop, PURCHASES)));
    return new Map(costs);
  };
  const smallCarts = await bought("globex");
  const largeCarts = await bought("acme");
  for (const operation of operations) {
    const { value, around } = await probe.measureWithRates(async () => ({
      ...(await loadSequentially(port, operation)),
      busy: await applyLoad(port, operation.next, { connections: 10, seconds: SECONDS }),
    }));
    costs.push({ operation, large: large.get(operation.name) ?? { calls: 0, rows: 0 }, ...value, around });
  }
  const cartSpeeds = new Map<string, { readonly busy: MeasuredOperation["busy"]; readonly around: ProbeRates }>();
  for (const [name, next] of Object.entries(
    matchesCartOperation(ONLY) ? await createCartCalls(client, createRentalShop("acme", offered)) : {},
  )) {
    const { value, around } = await probe.measureWithRates(() =>
      applyLoad(port, next, { connections: 10, seconds: SECONDS }),
    );
    cartSpeeds.set(name, { busy: value, around });
  }
  const bareWrites = await probe.measureWrites(SECONDS);
  const [search] = createAgencyOperations("acme", offered.codes, offered.places).filter(
    ({ name }) => name === "availability",
  );
  const steady: { readonly own: ResponseSpeed; readonly bare: ResponseSpeed }[] = [];
  if (search) {
    await applyLoad(port, search.next, { connections: 10, seconds: SECONDS });
    for (let round = 0; round < STEADY_ROUNDS; round++)
      steady.push({ own: await loadSteadily(port, search.next, STEADY), bare: await probe.measureSteadily(STEADY) });
  }
  await probe.dispose();
  const manyConnections = search && (await applyLoad(port, search.next, { connections: 50, seconds: SECONDS }));
  await server.dispose();

  const far = await startLocalServer({
    stateDir: STATE,
    bundle: await buildWorkerWithDistantDatabase(bundle, join(STATE, "far")),
    bindings,
  });
  const farCosts = await measureDistantCallCosts(createClient(far.port), operations, (turn) =>
    createPurchaseCalls(createRentalShop("acme", offered), turn),
  );
  await far.dispose();

  const bare = await measureBare(bindings, operations);
  const getBareRatio = ({ bare: peer }: Operation, { perSecond }: MeasuredOperation["busy"]) => {
    const other = peer === "none" ? 0 : (peer === "batch" ? bare.batch : bare.pageOf(peer)).perSecond;
    return other > 0 ? perSecond / other : undefined;
  };
  const measured = costs.map((cost) => ({
    ...cost,
    small: small.get(cost.operation.name) ?? { calls: 0, rows: 0 },
    ratio: isMachineSteady(cost.around) ? getBareRatio(cost.operation, cost.busy) : undefined,
  }));
  const compared = [...cartSpeeds].map(([name, { busy, around }]) => {
    const ratio = isMachineSteady(around) ? busy.perSecond / bare.both.perSecond : undefined;
    return [name, { perSecond: busy.perSecond, ratio }] as const;
  });
  const carts = formatCartRows(smallCarts, largeCarts, new Map(compared));
  console.log(`\n${formatOperationTable(measured, bare)}\n${carts.rows.join("\n")}\n`);
  console.log(
    formatBusyNote([
      ...costs.map(({ operation, around }) => ({ name: operation.name, around })),
      ...[...cartSpeeds].map(([name, { around }]) => ({ name, around })),
    ]),
  );
  const booking = costs.find(({ operation }) => operation.name === "booking")?.busy.perSecond ?? 0;
  console.log(
    `Bare batch of five selects and five writes: ${Math.round(bareWrites.perSecond)} per second; a booking reaches ${(booking / bareWrites.perSecond).toFixed(2)} of it.`,
  );
  console.log(formatCartNotes(largeCarts, bare).join("\n"));
  const pages = operations.flatMap(({ name, bare: peer }) =>
    Array.isArray(peer) ? [`${name} ${Math.round(bare.pageOf(peer).perSecond)}`] : [],
  );
  console.log(
    `Bare pages per second, the same rows as they lie; wide lists are compared with them: ${pages.join(", ")}.`,
  );
  const formatLatencies = (options: "own" | "bare") =>
    steady.map((round) => `${round[options].p50} / ${round[options].p99}`).join(", ");
  console.log(
    `Availability at ${STEADY.perSecond} requests per second, open loop, ${STEADY_ROUNDS} rounds, p50 / p99 ms: ${formatLatencies("own")}; the bare batch in turn with it: ${formatLatencies("bare")}. With 50 connections: ${manyConnections?.failed} failed.`,
  );
  console.log(
    `\nFar away, with ${DISTANT_DATABASE_MILLISECONDS} ms before each D1 call and ${DISTANT_OBJECT_MILLISECONDS} ms before each object call:\n\n${formatDistantCallTable(farCosts)}\n`,
  );
  console.log(`${await measureRouter(SECONDS)}\n`);
  const startUp = await measureStartUpMilliseconds(join(bundle.folder, "index.js"));
  console.log(
    `Worker: ${bundle.gzipKilobytes} kB gzip, start-up ${startUp} ms of CPU. Speeds are of this run and machine; only counts are judged.`,
  );
  return carts.isWithin && measured.every((item) => getVerdict(item) === "within") ? 0 : 1;
}

async function measureBare(bindings: Readonly<Record<string, string>>, operations: readonly Operation[]) {
  const server = await startLocalServer({
    stateDir: STATE,
    bundle: await buildBareWorker(join(STATE, "bare")),
    bindings,
  });
  const bareCall = (path: string) => () => ({ account: "acme", method: "GET", path }) as const;
  const options = { connections: 10, seconds: SECONDS };
  await applyLoad(server.port, bareCall("/batch"), { connections: 1, seconds: 1 });
  const bareBatch = { next: bareCall("/batch") };
  const { processor } = await loadSequentially(server.port, bareBatch);
  const batch = await applyLoad(server.port, bareBatch.next, options);
  const object = await applyLoad(server.port, bareCall("/object"), options);
  const newObject = await applyLoad(server.port, bareCall("/new-object"), { connections: 1, seconds: SECONDS });
  const both = await applyLoad(server.port, bareCall("/both"), options);
  const cart = await measureBareWorkerCarts(createClient(server.port), PURCHASES);
  const pages = new Map<Operation["bare"], MeasuredOperation["busy"]>();
  for (const { bare } of operations.filter(({ bare }) => Array.isArray(bare))) {
    const rows = new URLSearchParams([...bare].map((sql) => ["sql", sql]));
    pages.set(bare, await applyLoad(server.port, bareCall(`/rows?${rows}`), options));
  }
  await server.dispose();
  const getPage = (rows: readonly string[]) => pages.get(rows) ?? batch;
  return { batch, processor, object, newObject, both, cart, pageOf: getPage };
}

await runTool("bench", async () => {
  if (process.argv.includes("--peers")) return comparePeers();
  if (process.argv.includes("--growth")) return measureGrowth();
  if (process.argv.includes("--router")) {
    console.log(await measureRouter(SECONDS));
    return 0;
  }
  // Bookings of a run would reduce availability in the next. Only a partial run (`-- --kept`) reuses the accounts.
  if (!process.argv.includes("--kept")) await rm(STATE, { recursive: true, force: true });
  await buildPages();
  const secrets = await readOrCreateDevelopmentSecrets(STATE);
  await prepare(secrets.MASTER_KEY);
  return measure(secrets.MASTER_KEY);
});
