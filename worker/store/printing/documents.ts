import { eq, getTableColumns, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DocumentItem, TaxRateSums } from "#domain/documents/items.ts";
import type { PrintedContractReference } from "#domain/printing/documents.ts";
import type { ReceiptDocument } from "#domain/printing/receipts.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import { customers } from "#worker/store/schema/people.ts";
import { EINVOICE_CUSTOMER_JSON, type EInvoiceCustomer } from "./e-invoices.ts";
import { selectHistoricIssuer } from "./letterhead.ts";

const corrected = alias(documents, "corrected");

type Item = Pick<
  DocumentItem,
  "concept" | "quantity" | "unitCents" | "vat" | "subtotalCents" | "taxesCents" | "totalCents"
> & {
  readonly bookingId: number | null;
};
type Tax = Pick<TaxRateSums, "vat" | "subtotalCents" | "taxesCents">;

interface Replaced {
  readonly serie: string | null;
  readonly number: number | null;
  readonly date: string | null;
}

const ITEMS = sql`(SELECT json_group_array(json_object('concept', coalesce(item.printed_concept, item.concept), 'quantity', item.quantity, 'unitCents', item.unit_cents,
  'vat', item.vat_basis_points, 'subtotalCents', item.subtotal_cents, 'taxesCents', item.taxes_cents, 'totalCents', item.total_cents, 'bookingId', item.booking_id) ORDER BY item.id) FROM document_items AS item WHERE item.document_id = documents.id)`;
const TAXES = sql`(SELECT json_group_array(json_object('vat', tax.vat_basis_points, 'subtotalCents', tax.subtotal_cents,
  'taxesCents', tax.taxes_cents) ORDER BY tax.position) FROM document_taxes AS tax WHERE tax.document_id = documents.id)`;

const CONTRACTS = sql`(SELECT json_group_array(json_object('bookingId', part.booking_id, 'referenceDetail', part.reference_detail,
  'referenceDates', part.reference_dates)) FROM document_contracts AS part WHERE part.document_id = documents.id)`;

const REPLACES = sql`(SELECT json_group_array(json_object('serie', one.serie, 'number', one.number, 'date', one.date) ORDER BY one.id)
  FROM documents AS one WHERE one.replaced_by_document_id = documents.id)`;

/** Data for an electronic invoice that isn't printed. */
interface EInvoiceData {
  readonly customer: EInvoiceCustomer | null;
  readonly replaced: Replaced | null;
  readonly advances: readonly Replaced[];
}

// Data for an electronic invoice, with the simplified invoice that it replaces and the advances and
// monthly invoices that it deducts.
const EINVOICE = sql`json_object('customer', (SELECT json(${EINVOICE_CUSTOMER_JSON}) FROM customers WHERE customers.id = documents.customer_id),
  'replaced', (SELECT json_object('serie', one.serie, 'number', one.number, 'date', one.date) FROM documents AS one WHERE one.id = documents.exchanges_document_id),
  'advances', json((SELECT json_group_array(json_object('serie', one.serie, 'number', one.number, 'date', one.date) ORDER BY one.id) FROM documents AS one
    WHERE documents.invoice_type = 'invoice' AND documents.invoice_mode <> 'reservation_retainer'
      AND (one.invoice_mode = 'reservation_retainer' OR (one.invoice_mode = 'default' AND documents.invoice_mode = 'reservation_breakdown'))
      AND one.invoice_type = 'invoice' AND one.invoice_status = 'invoice' AND one.id < documents.id
      AND one.booking_id IN (SELECT booking_id FROM booking_documents WHERE document_id = documents.id))))`;

// Part of a document's credited amount that wasn't refunded.
const CREDITED = sql<number>`max(0, min(
  (SELECT coalesce(-sum(note.total_cents), 0) FROM documents AS note
    WHERE note.corrects_document_id = documents.id AND note.invoice_status = 'invoice'),
  documents.total_paid_cents - (SELECT coalesce(sum(CASE charge.payment_type WHEN 'charge' THEN part.amount_cents ELSE -part.amount_cents END), 0)
    FROM charge_allocations AS part JOIN charges AS charge ON charge.id = part.charge_id WHERE part.document_id = documents.id)))`;

const NUMBERED_BEFORE = sql`EXISTS (SELECT 1 FROM json_each(issuer.last_numbers) AS last WHERE last.value ->> 'company_id' = documents.company_id
  AND last.value ->> 'serie' = documents.serie AND last.value ->> 'number' >= documents.number)`;

/** Returns the query for a document with all printed data, its booking and its customer's language. */
export function documentToPrintQuery(db: Database, id: number) {
  return db
    .select({
      ...getTableColumns(documents),
      items: ITEMS.mapWith(parseStoredJson<readonly Item[]>).as("items"),
      contracts: CONTRACTS.mapWith(parseStoredJson<readonly PrintedContractReference[]>).as("contracts"),
      taxes: TAXES.mapWith(parseStoredJson<readonly Tax[]>).as("taxes"),
      creditedCents: CREDITED.as("credited_cents"),
      correctedSerie: sql<string | null>`${corrected.serie}`.as("corrected_serie"),
      correctedNumber: sql<number | null>`${corrected.number}`.as("corrected_number"),
      correctedDate: sql<string | null>`${corrected.date}`.as("corrected_date"),
      einvoice: EINVOICE.mapWith(parseStoredJson<EInvoiceData>).as("einvoice"),
      replaces: REPLACES.mapWith(parseStoredJson<readonly Replaced[]>).as("replaces"),
      issuedBy: selectHistoricIssuer(sql`documents.branch_code`, NUMBERED_BEFORE).as("issued_by"),
      freeAccessId: bookings.freeAccessId,
      bookingCustomerId: sql<number | null>`${bookings.customerId}`.as("booking_customer_id"),
      bookingLanguage: bookings.customerLanguage,
      customerLanguage: sql<string | null>`${customers.language}`.as("own_language"),
    })
    .from(documents)
    .leftJoin(corrected, eq(corrected.id, documents.correctsDocumentId))
    .leftJoin(bookings, eq(bookings.id, documents.bookingId))
    .leftJoin(customers, eq(customers.id, documents.customerId))
    .where(eq(documents.id, id));
}

export type DocumentToPrintRow = Awaited<ReturnType<typeof documentToPrintQuery>>[number];

const PAID_BY = sql`(SELECT json_group_array(json_object('serie', document.serie, 'number', document.number, 'form', coalesce(document.form,
  iif(document.kind = 'internal_bond', 'internal_bond', iif(document.invoice_type = 'payment', 'credit_note', 'full')))) ORDER BY document.date, document.id)
  FROM charge_allocations AS part JOIN documents AS document ON document.id = part.document_id WHERE part.charge_id = charges.id)`;

/** Returns the query for a payment or refund with its document and payer. */
export function chargeToPrintQuery(db: Database, id: number) {
  return db
    .select({
      ...getTableColumns(charges),
      serie: documents.serie,
      number: documents.number,
      form: documents.form,
      documents: PAID_BY.mapWith(parseStoredJson<readonly ReceiptDocument[]>).as("documents"),
      issuedBy: selectHistoricIssuer(sql`charges.branch_code`, sql`issuer.until > charges.date`).as("issued_by"),
      documentCustomer: documents.customerFullName,
      documentTaxId: sql<string | null>`${documents.customerDocumentId}`.as("document_tax_id"),
      freeAccessId: bookings.freeAccessId,
      bookingCustomerId: sql<number | null>`${bookings.customerId}`.as("booking_customer_id"),
      bookingLanguage: bookings.customerLanguage,
      bookingName: bookings.customerName,
      bookingSurname: bookings.customerSurname,
      bookingTaxId: sql<string | null>`${bookings.customerDocumentId}`.as("booking_tax_id"),
    })
    .from(charges)
    .leftJoin(documents, eq(documents.id, charges.documentId))
    .leftJoin(bookings, eq(bookings.id, charges.bookingId))
    .where(eq(charges.id, id));
}

export type ChargeToPrintRow = Awaited<ReturnType<typeof chargeToPrintQuery>>[number];
