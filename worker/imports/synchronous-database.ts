import type { StoredValue } from "#worker/store/operations/file-rows.ts";

/** Row of a synchronous SQLite database: values by column name. */
export type SqliteRow = Readonly<Record<string, StoredValue>>;

/** Synchronous database: SQLite in this process, or in a Durable Object. */
export interface SynchronousDatabase {
  prepare(sql: string): {
    get(...values: readonly StoredValue[]): SqliteRow | undefined;
    all(...values: readonly StoredValue[]): readonly SqliteRow[];
    run(...values: readonly StoredValue[]): void;
  };
  exec(sql: string): void;
  /** Runs work all or nothing. Can be nested. */
  atomic<T>(work: () => T): T;
  /** Ends the current transaction, because some settings can only be changed outside of one. */
  settle(): Promise<void>;
  /** Lets other requests use the processor between long steps. */
  pause(): Promise<void>;
}

/** Drops matching triggers. Returns a function that recreates them. */
export function dropTriggers(database: SynchronousDatabase, condition = "true"): () => void {
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (${condition})`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  return () => {
    for (const { sql } of triggers) database.exec(String(sql));
  };
}
