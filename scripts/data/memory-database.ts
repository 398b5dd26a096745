import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A database in memory with every migration of a folder. */
export function migratedDatabase(migrationsFolder: string): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) database.exec(readFileSync(join(migrationsFolder, file), "utf8"));
  return database;
}

/** Drops every trigger; answers how to make them again. */
export function dropTriggers(database: DatabaseSync): () => void {
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  return () => {
    for (const { sql } of triggers) database.exec(String(sql));
  };
}
