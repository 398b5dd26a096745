import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

import { createMigratedDatabase, toSyncDatabase } from "#scripts/data/memory-database.ts";
import { wrapAsD1 } from "#worker/imports/synchronous-d1.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";

/** In-memory SQLite with the D1 interface subset used by scripts, for quick tests in plain Node. */
export interface SqliteD1 {
  readonly db: D1Database;
  /** Returns rows for assertions, without D1's envelope. */
  readonly rows: <T = Record<string, string | number | null>>(sql: string, ...values: SQLInputValue[]) => T[];
}

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
const MAX_PARAMETERS = 100;
const MAX_STATEMENT_BYTES = 100_000;
const MAX_VALUE_BYTES = 2_000_000;

/** Creates a database with all migrations. */
export function createSqliteD1(): SqliteD1 {
  const sqlite = createMigratedDatabase(MIGRATIONS);
  // Wrangler's table of migrations.
  sqlite.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  return wrapSqlite(sqlite);
}

/** Opens or creates the database in a file, with atomic changes even if the process is killed. */
export function openOrCreateSqliteFile(file: string): SqliteD1 {
  const sqlite = existsSync(file) ? new DatabaseSync(file) : createMigratedDatabase(MIGRATIONS, file);
  sqlite.exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  return wrapSqlite(sqlite);
}

/** Opens the database in a file that may be deleted afterwards. */
export function openDisposableSqliteFile(file: string): SqliteD1 {
  const sqlite = new DatabaseSync(file);
  // Only for a test run, so durability isn't needed.
  sqlite.exec("PRAGMA journal_mode = memory");
  sqlite.exec("PRAGMA synchronous = off");
  return wrapSqlite(sqlite);
}

/** Wraps a SQLite database. */
export function wrapSqlite(sqlite: DatabaseSync): SqliteD1 {
  sqlite.exec("PRAGMA foreign_keys = on");
  const sync = toSyncDatabase(sqlite);
  return {
    db: wrapAsD1(sync, refuseBeyondLimits),
    // Cached like in imports, because compiling a table's triggers takes longer than most queries.
    rows: <T>(sql: string, ...values: SQLInputValue[]) => sync.prepare(sql).all(...(values as StoredValue[])) as T[],
  };
}

function refuseBeyondLimits(sql: string, values: readonly unknown[]): void {
  if (sql.length > MAX_STATEMENT_BYTES) throw new Error("D1 refuses statements over 100 kB");
  if (values.length > MAX_PARAMETERS) throw new Error("D1 refuses more than 100 bound parameters");
  if (values.some((value) => String(value).length > MAX_VALUE_BYTES)) throw new Error("D1 refuses values over 2 MB");
}
