import { readdirSync } from "node:fs";
import { join } from "node:path";
import { migratedDatabase } from "../../scripts/data/memory-database.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

/**
 * What all migrations come to, as statements for an empty database: each migration alone reads every trigger again at
 * each column that it adds, which in the tests' runtime takes longer than most files of tests. That migrations apply
 * there, one after the other, is `schema-behind.test.ts`'s to show.
 */
export function getFullSchema(): string[] {
  const database = migratedDatabase(MIGRATIONS);
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
 * Documents and charges refuse to go. In tests they do so while the account has settings, which go first where it is
 * emptied: were the triggers lifted each time, every statement would be compiled anew after it, its triggers too.
 */
function withSettingsPreserved(trigger: string): string {
  if (!trigger.includes("BEFORE DELETE")) return trigger;
  return trigger.replace(/(SELECT RAISE\(ABORT, '\w+'\));/, "$1 WHERE EXISTS (SELECT 1 FROM settings);");
}
