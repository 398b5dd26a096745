/** What a column of an account holds. */
export type Stored = string | number | null;
export type StoredRow = Readonly<Record<string, Stored>>;

const PAGE = 2000;

/** A table as its rows are read: some of its columns, in the order of its key. */
export interface ReadTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** A page of a table's rows from a key on; `last` is the key of its last row, undefined where nothing follows. */
export async function readPage(
  db: D1Database,
  { name, key, columns }: ReadTable,
  from: readonly Stored[] | undefined,
): Promise<{ readonly rows: readonly StoredRow[]; readonly last: readonly Stored[] | undefined }> {
  // After the last key, so that a long table is not counted through for each page.
  const after = from ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
  const { results } = await db
    .prepare(`SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${key.join(", ")} LIMIT ${PAGE}`)
    .bind(...(from ?? []))
    .all<StoredRow>();
  const last = results.length < PAGE ? undefined : results.at(-1);
  return { rows: results, last: last && key.map((column) => last[column] ?? null) };
}

/** All rows of a table, a page at a time, in the order of its key. */
export async function* readPages(db: D1Database, table: ReadTable): AsyncGenerator<readonly StoredRow[]> {
  let from: readonly Stored[] | undefined;
  do {
    const { rows, last } = await readPage(db, table, from);
    if (rows.length > 0) yield rows;
    from = last;
  } while (from);
}
