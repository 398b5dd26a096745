import { readTablePages } from "#worker/store/operations/file-rows.ts";
import type { ImportExportTable } from "#worker/store/operations/file-tables.ts";
import { wrapAsD1 } from "./synchronous-d1.ts";
import { dropTriggers, type SqliteRow, type SynchronousDatabase } from "./synchronous-database.ts";

/** Tables that are copied but can't be imported, because triggers or the account itself fill them. */
const FOLLOWING = [
  "catalogue_version",
  "stock_version",
  "list_totals",
  "search_blocks",
  "stock_allocations",
  "charge_allocations",
  "ledger_entries",
  "ledger_products",
  "ledger_branch_products",
  "ledger_sales",
  "booking_mails",
  "mail_cursor",
  "import_keys",
  "imports",
  "import_changes",
  "upkeep",
  "tax_installation",
];

/** Number of rows that are written before other requests may use the processor. */
const ROWS_WITHOUT_PAUSE = 250;

/** Prefix of the tables that store the account's content as it was before the import. */
export const ORIGINAL_TABLE_PREFIX = "before_";

/** Table in both the import's working copy and the account. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/**
 * Working copy of an account's data in a separate database that enforces all schema rules, with its content before the
 * import.
 */
export interface AccountCopy {
  readonly sqlite: SynchronousDatabase;
  readonly db: D1Database;
  readonly tables: readonly CopiedTable[];
  /** State of the account when read. The writing batch requires that it's unchanged. */
  readonly state: string;
}

/**
 * Copies an account into a database that is empty or has its tables. Suspends rules that match a condition on `name`
 * and `sql`. All others apply to the copy.
 */
export async function copyAccount(
  db: D1Database,
  sqlite: SynchronousDatabase,
  files: readonly ImportExportTable[],
  suspendedTriggers: string,
): Promise<AccountCopy> {
  const state = (await db.prepare(`SELECT ${STATE} AS state`).first<string>("state")) ?? "";
  const createTriggers = hasTables(sqlite)
    ? suspendTriggers(sqlite, suspendedTriggers)
    : await copyAccountSchema(db, sqlite, `type != 'trigger' OR NOT (${suspendedTriggers})`);
  await disableForeignKeys(sqlite);
  const tables = [...files.map(({ name }) => name), ...FOLLOWING].map((name) => plainTable(sqlite, name));
  const filledTables = await findFilledTables(db, tables);
  for (const table of tables) {
    sqlite.exec(`DELETE FROM ${table.name}`);
    if (filledTables.has(table.name))
      for await (const page of readTablePages(db, table)) await insertRows(sqlite, table, page);
    sqlite.exec(`CREATE TABLE ${ORIGINAL_TABLE_PREFIX}${table.name} AS SELECT * FROM ${table.name}`);
  }
  createTriggers();
  await sqlite.settle();
  sqlite.exec("PRAGMA foreign_keys = on");
  return { sqlite, db: wrapAsD1(sqlite), tables, state };
}

/** Returns the names of the tables with rows, in one round trip instead of one for each empty table. */
async function findFilledTables(db: D1Database, tables: readonly CopiedTable[]): Promise<ReadonlySet<string>> {
  const answers = await db.batch<{ filled: number }>(
    tables.map(({ name }) => db.prepare(`SELECT EXISTS (SELECT 1 FROM ${name}) AS filled`)),
  );
  return new Set(tables.filter((_, index) => answers[index]?.results[0]?.filled === 1).map(({ name }) => name));
}

/** Disables foreign key checks from now on. */
export async function disableForeignKeys(sqlite: SynchronousDatabase): Promise<void> {
  await sqlite.settle();
  sqlite.exec("PRAGMA foreign_keys = off");
}

function hasTables(sqlite: SynchronousDatabase): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'settings'").get() !== undefined;
}

/** Drops all triggers. Returns a function that recreates those that don't match the condition. */
function suspendTriggers(sqlite: SynchronousDatabase, suspendedTriggers: string): () => void {
  dropTriggers(sqlite, suspendedTriggers);
  return dropTriggers(sqlite);
}

/**
 * Creates those objects of an account's schema in an empty database that match a condition on `type`, `name`
 * and `sql`, without rows. Returns a function that creates its triggers, once the tables are filled.
 */
export async function copyAccountSchema(
  db: D1Database,
  sqlite: SynchronousDatabase,
  condition: string,
): Promise<() => void> {
  const { results } = await db
    .prepare(`SELECT type, sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND (${condition})
      ORDER BY instr('table index view trigger', type)`)
    .all<{ type: string; sql: string }>();
  const create = (rows: typeof results) =>
    sqlite.atomic(() => {
      for (const { sql } of rows) sqlite.exec(sql);
    });
  create(results.filter(({ type }) => type !== "trigger"));
  return () => create(results.filter(({ type }) => type === "trigger"));
}

async function insertRows(
  sqlite: SynchronousDatabase,
  { name, columns }: CopiedTable,
  rows: readonly SqliteRow[],
): Promise<void> {
  const insert = sqlite.prepare(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (let from = 0; from < rows.length; from += ROWS_WITHOUT_PAUSE) {
    sqlite.atomic(() => {
      for (const row of rows.slice(from, from + ROWS_WITHOUT_PAUSE))
        insert.run(...columns.map((column) => row[column] ?? null));
    });
    await sqlite.pause();
  }
}

function plainTable(sqlite: SynchronousDatabase, name: string): CopiedTable {
  const columns = sqlite.prepare(`PRAGMA table_xinfo(${name})`).all();
  const key = columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((column, other) => Number(column["pk"]) - Number(other["pk"]));
  return {
    name,
    columns: columns.filter(({ hidden }) => hidden === 0).map((column) => String(column["name"])),
    key: key.map((column) => String(column["name"])),
  };
}

// Tables whose newest row or row count shows whether the account was changed: every change affects one of them, or the
// catalogue's version.
const CHANGING = ["bookings", "customers", "documents", "charges", "vehicles"];
const GROWING = [
  "booking_history",
  "vehicle_history",
  "vehicle_blocks",
  "expenses",
  "stock_allocations",
  "imports",
  "cash_closings",
];
// Resources outside the catalogue and without last_update. The number of their history entries shows changes.
const HISTORY_RESOURCES_SQL = "('expenses', 'expense-accounts', 'expense-concepts')";
const STATE = `json_array((SELECT version FROM catalogue_version), ${[
  ...CHANGING.map((table) => `(SELECT json_array(max(last_update), max(id)) FROM ${table})`),
  ...GROWING.map((table) => `(SELECT json_array(count(*), max(id)) FROM ${table})`),
  `(SELECT count(*) FROM office_history WHERE resource IN ${HISTORY_RESOURCES_SQL})`,
].join(", ")})`;

/** Returns a statement that fails if the account has changed since it was copied. */
export function createAccountUnchangedGuard(db: D1Database, state: string): D1PreparedStatement {
  return db.prepare(`SELECT CASE WHEN ${STATE} = ? THEN 1 ELSE json('changed meanwhile') END`).bind(state);
}

/** Error if the account was changed between copying and writing the import. Nothing was written. */
export class AccountChangedError extends Error {}

/** Whether the error comes from the statement that compares the account's state with the copy. */
export function isAccountChangedError(error: unknown): boolean {
  return error instanceof Error && error.message.includes("malformed JSON");
}
