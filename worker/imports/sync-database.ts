import type { Stored } from "#worker/store/operations/file-rows.ts";

export type Row = Readonly<Record<string, Stored>>;

/** A database that answers at once: SQLite of this process, or of an object of its own. */
export interface SyncDatabase {
  prepare(sql: string): {
    get(...values: readonly Stored[]): Row | undefined;
    all(...values: readonly Stored[]): readonly Row[];
    run(...values: readonly Stored[]): void;
  };
  exec(sql: string): void;
  /** Does all of it or nothing; one within another, too. */
  atomic<T>(work: () => T): T;
  /** Ends whatever transaction the work so far is in: some settings can be changed outside of one only. */
  settle(): Promise<void>;
}

/** Drops the triggers of a condition; answers how to make them again. */
export function dropTriggers(database: SyncDatabase, condition = "true"): () => void {
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (${condition})`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  return () => {
    for (const { sql } of triggers) database.exec(String(sql));
  };
}
