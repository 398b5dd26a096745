import { formatSort, type SortedPageRequest } from "#domain/reporting/list-sort.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { getTotalCountLimit } from "#worker/store/search.ts";

/** Page of a list with its rows, the total, and the cursor of the next page, if any. */
export interface Page<Row, Cursor = number> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Whether all rows were counted. If false, there are more than `total`. */
  readonly isExact: boolean;
  readonly next: Cursor | undefined;
}

/**
 * Builds a page from rows that were read with a limit of one more than the page size. The extra row shows
 * that a next page exists. If `counted` is undefined, the rows of the first page are the total.
 */
export function toPage<Row, Cursor>(
  readRows: readonly Row[],
  counted: { readonly total: number; readonly isKnown?: number } | undefined,
  pageSize: number,
  toCursor: (row: Row) => Cursor,
): Page<Row, Cursor> {
  const rows = readRows.slice(0, pageSize);
  const last = readRows.length > pageSize ? rows.at(-1) : undefined;
  const { total, isKnown = 1 } = counted ?? { total: readRows.length, isKnown: 0 };
  const countLimit = getTotalCountLimit(pageSize);
  const isExact = isKnown === 1 || total <= countLimit;
  return { rows, total: isExact ? total : countLimit, isExact, next: last && toCursor(last) };
}

/** Returns the total of a list of which all rows were counted. */
export const toExactTotal = ([counted]: readonly { readonly total: number }[]) => ({
  total: counted?.total ?? 0,
  isKnown: 1,
});

/** Returns each row once, newest first. */
export function sortUniqueNewestFirst<Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => b.id - a.id);
}

/**
 * Returns the cursor of the page after a row: its values in the list's default order, or the sort and its key. The key
 * is the last value.
 */
export function createSortedPageCursor(
  sorted: SortedPageRequest<string, unknown> | undefined,
  ...values: readonly [...(number | string)[], number | string]
): string {
  const [key = ""] = values.slice(-1);
  return sorted ? formatCursor(formatSort(sorted.sort), key) : formatCursor(...values);
}
