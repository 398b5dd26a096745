import type { EnteredRefund, EnteredRefundMatch } from "#domain/payments/entered-refunds.ts";
import type { NotificationAnswer } from "#worker/gateways/protocol.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { toNotificationCode } from "#worker/store/payments/payment-statements.ts";
import {
  addRefundMismatchTask,
  endRefundNumberTask,
  isRefundAlreadyConfirmed,
  type OnlineSettlement,
  savePayment,
  saveRefund,
  saveRefundConfirmation,
} from "#worker/store/payments/settlement.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createRefundDocuments } from "#worker/usecases/documents/refund-documents.ts";
import { createRetainedFeeDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

/** Result of a gateway's notification. */
export interface NotificationResult {
  readonly answer: NotificationAnswer;
  /** Alert for the log, if an operator should check it. */
  readonly alert?:
    | "forged_notification"
    | "gateway_not_opened"
    | "payment_mismatch"
    | "payment_of_unknown_order"
    | "postback_failed"
    | "too_many_unknown_orders";
  readonly paymentId?: string;
  readonly isPaid?: boolean;
  /** Language of the visitor. Some gateways show the answer to the visitor. */
  readonly language?: string;
}

async function getCivilClock(tenant: Tenant, now: number): Promise<string> {
  const { settings } = (await tenant.snapshot()).catalogue;
  const { date, time } = toCivilNow(settings.timezone, now);
  return `${date} ${time}`;
}

/** Books a payment, with the invoice of a fee that it pays. */
export async function recordGatewayPayment(
  tenant: Tenant,
  settlement: OnlineSettlement,
  lacksFee: boolean,
): Promise<void> {
  const civilNow = await getCivilClock(tenant, settlement.at);
  const feeDocuments = lacksFee ? await draftFeeDocuments(tenant, settlement) : undefined;
  if (!feeDocuments) return savePayment(tenant.db, settlement, { civilNow });
  const { booking, settings, documents } = feeDocuments;
  await issueDocuments({ tenant, settings }, documents, ({ statements }) =>
    savePayment(tenant.db, settlement, { civilNow, draftedDocuments: { booking, statements } }),
  );
}

// Creates the invoice of a cancellation fee. A payment for a contract that was cancelled in the meantime pays its fee
// first, and the fee is invoiced.
async function draftFeeDocuments(tenant: Tenant, { intent, at }: OnlineSettlement) {
  if (intent.state === "paid") return undefined;
  const { booking, rows, settings } = await readBookingAmountsAndDocuments(tenant, intent.bookingId);
  if (!booking) return undefined;
  const { date } = toCivilNow(settings.timezone, at);
  const { id: bookingId, cancellationFeeCents: feeCents, totalPaidCents } = booking;
  const retainedFee = { feeCents, paidCents: totalPaidCents + intent.amountCents };
  const writing = { at, date, bookingId, uid: `paid:${intent.id}`, issued: true, series: settings };
  return { booking, settings, documents: createRetainedFeeDocuments(rows, retainedFee, writing) };
}

/** Reads a booking's amounts and the data from which its documents are created. */
export async function readBookingAmountsAndDocuments(tenant: Tenant, bookingId: number) {
  const { db } = tenant;
  const { catalogue, rows: read } = await readWithFreshCatalogue(
    tenant,
    () => [bookingAmountsQuery(db, { bookingId }), ...contractToInvoiceQueries(db, { bookingId })] as const,
  );
  const [[booking], ...rows] = read;
  return { booking, rows, settings: catalogue.settings };
}

/** Books a refund, with the credit notes that it needs. */
async function refund(tenant: Tenant, settlement: OnlineSettlement): Promise<void> {
  const feeDocuments = await draftRefundDocuments(tenant, settlement);
  if (!feeDocuments) return saveRefund(tenant.db, settlement);
  const { booking, settings, documents, creditNote } = feeDocuments;
  await issueDocuments({ tenant, settings }, documents, ({ statements }) =>
    saveRefund(tenant.db, settlement, { booking, statements, note: creditNote }),
  );
}

/**
 * Books a refund that staff didn't enter by hand. Ends the tasks about its numbers. Adds a task if staff entered a
 * similar refund that this one doesn't confirm.
 */
export async function recordReportedRefund(
  tenant: Tenant,
  settlement: OnlineSettlement,
  { numbers, unconfirmed }: { readonly numbers: readonly string[]; readonly unconfirmed: EnteredRefund | undefined },
): Promise<void> {
  await refund(tenant, settlement);
  for (const number of numbers) await endRefundNumberTask(tenant.db, settlement, number);
  if (unconfirmed) await addRefundMismatchTask(tenant.db, settlement, unconfirmed.id);
}

/** Confirms a refund that staff entered by hand. If they entered another number, it becomes a task. */
export function confirmEnteredRefund(
  { db }: Tenant,
  settlement: OnlineSettlement,
  { chargeId, kind }: EnteredRefundMatch,
): Promise<void> {
  return saveRefundConfirmation(db, settlement, { chargeId, isShown: kind === "otherNumber" });
}

/** Retries a settlement that met a concurrent change of the contract, or of the refund that it confirms. */
export function retrySettlement<Value>(settle: () => Promise<Value>): Promise<Value> {
  const isWorthRetrying = (error: unknown) =>
    isTransientDatabaseError(error) || isBookingVersionConflict(error) || isRefundAlreadyConfirmed(error);
  return withRetry(settle, { isWorthRetrying });
}

/**
 * Creates the documents of a refund if its payment is already recorded. Otherwise returns undefined, because
 * the refunded money was never invoiced as paid.
 */
async function draftRefundDocuments(tenant: Tenant, { intent, notice, at }: OnlineSettlement) {
  if (intent.state !== "paid") return undefined;
  const { booking, rows, settings } = await readBookingAmountsAndDocuments(tenant, intent.bookingId);
  if (!booking) return undefined;
  const { date } = toCivilNow(settings.timezone, at);
  const uid = `refund:${intent.id}:${toNotificationCode(notice)}`;
  const draftedDocuments = createRefundDocuments({ booking, rows }, notice.amountCents ?? 0, {
    at,
    date,
    uid,
    settings,
  });
  return draftedDocuments.documents.length === 0 ? undefined : { booking, settings, ...draftedDocuments };
}
