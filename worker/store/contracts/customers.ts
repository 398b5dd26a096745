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
  return db
    .select()
    .from(customers)
    .where(
      sql`${customers.id} = ${selectCurrentCustomerId(id)} AND ${customers.erasedAt} IS NULL AND ${isCustomerVisibleToUserSql(userId)}`,
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

/** Returns the query for the contract data of a customer's last rental, preferably one with a driving licence. */
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
    .orderBy(sql`bookings.contract_data ->> '$.driver_driving_license_number' IS NULL, bookings.id DESC`)
    .limit(1);

export type CustomerRow = typeof customers.$inferSelect;

/**
 * Returns the queries for the customer of a quote by the quote's link, and for the customer's last contract data. They
 * return no row if the quote names no customer or the person was erased.
 */
export function quoteCustomerQueries(db: Database, freeAccessId: string) {
  const currentId = selectCurrentCustomerId(selectQuoted(sql`customer_id`, freeAccessId));
  return [customerByIdQuery(db, currentId), lastCustomerContractDataQuery(db, currentId)] as const;
}

/** Returns the query for the payer of a quote by the quote's link. */
export function quotePayerQuery(db: Database, freeAccessId: string) {
  const payerId = selectQuoted(sql`request ->> '$.billing.customerId'`, freeAccessId);
  return customerByIdQuery(db, selectCurrentCustomerId(payerId));
}

/**
 * Returns the query that reads why the company doesn't rent to the customer of a quote, with the data that they enter
 * at the acceptance.
 */
export function quoteDoNotRentQuery(
  db: Database,
  freeAccessId: string,
  { documentId, email }: Omit<CustomerIdentity, "id">,
) {
  return doNotRentQuery(db, {
    id: selectQuoted(sql`customer_id`, freeAccessId),
    documentId: sql`coalesce(${selectQuoted(sql`customer_document_id`, freeAccessId)}, ${documentId ?? null})`,
    email: sql`coalesce(${selectQuoted(sql`customer_email`, freeAccessId)}, ${email ?? null})`,
  });
}

const selectQuoted = (column: SQL, freeAccessId: string) =>
  sql`(SELECT ${column} FROM quotes WHERE free_access_id = ${freeAccessId})`;

const selectCurrentCustomerId = (id: number | SQL) =>
  sql`coalesce((SELECT merged_into_id FROM customers WHERE id = ${id}), ${id})`;

const customerByIdQuery = (db: Database, id: SQL) =>
  db.select().from(customers).where(sql`${customers.id} = ${id} AND ${customers.erasedAt} IS NULL`);

interface CustomerIdentity {
  readonly id?: number | SQL | undefined;
  readonly documentId?: string | SQL | null | undefined;
  readonly email?: string | SQL | null | undefined;
}

/** Returns the query that reads why the company doesn't rent to a customer, given by id or by their data. */
export function doNotRentQuery(db: Database, { id, documentId, email }: CustomerIdentity) {
  const identity = {
    customerId: selectCurrentCustomerId(id ?? 0),
    documentId: sql`${documentId ?? null}`,
    email: sql`${email ?? null}`,
  };
  return db.select({ reason: selectDoNotRentReason(identity).as("do_not_rent") }).from(catalogueVersion);
}
