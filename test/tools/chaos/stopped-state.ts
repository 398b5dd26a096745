import { cpSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { AccountName } from "#tools/platform/client.ts";
import { createRowReader, isAccountDatabase, listDatabaseFiles, type Rows } from "#tools/platform/database-files.ts";

/** A state folder without writers, and when its server ended. */
export interface StoppedServer {
  readonly stateDir: string;
  readonly at: Date;
}

/** Copies the state of a killed server, so that it can be restarted during the inspection. */
export function copyStoppedServer(stateDir: string, copy: string): StoppedServer {
  const at = new Date();
  cpSync(stateDir, copy, { recursive: true, force: true });
  return { stateDir: copy, at };
}

/** Files of a stopped server, read without its runtime. */
export interface StoppedState {
  readonly accounts: Readonly<Record<AccountName, Rows>>;
  /** Integrity errors that SQLite reports in any file: databases, carts, the object store's index. */
  readonly brokenFiles: () => readonly string[];
}

/** Opens all databases of a state folder for a query. SQLite recovers each as the runtime would. */
export function useStoppedState<T>(stateDir: string, query: (state: StoppedState) => T): T {
  const opened = listDatabaseFiles(stateDir).map((file) => ({ file, database: new DatabaseSync(file) }));
  const getAccountRows = (name: AccountName): Rows => {
    const accountDatabase = opened.find(({ database }) => isAccountDatabase(createRowReader(database), name));
    if (!accountDatabase) throw new Error(`the state has no database of ${name}`);
    return createRowReader(accountDatabase.database);
  };
  const close = () => {
    for (const { database } of opened) database.close();
  };
  const result = query({
    accounts: { acme: getAccountRows("acme"), globex: getAccountRows("globex") },
    brokenFiles: () =>
      opened.flatMap(({ file, database }) =>
        findStateFaults(createRowReader(database), isScratch(file)).map((it) => `${file}: ${it}`),
      ),
  });
  if (result instanceof Promise) return result.finally(close) as T;
  close();
  return result;
}

// Temporary database of an import. After a kill it's incomplete until its alarm deletes it.
function isScratch(file: string): boolean {
  return file.includes("TempDatabase");
}

function findStateFaults(rows: Rows, isHalf: boolean): readonly string[] {
  const integrity = rows<{ readonly integrity_check: string }>("PRAGMA integrity_check").map(
    (row) => row.integrity_check,
  );
  const references = rows<{ readonly table: string }>("PRAGMA foreign_key_check").map(
    ({ table }) => `reference of ${table}`,
  );
  return [...integrity.filter((text) => text !== "ok"), ...(isHalf ? [] : references)];
}
