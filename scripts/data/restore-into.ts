import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Progress } from "./export.ts";
import type { Backup, RestoredTable } from "./read-backup.ts";

/** What restoring into a database in memory found. */
export interface Drill {
  readonly rows: number;
  readonly integrity: string;
  readonly brokenReferences: number;
}

/** Restores a backup into memory, by today's migrations, and examines it: the proof that it is good for something. */
export function drill(backup: Backup, migrationsFolder: string): Drill {
  const db = new DatabaseSync(":memory:");
  try {
    for (const file of readdirSync(migrationsFolder)
      .filter((name) => name.endsWith(".sql"))
      .sort()) {
      db.exec(readFileSync(join(migrationsFolder, file), "utf8"));
    }
    const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    db.exec("PRAGMA foreign_keys = off");
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    db.exec("BEGIN");
    for (const { name, columns, rows } of backup.tables) {
      db.exec(`DELETE FROM ${name}`);
      const insert = db.prepare(
        `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      for (const row of rows) insert.run(...(row as SQLInputValue[]));
    }
    db.exec("COMMIT");
    for (const { sql } of triggers) db.exec(sql);
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

/** Writes a backup into an account that has no settings yet, theirs last; its rules are lifted within each batch, because every row is there already. */
export async function restoreInto(db: D1Database, backup: Backup, progress: Progress): Promise<void> {
  if (await db.prepare("SELECT 1 AS found FROM settings").first())
    throw new Error("the account has data: restore into an empty one (npm run account -- add <name> --empty)");
  const { results } = await db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>();
  const lift = results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`));
  const putBack = results.map(({ sql }) => db.prepare(sql));
  const isSettings = ({ name }: RestoredTable) => name === "settings";
  // A backup is read from what names others to what is named: it is written the other way.
  const parentsFirst = [...backup.tables].reverse();
  const ordered = [...parentsFirst.filter((table) => !isSettings(table)), ...parentsFirst.filter(isSettings)];
  const cleared = ordered.map(({ name }) => db.prepare(`DELETE FROM ${name}`));
  await db.batch([db.prepare("PRAGMA defer_foreign_keys = on"), ...lift, ...cleared, ...putBack]);
  for (const table of ordered) {
    let done = 0;
    const chunks = chunksOf(table);
    for (let start = 0; start < chunks.length; start += STATEMENTS_AT_ONCE) {
      const some = chunks.slice(start, start + STATEMENTS_AT_ONCE);
      await db.batch([...lift, ...some.map((rows) => insertStatement(db, table, rows)), ...putBack]);
      done += some.reduce((sum, rows) => sum + rows.length, 0);
      progress(table.name, done, table.rows.length);
    }
  }
}

function insertStatement(
  db: D1Database,
  { name, columns }: RestoredTable,
  rows: RestoredTable["rows"],
): D1PreparedStatement {
  const values = columns.map((_, at) => `value ->> ${at}`).join(", ");
  return db
    .prepare(`INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values} FROM json_each(?)`)
    .bind(JSON.stringify(rows));
}

function chunksOf({ rows }: RestoredTable): (readonly RestoredTable["rows"][number][])[] {
  const chunks: RestoredTable["rows"][number][][] = [];
  let size = 0;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    const current = chunks.at(-1);
    if (current && size + length < CHUNK_CHARACTERS) {
      current.push(row);
      size += length;
    } else {
      chunks.push([row]);
      size = length;
    }
  }
  return chunks;
}
