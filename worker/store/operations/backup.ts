import type { Database } from "#worker/store/database.ts";
import { OWN_TABLES, sortByReferences } from "./table-order.ts";

/** Table as a backup reads it: every stored column, in key order. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

export type BackupCell = string | number | null;
export type BackupRow = readonly BackupCell[];

/** All tables of an account, each after those it references, and the migrations. */
export interface BackupTables {
  readonly tables: readonly BackupTable[];
  readonly migrations: readonly string[];
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly pk: number;
  readonly hidden: number;
}

/** Lists the tables to back up, in one round trip. */
export async function listBackupTables(db: Database): Promise<BackupTables> {
  const [columns, names, migrations] = await db.$client.batch([
    db.$client.prepare(`SELECT tables.name AS "table", columns.name AS name, columns.pk AS pk, columns.hidden AS hidden
      FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
      WHERE ${OWN_TABLES}
      ORDER BY tables.name, columns.cid`),
    db.$client.prepare(`SELECT tables.name AS name, named."table" AS named FROM sqlite_master AS tables
      JOIN pragma_foreign_key_list(tables.name) AS named WHERE ${OWN_TABLES}`),
    db.$client.prepare("SELECT name FROM d1_migrations ORDER BY name"),
  ]);
  const stored = ((columns?.results ?? []) as unknown as Column[]).filter(({ hidden }) => hidden === 0);
  const tables = [...Map.groupBy(stored, ({ table }) => table)].map(([name, own]) => ({
    name,
    columns: own.map((column) => column.name),
    key: own
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name),
  }));
  const references = (names?.results ?? []) as unknown as { name: string; named: string }[];
  return {
    tables: sortByReferences(tables, references),
    migrations: ((migrations?.results ?? []) as { name: string }[]).map(({ name }) => name),
  };
}

/**
 * Reads a page of a table's rows after the previous page's last key. Returns rows, because one text with all of them
 * could exceed D1's limit.
 */
export async function readBackupPage(
  db: Database,
  { name, columns, key }: BackupTable,
  last: readonly BackupCell[] | undefined,
  maxRows: number,
): Promise<readonly BackupRow[]> {
  const order = key.length > 0 ? key : ["rowid"];
  const after = last && key.length > 0 ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
  const [page] = await db.$client.batch<Readonly<Record<string, BackupCell>>>([
    db.$client
      .prepare(`SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${order.join(", ")} LIMIT ${maxRows}`)
      .bind(...(after === "" ? [] : (last ?? []))),
  ]);
  return (page?.results ?? []).map((row) => columns.map((column) => row[column] ?? null));
}
