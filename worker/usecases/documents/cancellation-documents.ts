import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { draftContractDocuments } from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { emptyDraftsStatements } from "#worker/store/documents/documents.ts";
import { numbered, type ToIssue } from "#worker/usecases/tax-records/to-issue.ts";

/** A contract that is about to be cancelled, and the fee of it. */
export interface CancelledContract {
  readonly rows: ContractToInvoiceRows;
  readonly feeCents: Cents;
  readonly settings: Settings;
  /** Epoch ms, and the day on the account's own clock. */
  readonly at: number;
  readonly date: CivilDate;
}

/** The documents of a cancellation, and what comes after them in its batch. */
export interface CancellationDocuments {
  readonly documents: readonly ToIssue[];
  readonly after: readonly Query[];
}

/**
 * What invoices what is kept of a cancelled contract and takes back what was firm of it: what was invoiced is no rental
 * any more. What the customer lacks for an invoice leaves the fee's a draft; of drafts
 * made before nothing is left.
 */
export function cancellationDocuments(
  db: Database,
  { rows, feeCents, settings, at, date }: CancelledContract,
): CancellationDocuments {
  const contract = toContractToInvoice(rows);
  const booking = rows[0][0]?.booking;
  if (!contract || !booking) return { documents: [], after: [] };
  const keptFeeCents = Math.min(feeCents, Math.max(0, booking.totalPaidCents));
  const drafts = draftContractDocuments({ ...contract, keptFeeCents });
  const { id: bookingId, version } = booking;
  const uid = `cancelled:${bookingId}:${version}`;
  const hasDrafts = contract.earlier.some(({ isFirm }) => !isFirm);
  const emptied = hasDrafts ? emptyDraftsStatements(db, { bookingId, uid, at }) : [];
  if (drafts.length === 0) return { documents: [], after: emptied };
  return {
    documents: numbered(drafts, { at, date, bookingId, uid, issued: true, series: settings }),
    after: [...emptied, ...allocateStatements(db, { bookingId }, at)],
  };
}
