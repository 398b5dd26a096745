import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { databaseFolder } from "#scripts/state-folder.ts";
import type { AccountName } from "#tools/platform/client.ts";

/** What a check asks of a database. */
export type Rows = <T = Readonly<Record<string, string | number | null>>>(
  sql: string,
  ...values: SQLInputValue[]
) => T[];

/** The files of a state whose server has ended, read without the runtime that wrote them. */
export interface StoppedState {
  readonly accounts: Readonly<Record<AccountName, Rows>>;
  /** What SQLite itself finds wrong, in any file: databases, carts, the index of the object store. */
  readonly brokenFiles: () => readonly string[];
  readonly close: () => void;
}

/** Opens every database of a state folder; SQLite recovers each as the runtime would. */
export function openStoppedState(stateDir: string): StoppedState {
  const folder = databaseFolder(stateDir);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sqlite"));
  const opened = files.map((file) => ({ file, database: new DatabaseSync(join(folder, file)) }));
  const rowsOf =
    (database: DatabaseSync): Rows =>
    <T>(sql: string, ...values: SQLInputValue[]) =>
      database.prepare(sql).all(...values) as T[];
  const accountOf = (name: AccountName): Rows => {
    const found = opened.find(({ database }) => isOfAccount(rowsOf(database), name));
    if (!found) throw new Error(`the state has no database of ${name}`);
    return rowsOf(found.database);
  };
  return {
    accounts: { acme: accountOf("acme"), globex: accountOf("globex") },
    brokenFiles: () => opened.flatMap(({ file, database }) => faultsOf(rowsOf(database)).map((it) => `${file}: ${it}`)),
    close: () => {
      for (const { database } of opened) database.close();
    },
  };
}

/** The file of an account's database. */
export function accountFile(stateDir: string, name: AccountName): string {
  const folder = databaseFolder(stateDir);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sqlite"));
  const found = files.find((file) => {
    const database = new DatabaseSync(join(folder, file));
    try {
      return isOfAccount(
        <T>(sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values) as T[],
        name,
      );
    } finally {
      database.close();
    }
  });
  if (!found) throw new Error(`the state has no database of ${name}`);
  return join(folder, found);
}

function isOfAccount(rows: Rows, name: AccountName): boolean {
  const isCompany = rows("SELECT 1 FROM sqlite_master WHERE name = 'partner_keys'").length > 0;
  return isCompany && rows("SELECT 1 FROM partner_keys WHERE api_key = ?", `${name}-agency`).length > 0;
}

function faultsOf(rows: Rows): readonly string[] {
  const integrity = rows<{ readonly integrity_check: string }>("PRAGMA integrity_check").map(
    (row) => row.integrity_check,
  );
  const references = rows<{ readonly table: string }>("PRAGMA foreign_key_check").map(
    ({ table }) => `reference of ${table}`,
  );
  return [...integrity.filter((text) => text !== "ok"), ...references];
}
