import type { RestoreResult } from "#domain/operations/imports.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { readBackupRows } from "#worker/usecases/operations/read-backup.ts";
import { disableForeignKeys } from "./copy.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";

const MAX_PENDING_LINES = 500;

/**
 * Schema of a copy that is checked and deleted: without plain indexes, each of which would add a written row for each
 * table row. A condition for `copyAccountSchema`.
 */
export const WITHOUT_PLAIN_INDEXES_CONDITION = "sql NOT LIKE 'CREATE INDEX%'";

/**
 * Restores a packed backup into a database with the current tables, keys and rules, and checks it. Throws if a table is
 * incomplete or no longer fits. `createTriggers` creates the triggers once all rows are written.
 */
export async function restoreBackupIntoScratch(
  scratch: SynchronousDatabase,
  packedBackup: ReadableStream,
  createTriggers: () => void,
): Promise<RestoreResult> {
  await disableForeignKeys(scratch);
  let pendingLines: string[] = [];
  const counts = new Map<string, number>();
  const write = (into: { readonly table: string; readonly columns: readonly string[] }) => {
    const { table, columns } = into;
    const insert = scratch.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    scratch.atomic(() => {
      for (const line of pendingLines) insert.run(...(JSON.parse(line) as StoredValue[]));
    });
    counts.set(table, (counts.get(table) ?? 0) + pendingLines.length);
    pendingLines = [];
  };
  const { rows } = await readBackupRows(packedBackup, {
    begin: ({ table }) => scratch.exec(`DELETE FROM ${table}`),
    row: (line, into) => {
      pendingLines.push(line);
      if (pendingLines.length >= MAX_PENDING_LINES) write(into);
    },
    end: write,
  });
  createTriggers();
  const isCounted = [...counts].every(
    ([table, count]) => scratch.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"] === count,
  );
  const checked = scratch.prepare("PRAGMA quick_check").get()?.["quick_check"];
  const broken = scratch.prepare("SELECT count(*) AS n FROM pragma_foreign_key_check").get()?.["n"];
  return { rows, isWhole: isCounted && checked === "ok", brokenReferences: Number(broken) };
}
