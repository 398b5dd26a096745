import type { BadLine } from "#domain/operations/imports.ts";
import type { FileTable } from "#worker/store/operations/file-tables.ts";
import { fillIn } from "./fill-in.ts";
import type { Values } from "./natural-keys.ts";
import type { Row, SyncDatabase } from "./sync-database.ts";
import type { Stored } from "./values.ts";

/** Where a row of the copy came from. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** What is known while files are taken into a copy, table by table. */
export interface Taking {
  readonly sqlite: SyncDatabase;
  readonly tables: readonly FileTable[];
  readonly now: number;
  /** Nobody can have read this account before: what its files say of changes is kept. */
  readonly isFresh: boolean;
  /** Lines by table and key of the row that they became. */
  readonly origins: Map<string, Origin>;
  /** What lines that cannot be taken are called: a row that names one is not wrong for that. */
  readonly lost: Set<string>;
  readonly bad: BadLine[];
}

/** The name of a row by its table and key. */
export function toRowName(table: string, key: readonly Stored[]): string {
  return `${table} ${JSON.stringify(key)}`;
}

/** Adds a row to the copy, completed by what follows from it; answers its key. */
export function insertRow(taking: Taking, name: string, values: Values, origin: Origin | undefined): readonly Stored[] {
  const table = taking.tables.find((table) => table.name === name);
  const columns = new Set(table?.columns.map(({ column }) => column));
  const isComplete = values["id"] !== undefined;
  const filled = fillIn(taking.sqlite, values, { table: name, columns, now: taking.now, isComplete });
  if (!taking.isFresh && columns.has("last_update")) filled["last_update"] = taking.now;
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
