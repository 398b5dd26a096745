import { fromCivilMinute } from "#domain/dates.ts";
import { newDocumentRow, newItemRow, newTaxRow } from "#worker/store/documents/documents.ts";
import { documentItems, documents, documentTaxes } from "#worker/store/schema/documents.ts";
import type { Company } from "./company.ts";
import { issuedDocuments, rowsOf, type TableRows } from "./insert.ts";
import type { NumberedDocument } from "./numbering.ts";
import { isRecordDue } from "./tax-record-rows.ts";

/** Documents with their taxes by rate and their items, drafts that are issued once all of them is there. */
export function documentRows(company: Company, numbered: readonly NumberedDocument[]): TableRows[] {
  return [
    rowsOf(
      documents,
      numbered.map(({ id, draft, planned, ...document }) => ({
        ...newDocumentRow(draft, { at: company.toEpochMs(planned.createdAt), bookingId: planned.contract?.id }),
        id,
        totalPaidCents: document.paidCents,
        accountingProcessed: document.isProcessed,
        integrationError: document.integrationError,
        orderReference: planned.orderReference,
        taxRecordDue: isRecordDue(company, { planned, draft }),
        lastUpdate: company.toEpochMs(planned.createdAt) - 1,
      })),
    ),
    rowsOf(
      documentTaxes,
      numbered.flatMap(({ id, draft }) => draft.taxes.map((tax, at) => ({ ...newTaxRow(tax, at), documentId: id }))),
    ),
    rowsOf(
      documentItems,
      numbered.flatMap(({ id, draft }) => draft.items.map((item) => ({ ...newItemRow(item), documentId: id }))),
    ),
    issuedDocuments(
      numbered.map(({ id, planned: { isDraft, createdAt }, year, serie, number, changedAt }) => ({
        id,
        invoiceStatus: isDraft ? "draft" : "invoice",
        serie,
        number,
        year,
        date: isDraft ? null : fromCivilMinute(createdAt).date,
        lastUpdate: company.toEpochMs(changedAt),
      })),
    ),
  ];
}
