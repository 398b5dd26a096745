import { type SQL, sql } from "drizzle-orm";
import type { ExtractionFilters, ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import type { Database } from "#worker/store/database.ts";
import { type PackableSelect, type PackedPageQuery, type PageSelect, preparePageQuery } from "./page-queries.ts";

/** Row selection of a list's query. */
export interface ListRowSelection {
  readonly where: SQL | undefined;
  readonly order: SQL;
}

/** List of entities in the order of their ids. */
export interface ListDefinition<Rows extends PackableSelect> {
  readonly table: string;
  /** Column used as API id and sort order. */
  readonly key: string;
  /** Converts the API id to the key. */
  readonly cursor?: (id: SQL) => SQL;
  /** Whether the newest rows come first. */
  readonly isLatestFirst?: boolean;
  /** Name of the row in `list_totals` that counts the entities. */
  readonly counter: string;
  /** Part of the table that the list covers. */
  readonly always?: SQL;
  readonly filters: Readonly<Partial<Record<keyof ExtractionFilters, (value: SQL) => SQL>>>;
  /** Selects from the table and ends with `.where(where).orderBy(order)`. */
  readonly rows: (db: Database, picked: ListRowSelection) => Rows;
}

const LIMIT = sql.placeholder("limit");
// SQLite would compile the statement again for each value of `LIMIT ?`, but not for each value of an
// expression.
const PAGE_LIMIT = sql`0 + ${LIMIT}`;
const OFFSET = sql.placeholder("offset");

/** Query of a list page, for a batch. One statement returns the rows and the total. */
export type PageQuery<Rows extends PackableSelect> = (
  db: Database,
  request: ExtractionPageRequest,
) => PackedPageQuery<Rows>;

/**
 * Creates the page query of a list. Its text is built once per combination of filters. An unfiltered page reads only
 * its own rows and one row for the total. A page with `updatedFrom` reads only changed rows, not the history.
 */
export function createPageQuery<Rows extends PackableSelect>(list: ListDefinition<Rows>): PageQuery<Rows> {
  const preparedPages = new Map<string, ReturnType<typeof preparePageQuery<Rows>>>();
  return (db, { filters, after, page, pageSize }) => {
    const activeFilters = (Object.keys(list.filters) as (keyof ExtractionFilters)[]).filter(
      (name) => filters[name] !== undefined,
    );
    const shape = `${activeFilters.join(" ")}${after === undefined ? "" : " after"}`;
    const query = preparedPages.get(shape) ?? makeQuery(list, activeFilters, after !== undefined);
    preparedPages.set(shape, query);
    return query(db, { ...filters, after, limit: pageSize, offset: page * pageSize });
  };
}

function makeQuery<Rows extends PackableSelect>(
  list: ListDefinition<Rows>,
  activeFilters: readonly (keyof ExtractionFilters)[],
  hasCursor: boolean,
) {
  const conditions = [
    ...(list.always ? [list.always] : []),
    ...activeFilters.flatMap((name) => list.filters[name]?.(sql`${sql.placeholder(name)}`) ?? []),
  ];
  const total =
    activeFilters.length === 0
      ? sql`SELECT ifnull((SELECT total FROM list_totals WHERE list = ${sql.raw(`'${list.counter}'`)}), 0)`
      : sql`SELECT count(*) FROM ${sql.raw(list.table)} WHERE ${and(conditions)}`;
  const picked = pick(list, conditions, hasCursor, activeFilters);
  return preparePageQuery(total, (db) => picked.map(({ limit, ...one }) => ({ select: list.rows(db, one), limit })));
}

type PickedPart = ListRowSelection & Pick<PageSelect<never>, "limit">;

// Changed rows are found through their index alone. If they fit on a page, they are read directly and sorted
// afterwards. Otherwise their ids are sorted first. A plus before the column keeps SQLite from scanning the ids of all
// history. With other filters, the ids are scanned until the page is full.
function pick<Rows extends PackableSelect>(
  list: ListDefinition<Rows>,
  conditions: readonly SQL[],
  hasCursor: boolean,
  activeFilters: readonly (keyof ExtractionFilters)[],
): readonly PickedPart[] {
  const table = sql.raw(list.table);
  const key = sql.raw(`${list.table}.${list.key}`);
  const direction = sql.raw(list.isLatestFirst ? "DESC" : "ASC");
  const hasChangeFilter = activeFilters.includes("updatedFrom");
  const id = sql`${sql.placeholder("after")}`;
  const after = sql`${hasChangeFilter ? sql`+${key}` : key} ${sql.raw(list.isLatestFirst ? "<" : ">")} ${list.cursor?.(id) ?? id}`;
  const where = and([...conditions, ...(hasCursor ? [after] : [])]);
  const order = sql`${key} ${direction}`;
  const page = sql`${PAGE_LIMIT} OFFSET ${OFFSET}`;
  if (activeFilters.length === 0) return [{ where, order, limit: page }];
  const ids = sql`SELECT ${key} FROM ${table} WHERE ${where}`;
  if (!hasChangeFilter)
    return [{ where: sql`${key} IN (${ids} ORDER BY ${order} LIMIT ${page})`, order, limit: PAGE_LIMIT }];
  const isOnePage = sql`(SELECT total FROM in_all) <= ${LIMIT} AND ${OFFSET} = 0`;
  return [
    { where, order: sql`+${order}`, limit: sql`iif(${isOnePage}, ${LIMIT}, 0)` },
    { where: sql`${key} IN (${ids})`, order, limit: sql`iif(${isOnePage}, 0, ${LIMIT}) OFFSET ${OFFSET}` },
  ];
}

function and(conditions: readonly SQL[]): SQL | undefined {
  return conditions.length === 0 ? undefined : sql.join([...conditions], sql` AND `);
}
