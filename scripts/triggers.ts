import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import packageJson from "../package.json" with { type: "json" };
import { PROJECT_ROOT } from "./processes.ts";
import { createGeneratedTriggersSql, createTriggerUpdateSql, type TriggersByName } from "./schema/trigger-changes.ts";

const FOLDER = join(PROJECT_ROOT, "migrations");
const FIRST_FILE = "0015_generated_triggers.sql";

/** Returns the triggers that the migrations in a folder create. */
export function readMigratedTriggers(folder: string): TriggersByName {
  const database = new DatabaseSync(":memory:");
  for (const file of listMigrations(folder)) database.exec(readFileSync(join(folder, file), "utf8"));
  const rows = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  database.close();
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
}

function listMigrations(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

/** Writes the generated triggers: into the first file before version 1.0.0, into a new migration from then on. */
function writeTriggers(): void {
  const isReleased = !packageJson.version.startsWith("0.");
  if (!isReleased) {
    writeFileSync(join(FOLDER, FIRST_FILE), createGeneratedTriggersSql());
    return;
  }
  const changes = createTriggerUpdateSql(readMigratedTriggers(FOLDER));
  if (changes === "") return;
  const last = Number(listMigrations(FOLDER).at(-1)?.slice(0, 4) ?? 0);
  writeFileSync(join(FOLDER, `${String(last + 1).padStart(4, "0")}_generated_triggers.sql`), changes);
}

if (import.meta.main) writeTriggers();
