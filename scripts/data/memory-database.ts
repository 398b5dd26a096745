import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

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

/** Drops the triggers of a condition; answers how to make them again. */
export function dropTriggers(database: DatabaseSync, condition = "true"): () => void {
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (${condition})`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  return () => {
    for (const { sql } of triggers) database.exec(String(sql));
  };
}
