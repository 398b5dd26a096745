import type { Database } from "#worker/store/database.ts";
import { isPageCutBySize, selectBytePage } from "./byte-pages.ts";
import { ACCOUNT_TABLES_CONDITION, sortByReferences } from "./table-order.ts";

/**
 * Tables that a backup leaves out. They're derived from others and rebuilt by a restore. Search blocks make up a third
 * of a database, in rows of up to a megabyte.
 */
export const DERIVED_TABLES: ReadonlySet<string> = new Set(["search_blocks"]);

/** Table as a backup reads it: every stored column, in key order. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

export type BackupCell = string | number | null;
export type BackupRow = readonly BackupCell[];

/** All tables of an account except derived ones, each after those it references, and the migrations. */
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
      WHERE ${ACCOUNT_TABLES_CONDITION}
      ORDER BY tables.name, columns.cid`),
    db.$client.prepare(`SELECT tables.name AS name, named."table" AS named FROM sqlite_master AS tables
      JOIN pragma_foreign_key_list(tables.name) AS named WHERE ${ACCOUNT_TABLES_CONDITION}`),
    db.$client.prepare("SELECT name FROM d1_migrations ORDER BY name"),
  ]);
  const stored = ((columns?.results ?? []) as unknown as Column[]).filter(({ hidden }) => hidden === 0);
  const grouped = [...Map.groupBy(stored, ({ table }) => table)].filter(([name]) => !DERIVED_TABLES.has(name));
  const tables = grouped.map(([name, own]) => ({
    name,
    columns: own.map((column) => column.name),
    key: own
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name),
  }));
  const references = (names?.results ?? []) as unknown as { name: string; named: string }[];
  return {
    tables: sortByReferences(
      tables,
      references.filter(({ name }) => !DERIVED_TABLES.has(name)),
    ),
    migrations: ((migrations?.results ?? []) as { name: string }[]).map(({ name }) => name),
  };
}

/** Page of a table's rows for a backup. */
export interface BackupPage {
  readonly rows: readonly BackupRow[];
  readonly isLast: boolean;
}

/**
 * Reads a page of a table's rows after the previous page's last key, limited by bytes and rows. Returns rows, because
 * one text with all of them could exceed D1's limit.
 */
export async function readBackupPage(
  db: Database,
  { name, columns, key }: BackupTable,
  last: readonly BackupCell[] | undefined,
  maxRows: number,
): Promise<BackupPage> {
  const after = last && key.length > 0 ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
  const sql =
    key.length > 0
      ? selectBytePage({ table: name, columns, key, after, maxRows })
      : `SELECT ${columns.join(", ")} FROM ${name} ORDER BY rowid`;
  const [page] = await db.$client.batch<Readonly<Record<string, BackupCell>>>([
    db.$client.prepare(sql).bind(...(after === "" ? [] : (last ?? []))),
  ]);
  const results = page?.results ?? [];
  const isLast = key.length === 0 || (results.length < maxRows && !isPageCutBySize(results.at(-1)));
  return { rows: results.map((row) => columns.map((column) => row[column] ?? null)), isLast };
}
