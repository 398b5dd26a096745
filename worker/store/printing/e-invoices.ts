import { eq, lte, sql } from "drizzle-orm";
import type { EInvoiceDetails } from "#domain/e-invoices/formats.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { einvoiceChecks } from "#worker/store/schema/documents.ts";
import { customers } from "#worker/store/schema/people.ts";

/** Customer's data for electronic invoices that documents don't contain. */
export interface EInvoiceCustomer {
  readonly details: EInvoiceDetails;
  /** Name and surname of a person. */
  readonly name: string;
  readonly surname: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** JSON of a customer's data for electronic invoices. */
export const EINVOICE_CUSTOMER_JSON = sql.raw(`json_object('name', customers.name,
  'surname', customers.surname, 'email', customers.email, 'phone',
  trim(coalesce(customers.phone_number_prefix, '') || ' ' || coalesce(customers.phone_number, '')), 'details',
  json_patch('{}', json_object('format', customers.einvoice_format, 'buyer_reference', customers.buyer_reference,
    'endpoint', customers.einvoice_endpoint, 'accounting_office', customers.dir3_accounting_office,
    'managing_body', customers.dir3_managing_body, 'processing_unit', customers.dir3_processing_unit)))`);

/**
 * Returns the query for the electronic invoice data of a reservation's customer and payer, or of a document's customer
 * and those of its reservation.
 */
export function eInvoiceCustomersQuery(
  db: Database,
  owner: { readonly bookingId: number } | { readonly documentId: number },
) {
  const bookingId =
    "documentId" in owner
      ? sql`(SELECT booking_id FROM documents WHERE id = ${owner.documentId})`
      : sql`${owner.bookingId}`;
  const documentCustomer =
    "documentId" in owner ? sql`UNION SELECT customer_id FROM documents WHERE id = ${owner.documentId}` : sql``;
  const ids = sql`SELECT customer_id FROM bookings WHERE id = ${bookingId}
    UNION SELECT customer_id FROM booking_billing WHERE booking_id = ${bookingId} ${documentCustomer}`;
  return db
    .select({
      id: customers.id,
      data: sql`${EINVOICE_CUSTOMER_JSON}`.mapWith(parseStoredJson<EInvoiceCustomer>).as("data"),
    })
    .from(customers)
    .where(sql`customers.id IN (${ids})`);
}

/** Returns the query for the documents whose electronic invoices must be checked at `now`, epoch ms. */
export function dueEInvoiceChecksQuery(db: Database, now: number, limit: number) {
  return db
    .select({ id: einvoiceChecks.documentId })
    .from(einvoiceChecks)
    .where(lte(einvoiceChecks.checkAt, now))
    .orderBy(einvoiceChecks.checkAt)
    .limit(limit);
}

/**
 * Returns the statement that saves what an electronic invoice lacks until its next check, or ends its checks. Without
 * `missing`, the result of the last check remains.
 */
export function saveEInvoiceCheckStatement(
  db: Database,
  documentId: number,
  incomplete: { readonly missing?: readonly string[]; readonly checkAt: number } | undefined,
) {
  const isChecked = eq(einvoiceChecks.documentId, documentId);
  return incomplete
    ? db.update(einvoiceChecks).set(incomplete).where(isChecked)
    : db.delete(einvoiceChecks).where(isChecked);
}
