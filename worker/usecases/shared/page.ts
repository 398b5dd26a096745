import { getCountLimit } from "#worker/store/search.ts";

/** A page of a list: its rows, how many there are in all, and after which one the next page begins, if there is one. */
export interface Page<Row, Cursor = number> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Whether all were counted; where not, there are more than `total`. */
  readonly isExact: boolean;
  readonly next: Cursor | undefined;
}

/**
 * What was found, read one row further than a page is long: that there is one more tells that there is a next page. Of
 * a first page that says its total nothing was counted.
 */
export function toPage<Row, Cursor>(
  item: readonly Row[],
  counted: { readonly total: number; readonly isKnown?: number } | undefined,
  pageSize: number,
  toCursor: (row: Row) => Cursor,
): Page<Row, Cursor> {
  const rows = item.slice(0, pageSize);
  const last = item.length > pageSize ? rows.at(-1) : undefined;
  const { total, isKnown = 1 } = counted ?? { total: item.length, isKnown: 0 };
  const countLimit = getCountLimit(pageSize);
  const isExact = isKnown === 1 || total <= countLimit;
  return { rows, total: isExact ? total : countLimit, isExact, next: last && toCursor(last) };
}

/** Each of some rows once, the last made first. */
export function newestFirst<Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => b.id - a.id);
}
