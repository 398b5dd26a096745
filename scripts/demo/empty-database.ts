import { createTriggerSuspension } from "#worker/imports/write-rows.ts";

/** Excludes the database's internal tables. */
const OWN_TABLES =
  "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT IN ('d1_migrations', 'catalogue_version', 'stock_version', 'mail_cursor', 'upkeep')";

/** Whether an account is complete, meaning it has settings, which are always written last. */
export async function hasDemoData(db: D1Database): Promise<boolean> {
  return (await db.prepare("SELECT 1 FROM settings").first()) !== null;
}

/**
 * Deletes the data of an interrupted run. Issued invoices can't be deleted, so the triggers that prevent it are removed
 * and restored in the same transaction.
 */
export async function emptyDatabase(db: D1Database): Promise<void> {
  const tables = await filledTables(db);
  if (tables.length === 0) return;
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(db, "sql LIKE '%BEFORE DELETE%'");
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = on"),
    ...dropTriggers,
    ...tables.map((name) => db.prepare(`DELETE FROM ${name}`)),
    ...recreateTriggers,
  ]);
}

async function filledTables(db: D1Database): Promise<readonly string[]> {
  const { results } = await db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND ${OWN_TABLES} ORDER BY name`)
    .all<{ name: string }>();
  const counted = await db.batch<{ filled: number }>(
    results.map(({ name }) => db.prepare(`SELECT EXISTS (SELECT 1 FROM ${name}) AS filled`)),
  );
  return results.filter((_, index) => counted[index]?.results[0]?.filled === 1).map(({ name }) => name);
}
