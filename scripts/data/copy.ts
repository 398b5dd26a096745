import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { FileTable } from "#worker/store/operations/file-tables.ts";
import { readRows } from "./export.ts";
import { asD1 } from "./memory-d1.ts";
import { dropTriggers, migratedDatabase } from "./memory-database.ts";

/** What follows from the rows that travel: kept by triggers, sums and series, and compared with them. */
const FOLLOWING = [
  "catalogue_version",
  "list_totals",
  "search_blocks",
  "stock_allocations",
  "charge_allocations",
  "ledger_entries",
  "ledger_products",
  "ledger_branch_products",
  "ledger_sales",
  "number_series",
  "booking_mails",
  "mail_cursor",
  "import_keys",
  "imports",
  "import_changes",
];

/** A table as the copy and the account both have it. */
export interface PlainTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** An account's data in memory, with every rule of the schema, beside what it was before. */
export interface Copy {
  readonly sqlite: DatabaseSync;
  readonly db: D1Database;
  readonly tables: readonly PlainTable[];
  /** What the account was when it was read; the batch that writes to it asks that it still is. */
  readonly state: string;
  readonly close: () => void;
}

/**
 * Copies what an account has into memory. Rules of a condition on `name` and `sql` are lifted: all others hold for what
 * is done with the copy.
 */
export async function copyAccount(
  db: D1Database,
  migrationsFolder: string,
  files: readonly FileTable[],
  lifted: string,
): Promise<Copy> {
  const state = (await db.prepare(`SELECT ${STATE} AS state`).first<string>("state")) ?? "";
  const sqlite = migratedDatabase(migrationsFolder);
  sqlite.exec("PRAGMA foreign_keys = off");
  const putBack = dropTriggers(sqlite);
  const tables = [...files.map(({ name }) => name), ...FOLLOWING].map((name) => plainTable(sqlite, name));
  sqlite.exec("ATTACH ':memory:' AS before; BEGIN");
  for (const table of tables) {
    sqlite.exec(`DELETE FROM main.${table.name}`);
    const insert = sqlite.prepare(
      `INSERT INTO main.${table.name} (${table.columns.join(", ")}) VALUES (${table.columns.map(() => "?").join(", ")})`,
    );
    for (const row of await readRows(db, table, () => undefined))
      insert.run(...table.columns.map((column) => row[column] as SQLInputValue));
    sqlite.exec(`CREATE TABLE before.${table.name} AS SELECT * FROM main.${table.name}`);
  }
  sqlite.exec("COMMIT");
  putBack();
  dropTriggers(sqlite, lifted);
  sqlite.exec("PRAGMA foreign_keys = on");
  return { sqlite, db: asD1(sqlite), tables, state, close: () => sqlite.close() };
}

function plainTable(sqlite: DatabaseSync, name: string): PlainTable {
  const columns = sqlite.prepare(`PRAGMA table_xinfo(${name})`).all() as unknown as readonly {
    readonly name: string;
    readonly pk: number;
    readonly hidden: number;
  }[];
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return {
    name,
    columns: columns.filter(({ hidden }) => hidden === 0).map((column) => column.name),
    key: key.map((column) => column.name),
  };
}

// Whatever anybody does moves one of these: a row of its own, its last_update, or the catalogue's version.
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
const STATE = `json_array((SELECT version FROM catalogue_version), ${[
  ...CHANGING.map((table) => `(SELECT json_array(max(last_update), max(id)) FROM ${table})`),
  ...GROWING.map((table) => `(SELECT json_array(count(*), max(id)) FROM ${table})`),
].join(", ")})`;

/** A statement that fails where an account is no more what it was when it was copied. */
export function sameState(db: D1Database, state: string): D1PreparedStatement {
  return db.prepare(`SELECT CASE WHEN ${STATE} = ? THEN 1 ELSE json('changed meanwhile') END`).bind(state);
}

/** What `sameState` fails by. */
export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof Error && error.message.includes("malformed JSON");
}
