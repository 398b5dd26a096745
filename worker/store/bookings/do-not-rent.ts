import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { selectCompactDocumentId } from "#worker/store/access/matching-customers.ts";

/** Identity of a booking's customer, as columns or parameters. */
interface CustomerIdentity {
  readonly customerId: SQLWrapper;
  readonly documentId: SQLWrapper;
  readonly email: SQLWrapper;
}

const marked = ({
  customerId,
  documentId,
  email,
}: CustomerIdentity): SQL => sql`FROM customers AS marked INDEXED BY customers_do_not_rent
  WHERE marked.do_not_rent_reason IS NOT NULL AND (marked.id = ${customerId}
    OR (marked.document_id <> '' AND ${selectCompactDocumentId(sql`marked.document_id`)} = ${selectCompactDocumentId(documentId)})
    OR (marked.email <> '' AND lower(marked.email) = lower(${email})))`;

/** Whether the company doesn't rent to the customer. Compares the customer, the document and the e-mail address. */
export const isDoNotRentSql = (identity: CustomerIdentity): SQL => sql`EXISTS (SELECT 1 ${marked(identity)})`;

/** Returns the reason why the company doesn't rent to the customer, or null. */
export const selectDoNotRentReason = (identity: CustomerIdentity): SQL<string | null> =>
  sql<string | null>`(SELECT marked.do_not_rent_reason ${marked(identity)} LIMIT 1)`;

/** Identity columns of a booking. */
export const getCustomerIdentityColumns = (table: string): CustomerIdentity => ({
  customerId: sql.raw(`${table}.customer_id`),
  documentId: sql.raw(`${table}.customer_document_id`),
  email: sql.raw(`${table}.customer_email`),
});
