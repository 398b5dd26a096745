import type { ImportLineProblem } from "#domain/operations/imports.ts";
import type { ImportExportTable } from "#worker/store/operations/file-tables.ts";
import { addDerivedValues } from "./fill-in-row.ts";
import type { StoredValues } from "./natural-keys.ts";
import type { SqliteRow, SynchronousDatabase } from "./synchronous-database.ts";
import type { StoredValue } from "./values.ts";

/** File and line from which a row of the copy was imported. */
export interface ImportOrigin {
  readonly file: string;
  readonly line: number;
}

/** State while files are imported into a copy, table by table. */
export interface ImportState {
  readonly sqlite: SynchronousDatabase;
  readonly tables: readonly ImportExportTable[];
  readonly now: number;
  /** Whether the account is empty, so that no client has read it and change times from files are kept. */
  readonly isFresh: boolean;
  /** File and line of each imported row, by table and key. */
  readonly origins: Map<string, ImportOrigin>;
  /** Names of rows whose lines can't be imported. References to them aren't reported as errors again. */
  readonly failedRowNames: Set<string>;
  readonly bad: ImportLineProblem[];
}

/** Returns a unique text for a row, from its table and key. */
export function createRowId(table: string, key: readonly StoredValue[]): string {
  return `${table} ${JSON.stringify(key)}`;
}

/** Adds a row to the copy with derived values. Returns its key. */
export function insertRowInCopy(
  importState: ImportState,
  tableName: string,
  values: StoredValues,
  origin: ImportOrigin | undefined,
): readonly StoredValue[] {
  const table = importState.tables.find((table) => table.name === tableName);
  const columns = new Set(table?.columns.map(({ column }) => column));
  const isComplete = values["id"] !== undefined;
  const filled = addDerivedValues(importState.sqlite, values, {
    table: tableName,
    columns,
    now: importState.now,
    isComplete,
  });
  // Clients that ask for changes since a time would miss later changes if this one were dated in the future.
  const isDated = importState.isFresh && Number(filled["last_update"] ?? importState.now) <= importState.now;
  if (!isDated && columns.has("last_update")) filled["last_update"] = importState.now;
  // A restore erases a person again only if their row is older than the erasure.
  if (Number(filled["created_at"] ?? 0) > importState.now) filled["created_at"] = importState.now;
  const entries = Object.entries(filled).filter(([column, value]) => columns.has(column) && value !== undefined);
  const row = importState.sqlite
    .prepare(
      `INSERT INTO ${tableName} (${entries.map(([column]) => column).join(", ")}) VALUES (${entries.map(() => "?").join(", ")}) RETURNING *`,
    )
    .get(...entries.map(([, value]) => value as StoredValue)) as SqliteRow;
  const key = (table?.key ?? []).map((column) => row[column] ?? null);
  if (origin) importState.origins.set(createRowId(tableName, key), origin);
  return key;
}
