import { type SQL, sql } from "drizzle-orm";
import { foldText, squeezeText } from "#domain/search-text.ts";
import type { Database } from "./database.ts";
import { catalogueVersion } from "./schema/catalogue-version.ts";
import { worksEverywhere } from "./user-branches.ts";

/** So many rows are counted; where there are more, a list says that there are at least so many. */
export const MOST_COUNTED = 500;
/** What is part of more plates than this says nothing of a vehicle. */
const MOST_VEHICLES = 50;

/** The lists that are searched by any part of a text (decision 0031). */
type SearchedList = "bookings" | "customers" | "vehicles" | "documents" | "charges";

/** The ids of a list's rows that hold a text in one of their texts; a subquery, not yet in brackets. */
export function foundIds(list: SearchedList, text: string): SQL {
  const [folded, squeezed] = [foldText(text.trim()), squeezeText(text)];
  const parts = [folded, ...(squeezed === folded || squeezed === "" ? [] : [squeezed])];
  const holds = (column: SQL, part: string) => sql`instr(${column}, ${part}) > 0`;
  // A block is JSON, which writes some signs in its own way.
  const inBlock = parts.map((part) => holds(sql`block.texts`, JSON.stringify(part).slice(1, -1)));
  const inLine = parts.map((part) => holds(sql`line.value`, part));
  return sql`SELECT CAST(line.key AS INTEGER) AS id FROM search_blocks AS block, json_each(block.texts) AS line
    WHERE block.list = ${sql.raw(`'${list}'`)} AND (${sql.join(inBlock, sql` OR `)}) AND (${sql.join(inLine, sql` OR `)})`;
}

/** The ids of the contracts that had a vehicle which is found by a text; a subquery, not yet in brackets. */
export function idsByVehicle(text: string): SQL {
  return sql`SELECT unit.booking_id FROM booking_units AS unit WHERE unit.vehicle_reference IN (SELECT vehicle.reference FROM vehicles AS vehicle
    WHERE vehicle.id IN (${foundIds("vehicles", text)}) LIMIT ${sql.raw(String(MOST_VEHICLES))})`;
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

/**
 * How many rows there are: of whom all branches are, where nothing narrows the list, the number that is `known`
 * already; else they are counted, one further than `MOST_COUNTED`.
 */
export function totalQuery(
  db: Database,
  {
    table,
    where,
    known,
  }: {
    readonly table: string;
    readonly where: SQL;
    readonly known: { readonly total: SQL; readonly userId: number } | undefined;
  },
) {
  const counted = sql`(SELECT count(*) FROM (SELECT 1 FROM ${sql.raw(table)} WHERE ${where} LIMIT ${sql.raw(String(MOST_COUNTED + 1))}))`;
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
