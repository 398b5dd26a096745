import { DERIVED_TABLES } from "#worker/store/operations/backup.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { createInsertStatement, createTriggerSuspension, splitRowsIntoJson } from "./write-rows.ts";

/** Table to restore. Its pages contain rows in column order. */
export interface RestorableTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly pages: AsyncIterable<readonly StoredValue[][]> | Iterable<readonly StoredValue[][]>;
}

interface RestoreTablesOptions {
  /** Condition for the triggers to suspend. Defaults to all, because a backup contains their effects. */
  readonly suspended?: string;
  /** Statements after the last rows, in their batch. */
  readonly last?: readonly D1PreparedStatement[];
  readonly progress?: (table: string, rows: number) => void;
}

/** Maximum length of a statement's rows, which are passed as one JSON parameter. */
const CHUNK_CHARACTERS = 40_000;
/** Statements per batch across tables: a few megabytes. Each batch removes and restores the triggers. */
const STATEMENT_BATCH_SIZE = 100;

/**
 * Writes tables into an account without settings, each after those that it references. The last table should be the
 * settings: without them, an interrupted restore can be repeated.
 */
export async function restoreTables(
  db: D1Database,
  tables: readonly RestorableTable[],
  { suspended = "true", last = [], progress = () => undefined }: RestoreTablesOptions = {},
): Promise<void> {
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(db, suspended);
  const defer = db.prepare("PRAGMA defer_foreign_keys = on");
  const cleared = [...tables.map(({ name }) => name), ...DERIVED_TABLES].map((name) =>
    db.prepare(`DELETE FROM ${name}`),
  );
  await db.batch([defer, ...dropTriggers, ...cleared, ...recreateTriggers]);
  let pending: D1PreparedStatement[] = [];
  const flush = async (more: readonly D1PreparedStatement[] = []) => {
    await db.batch([defer, ...dropTriggers, ...pending, ...recreateTriggers, ...more]);
    pending = [];
  };
  for (const table of tables) {
    let rows = 0;
    for await (const page of table.pages)
      for (const text of splitRowsIntoJson(page, CHUNK_CHARACTERS)) {
        if (pending.length >= STATEMENT_BATCH_SIZE) await flush();
        pending.push(createInsertStatement(db, table, text));
        rows += text.count;
        progress(table.name, rows);
      }
  }
  await flush(last);
}
