import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqliteRow, SynchronousDatabase } from "#worker/imports/synchronous-database.ts";

const migrated = new Map<string, Uint8Array>();

/**
 * Creates a database with all migrations of a folder, in memory unless a file is specified. Migrates once per process
 * and copies the result including inserted rows, because migrations re-read all triggers for each column they add.
 */
export function createMigratedDatabase(migrationsFolder: string, file?: string): DatabaseSync {
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

/** Number of cached statements. */
const MAX_CACHED_STATEMENTS = 500;

/**
 * Adapts the process's SQLite for imports. Caches compiled statements, which include all triggers of their table, as
 * the Worker's database does.
 */
export function toSyncDatabase(database: DatabaseSync): SynchronousDatabase {
  const compiled = new Map<string, StatementSync>();
  const compile = (sql: string): StatementSync => {
    const known = compiled.get(sql);
    if (known) return known;
    if (compiled.size >= MAX_CACHED_STATEMENTS) compiled.clear();
    const statement = database.prepare(sql);
    compiled.set(sql, statement);
    return statement;
  };
  const prepare = (sql: string): ReturnType<SynchronousDatabase["prepare"]> => {
    const statement = compile(sql);
    return {
      get: (...values) => statement.get(...values) as SqliteRow | undefined,
      all: (...values) => statement.all(...values) as unknown as readonly SqliteRow[],
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
    pause: async () => undefined,
  };
}
