/** Stored value of a column. */
export type Stored = string | number | null;
export type StoredRow = Readonly<Record<string, Stored>>;

const PAGE = 2000;

/** Table for reading rows: some columns, in key order. */
export interface ReadTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** Reads a page of a table's rows from a key. `last` is the key of the last row, undefined on the last page. */
export async function readPage(
  db: D1Database,
  { name, key, columns }: ReadTable,
  from: readonly Stored[] | undefined,
): Promise<{ readonly rows: readonly StoredRow[]; readonly last: readonly Stored[] | undefined }> {
  // Reads after the last key, so that a long table isn't scanned for each page.
  const after = from ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
  const { results } = await db
    .prepare(`SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${key.join(", ")} LIMIT ${PAGE}`)
    .bind(...(from ?? []))
    .all<StoredRow>();
  const last = results.length < PAGE ? undefined : results.at(-1);
  return { rows: results, last: last && key.map((column) => last[column] ?? null) };
}

/** Reads all rows of a table in pages, in key order. */
export async function* readPages(db: D1Database, table: ReadTable): AsyncGenerator<readonly StoredRow[]> {
  let from: readonly Stored[] | undefined;
  do {
    const { rows, last } = await readPage(db, table, from);
    if (rows.length > 0) yield rows;
    from = last;
  } while (from);
}
