import { type SQL, sql } from "drizzle-orm";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { isCustomerVisibleToUserSql } from "#worker/store/access/customer-visibility.ts";
import { selectDoNotRentReason } from "#worker/store/bookings/do-not-rent.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { customers } from "#worker/store/schema/people.ts";

/**
 * Returns the query for a customer of the user's branches by id. A merged customer gives the one it was merged into.
 * Returns no row for unknown or erased customers, because ids are sequential and would reveal identities.
 */
export function visibleCustomerQuery(db: Database, id: number | SQL, userId: number) {
  const currentCustomerId = sql`coalesce((SELECT merged_into_id FROM customers WHERE id = ${id}), ${id})`;
  return db
    .select()
    .from(customers)
    .where(
      sql`${customers.id} = ${currentCustomerId} AND ${customers.erasedAt} IS NULL AND ${isCustomerVisibleToUserSql(userId)}`,
    );
}

/** Returns the query for the address of a customer's record. */
export const customerAddressQuery = (db: Database, id: number) =>
  db
    .select({
      addressStreet: customers.addressStreet,
      addressNumber: customers.addressNumber,
      addressComplement: customers.addressComplement,
      addressCity: customers.addressCity,
      addressState: customers.addressState,
      addressCountry: customers.addressCountry,
      addressZip: customers.addressZip,
    })
    .from(customers)
    .where(sql`${customers.id} = ${id} AND ${customers.erasedAt} IS NULL`);

/** Returns the query for the contract data of a customer's last rental that has some. */
export const lastCustomerContractDataQuery = (db: Database, customerId: number | SQL) =>
  db
    .select({
      contractData: sql`bookings.contract_data`.mapWith(parseStoredJson<ContractData>).as("last_contract_data"),
    })
    .from(bookings)
    .where(
      sql`bookings.customer_id = ${customerId} AND bookings.kind = 'rental' AND bookings.status <> 'cancelled'
        AND bookings.contract_data <> '{}'`,
    )
    .orderBy(sql`bookings.id DESC`)
    .limit(1);

export type CustomerRow = typeof customers.$inferSelect;

/**
 * Returns the query for the customer of a quote by the quote's link. Returns no row if it names none or the person was
 * erased.
 */
export function quoteCustomerQuery(db: Database, freeAccessId: string) {
  const quotedId = sql`(SELECT customer_id FROM quotes WHERE free_access_id = ${freeAccessId})`;
  const currentId = sql`coalesce((SELECT merged_into_id FROM customers WHERE id = ${quotedId}), ${quotedId})`;
  return db.select().from(customers).where(sql`${customers.id} = ${currentId} AND ${customers.erasedAt} IS NULL`);
}

/** Returns the query that reads why the company doesn't rent to a customer, given by id or by their data. */
export function doNotRentQuery(
  db: Database,
  {
    id,
    documentId,
    email,
  }: {
    readonly id?: number | undefined;
    readonly documentId?: string | null | undefined;
    readonly email?: string | null | undefined;
  },
) {
  const identity = {
    customerId: sql`coalesce((SELECT merged_into_id FROM customers WHERE id = ${id ?? 0}), ${id ?? 0})`,
    documentId: sql`${documentId ?? null}`,
    email: sql`${email ?? null}`,
  };
  return db.select({ reason: selectDoNotRentReason(identity).as("do_not_rent") }).from(catalogueVersion);
}
