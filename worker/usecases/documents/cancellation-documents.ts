import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { draftContractDocuments } from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import type { Database } from "#worker/store/database.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { allDocumentStatements } from "#worker/store/documents/documents.ts";

/** A contract that is about to be cancelled, and the fee of it. */
export interface CancelledContract {
  readonly rows: ContractToInvoiceRows;
  readonly feeCents: Cents;
  readonly settings: Settings;
  /** Epoch ms, and the day on the account's own clock. */
  readonly at: number;
  readonly date: CivilDate;
}

/**
 * Statements that invoice what is kept of a cancelled contract and take back what was firm of it: what was invoiced is no
 * rental any more. What the customer lacks for an invoice leaves the fee's a draft.
 */
export function cancellationDocuments(db: Database, { rows, feeCents, settings, at, date }: CancelledContract) {
  const contract = toContractToInvoice(rows);
  const booking = rows[0][0]?.booking;
  if (!contract || !booking) return [];
  const keptFeeCents = Math.min(feeCents, Math.max(0, booking.totalPaidCents));
  const drafts = draftContractDocuments({ ...contract, keptFeeCents });
  if (drafts.length === 0) return [];
  const { id: bookingId, version } = booking;
  const uid = `cancelled:${bookingId}:${version}`;
  return [
    ...allDocumentStatements(db, drafts, { at, date, bookingId, uid, issued: true, series: settings }),
    ...allocateStatements(db, { bookingId }, at),
  ];
}
