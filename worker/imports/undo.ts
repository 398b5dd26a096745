import type { UndoProblem } from "#domain/operations/import-problems.ts";
import { readImportExportTables } from "#worker/store/operations/file-tables.ts";
import {
  AccountChangedError,
  type AccountCopy,
  copyAccount,
  disableForeignKeys,
  isAccountChangedError,
} from "./copy.ts";
import { createDifferenceStatements, findImportDifferences, toRowKey } from "./difference.ts";
import { COMMISSION_TRIGGERS, NO_RELATED_STATEMENTS, type RelatedStatements, updateDerivedData } from "./import.ts";
import type { ImportChange } from "./record-import.ts";
import type { SqliteRow, SynchronousDatabase } from "./synchronous-database.ts";

/**
 * Guards to suspend, which would refuse the changes, and triggers to suspend, so that undoing an import adds no
 * security events, change times or commissions.
 */
const TRIGGERS_TO_DROP = `sql LIKE '%RAISE(%' OR name GLOB '*_touch' OR name GLOB '*_touch_*' OR name GLOB '*_security_event'
  OR name IN (${COMMISSION_TRIGGERS})`;

/** Derived rows to delete when the row that they reference is removed. */
const DERIVED_ROWS: readonly (readonly [table: string, column: string, of: string])[] = [
  ["stock_allocations", "booking_id", "bookings"],
  ["ledger_entries", "booking_id", "bookings"],
  ["booking_mails", "booking_id", "bookings"],
  ["booking_mails", "document_id", "documents"],
  ["charge_allocations", "document_id", "documents"],
  ["charge_allocations", "charge_id", "charges"],
];

/** Number of removed and restored rows, or the problems that prevent the undo. */
export interface ImportUndoResult {
  /** Reasons why the import can't be undone: later changes to its rows. */
  readonly problems: readonly UndoProblem[];
  readonly removed: number;
  readonly restored: number;
}

/** Undoes the last import, all or nothing. Refuses if its rows were changed since. */
export async function undoImport(
  db: D1Database,
  { scratch, statementCharacters, now = Date.now(), relatedStatements = NO_RELATED_STATEMENTS }: ImportUndoOptions,
): Promise<ImportUndoResult> {
  const last = await db
    .prepare("SELECT id FROM imports WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1")
    .first<{ id: number }>();
  const pages = await db
    .prepare("SELECT import_id, rows FROM import_changes ORDER BY position")
    .all<{ import_id: number; rows: string }>();
  if (!last || pages.results[0]?.import_id !== last.id)
    return { problems: [{ code: "no_import" }], removed: 0, restored: 0 };
  const changes = pages.results.flatMap(({ rows }) => JSON.parse(rows) as ImportChange[]);
  const copy = await copyAccount(db, scratch, await readImportExportTables(db), TRIGGERS_TO_DROP);
  try {
    const { sqlite } = copy;
    await disableForeignKeys(sqlite);
    const problems = sqlite.atomic(() => changes.reverse().flatMap((change) => revertChange(copy, change, now)));
    problems.push(...findOrphans(copy));
    if (problems.length > 0) return { problems, removed: 0, restored: 0 };
    sqlite.prepare("UPDATE imports SET undone_at = ? WHERE id = ?").run(now, last.id);
    sqlite.exec("DELETE FROM import_changes");
    await updateDerivedData(copy, now, undefined);
    const statements = await createDifferenceStatements(db, copy, findImportDifferences(copy), statementCharacters);
    await db.batch([...statements, ...relatedStatements(last.id)]);
    const restored = changes.filter(({ before }) => before !== null).length;
    return { problems: [], removed: changes.length - restored, restored };
  } catch (error) {
    if (isAccountChangedError(error))
      throw new AccountChangedError("The account changed at the same time. Nothing was written. Repeat the command.");
    throw error;
  }
}

// Restores a changed row with the current time. Removes an added row with its derived rows.
function revertChange(
  { sqlite, tables }: AccountCopy,
  { table: name, before, after }: ImportChange,
  now: number,
): readonly UndoProblem[] {
  const table = tables.find((table) => table.name === name);
  if (!table) return [];
  const key = table.key.map((column) => after[column] ?? null);
  const where = table.key.map((column) => `${column} IS ?`).join(" AND ");
  const current = sqlite.prepare(`SELECT ${table.columns.join(", ")} FROM ${name} WHERE ${where}`).get(...key);
  const problems: readonly UndoProblem[] = isSame(table.columns, current, after)
    ? []
    : [{ code: "row_changed", params: { table: name, row: toRowKey(table, after) } }];
  if (!before) {
    for (const [follower, column] of DERIVED_ROWS.filter(([, , of]) => of === name))
      sqlite.prepare(`DELETE FROM ${follower} WHERE ${column} = ?`).run(key[0] ?? null);
    sqlite.prepare(`DELETE FROM ${name} WHERE ${where}`).run(...key);
    return problems;
  }
  const columns = table.columns.filter((column) => !table.key.includes(column));
  const versionColumns = { last_update: now, version: Number(after["version"]) + 1 };
  const row: SqliteRow = {
    ...before,
    ...Object.fromEntries(Object.entries(versionColumns).filter(([column]) => column in before)),
  };
  sqlite
    .prepare(`UPDATE ${name} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE ${where}`)
    .run(...columns.map((column) => row[column] ?? null), ...key);
  return problems;
}

export interface ImportUndoOptions {
  /** Empty database, or one with the account's empty tables. */
  readonly scratch: SynchronousDatabase;
  readonly statementCharacters: number;
  readonly now?: number;
  readonly relatedStatements?: RelatedStatements;
}

function isSame(columns: readonly string[], current: SqliteRow | undefined, after: SqliteRow): boolean {
  return current !== undefined && columns.every((column) => (current[column] ?? null) === (after[column] ?? null));
}

// Finds rows added later that reference rows of the import, such as a new contract of an imported customer. Tables
// missing in the copy, such as device work, are never imported, and rows that reference them (damages) are ignored.
function findOrphans({ sqlite, tables }: AccountCopy): readonly UndoProblem[] {
  const broken = sqlite
    .prepare('SELECT "table" AS name, parent, count(*) AS n FROM pragma_foreign_key_check GROUP BY 1, 2')
    .all();
  return broken
    .filter(({ parent }) => tables.some((table) => table.name === parent))
    .map(({ name, parent, n }) => ({
      code: "rows_added",
      params: { count: Number(n), table: String(name), parent: String(parent) },
    }));
}
