import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { getDatabaseFolder } from "#scripts/state-folder.ts";
import type { AccountName } from "./client.ts";

/** Runs a query of a check on a database. */
export type Rows = <T = Readonly<Record<string, string | number | null>>>(
  sql: string,
  ...values: SQLInputValue[]
) => T[];

/** Lists the paths of all SQLite files in a state folder. */
export function listDatabaseFiles(stateDir: string): readonly string[] {
  const folder = getDatabaseFolder(stateDir);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sqlite"));
  return files.map((file) => join(folder, file));
}

/** Creates a query function for an open database. */
export function createRowReader(database: DatabaseSync): Rows {
  return <T>(sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values) as T[];
}

/** Opens a file for a single query function. */
export function queryRows<T>(file: string, ask: (rows: Rows) => T): T {
  const database = new DatabaseSync(file);
  try {
    return ask(createRowReader(database));
  } finally {
    database.close();
  }
}

/** Returns the database file of a demo account. */
export function findAccountFile(stateDir: string, name: AccountName): string {
  const databaseFile = listDatabaseFiles(stateDir).find((file) =>
    queryRows(file, (rows) => isAccountDatabase(rows, name)),
  );
  if (!databaseFile) throw new Error(`the state has no database of ${name}`);
  return databaseFile;
}

/** Whether a database belongs to a demo account. */
export function isAccountDatabase(rows: Rows, name: AccountName): boolean {
  const isCompany = rows("SELECT 1 FROM sqlite_master WHERE name = 'partner_keys'").length > 0;
  return isCompany && rows("SELECT 1 FROM partner_keys WHERE api_key = ?", `${name}-agency`).length > 0;
}
