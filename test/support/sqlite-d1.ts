import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

import { migratedDatabase, toSyncDatabase } from "#scripts/data/memory-database.ts";
import { asD1 } from "#worker/imports/sync-d1.ts";
import type { Stored } from "#worker/store/operations/file-rows.ts";

/** SQLite in memory behind the part of D1's interface that scripts use: quick tests of rows, in plain Node. */
export interface SqliteD1 {
  readonly db: D1Database;
  /** For assertions, without D1's envelope. */
  readonly rows: <T = Record<string, string | number | null>>(sql: string, ...values: SQLInputValue[]) => T[];
}

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
const MAX_PARAMETERS = 100;
const MAX_STATEMENT_BYTES = 100_000;
const MAX_VALUE_BYTES = 2_000_000;

/** A database with every migration applied. */
export function sqliteD1(): SqliteD1 {
  const sqlite = migratedDatabase(MIGRATIONS);
  // What wrangler keeps of them.
  sqlite.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  return wrapSqlite(sqlite);
}

/** The database that a file holds, made where there is none, whose changes are whole however its process ends. */
export function openSqliteFile(file: string): SqliteD1 {
  const sqlite = existsSync(file) ? new DatabaseSync(file) : migratedDatabase(MIGRATIONS, file);
  sqlite.exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  return wrapSqlite(sqlite);
}

/** The database that a file holds, which may be removed at once. */
export function openSqliteD1(file: string): SqliteD1 {
  const sqlite = new DatabaseSync(file);
  // Of a test run alone: what it would lose with the machine, nobody wants.
  sqlite.exec("PRAGMA journal_mode = memory");
  sqlite.exec("PRAGMA synchronous = off");
  return wrapSqlite(sqlite);
}

/** A database of SQLite behind it. */
export function wrapSqlite(sqlite: DatabaseSync): SqliteD1 {
  sqlite.exec("PRAGMA foreign_keys = on");
  const sync = toSyncDatabase(sqlite);
  return {
    db: asD1(sync, refuseBeyondLimits),
    // Compiled once, as imports have it: with a table's triggers that takes longer than most of what is asked.
    rows: <T>(sql: string, ...values: SQLInputValue[]) => sync.prepare(sql).all(...(values as Stored[])) as T[],
  };
}

function refuseBeyondLimits(sql: string, values: readonly unknown[]): void {
  if (sql.length > MAX_STATEMENT_BYTES) throw new Error("D1 refuses statements over 100 kB");
  if (values.length > MAX_PARAMETERS) throw new Error("D1 refuses more than 100 bound parameters");
  if (values.some((value) => String(value).length > MAX_VALUE_BYTES)) throw new Error("D1 refuses values over 2 MB");
}
