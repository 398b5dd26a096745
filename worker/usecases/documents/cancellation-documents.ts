import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { draftContractDocuments } from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import type { Writing } from "#worker/store/documents/documents.ts";
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
 * any more. What the customer lacks for an invoice leaves the fee's a draft; of drafts made before nothing is left.
 */
export function cancellationDocuments(
  db: Database,
  { rows, feeCents, settings, at, date }: CancelledContract,
): CancellationDocuments {
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
  return { documents, after: documents.length + feeCents === 0 ? [] : allocateStatements(db, { bookingId }, at) };
}

/** The documents of what is kept of a cancelled contract: so much of its fee as was paid. */
export function createRetainedFeeDocuments(
  rows: ContractToInvoiceRows,
  { feeCents, paidCents }: { readonly feeCents: Cents; readonly paidCents: Cents },
  writing: Writing,
): readonly ToIssue[] {
  const contract = toContractToInvoice(rows);
  if (!contract) return [];
  const retainedFeeCents = Math.min(feeCents, Math.max(0, paidCents));
  return numbered(draftContractDocuments({ ...contract, keptFeeCents: retainedFeeCents }), writing);
}
