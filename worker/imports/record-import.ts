import type { AccountCopy } from "./copy.ts";
import { type ImportDifference, toRowKey } from "./difference.ts";
import type { SqliteRow } from "./synchronous-database.ts";
import { splitRowsIntoJson } from "./write-rows.ts";

/** Row that an import added or changed, before and after. */
export interface ImportChange {
  readonly table: string;
  readonly before: SqliteRow | null;
  readonly after: SqliteRow;
}

/** Derived tables. Their changes aren't recorded, because they are rebuilt from the others. */
const FOLLOWS =
  /^(catalogue_version|stock_version|list_totals|search_blocks|stock_allocations|charge_allocations|ledger_.*|mail_cursor|imports|import_changes)$/;
const CHARACTERS = 500_000;

/** Records an import's changes in the copy, replacing those of the previous import, so that it can be undone. */
export function recordImport(
  copy: AccountCopy,
  differences: readonly ImportDifference[],
  { now, files }: { readonly now: number; readonly files: readonly object[] },
): void {
  const { sqlite } = copy;
  const id = Number(sqlite.prepare("SELECT coalesce(max(id), 0) + 1 AS id FROM imports").get()?.["id"]);
  const storedFiles = files.map((file) => ({ ...file, read: undefined }));
  sqlite.prepare("INSERT INTO imports (id, at, files) VALUES (?, ?, ?)").run(id, now, JSON.stringify(storedFiles));
  sqlite.exec("DELETE FROM import_changes");
  const insert = sqlite.prepare("INSERT INTO import_changes (import_id, position, rows) VALUES (?, ?, ?)");
  let position = 0;
  for (const { json } of splitRowsIntoJson(toChanges(differences), CHARACTERS)) insert.run(id, position++, json);
}

function toChanges(differences: readonly ImportDifference[]): readonly ImportChange[] {
  return differences
    .filter(({ table }) => !FOLLOWS.test(table.name))
    .flatMap(({ table, currentRows, previousRows }) => {
      const earlier = new Map(previousRows.map((row) => [toRowKey(table, row), row]));
      return currentRows.map((after) => ({
        table: table.name,
        before: earlier.get(toRowKey(table, after)) ?? null,
        after,
      }));
    });
}
