import { isPageCutBySize, PAGE_SIZE_COLUMN, selectBytePage } from "./byte-pages.ts";

/** Stored value of a column. */
export type StoredValue = string | number | null;
export type StoredRow = Readonly<Record<string, StoredValue>>;

const PAGE = 2000;

/** Table for reading rows: some columns, in key order. */
export interface TableToRead {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/**
 * Reads a page of a table's rows from a key, limited by bytes and rows. `last` is the key of the last row, undefined on
 * the last page.
 */
export async function readTablePage(
  db: D1Database,
  { name, key, columns }: TableToRead,
  afterKey: readonly StoredValue[] | undefined,
): Promise<{ readonly rows: readonly StoredRow[]; readonly last: readonly StoredValue[] | undefined }> {
  // Reads after the last key, so that a long table isn't scanned for each page.
  const after = afterKey ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
  const { results } = await db
    .prepare(selectBytePage({ table: name, columns, key, after, maxRows: PAGE }))
    .bind(...(afterKey ?? []))
    .all<Record<string, StoredValue>>();
  const last = results.length < PAGE && !isPageCutBySize(results.at(-1)) ? undefined : results.at(-1);
  for (const row of results) delete row[PAGE_SIZE_COLUMN];
  return { rows: results, last: last && key.map((column) => last[column] ?? null) };
}

/** Reads all rows of a table in pages, in key order. */
export async function* readTablePages(db: D1Database, table: TableToRead): AsyncGenerator<readonly StoredRow[]> {
  let from: readonly StoredValue[] | undefined;
  do {
    const { rows, last } = await readTablePage(db, table, from);
    if (rows.length > 0) yield rows;
    from = last;
  } while (from);
}
