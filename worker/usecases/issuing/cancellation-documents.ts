import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import type { DocumentWriteOptions } from "#worker/store/documents/documents.ts";
import { createDocumentsToWrite, type DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";

/** Contract about to be cancelled, with its fee. */
export interface ContractToCancel {
  readonly rows: ContractToInvoiceRows;
  readonly feeCents: Cents;
  readonly settings: Settings;
  /** Epoch ms, and the day in the account's time zone. */
  readonly at: number;
  readonly date: CivilDate;
}

/** Documents of a cancellation and the statements after them in the batch. */
export interface CancellationDocumentWrites {
  readonly documents: readonly DocumentToWrite[];
  readonly after: readonly Query[];
}

/**
 * Creates the documents of a cancellation. Invoices the retained amount and credits issued documents, because the
 * invoiced rental won't take place. If the customer's data is incomplete, the fee's invoice stays a draft. Earlier
 * drafts are removed.
 */
export function createCancellationDocuments(
  db: Database,
  { rows, feeCents, settings, at, date }: ContractToCancel,
): CancellationDocumentWrites {
  const booking = rows[0][0]?.booking;
  if (!booking) return { documents: [], after: [] };
  const { id: bookingId, version } = booking;
  const uid = `cancelled:${bookingId}:${version}`;
  const retainedFee = { feeCents, paidCents: booking.totalPaidCents };
  const documents = createRetainedFeeDocuments(rows, retainedFee, {
    at,
    date,
    bookingId,
    uid,
    issued: true,
    series: settings,
  });
  return { documents, after: documents.length + feeCents === 0 ? [] : allocateMoneyStatements(db, { bookingId }, at) };
}

/** Creates the documents for a retained cancellation fee, up to the paid part of it. */
export function createRetainedFeeDocuments(
  rows: ContractToInvoiceRows,
  fee: FeeAndPaidAmount,
  writing: DocumentWriteOptions,
): readonly DocumentToWrite[] {
  return createDocumentsToWrite(draftRetainedFeeDocuments(rows, fee), writing);
}

interface FeeAndPaidAmount {
  readonly feeCents: Cents;
  readonly paidCents: Cents;
}

/** Drafts the documents for a retained cancellation fee, up to the paid part of it. */
export function draftRetainedFeeDocuments(
  rows: ContractToInvoiceRows,
  { feeCents, paidCents }: FeeAndPaidAmount,
): readonly DocumentDraft[] {
  const contract = toContractToInvoice(rows);
  if (!contract) return [];
  const retainedFeeCents = Math.min(feeCents, Math.max(0, paidCents));
  return draftMissingContractDocuments({ ...contract, retainedFeeCents });
}
