/** What a column of an account holds. */
export type Stored = string | number | null;
export type StoredRow = Readonly<Record<string, Stored>>;

const PAGE = 2000;

/** All rows of a table, a page at a time, in the order of its key. */
export async function* readPages(
  db: D1Database,
  {
    name,
    key,
    columns,
  }: { readonly name: string; readonly key: readonly string[]; readonly columns: readonly string[] },
): AsyncGenerator<readonly StoredRow[]> {
  for (let last: StoredRow | undefined; ; ) {
    const before = last;
    // After the last key, so that a long table is not counted through for each page.
    const after = before ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
    const values = before ? key.map((column) => before[column] ?? null) : [];
    const { results } = await db
      .prepare(`SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${key.join(", ")} LIMIT ${PAGE}`)
      .bind(...values)
      .all<StoredRow>();
    if (results.length > 0) yield results;
    if (results.length < PAGE) return;
    last = results.at(-1);
  }
}
