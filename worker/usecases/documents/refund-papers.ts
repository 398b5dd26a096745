import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { draftCreditNotes } from "#domain/documents/credit-notes.ts";
import { draftContractDocuments } from "#domain/documents/invoicing.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { creditForRefund, type DocumentName } from "#domain/payments/charges.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { toCreditable } from "#worker/store/documents/firm-documents.ts";
import { numbered, type ToIssue } from "#worker/usecases/tax-records/to-issue.ts";

/** A contract of which money is about to be given back. */
export interface RefundedContract {
  readonly booking: {
    readonly id: number;
    readonly status: BookingStatus;
    /** What it costs less what was credited. */
    readonly totalCents: Cents;
    readonly totalPaidCents: Cents;
    readonly agentPrepaidCents: Cents;
  };
  readonly rows: ContractToInvoiceRows;
}

/** How the papers of a refund are written. */
export interface RefundWriting {
  /** Epoch ms, and the day on the account's own clock. */
  readonly at: number;
  readonly date: string;
  /** The first note has it; the others are named after it. */
  readonly uid: string;
  readonly settings: Settings;
}

/** The papers of a refund, and the credit note that it pays. */
export interface RefundPapers {
  readonly documents: readonly ToIssue[];
  readonly note: DocumentName | undefined;
}

/**
 * The papers that a refund needs: credit notes for what comes back of what was invoiced, none for what was paid too
 * much. Of a contract that is done and waits for its invoice, the draft says so much less: nobody will owe it again.
 */
export function refundPapers(
  contract: RefundedContract,
  refundCents: Cents,
  { at, date, uid, settings }: RefundWriting,
): RefundPapers {
  const { booking, rows } = contract;
  const firm = rows[3].filter(({ invoiceStatus }) => invoiceStatus === "invoice").map(toCreditable);
  // By what each paper says: an advance and a fee say nothing of what an agent kept.
  const invoicedCents = sumCents(firm.map(({ totalCents, agentPrepaidCents }) => totalCents - agentPrepaidCents));
  const cents = creditForRefund({ invoicedCents, paidCents: booking.totalPaidCents, refundCents });
  const notes = cents > 0 ? draftCreditNotes(firm, pickPlatformLanguage(settings.defaultLanguage), cents) : [];
  const writing = { at, date, bookingId: booking.id, issued: true, series: settings };
  const issued = notes.map((draft, index) => ({ draft, writing: { ...writing, uid: `${uid}:${index}` } }));
  return {
    documents: [...issued, ...reducedDrafts(contract, refundCents - cents, { ...writing, uid: `${uid}:draft` })],
    note: notes.length > 0 ? { uid: `${uid}:0` } : undefined,
  };
}

function reducedDrafts(
  { booking, rows }: RefundedContract,
  cents: Cents,
  writing: ToIssue["writing"],
): readonly ToIssue[] {
  const { status, totalCents, totalPaidCents, agentPrepaidCents } = booking;
  const drafts = rows[3].filter(
    (item) =>
      item.invoiceStatus === "draft" && item.invoiceType === "invoice" && item.invoiceMode !== "reservation_retainer",
  );
  const overpaidCents = Math.max(0, totalPaidCents - (totalCents - agentPrepaidCents));
  const contract = toContractToInvoice(rows);
  if (!contract || status !== "done" || drafts.length === 0 || cents <= overpaidCents) return [];
  // One that waited for its customer's data may be small enough by now; one that the office looks at waits on.
  const issued = drafts.every(({ missing }) => missing !== null && missing.length > 0);
  return numbered(draftContractDocuments(contract, cents - overpaidCents), { ...writing, issued });
}
