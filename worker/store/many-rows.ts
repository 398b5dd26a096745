import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * The rows of an `insert(table).select(…)` for any number of rows, none included, in one parameter: D1 takes a hundred. What all rows
 * share and the database knows (`shared`) is an expression.
 */
export function manyRows<T extends SQLiteTable>(
  table: T,
  rows: readonly Readonly<Partial<Record<keyof T["$inferInsert"], unknown>>>[],
  shared: Readonly<Partial<Record<keyof T["$inferInsert"], SQL>>>,
): SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated);
  const values = columns.map(
    ([name]) => shared[name as keyof typeof shared] ?? sql`row.value ->> ${sql.raw(`'${name}'`)}`,
  );
  return sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(rows)}) AS row`;
}
