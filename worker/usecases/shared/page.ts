/** A page of a list: its rows, how many there are in all, and after which one the next page begins, if there is one. */
export interface Page<Row, Cursor = number> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly next: Cursor | undefined;
}

/** What was found, read one row further than a page is long: that there is one more tells that there is a next page. */
export function toPage<Row, Cursor>(
  found: readonly Row[],
  counted: { readonly total: number } | undefined,
  pageSize: number,
  cursorOf: (row: Row) => Cursor,
): Page<Row, Cursor> {
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return { rows, total: counted?.total ?? 0, next: last && cursorOf(last) };
}
