import { type SQL, sql } from "drizzle-orm";
import { getListStart, SEARCH_LINES, type SearchedList, searchedForms } from "#domain/search-text.ts";
import type { Database } from "./database.ts";
import { catalogueVersion } from "./schema/catalogue-version.ts";
import { worksEverywhere } from "./user-branches.ts";

const MIN_COUNT_LIMIT = 50;
/** So many rows of a list are counted; where there are more, it says that there are at least so many. */
export const getCountLimit = (pageSize: number) => Math.max(MIN_COUNT_LIMIT, pageSize);
/** Whether a list's first page, which is read one row further than it is long, says as much of its total as a count. */
export const isTotalImplied = ({ after, pageSize }: { readonly after: unknown; readonly pageSize: number }) =>
  after === undefined && pageSize >= MIN_COUNT_LIMIT;
/** What is part of more plates than this says nothing of a vehicle. */
const MAX_VEHICLES = 5;
/** In no text, and in none that is looked for. */
const CUT = sql.raw("char(1)");
const MARK = sql.raw(`char(${SEARCH_LINES.mark})`);
const BEFORE_ID = sql.raw(`'${SEARCH_LINES.beforeId}'`);
const [WIDEST, FIRST] = [SEARCH_LINES.widestBlock, SEARCH_LINES.firstId].map((number) => sql.raw(String(number)));
const ID_LETTERS = /[\u{f0000}-\u{f1fff}]/gu;

/** What of a list is looked for. */
export interface Search {
  readonly list: SearchedList;
  readonly text: string;
  /** What else finds a row: subqueries of one column, `id`. */
  readonly others?: readonly SQL[];
  /** What else has to be true of a row; a condition on the list's own table. */
  readonly where: SQL;
  /** Whose rows a user may all see: nothing more is asked of a row then. */
  readonly unlessEverywhere?: number | undefined;
  readonly pageSize: number;
}

// A block is read as JSON5 in which all but some ids is comment: at first to the end of a line, from what is looked for
// on up to the id behind it, which is a string, and from there to the end of a line again. Within a comment the signs
// that begin or end the other say nothing. So a line that has what is looked for is one row, however often it does.
function hits(list: SearchedList, text: string, after?: number) {
  const parts = searchedForms(text).map(withoutIds);
  const isIn = parts.map((part) => sql`instr(block.lines, ${part}) > 0`);
  const cut = parts.reduce((lines, part) => sql`replace(${lines}, ${part}, ${CUT})`, sql`block.lines`);
  const ids = sql`replace(replace(replace(${cut}, ${BEFORE_ID}, '*/"'), ${MARK}, '",//'), ${CUT}, char(10) || '/* ')`;
  const begin = getListStart(list);
  const end = begin + (after ?? SEARCH_LINES.placesOfAList);
  return {
    id: sql`(block.first_place - block.first_place % ${WIDEST} + unicode(hit.value) - ${FIRST} - ${sql.raw(String(begin))})`,
    from: sql`search_blocks AS block CROSS JOIN json_each('[//' || ${ids} || char(10) || ']') AS hit`,
    where: sql`block.first_place >= ${sql.raw(String(begin))} AND block.first_place < ${end} AND (${sql.join(isIn, sql` OR `)})`,
    order: sql`block.first_place DESC`,
  };
}

// The letters that stand for ids are of no text.
const withoutIds = (text: string) => text.replaceAll(ID_LETTERS, "_");

/** The ids of a list's rows that hold a text in one of their texts; a subquery, not yet in brackets. */
export function searchIds(list: SearchedList, text: string): SQL {
  const { id, from, where } = hits(list, text);
  return sql`SELECT ${id} AS id FROM ${from} WHERE ${where}`;
}

/** The condition that a row is one of those of the page of a search that begins below `after`. */
export function isOnSearchPage(search: Search, after: number | undefined): SQL {
  const others = selectOtherIds(search, after);
  return sql`${sql.raw(search.list)}.id IN (${newestIds(search, search.pageSize, after)}${others ? sql` UNION ALL ${others}` : sql``})`;
}

/**
 * The page of a search that begins below `after`, in two parts that may have a row in common: what its texts find,
 * where the list's table is crossed with what they are read from, and what else does.
 */
export function splitSearchPage(search: Search, after: number | undefined) {
  const { id, from, where, order } = hits(search.list, search.text, after);
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

/** How many rows a search finds, one further than `mostCounted`. */
export function searchTotalQuery(db: Database, search: Search) {
  const newest = newestIds(search, getCountLimit(search.pageSize), undefined);
  const others = selectOtherIds(search, undefined);
  // What others find is mostly nothing: then nothing is looked for twice.
  const more = others ? sql` + (SELECT count(DISTINCT id) FROM (${others}) WHERE id NOT IN (${newest}))` : sql``;
  return countQuery(db, sql`(SELECT count(*) FROM (${newest}))${more}`, undefined);
}

// The ids of the newest rows that a search finds, one more than `most`, below `after` where it is given. Blocks are
// read from the newest on, and no further than it takes.
function newestIds(search: Search, limit: number, after: number | undefined): SQL {
  const { id, from, where, order } = hits(search.list, search.text, after);
  return sql`SELECT id FROM (SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${passes(search, id, after)}
    ORDER BY ${order} LIMIT ${limit + 1})`;
}

function selectOtherIds(search: Search, after: number | undefined): SQL | undefined {
  const { others = [] } = search;
  if (others.length === 0) return undefined;
  return sql`SELECT id FROM (${sql.join([...others], sql` UNION ALL `)}) AS other WHERE ${passes(search, sql`other.id`, after)}`;
}

function passes({ list, where, unlessEverywhere }: Search, id: SQL, after: number | undefined): SQL {
  const table = sql.raw(list);
  const isRight = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = ${id} AND ${where})`;
  const isBefore = after === undefined ? sql`` : sql` AND ${id} < ${after}`;
  if (unlessEverywhere === undefined) return sql`${isRight}${isBefore}`;
  return sql`(${worksEverywhere(unlessEverywhere)} OR ${isRight})${isBefore}`;
}

/** The ids of the contracts that had a vehicle, or exchanged it, which a text finds, of few; not yet in brackets. */
export function idsByVehicle(text: string): SQL {
  const vehicleIds = sql`SELECT id FROM (${searchIds("vehicles", text)} LIMIT ${sql.raw(String(MAX_VEHICLES + 1))})`;
  return sql`SELECT id FROM (WITH named AS MATERIALIZED (SELECT vehicle.reference FROM vehicles AS vehicle
      WHERE vehicle.id IN (${vehicleIds}) AND (SELECT count(*) FROM (${vehicleIds})) <= ${sql.raw(String(MAX_VEHICLES))})
    SELECT unit.booking_id AS id FROM booking_units AS unit WHERE unit.vehicle_reference IN (SELECT reference FROM named)
    UNION SELECT used.booking_id FROM exchanged_vehicles AS used WHERE used.vehicle_reference IN (SELECT reference FROM named))`;
}

/** The number that a text is, if it is one. */
export function numberIn(text: string): number | undefined {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : undefined;
}

/** A row's number where a text is one; a subquery, not yet in brackets. */
export function idsByNumber(table: "bookings" | "customers", text: string): readonly SQL[] {
  const id = numberIn(text);
  return id === undefined ? [] : [sql`SELECT id FROM ${sql.raw(table)} WHERE id = ${id}`];
}

/** The number of a list whose first page says it. */
export const uncounted = (db: Database) => countQuery(db, sql`0`, undefined).where(sql`0`);

/**
 * How many rows there are: of whom all branches are, where nothing narrows the list, the number that is `known`
 * already; else they are counted, one further than `mostCounted`.
 */
export function totalQuery(
  db: Database,
  {
    table,
    where,
    pageSize,
    known,
  }: {
    readonly table: string;
    readonly where: SQL;
    readonly pageSize: number;
    readonly known: { readonly total: SQL; readonly userId: number } | undefined;
  },
) {
  const rows = sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${where} LIMIT ${getCountLimit(pageSize) + 1}`;
  return countQuery(db, sql`(SELECT count(*) FROM (${rows}))`, known);
}

function countQuery(db: Database, counted: SQL, known: { readonly total: SQL; readonly userId: number } | undefined) {
  const isKnown = known ? worksEverywhere(known.userId) : sql`0`;
  return db
    .select({
      total: sql<number>`CASE WHEN ${isKnown} THEN ${known?.total ?? sql`0`} ELSE ${counted} END`.as("total"),
      isKnown: sql<number>`${isKnown}`.as("is_known"),
    })
    .from(catalogueVersion);
}

/** How many rows the lists of extraction have, which triggers count. */
export const knownTotal = (...lists: readonly string[]) =>
  sql`(SELECT coalesce(sum(total), 0) FROM list_totals WHERE list IN (${sql.raw(lists.map((list) => `'${list}'`).join(", "))}))`;
