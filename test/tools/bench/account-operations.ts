import { openDatabases } from "#scripts/local-runtime.ts";
import type { AccountName, Client } from "#tools/platform/client.ts";
import { createCheckInOperations, readCheckInDayData } from "./check-in-operations.ts";
import { createIntegrationOperations } from "./integration.ts";
import { type CallCost, measureCallCost } from "./load.ts";
import { createOfficeOperations } from "./office.ts";
import { createAgencyOperations, type Operation } from "./operations.ts";

const WARM_UP_CALLS = 20;
const SAMPLES = 20;

/** Categories and places of an account. */
export interface CategoriesAndPlaces {
  readonly codes: readonly string[];
  readonly places: readonly number[];
}

/** Runs work on the database of a state folder's account. */
export async function useDatabase<T>(
  stateDir: string,
  account: AccountName,
  work: (db: D1Database) => Promise<T>,
): Promise<T> {
  const { databases, dispose } = await openDatabases(stateDir);
  try {
    return await work(getDatabase(databases, account));
  } finally {
    await dispose();
  }
}

/** Returns the database of an account, which wrangler.toml binds. */
export function getDatabase(databases: ReadonlyMap<string, D1Database>, account: AccountName): D1Database {
  const db = databases.get(account);
  if (!db) throw new Error(`wrangler.toml binds no database for ${account}`);
  return db;
}

/** Reads the offer of a state folder's large account. */
export function readCategoriesAndPlaces(stateDir: string): Promise<CategoriesAndPlaces> {
  return useDatabase(stateDir, "acme", readCategoriesAndPlacesFrom);
}

/** Reads the offer of a large account. */
export async function readCategoriesAndPlacesFrom(db: D1Database): Promise<CategoriesAndPlaces> {
  const codes = await db
    .prepare("SELECT code FROM categories WHERE web_public = 1 ORDER BY code")
    .all<{ code: string }>();
  const places = await db
    .prepare("SELECT id FROM pickup_places WHERE is_pickup = 1 AND is_return = 1 AND web_public = 1 ORDER BY id")
    .all<{ id: number }>();
  return { codes: codes.results.map(({ code }) => code), places: places.results.map(({ id }) => id) };
}

/**
 * Returns all benchmark operations of an account with a number of contracts. Call it once, because field work can't be
 * repeated.
 */
export async function createAccountOperations(
  client: Client,
  account: AccountName,
  {
    db,
    offered,
    contracts,
  }: { readonly db: D1Database; readonly offered: CategoriesAndPlaces; readonly contracts: number },
): Promise<readonly Operation[]> {
  const field = await readCheckInDayData(client, account, db);
  return [
    ...createCheckInOperations(account, field),
    ...createOfficeOperations(account, field),
    ...createIntegrationOperations(account, contracts),
    ...createAgencyOperations(account, offered.codes, offered.places),
  ];
}

/** Returns the most expensive of several warm calls, and the most rows of a call before. */
export async function measureWarmCost(client: Client, operation: Operation): Promise<CallCost> {
  const { next, resultSize, parts } = operation;
  let first = 0;
  for (let call = 0; call < Math.max(WARM_UP_CALLS, operation.warmUpCalls ?? 0); call++) {
    const { calls, rows } = await measureCallCost(client, next(), resultSize);
    // A call that also loads the catalogue takes several.
    if (calls <= 1) first = Math.max(first, rows);
  }
  const costs: CallCost[] = [];
  for (let call = 0; call < SAMPLES; call++) costs.push(await measureCallCost(client, next(), resultSize, parts));
  const largest = (count: (cost: CallCost) => number) => Math.max(...costs.map(count));
  return {
    calls: largest(({ calls }) => calls),
    rows: largest(({ rows }) => rows),
    total: largest(({ rows, total = rows }) => total),
    parts: costs.at(-1)?.parts,
    first,
  };
}
