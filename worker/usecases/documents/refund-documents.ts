import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { draftCreditNotes } from "#domain/documents/credit-notes.ts";
import { draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { calculateCreditForRefund, type DocumentReference } from "#domain/payments/charges.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { toCreditableDocument } from "#worker/store/documents/issued-documents.ts";
import { createDocumentsToWrite, type DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";

/** Contract about to be refunded. */
export interface ContractToRefund {
  readonly booking: {
    readonly id: number;
    readonly status: BookingStatus;
    /** Total cost minus credits. */
    readonly totalCents: Cents;
    readonly totalPaidCents: Cents;
    readonly agentPrepaidCents: Cents;
  };
  readonly rows: ContractToInvoiceRows;
}

/** Context for writing a refund's documents. */
export interface RefundDocumentContext {
  /** Epoch ms, and the day in the account's time zone. */
  readonly at: number;
  readonly date: string;
  /** Uid of the first credit note. The uids of the others derive from it. */
  readonly uid: string;
  readonly settings: Settings;
}

/** Documents of a refund, and the credit note that the refund pays. */
export interface RefundDocumentsToWrite {
  readonly documents: readonly DocumentToWrite[];
  readonly creditNote: DocumentReference | undefined;
}

/**
 * Creates the documents of a refund: credit notes for invoiced amounts, none for overpayments. If a completed contract
 * waits for its invoice, its draft is reduced, because that amount is no longer owed.
 */
export function createRefundDocuments(
  contract: ContractToRefund,
  refundCents: Cents,
  { at, date, uid, settings }: RefundDocumentContext,
): RefundDocumentsToWrite {
  const { booking, rows } = contract;
  const issuedDocuments = rows[3].filter(({ invoiceStatus }) => invoiceStatus === "invoice").map(toCreditableDocument);
  // Sum of each document's own amounts. An advance and a fee don't include the amount that an agent kept.
  const invoicedCents = sumCents(
    issuedDocuments.map(({ totalCents, agentPrepaidCents }) => totalCents - agentPrepaidCents),
  );
  const cents = calculateCreditForRefund({ invoicedCents, paidCents: booking.totalPaidCents, refundCents });
  const notes =
    cents > 0 ? draftCreditNotes(issuedDocuments, pickPlatformLanguage(settings.defaultLanguage), cents) : [];
  const writing = { at, date, bookingId: booking.id, issued: true, series: settings };
  const issued = notes.map((draft, index) => ({ draft, writing: { ...writing, uid: `${uid}:${index}` } }));
  return {
    documents: [...issued, ...reducedDrafts(contract, refundCents - cents, { ...writing, uid: `${uid}:draft` })],
    creditNote: notes.length > 0 ? { uid: `${uid}:0` } : undefined,
  };
}

function reducedDrafts(
  { booking, rows }: ContractToRefund,
  cents: Cents,
  writing: DocumentToWrite["writing"],
): readonly DocumentToWrite[] {
  const { status, totalCents, totalPaidCents, agentPrepaidCents } = booking;
  const drafts = rows[3].filter(
    (item) =>
      item.invoiceStatus === "draft" && item.invoiceType === "invoice" && item.invoiceMode !== "reservation_retainer",
  );
  const overpaidCents = Math.max(0, totalPaidCents - (totalCents - agentPrepaidCents));
  const contract = toContractToInvoice(rows);
  if (!contract || status !== "done" || drafts.length === 0 || cents <= overpaidCents) return [];
  // A draft that lacked customer data may now be small enough to issue. A draft under review stays a draft.
  const issued = drafts.every(({ missing }) => missing !== null && missing.length > 0);
  return createDocumentsToWrite(draftMissingContractDocuments(contract, cents - overpaidCents), { ...writing, issued });
}
