import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Row, SyncDatabase } from "#worker/imports/sync-database.ts";

const migrated = new Map<string, Uint8Array>();

/**
 * A database with every migration of a folder, in memory where no file is named. A process migrates once and copies
 * that, with the rows that migrations write: a migration reads all triggers at each column that it adds.
 */
export function migratedDatabase(migrationsFolder: string, file?: string): DatabaseSync {
  const bytes = migrated.get(migrationsFolder) ?? migrate(migrationsFolder);
  migrated.set(migrationsFolder, bytes);
  if (file !== undefined) writeFileSync(file, bytes);
  const database = new DatabaseSync(file ?? ":memory:");
  if (file === undefined) database.deserialize(bytes);
  return database;
}

function migrate(migrationsFolder: string): Uint8Array {
  const database = new DatabaseSync(":memory:");
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) database.exec(readFileSync(join(migrationsFolder, file), "utf8"));
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** Statements that are kept for when they come again. */
const MAX_CACHED_STATEMENTS = 500;

/**
 * SQLite of this process as imports use it. A statement is compiled once, with all triggers of its table, as the
 * Worker's own database does it.
 */
export function toSyncDatabase(database: DatabaseSync): SyncDatabase {
  const compiled = new Map<string, StatementSync>();
  const compile = (sql: string): StatementSync => {
    const known = compiled.get(sql);
    if (known) return known;
    if (compiled.size >= MAX_CACHED_STATEMENTS) compiled.clear();
    const statement = database.prepare(sql);
    compiled.set(sql, statement);
    return statement;
  };
  const prepare = (sql: string): ReturnType<SyncDatabase["prepare"]> => {
    const statement = compile(sql);
    return {
      get: (...values) => statement.get(...values) as Row | undefined,
      all: (...values) => statement.all(...values) as unknown as readonly Row[],
      run: (...values) => void statement.run(...values),
    };
  };
  return {
    prepare,
    exec: (sql) => database.exec(sql),
    atomic: (work) => {
      database.exec("SAVEPOINT work");
      try {
        const result = work();
        database.exec("RELEASE work");
        return result;
      } catch (error) {
        database.exec("ROLLBACK TO work; RELEASE work");
        throw error;
      }
    },
    settle: async () => undefined,
  };
}
