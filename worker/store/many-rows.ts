import { type Column, getTableColumns, Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

type Row<T extends SQLiteTable> = Readonly<Partial<Record<keyof T["$inferInsert"], unknown>>>;

/**
 * The rows of an `insert(table).select(…)` for any number of rows, none included, in one JSON parameter: D1 takes a hundred. `rows` are
 * the rows, or the placeholder of their JSON text. A member that a row leaves out is the column's default; what all rows share and the
 * database knows is an expression.
 */
export function manyRows<T extends SQLiteTable>(
  table: T,
  rows: readonly Row<T>[] | Placeholder,
  shared: Readonly<Partial<Record<keyof T["$inferInsert"], SQL>>> | undefined = undefined,
): SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated);
  const values = columns.map(
    ([name, column]) => shared?.[name as keyof T["$inferInsert"]] ?? memberOrDefault(name, column),
  );
  const json = rows instanceof Placeholder ? rows : JSON.stringify(rows);
  return sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${json}) AS row`;
}

function memberOrDefault(name: string, column: Column): SQL {
  const member = sql.raw(`row.value ->> '${name}'`);
  const fallback = column.default;
  if (typeof fallback === "number" || typeof fallback === "boolean")
    return sql`coalesce(${member}, ${sql.raw(String(Number(fallback)))})`;
  if (typeof fallback === "string") return sql`coalesce(${member}, ${sql.raw(`'${fallback}'`)})`;
  return member;
}
