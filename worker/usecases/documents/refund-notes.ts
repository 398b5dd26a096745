import { spokenLanguage } from "#domain/catalogue/languages.ts";
import { draftCreditNotes, type FirmDocument } from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import { creditForRefund } from "#domain/payments/charges.ts";

/** What is known of the money of a booking when it is about to be given back. */
export interface RefundedBooking {
  readonly totalPaidCents: Cents;
  readonly agentPrepaidCents: Cents;
  readonly documents: readonly FirmDocument[];
}

/** The credit notes that a refund needs: for what comes back of what was invoiced; none for what was paid too much. */
export function draftRefundNotes(
  { totalPaidCents, agentPrepaidCents, documents }: RefundedBooking,
  refundCents: Cents,
  language: string,
): DocumentDraft[] {
  const invoicedCents = sumOf(documents.map(({ totalCents }) => totalCents)) - agentPrepaidCents;
  const cents = creditForRefund({ invoicedCents, paidCents: totalPaidCents, refundCents });
  return cents > 0 ? draftCreditNotes(documents, spokenLanguage(language), cents) : [];
}
