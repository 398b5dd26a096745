import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createMigratedDatabase } from "../../scripts/data/memory-database.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

/**
 * Returns the result of all migrations as statements for an empty database. Running each migration re-reads all
 * triggers for every added column, which takes longer than most test files. `schema-behind.test.ts` tests the sequence
 * of migrations.
 */
export function listFullSchemaStatements(): string[] {
  const database = createMigratedDatabase(MIGRATIONS);
  const texts = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(({ text }) => String(text));
  const readSchemaSql = (types: string) =>
    texts(`SELECT sql AS text FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
      AND instr('${types}', type) ORDER BY instr('${types}', type), rowid`);
  const tables = texts("SELECT name AS text FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'");
  const rows = tables.flatMap((table) => {
    const columns = texts(`SELECT name AS text FROM pragma_table_xinfo('${table}') WHERE hidden = 0`);
    const values = columns.map((column) => `quote(${column})`).join(" || ', ' || ");
    return texts(
      `SELECT 'INSERT INTO ${table} (${columns.join(", ")}) VALUES (' || ${values} || ')' AS text FROM ${table}`,
    );
  });
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  const statements = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    ...files.sort().map((name) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`),
    ...readSchemaSql("table index view"),
    ...rows,
    ...readSchemaSql("trigger").map(withSettingsPreserved),
  ];
  database.close();
  return statements;
}

/**
 * Changes the triggers that prevent deleting documents and charges, so that they apply only while settings exist, which
 * tests delete first. Removing them each time would discard all compiled statements and triggers.
 */
function withSettingsPreserved(trigger: string): string {
  if (!trigger.includes("BEFORE DELETE")) return trigger;
  return trigger.replace(/(SELECT RAISE\(ABORT, '\w+'\));/, "$1 WHERE EXISTS (SELECT 1 FROM settings);");
}
