import { type Column, getTableColumns, Placeholder, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";
import { prepareQuery } from "./prepared-queries.ts";

type Row<T extends SQLiteTable> = Readonly<Partial<Record<keyof T["$inferInsert"], unknown>>>;

/**
 * Returns the select of an `insert(table).select(…)` for any number of rows, including none, in one JSON parameter. D1
 * allows a hundred parameters. `rows` are the rows or a placeholder for their JSON text. An omitted member gets the
 * column's default. A value shared by all rows can be an SQL expression.
 */
export function selectRowsToInsert<T extends SQLiteTable>(
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

/** Values or SQL for the columns of a new row. Columns with a default or NULL may be omitted. */
export type NewRow<T extends SQLiteTable> = {
  readonly [Name in keyof T["$inferInsert"]]: T["$inferInsert"][Name] | SQL | Placeholder;
};

/**
 * Returns the select of an `insert(table).select(…)` for one row with named values, so that added or reordered columns
 * don't matter. `source` follows the values: FROM and WHERE.
 */
export function selectRowToInsert<T extends SQLiteTable>(table: T, row: NewRow<T>, source: SQL = sql`WHERE true`): SQL {
  const rowValues: Readonly<Record<string, unknown>> = row;
  const values = Object.entries(getTableColumns(table))
    .filter(([, column]) => !column.generated)
    .map(([name, column]) => valueOrDefault(rowValues[name], column));
  return sql`SELECT ${sql.join(values, sql`, `)} ${source}`;
}

/** Expressions by the name of a column. */
type Expressions = Readonly<Partial<Record<string, SQL>>>;

/**
 * Inserts one row of a wide table with a parameter per member, because extracting eighty values from JSON
 * takes longer. D1 allows a hundred parameters. `build` creates the insert once per set of members. Undefined
 * members get the column's default. `fallbacks` gives SQL for columns without a value, `replacements` for
 * columns instead of their value. Placeholders in that SQL are filled from the row and from `others`.
 */
export function prepareWideRowInsert<T extends SQLiteTable, Item extends BatchItem<"sqlite">>(
  table: T,
  build: (db: Database, row: SQL) => Item,
  { fallbacks = {}, replacements = {} }: { readonly fallbacks?: Expressions; readonly replacements?: Expressions } = {},
): (db: Database, row: T["$inferInsert"], others?: Readonly<Record<string, string>>) => Item {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table);
  const preparedQueries = new Map<string, ReturnType<typeof prepareQuery<Item>>>();
  return (db, row, others = {}) => {
    const rowValues: Readonly<Record<string, unknown>> = row;
    const names = Object.keys(row).filter((name) => !fallbacks[name] || (rowValues[name] ?? null) !== null);
    const members = names.join();
    const insert =
      preparedQueries.get(members) ??
      prepareQuery((first) => {
        const placeholders = Object.fromEntries(
          names.map((name) => [name, replacements[name] ?? sql.placeholder(name)]),
        );
        return build(first, selectRowToInsert(table, { ...fallbacks, ...placeholders } as NewRow<T>));
      });
    preparedQueries.set(members, insert);
    const values = Object.entries<unknown>(row).map(([name, value]) => [name, toStored(value, columns[name])] as const);
    return insert(db, { ...others, ...Object.fromEntries(values) });
  };
}

/** Returns a new row as the table stores it. Omitted columns get their default or null. */
export function toStoredRow<T extends SQLiteTable>(table: T, row: T["$inferInsert"]): T["$inferSelect"] {
  const rowValues: Readonly<Record<string, unknown>> = row;
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(columns.map(([name, column]) => [name, rowValues[name] ?? column.default ?? null]));
}

function toStored(value: unknown, column: Column | undefined): unknown {
  const storedValue = value ?? column?.default ?? null;
  return storedValue === null ? null : (column?.mapToDriverValue(storedValue) ?? null);
}

function valueOrDefault(value: unknown, column: Column): SQL {
  if (value === undefined) return getDefaultSql(column) ?? sql`NULL`;
  if (value instanceof SQL || value instanceof Placeholder) return sql`${value}`;
  return sql`${sql.param(value, column)}`;
}

function memberOrDefault(name: string, column: Column): SQL {
  const member = sql.raw(`row.value ->> '${name}'`);
  const fallback = getDefaultSql(column);
  return fallback ? sql`coalesce(${member}, ${fallback})` : member;
}

function getDefaultSql({ default: fallback }: Column): SQL | undefined {
  if (typeof fallback === "number" || typeof fallback === "boolean") return sql.raw(String(Number(fallback)));
  if (Array.isArray(fallback)) return sql.raw(`'${JSON.stringify(fallback)}'`);
  return typeof fallback === "string" ? sql.raw(`'${fallback}'`) : undefined;
}
