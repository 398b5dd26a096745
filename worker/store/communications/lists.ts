import { and, eq, inArray, or, sql } from "drizzle-orm";
import { AUTHORITY_CODE_LISTS, type AuthorityCodeEntries } from "#domain/communications/lists.ts";
import type { Database } from "#worker/store/database.ts";
import { communicationLists } from "#worker/store/schema/communications.ts";

type Environment = (typeof communicationLists.$inferSelect)["environment"];

const isCurrentEnvironment = sql`${communicationLists.environment} = (SELECT ses_environment FROM settings WHERE id = 1)`;

/**
 * Returns the query for the ministry's lists that the communications of bookings need: all codes, and the
 * municipalities of their post codes.
 */
export function ministryListsQuery(db: Database, bookingIds: readonly number[]) {
  const ids = JSON.stringify(bookingIds);
  const provinces = sql`${communicationLists.name} IN (
    SELECT 'municipalities:' || substr(json_extract(contract_data, '$.customer_address_zip'), 1, 2) FROM bookings
      WHERE id IN (SELECT value FROM json_each(${ids}))
    UNION SELECT 'municipalities:' || substr(json_extract(contract_data, '$.driver_address_zip'), 1, 2) FROM bookings
      WHERE id IN (SELECT value FROM json_each(${ids}))
    UNION SELECT 'municipalities:' || substr(address_zip, 1, 2) FROM branches
    UNION SELECT 'municipalities:' || substr(address_zip, 1, 2) FROM pickup_places)`;
  return db
    .select({ name: communicationLists.name, entries: communicationLists.entries })
    .from(communicationLists)
    .where(and(isCurrentEnvironment, or(inArray(communicationLists.name, [...AUTHORITY_CODE_LISTS]), provinces)));
}

/** Returns the query for one of the ministry's lists, for the account's environment. */
export function ministryListQuery(db: Database, name: string) {
  return db
    .select({ entries: communicationLists.entries })
    .from(communicationLists)
    .where(and(isCurrentEnvironment, eq(communicationLists.name, name)));
}

/** Returns the query for the names and age of the ministry's lists, without content. */
export function ministryListAgesQuery(db: Database) {
  return db
    .select({
      name: communicationLists.name,
      fetchedAt: communicationLists.fetchedAt,
      count: sql<number>`json_array_length(${communicationLists.entries})`.as("entry_count"),
    })
    .from(communicationLists)
    .where(isCurrentEnvironment);
}

/** Returns the query for the ministry's full lists of codes, for mapping the company's terms to codes. */
export function ministryCodeListsQuery(db: Database) {
  return db
    .select({ name: communicationLists.name, entries: communicationLists.entries })
    .from(communicationLists)
    .where(and(isCurrentEnvironment, inArray(communicationLists.name, [...AUTHORITY_CODE_LISTS])));
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

export function saveCommunicationListStatement(
  db: Database,
  {
    name,
    environment,
    entries,
  }: { readonly name: string; readonly environment: Environment; readonly entries: AuthorityCodeEntries },
  fetchedAt: number,
) {
  return db
    .insert(communicationLists)
    .values({ name, environment, entries, fetchedAt })
    .onConflictDoUpdate({
      target: [communicationLists.name, communicationLists.environment],
      set: { entries, fetchedAt },
    });
}
