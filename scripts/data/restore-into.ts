import type { SQLInputValue } from "node:sqlite";
import type { Progress } from "#worker/imports/import.ts";
import { dropTriggers } from "#worker/imports/sync-database.ts";
import { insertStatement, textsOf, triggersAround } from "#worker/imports/write-rows.ts";
import { migratedDatabase, syncOf } from "./memory-database.ts";
import type { Backup, RestoredTable } from "./read-backup.ts";

/** What restoring into a database in memory found. */
export interface Drill {
  readonly rows: number;
  readonly integrity: string;
  readonly brokenReferences: number;
}

/** Restores a backup into memory, by today's migrations, and examines it: the proof that it is good for something. */
export function drill(backup: Backup, migrationsFolder: string): Drill {
  const db = migratedDatabase(migrationsFolder);
  try {
    db.exec("PRAGMA foreign_keys = off");
    const putBack = dropTriggers(syncOf(db));
    db.exec("BEGIN");
    for (const { name, columns, rows } of backup.tables) {
      db.exec(`DELETE FROM ${name}`);
      const insert = db.prepare(
        `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      for (const row of rows) insert.run(...(row as SQLInputValue[]));
    }
    db.exec("COMMIT");
    putBack();
    const integrity = db.prepare("PRAGMA integrity_check").get() as { integrity_check: string };
    return {
      rows: backup.tables.reduce((sum, { rows }) => sum + rows.length, 0),
      integrity: integrity.integrity_check,
      brokenReferences: db.prepare("PRAGMA foreign_key_check").all().length,
    };
  } finally {
    db.close();
  }
}

/** A statement's rows: D1 takes statements of 100 kB. */
const CHUNK_CHARACTERS = 40_000;
/** In one batch: at Cloudflare each is a run of wrangler. */
const STATEMENTS_AT_ONCE = 100;

/**
 * Writes a backup into an account that has no settings yet, theirs last; its rules are lifted within each batch,
 * because every row is there already.
 */
export async function restoreInto(db: D1Database, backup: Backup, progress: Progress): Promise<void> {
  if (await db.prepare("SELECT 1 AS found FROM settings").first())
    throw new Error("the account has data: restore into an empty one (npm run account -- add <name> --empty)");
  const { lift, putBack } = await triggersAround(db);
  const isSettings = ({ name }: RestoredTable) => name === "settings";
  // A backup is read from what names others to what is named: it is written the other way.
  const parentsFirst = [...backup.tables].reverse();
  const ordered = [...parentsFirst.filter((table) => !isSettings(table)), ...parentsFirst.filter(isSettings)];
  const cleared = ordered.map(({ name }) => db.prepare(`DELETE FROM ${name}`));
  await db.batch([db.prepare("PRAGMA defer_foreign_keys = on"), ...lift, ...cleared, ...putBack]);
  for (const table of ordered) {
    let done = 0;
    const texts = [...textsOf(table.rows, CHUNK_CHARACTERS)];
    for (let start = 0; start < texts.length; start += STATEMENTS_AT_ONCE) {
      const some = texts.slice(start, start + STATEMENTS_AT_ONCE);
      await db.batch([...lift, ...some.map((text) => insertStatement(db, table, text)), ...putBack]);
      done += some.reduce((sum, { count }) => sum + count, 0);
      progress(table.name, done, table.rows.length);
    }
  }
}
