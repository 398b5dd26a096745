import { and, eq, inArray, or, sql } from "drizzle-orm";
import { AUTHORITY_CODE_LISTS, type AuthorityCodeEntries } from "#domain/ministry-reports/lists.ts";
import type { Database } from "#worker/store/database.ts";
import { ministryReportLists } from "#worker/store/schema/ministry-reports.ts";

type Environment = (typeof ministryReportLists.$inferSelect)["environment"];

const isCurrentEnvironment = sql`${ministryReportLists.environment} = (SELECT ses_environment FROM settings WHERE id = 1)`;

/**
 * Returns the query for the ministry's lists that the reports of bookings need: all codes, and the
 * municipalities of their post codes.
 */
export function ministryListsForBookingsQuery(db: Database, bookingIds: readonly number[]) {
  const ids = JSON.stringify(bookingIds);
  const provinces = sql`${ministryReportLists.name} IN (
    SELECT 'municipalities:' || substr(json_extract(contract_data, '$.customer_address_zip'), 1, 2) FROM bookings
      WHERE id IN (SELECT value FROM json_each(${ids}))
    UNION SELECT 'municipalities:' || substr(json_extract(contract_data, '$.driver_address_zip'), 1, 2) FROM bookings
      WHERE id IN (SELECT value FROM json_each(${ids}))
    UNION SELECT 'municipalities:' || substr(address_zip, 1, 2) FROM branches
    UNION SELECT 'municipalities:' || substr(address_zip, 1, 2) FROM pickup_places)`;
  return db
    .select({ name: ministryReportLists.name, entries: ministryReportLists.entries })
    .from(ministryReportLists)
    .where(and(isCurrentEnvironment, or(inArray(ministryReportLists.name, [...AUTHORITY_CODE_LISTS]), provinces)));
}

/** Returns the query for one of the ministry's lists, for the account's environment. */
export function ministryListQuery(db: Database, name: string) {
  return db
    .select({ entries: ministryReportLists.entries })
    .from(ministryReportLists)
    .where(and(isCurrentEnvironment, eq(ministryReportLists.name, name)));
}

/** Returns the query for the names and age of the ministry's lists, without content. */
export function ministryListAgesQuery(db: Database) {
  return db
    .select({
      name: ministryReportLists.name,
      fetchedAt: ministryReportLists.fetchedAt,
      count: sql<number>`json_array_length(${ministryReportLists.entries})`.as("entry_count"),
    })
    .from(ministryReportLists)
    .where(isCurrentEnvironment);
}

/** Returns the query for the ministry's full lists of codes, for mapping the company's terms to codes. */
export function ministryCodeListsQuery(db: Database) {
  return db
    .select({ name: ministryReportLists.name, entries: ministryReportLists.entries })
    .from(ministryReportLists)
    .where(and(isCurrentEnvironment, inArray(ministryReportLists.name, [...AUTHORITY_CODE_LISTS])));
}

// Condition for vehicles that may be delivered. Excludes virtual vehicles, which are only used for planning.
const isOut = sql`vehicles.active AND vehicles.acquisition_mode <> 'virtual'`;

/** Returns the query for the terms of the active fleet: makes, colours and categories. */
export function fleetMakesAndColorsQuery(db: Database) {
  return db
    .select({ list: sql<string>`list`, word: sql<string>`word`, count: sql<number>`count(*)`.as("vehicle_count") })
    .from(
      sql`(SELECT 'brand' AS list, brand AS word FROM vehicles WHERE brand <> '' AND ${isOut}
        UNION ALL SELECT 'color', color FROM vehicles WHERE color <> '' AND ${isOut}
        UNION ALL SELECT 'type', categories.name FROM vehicles JOIN categories ON categories.code = vehicles.category_code WHERE ${isOut})`,
    )
    .groupBy(sql`list, word`)
    .orderBy(sql`list, word`);
}

/** Returns the statement that saves or replaces a fetched list of an environment. `fetchedAt` is epoch ms. */
export function saveMinistryReportListStatement(
  db: Database,
  {
    name,
    environment,
    entries,
  }: { readonly name: string; readonly environment: Environment; readonly entries: AuthorityCodeEntries },
  fetchedAt: number,
) {
  return db
    .insert(ministryReportLists)
    .values({ name, environment, entries, fetchedAt })
    .onConflictDoUpdate({
      target: [ministryReportLists.name, ministryReportLists.environment],
      set: { entries, fetchedAt },
    });
}
