import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { readRows } from "./export.ts";
import { dropTriggers, migratedDatabase } from "./memory-database.ts";
import type { BadLine, ReadTable } from "./read-files.ts";
import type { FileTable } from "./tables.ts";
import type { Stored } from "./values.ts";

type Problem = Pick<BadLine, "field" | "problem">;

/**
 * Writes what was read into a database in memory, with the account's own rows and every rule of the schema, and answers
 * each line that the schema refuses, before anything is written to the account.
 */
export async function tryOut(
  db: D1Database,
  migrationsFolder: string,
  tables: readonly FileTable[],
  read: readonly ReadTable[],
): Promise<readonly BadLine[]> {
  const trial = migratedDatabase(migrationsFolder);
  try {
    trial.exec("PRAGMA foreign_keys = on");
    dropTriggers(trial);
    trial.exec("BEGIN");
    for (const table of tables) {
      for (const row of await readRows(db, table, () => undefined)) insert(trial, table.name, row);
    }
    return read.flatMap((one) => tryTable(trial, one));
  } finally {
    trial.close();
  }
}

function tryTable(trial: DatabaseSync, { table, file, lines }: ReadTable): BadLine[] {
  return lines.flatMap(({ line, values }) => {
    try {
      if (table.name === "settings") trial.exec("DELETE FROM settings");
      insert(trial, table.name, values);
      return [];
    } catch (error) {
      const problems = explain(trial, table, values, error instanceof Error ? error.message : String(error));
      return problems.map((problem) => ({ file, line, ...problem }));
    }
  });
}

function insert(trial: DatabaseSync, table: string, values: Readonly<Record<string, Stored>>): void {
  const columns = Object.keys(values);
  const places = columns.map(() => "?").join(", ");
  trial
    .prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`)
    .run(...(Object.values(values) as SQLInputValue[]));
}

interface Reference {
  readonly from: string;
  readonly table: string;
  readonly to: string | null;
}

// The schema's words, with the field that they are about.
function explain(
  trial: DatabaseSync,
  table: FileTable,
  values: Readonly<Record<string, Stored>>,
  message: string,
): Problem[] {
  const fieldOf = (column: string) => table.columns.find((one) => one.column === column)?.field ?? column;
  const unique = /UNIQUE constraint failed: (.+)$/.exec(message)?.[1];
  if (unique) {
    const columns = unique.split(", ").map((name) => name.split(".")[1] ?? name);
    return [{ field: columns.map(fieldOf).join(", "), problem: "is there already" }];
  }
  const missing = /NOT NULL constraint failed: \w+\.(\w+)/.exec(message)?.[1];
  if (missing) return [{ field: fieldOf(missing), problem: "is required" }];
  const check = /CHECK constraint failed: (.+)$/s.exec(message)?.[1];
  if (check) {
    const named = table.columns.find(({ column }) => new RegExp(`\\b${column}\\b`).test(check));
    return [{ field: named?.field ?? "", problem: `is not allowed: ${check}` }];
  }
  if (message.includes("FOREIGN KEY")) return explainReferences(trial, table, values, fieldOf);
  const type = /cannot store (\w+) value in \w+ column \w+\.(\w+)/.exec(message);
  return [{ field: type?.[2] ? fieldOf(type[2]) : "", problem: message }];
}

function explainReferences(
  trial: DatabaseSync,
  table: FileTable,
  values: Readonly<Record<string, Stored>>,
  fieldOf: (column: string) => string,
): Problem[] {
  const references = trial.prepare(`PRAGMA foreign_key_list(${table.name})`).all() as unknown as Reference[];
  const broken = references.filter(({ from, table: other, to }) => {
    const value = values[from];
    if (value === null || value === undefined) return false;
    return trial.prepare(`SELECT 1 FROM ${other} WHERE ${to ?? "id"} = ?`).get(value) === undefined;
  });
  return broken.map(({ from, table: other }) => ({
    field: fieldOf(from),
    problem: `names no row of ${other}: ${String(values[from])}`,
  }));
}
