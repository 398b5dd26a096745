/**
 * Target size of a page. D1 returns at most 50 MB, and a Worker has 128 MB for rows, their text and everything else. A
 * page has at least one row, of up to 2 MB.
 */
export const TARGET_PAGE_BYTES = 2_000_000;

/** Column with the running total of bytes, up to and including this row. */
export const PAGE_SIZE_COLUMN = "page_bytes_so_far";

interface ByteRange {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Condition for the rows after the previous page, or "". */
  readonly after: string;
  readonly maxRows: number;
}

/**
 * Returns the SQL of a page of rows in key order. The page ends after `maxRows` rows, or with the row whose
 * running total reaches `TARGET_PAGE_BYTES`. Long rows therefore don't make larger pages.
 */
export function selectBytePage({ table, columns, key, after, maxRows }: ByteRange): string {
  const order = key.join(", ");
  const size = addUp(columns.map((column) => `coalesce(octet_length(${column}), 0)`));
  return `SELECT ${columns.join(", ")}, ${PAGE_SIZE_COLUMN} FROM (
    SELECT *, sum(row_bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS ${PAGE_SIZE_COLUMN} FROM (
      SELECT ${columns.join(", ")}, ${size} AS row_bytes FROM ${table} ${after} ORDER BY ${order} LIMIT ${maxRows}))
    WHERE ${PAGE_SIZE_COLUMN} - row_bytes < ${TARGET_PAGE_BYTES} ORDER BY ${order}`;
}

/** Whether a page ended because of its size, so that more rows may follow. */
export function isPageCutBySize(last: Readonly<Record<string, unknown>> | undefined): boolean {
  return Number(last?.[PAGE_SIZE_COLUMN] ?? 0) >= TARGET_PAGE_BYTES;
}

// Adds terms as a balanced tree, because D1 allows a hundred levels in an expression and tables have more columns.
function addUp(terms: readonly string[]): string {
  if (terms.length <= 2) return terms.join(" + ");
  const middle = Math.ceil(terms.length / 2);
  return `(${addUp(terms.slice(0, middle))}) + (${addUp(terms.slice(middle))})`;
}
