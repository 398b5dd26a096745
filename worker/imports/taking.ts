import type { BadLine } from "#domain/operations/imports.ts";
import type { FileTable } from "#worker/store/operations/file-tables.ts";
import { fillIn } from "./fill-in.ts";
import type { StoredValues } from "./natural-keys.ts";
import type { Row, SyncDatabase } from "./sync-database.ts";
import type { Stored } from "./values.ts";

/** Origin of a row in the copy. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** State while files are imported into a copy, table by table. */
export interface Taking {
  readonly sqlite: SyncDatabase;
  readonly tables: readonly FileTable[];
  readonly now: number;
  /** Whether the account is new and unread, so that change data from files is kept. */
  readonly isFresh: boolean;
  /** Lines by table and key of their row. */
  readonly origins: Map<string, Origin>;
  /** Names of lines that can't be imported. A row that references one isn't an error itself. */
  readonly lost: Set<string>;
  readonly bad: BadLine[];
}

/** Returns a row's name from its table and key. */
export function toRowName(table: string, key: readonly Stored[]): string {
  return `${table} ${JSON.stringify(key)}`;
}

/** Adds a row to the copy with derived values. Returns its key. */
export function insertRow(
  taking: Taking,
  name: string,
  values: StoredValues,
  origin: Origin | undefined,
): readonly Stored[] {
  const table = taking.tables.find((table) => table.name === name);
  const columns = new Set(table?.columns.map(({ column }) => column));
  const isComplete = values["id"] !== undefined;
  const filled = fillIn(taking.sqlite, values, { table: name, columns, now: taking.now, isComplete });
  // A change in the future would hide later ones from clients that ask for changes since a time.
  const isDated = taking.isFresh && Number(filled["last_update"] ?? taking.now) <= taking.now;
  if (!isDated && columns.has("last_update")) filled["last_update"] = taking.now;
  const entries = Object.entries(filled).filter(([column, value]) => columns.has(column) && value !== undefined);
  const row = taking.sqlite
    .prepare(
      `INSERT INTO ${name} (${entries.map(([column]) => column).join(", ")}) VALUES (${entries.map(() => "?").join(", ")}) RETURNING *`,
    )
    .get(...entries.map(([, value]) => value as Stored)) as Row;
  const key = (table?.key ?? []).map((column) => row[column] ?? null);
  if (origin) taking.origins.set(toRowName(name, key), origin);
  return key;
}
