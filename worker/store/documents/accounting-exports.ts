import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import {
  type ChargeSearch,
  chargeConditionAndTotal,
  DISPLAYED_DOCUMENT_FORM_SQL,
  type DocumentSearch,
  documentConditionAndTotal,
} from "./office-documents.ts";

/** Amounts of a document at one tax rate. */
export interface DocumentTaxRate {
  readonly vat: number;
  readonly subtotalCents: number;
  readonly taxesCents: number;
}

const RATES = sql`(SELECT json_group_array(json_object('vat', vat_basis_points, 'subtotalCents', subtotal_cents, 'taxesCents', taxes_cents) ORDER BY position)
  FROM document_taxes WHERE document_id = documents.id)`;
const getNumberSql = (id: string) =>
  sql<string | null>`(SELECT one.serie || '/' || one.number FROM documents AS one WHERE one.id = ${sql.raw(id)})`;

const REPLACES = sql<
  string | null
>`(SELECT group_concat(one.serie || '/' || one.number, ' ' ORDER BY one.id) FROM documents AS one
  WHERE one.replaced_by_document_id = documents.id)`;

/** Returns the query for all matching documents with amounts by rate, in book order: by day, series and number. */
export function documentExportQuery(db: Database, search: DocumentSearch) {
  const { condition, order } = documentConditionAndTotal(db, search);
  return db
    .select({
      id: documents.id,
      date: documents.date,
      serie: documents.serie,
      number: documents.number,
      kind: DISPLAYED_DOCUMENT_FORM_SQL.as("shown_kind"),
      invoiceStatus: documents.invoiceStatus,
      branchCode: documents.branchCode,
      concept: documents.concept,
      bookingId: documents.bookingId,
      orderReference: documents.orderReference,
      customerName: documents.customerFullName,
      customerDocumentId: documents.customerDocumentId,
      corrects: getNumberSql("documents.corrects_document_id").as("corrects"),
      replacedBy: getNumberSql("documents.replaced_by_document_id").as("replaced_by"),
      replaces: REPLACES.as("replaces"),
      subtotalCents: documents.subtotalCents,
      taxesCents: documents.taxesCents,
      totalCents: documents.totalCents,
      totalPaidCents: documents.totalPaidCents,
      prepaidCents: documents.agentCommissionPrepaidCents,
      rates: RATES.mapWith(parseStoredJson<readonly DocumentTaxRate[]>).as("rates"),
    })
    .from(documents)
    .where(condition)
    .orderBy(...(search.sorted ? order : [sql`documents.date, documents.serie, documents.number, documents.id`]))
    .limit(search.pageSize + 1);
}

export type ExportedDocument = Awaited<ReturnType<typeof documentExportQuery>>[number];

/** Returns the query for all matching charges. */
export function chargeExportQuery(db: Database, search: ChargeSearch) {
  const { condition, order } = chargeConditionAndTotal(db, search);
  return db
    .select({
      id: charges.id,
      date: charges.date,
      branchCode: charges.branchCode,
      method: charges.paymentMethodId,
      paymentType: charges.paymentType,
      sourceDoc: charges.sourceDoc,
      depositKept: charges.depositKept,
      amountCents: charges.amountCents,
      bookingId: charges.bookingId,
      externalOperationNumber: charges.externalOperationNumber,
      document: getNumberSql("charges.document_id").as("document_name"),
      documentCustomer: documents.customerFullName,
      bookingName: bookings.customerName,
      bookingSurname: bookings.customerSurname,
    })
    .from(charges)
    .leftJoin(documents, eq(documents.id, charges.documentId))
    .leftJoin(bookings, eq(bookings.id, charges.bookingId))
    .where(condition)
    .orderBy(...(search.sorted ? order : [sql`charges.date, charges.id`]))
    .limit(search.pageSize + 1);
}

export type ExportedCharge = Awaited<ReturnType<typeof chargeExportQuery>>[number];
