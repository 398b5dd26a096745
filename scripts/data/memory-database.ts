import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A database with every migration of a folder, in memory where no file is named. */
export function migratedDatabase(migrationsFolder: string, file = ":memory:"): DatabaseSync {
  const database = new DatabaseSync(file);
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) database.exec(readFileSync(join(migrationsFolder, file), "utf8"));
  return database;
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
