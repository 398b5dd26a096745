import { type SQL, sql } from "drizzle-orm";
import type { SearchableListName } from "#domain/search-text.ts";
import type { Database } from "./database.ts";
import { catalogueVersion } from "./schema/catalogue-version.ts";
import { selectSearchHits } from "./search-blocks.ts";
import { isAllBranchesUserSql } from "./user-branches.ts";

const MIN_COUNT_LIMIT = 50;
/** Returns the maximum number of counted rows of a list. If there are more, the total is a lower bound. */
export const getTotalCountLimit = (pageSize: number) => Math.max(MIN_COUNT_LIMIT, pageSize);
/** Whether a list's first page, read with one extra row, gives the same total as a count. */
export const isFirstPageTotalExact = ({ after, pageSize }: { readonly after: unknown; readonly pageSize: number }) =>
  after === undefined && pageSize >= MIN_COUNT_LIMIT;
/** A text contained in more plates than this doesn't identify a vehicle. */
const MAX_VEHICLES = 5;
/** Search in a list. */
export interface ListTextSearch {
  readonly list: SearchableListName;
  readonly text: string;
  /** Further subqueries for matching rows, with one column `id`. */
  readonly others?: readonly SQL[];
  /** Additional condition on the list's own table. */
  readonly where: SQL;
  /** User to whom `where` doesn't apply if they work at all branches. Undefined if it applies to every user. */
  readonly unlessEverywhere?: number | undefined;
  readonly pageSize: number;
}

/** Returns a subquery, without brackets, for the ids of rows with the text. */
export function selectIdsByText(list: SearchableListName, text: string): SQL {
  const { id, from, where } = selectSearchHits(list, text);
  return sql`SELECT ${id} AS id FROM ${from} WHERE ${where}`;
}

/** Returns the condition for rows on the search page that starts below `after`. */
export function isOnSearchPageSql(search: ListTextSearch, after: number | undefined): SQL {
  const others = selectOtherIds(search, after);
  return sql`${sql.raw(search.list)}.id IN (${newestIds(search, search.pageSize, after)}${others ? sql` UNION ALL ${others}` : sql``})`;
}

/**
 * Returns the search page below `after` in two parts, which may share a row: text matches, joined with the list's
 * table, and other matches.
 */
export function splitSearchPage(search: ListTextSearch, after: number | undefined) {
  const { id, from, where, order } = selectSearchHits(search.list, search.text, after);
  const table = sql.raw(search.list);
  const isBefore = after === undefined ? sql`` : sql` AND ${table}.id < ${after}`;
  const others = selectOtherIds(search, after);
  return {
    ofTexts: {
      from,
      where: sql`${where} AND ${table}.id = ${id} AND ${search.where}${isBefore}`,
      order,
    },
    ofOthers: others ? sql`${table}.id IN (${others})` : sql`0`,
  };
}

/** Returns the query that counts the matches of a search, up to one more than `getTotalCountLimit`. */
export function searchTotalQuery(db: Database, search: ListTextSearch) {
  const newest = newestIds(search, getTotalCountLimit(search.pageSize), undefined);
  const others = selectOtherIds(search, undefined);
  // Ids in `newest` aren't counted twice. Usually `others` is empty, so SQLite doesn't evaluate `newest`
  // again.
  const more = others ? sql` + (SELECT count(DISTINCT id) FROM (${others}) WHERE id NOT IN (${newest}))` : sql``;
  return countQuery(db, sql`(SELECT count(*) FROM (${newest}))${more}`, undefined);
}

// Returns the ids of the newest matches: one more than `limit`, and below `after` if given. Reads blocks from
// the newest on, only as far as needed.
function newestIds(search: ListTextSearch, limit: number, after: number | undefined): SQL {
  const { id, from, where, order } = selectSearchHits(search.list, search.text, after);
  return sql`SELECT id FROM (SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${passes(search, id, after)}
    ORDER BY ${order} LIMIT ${limit + 1})`;
}

function selectOtherIds(search: ListTextSearch, after: number | undefined): SQL | undefined {
  const { others = [] } = search;
  if (others.length === 0) return undefined;
  return sql`SELECT id FROM (${sql.join([...others], sql` UNION ALL `)}) AS other WHERE ${passes(search, sql`other.id`, after)}`;
}

function passes({ list, where, unlessEverywhere }: ListTextSearch, id: SQL, after: number | undefined): SQL {
  const table = sql.raw(list);
  const isRight = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = ${id} AND ${where})`;
  const isBefore = after === undefined ? sql`` : sql` AND ${id} < ${after}`;
  if (unlessEverywhere === undefined) return sql`${isRight}${isBefore}`;
  return sql`(${isAllBranchesUserSql(unlessEverywhere)} OR ${isRight})${isBefore}`;
}

/**
 * Returns a subquery, without brackets, for contracts with a vehicle, current or exchanged, that matches the text. Only
 * if few vehicles match.
 */
export function selectContractIdsByVehicle(text: string): SQL {
  const vehicleIds = sql`SELECT id FROM (${selectIdsByText("vehicles", text)} LIMIT ${sql.raw(String(MAX_VEHICLES + 1))})`;
  return sql`SELECT id FROM (WITH named AS MATERIALIZED (SELECT vehicle.reference FROM vehicles AS vehicle
      WHERE vehicle.id IN (${vehicleIds}) AND (SELECT count(*) FROM (${vehicleIds})) <= ${sql.raw(String(MAX_VEHICLES))})
    SELECT unit.booking_id AS id FROM booking_units AS unit WHERE unit.vehicle_reference IN (SELECT reference FROM named)
    UNION SELECT used.booking_id FROM exchanged_vehicles AS used WHERE used.vehicle_reference IN (SELECT reference FROM named))`;
}

/** Parses a text as a number, if it is one. */
export function parseIdNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : undefined;
}

/** Returns a subquery, without brackets, for the row with this number, if the text is a number. */
export function selectIdsByNumber(table: "bookings" | "customers", text: string): readonly SQL[] {
  const id = parseIdNumber(text);
  return id === undefined ? [] : [sql`SELECT id FROM ${sql.raw(table)} WHERE id = ${id}`];
}

/** Returns a query without rows, for a list whose first page already gives the total. */
export const emptyCountQuery = (db: Database) => countQuery(db, sql`0`, undefined).where(sql`0`);

/**
 * Returns the query for the total. If the user works at all branches and no filter applies, it's `maintainedTotal`.
 * Otherwise rows are counted up to one more than `getTotalCountLimit`.
 */
export function listTotalQuery(
  db: Database,
  {
    table,
    where,
    pageSize,
    maintainedTotal,
  }: {
    readonly table: string;
    readonly where: SQL;
    readonly pageSize: number;
    readonly maintainedTotal: { readonly total: SQL; readonly userId: number } | undefined;
  },
) {
  const rows = sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${where} LIMIT ${getTotalCountLimit(pageSize) + 1}`;
  return countQuery(db, sql`(SELECT count(*) FROM (${rows}))`, maintainedTotal);
}

/** Returns the query that counts all rows of a list that can't be long. */
export function exactTotalQuery(db: Database, { table, where }: { readonly table: string; readonly where: SQL }) {
  return db
    .select({
      total: sql<number>`(SELECT count(*) FROM ${sql.raw(table)} WHERE ${where})`.as("total"),
      isKnown: sql<number>`1`.as("is_known"),
    })
    .from(catalogueVersion);
}

function countQuery(db: Database, counted: SQL, known: { readonly total: SQL; readonly userId: number } | undefined) {
  const isKnown = known ? isAllBranchesUserSql(known.userId) : sql`0`;
  return db
    .select({
      total: sql<number>`CASE WHEN ${isKnown} THEN ${known?.total ?? sql`0`} ELSE ${counted} END`.as("total"),
      isKnown: sql<number>`${isKnown}`.as("is_known"),
    })
    .from(catalogueVersion);
}

/** Returns the number of rows of extraction lists, maintained by triggers. */
export const selectMaintainedTotal = (...lists: readonly string[]) =>
  sql`(SELECT coalesce(sum(total), 0) FROM list_totals WHERE list IN (${sql.raw(lists.map((list) => `'${list}'`).join(", "))}))`;
