import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasDemoData } from "#scripts/demo/empty-database.ts";
import { bundleWorker, startLocalServer, type WorkerBundle } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { runStep } from "#scripts/steps.ts";
import { createClient } from "#tools/platform/client.ts";
import {
  type CategoriesAndPlaces,
  createAccountOperations,
  getDatabase,
  measureWarmCost,
  readCategoriesAndPlaces,
  useDatabase,
} from "../account-operations.ts";
import { createRentalShop, createTransferShop, measurePurchases } from "../carts.ts";
import { fillLargeAccount } from "../large-account.ts";
import type { CallCost } from "../load.ts";
import { formatTable } from "../markdown-table.ts";
import type { Operation } from "../operations.ts";
import { calculateGrowth, exceedsGrowthBudget } from "../table.ts";
import {
  copyFilledDatabase,
  getFileMegabytes,
  restoreAfterwards,
  timeBackup,
  timeMigration,
} from "./migration-and-backup-times.ts";
import { multiplyHistory, openForFastWriting } from "./multiply.ts";
import { measureSearchLoad } from "./search-and-book.ts";

const STATE = join(PROJECT_ROOT, ".wrangler/bench-growth");
const PURCHASES = 20;
const MAX_GROWTH_RATIO = 1.1;

/** Cost of an operation at one account size, and its limit. */
interface Sized {
  readonly name: string;
  readonly cost: CallCost;
  readonly budget: Operation["budget"] | undefined;
}

/**
 * `npm run bench -- --growth [--contracts 100000] [--times 10] [--minutes 10]`: measures operations with multiplied
 * history, database size, and the duration of a migration and a backup. Also checks that nothing grows during a hundred
 * searches per second with a booking every 100 s. `--kept` reuses the existing account. Returns the exit code.
 */
export async function measureGrowth(): Promise<number> {
  const { values } = parseArgs({
    strict: false,
    options: {
      kept: { type: "boolean" },
      contracts: { type: "string" },
      times: { type: "string" },
      minutes: { type: "string" },
    },
  });
  const contracts = Number(values["contracts"] ?? 100_000);
  const times = Number(values["times"] ?? 10);
  if (!values["kept"]) await rm(STATE, { recursive: true, force: true });
  const { MASTER_KEY: masterKey } = await readOrCreateDevelopmentSecrets(STATE);
  await runStep(`${contracts.toLocaleString("en")} contracts`, () => fillOne(masterKey, contracts));
  const bundle = await bundleWorker({ development: false, folder: join(STATE, "worker") });
  const bindings = { MASTER_KEY: masterKey, SERVER_TIMING: "on", LOG_LEVEL: "error", SEARCH_CACHE: "on" };
  const offered = await readCategoriesAndPlaces(STATE);
  const file = copyFilledDatabase(STATE);
  // Bookings and blocks made by the measurement would affect the second one and don't count as history.
  const before = await runStep("Its operations", () =>
    restoreAfterwards(file, () => costsAt({ bundle, bindings, offered, contracts })),
  );
  const sizes = [await getFileMegabytes(file)];
  await runStep(`${times} times as many`, async () => {
    const db = openForFastWriting(file);
    multiplyHistory(db, times, (line) => console.log(`  ${line}`));
    db.close();
  });
  sizes.push(await getFileMegabytes(file));
  const after = await runStep("Their operations", () => costsAt({ bundle, bindings, offered, contracts }));
  const isWithin = printGrowth(before, after, [contracts, contracts * times]);
  console.log(`The database: ${sizes.map((size) => `${size} MB`).join(", then ")}.`);
  console.log(await timeMigration(STATE));
  console.log(await timeBackup(STATE));
  const isSteady = await measureSearchLoad({
    stateDir: STATE,
    bundle,
    bindings,
    offered,
    minutes: Number(values["minutes"] ?? 10),
  });
  return isWithin && isSteady ? 0 : 1;
}

async function fillOne(masterKey: string, contracts: number): Promise<void> {
  await migrateLocalDatabases(STATE);
  await useDatabase(STATE, "acme", async (db) => {
    if (!(await hasDemoData(db)))
      await fillLargeAccount(db, { contracts, now: new Date(), masterKey, account: "acme" });
  });
}

async function costsAt(options: {
  readonly bundle: WorkerBundle;
  readonly bindings: Readonly<Record<string, string>>;
  readonly offered: CategoriesAndPlaces;
  /** The original number, because ids of copies start after a gap. */
  readonly contracts: number;
}): Promise<readonly Sized[]> {
  const { offered, contracts, ...served } = options;
  const server = await startLocalServer({ stateDir: STATE, ...served });
  const client = createClient(server.port);
  const db = getDatabase(await server.openDatabases(), "acme");
  const sized: Sized[] = [];
  for (const operation of await createAccountOperations(client, "acme", { db, offered, contracts }))
    sized.push({ name: operation.name, cost: await measureWarmCost(client, operation), budget: operation.budget });
  for (const shop of [createRentalShop("acme", offered), await createTransferShop("acme", db)])
    for (const [name, cost] of await measurePurchases(client, shop, PURCHASES))
      sized.push({ name, cost, budget: undefined });
  await server.dispose();
  return sized;
}

function printGrowth(before: readonly Sized[], after: readonly Sized[], counts: readonly number[]): boolean {
  const [few, many] = counts.map((count) => count.toLocaleString("en"));
  const head = ["operation", "D1 calls", `rows read, ${few} contracts`, `rows read, ${many}`, "growth", "verdict"];
  const rows = after.map(({ name, cost, budget }) => {
    const small = before.find((sized) => sized.name === name)?.cost ?? { calls: 0, rows: 0 };
    const compared = { small, large: cost };
    const growth = calculateGrowth(compared);
    const isWithin =
      !exceedsGrowthBudget(compared, Math.max(MAX_GROWTH_RATIO, budget?.growth ?? 0)) &&
      cost.calls <= (budget?.calls ?? 2);
    const verdict = isWithin ? "within" : "**grows**";
    return { isWithin, cells: [name, cost.calls, small.rows, cost.rows, growth.toFixed(2), verdict] };
  });
  console.log(
    `\n${formatTable(
      head,
      rows.map(({ cells }) => cells),
    )}\n`,
  );
  return rows.every(({ isWithin }) => isWithin);
}
