import type { Migration, SlotMigration } from "./cells.ts";

const APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** Applies pending migrations to a database of this cell, each in one batch, as wrangler does. Never throws. */
export async function applyMigrations(
  db: D1Database,
  slot: number,
  migrations: readonly Migration[],
): Promise<SlotMigration> {
  let version: string | null = null;
  let bookmark: string | null = null;
  try {
    bookmark = await readBookmark(db);
    await db.prepare(APPLIED_TABLE).run();
    const applied = await listApplied(db);
    version = [...applied].sort().at(-1) ?? null;
    for (const { name, statements } of migrations.filter((migration) => !applied.has(migration.name))) {
      // Inserts the migration's name first. If two runs overlap, the second one fails before it changes anything.
      const record = db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
      await db.batch([record, ...statements.map((sql) => db.prepare(sql))]).catch(async (error: unknown) => {
        if (!(await listApplied(db)).has(name)) throw new Error(`${name}: ${getMessage(error)}`);
      });
      version = name;
    }
    const broken = await db.prepare("PRAGMA foreign_key_check").all();
    if (broken.results.length > 0) throw new Error(`${broken.results.length} rows refer to missing rows`);
    return { slot, version, bookmark, error: null };
  } catch (error) {
    return { slot, version, bookmark, error: getMessage(error) };
  }
}

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function listApplied(db: D1Database): Promise<Set<string>> {
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}

async function readBookmark(db: D1Database): Promise<string | null> {
  if (!("withSession" in db)) return null;
  const session = db.withSession("first-primary");
  await session.prepare("SELECT 1").first();
  return session.getBookmark();
}
