import { type SQL, sql } from "drizzle-orm";
import type { SortedPageRequest } from "#domain/reporting/list-sort.ts";

/** SQL of each sortable field. A field that can be null needs a default, because null isn't comparable. */
export type SortFieldSql<Field extends string> = Readonly<Record<Field, SQL>>;

interface SortableListName<Field extends string> {
  /** Name of the table in the query, and of its columns' prefix. */
  readonly table: string;
  /** Column with unique values, which orders rows with equal values in the sorted column. */
  readonly key: string;
  readonly columns: SortFieldSql<Field>;
}

/**
 * Returns the order of a page, and the condition for the rows after the previous page. The position is that
 * of the previous page's last row by its current value.
 */
export function createSortedPageSql<Field extends string, Key>(
  { table, key, columns }: SortableListName<Field>,
  { sort, after }: SortedPageRequest<Field, Key>,
): { readonly condition: SQL; readonly order: readonly SQL[] } {
  const column = columns[sort.field];
  const keyColumn = sql.raw(`${table}.${key}`);
  const direction = sql.raw(sort.isDescending ? "DESC" : "ASC");
  const order = [sql`${column} ${direction}`, sql`${keyColumn} ${direction}`];
  if (after === undefined) return { condition: sql`true`, order };
  // The inner table has the same name, so the column's SQL is valid for it.
  const last = sql`(SELECT ${column} FROM ${sql.raw(table)} WHERE ${keyColumn} = ${after})`;
  const comparison = sql.raw(sort.isDescending ? "<" : ">");
  return { condition: sql`(${column}, ${keyColumn}) ${comparison} (${last}, ${after})`, order };
}
