import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Filters, PageRequest } from "#domain/reporting/extraction.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { packed } from "./packed.ts";

/** How a list's query picks its rows. */
export interface Picked {
  readonly where: SQL | undefined;
  readonly order: readonly SQL[];
  readonly offset: Placeholder | number;
}

/** A list of entities in the order of their ids. */
export interface ListDefinition<Rows extends BatchItem<"sqlite">> {
  readonly table: string;
  /** The column that is its id on the wire, and of the order. */
  readonly key: string;
  /** What turns the id on the wire into the key. */
  readonly cursor?: (id: SQL) => SQL;
  /** The latest first. */
  readonly isLatestFirst?: boolean;
  /** Of `list_totals`. */
  readonly counter: string;
  /** The part of the table that the list is of. */
  readonly always?: SQL;
  readonly filters: Readonly<Partial<Record<keyof Filters, (value: SQL) => SQL>>>;
  /**
   * Selects from the table and ends with `.where(where).orderBy(...order).limit(LIMIT).offset(offset)`.
   */
  readonly rows: (db: Database, picked: Picked) => Rows;
}

export const LIMIT = sql.placeholder("limit");
const OFFSET = sql.placeholder("offset");

type Total = ReturnType<typeof totalQuery>;
export type ListQueries<Rows> = (db: Database, request: PageRequest) => readonly [Rows, Total];

/**
 * The two queries of a page of a list: its rows and the total, to be put into one batch. Their text is made once for
 * each combination of filters. An unfiltered page reads its own rows alone, and one row for the total; one by
 * `updatedFrom` what changed since, never history.
 */
export function listQueries<Rows extends BatchItem<"sqlite">>(list: ListDefinition<Rows>): ListQueries<Rows> {
  const made = new Map<string, { readonly rows: Made<Rows>; readonly total: Made<Total> }>();
  return (db, { filters, after, page, pageSize }) => {
    const given = (Object.keys(list.filters) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);
    const shape = `${given.join(" ")}${after === undefined ? "" : " after"}`;
    const queries = made.get(shape) ?? makeQueries(list, given, after !== undefined);
    made.set(shape, queries);
    const values = { ...filters, after, limit: pageSize, offset: page * pageSize };
    return [queries.rows(db, values), queries.total(db, values)];
  };
}

type Made<Item> = (db: Database, values: Readonly<Record<string, unknown>>) => Item;

function makeQueries<Rows extends BatchItem<"sqlite">>(
  list: ListDefinition<Rows>,
  given: readonly (keyof Filters)[],
  hasCursor: boolean,
) {
  const conditions = [
    ...(list.always ? [list.always] : []),
    ...given.flatMap((name) => list.filters[name]?.(sql`${sql.placeholder(name)}`) ?? []),
  ];
  const total =
    given.length === 0
      ? prepared((db) => totalQuery(db, sql<number>`total`, "list_totals", sql`list = ${list.counter}`))
      : prepared((db) => totalQuery(db, sql<number>`count(*)`, list.table, and(conditions)));
  return { rows: packed((db) => list.rows(db, pick(list, conditions, hasCursor, given))), total };
}

// What changed is found by its index alone, and its ids are in order as they are put together; a plus before the column
// keeps SQLite from walking the ids of all history instead. By other filters the ids are walked until the page is full.
function pick<Rows extends BatchItem<"sqlite">>(
  list: ListDefinition<Rows>,
  conditions: readonly SQL[],
  hasCursor: boolean,
  given: readonly (keyof Filters)[],
): Picked {
  const table = sql.raw(list.table);
  const key = sql.raw(`${list.table}.${list.key}`);
  const isOfChanges = given.includes("updatedFrom");
  const id = sql`${sql.placeholder("after")}`;
  const after = sql`${isOfChanges ? sql`+${key}` : key} ${sql.raw(list.isLatestFirst ? "<" : ">")} ${list.cursor?.(id) ?? id}`;
  const where = and([...conditions, ...(hasCursor ? [after] : [])]);
  const order = sql`${key} ${sql.raw(list.isLatestFirst ? "DESC" : "ASC")}`;
  if (given.length === 0) return { where, order: [order], offset: OFFSET };
  const ids = sql`SELECT ${key} FROM ${table} WHERE ${where}`;
  if (isOfChanges) return { where: sql`${key} IN (${ids})`, order: [order], offset: OFFSET };
  const page = sql`${ids} ORDER BY ${order} LIMIT ${LIMIT} OFFSET ${OFFSET}`;
  return { where: sql`${key} IN (${page})`, order: [order], offset: 0 };
}

function and(conditions: readonly SQL[]): SQL | undefined {
  return conditions.length === 0 ? undefined : sql.join([...conditions], sql` AND `);
}

function totalQuery(db: Database, total: SQL<number>, table: string, where: SQL | undefined) {
  return db
    .select({ total: total.as("total") })
    .from(sql.raw(table))
    .where(where);
}
