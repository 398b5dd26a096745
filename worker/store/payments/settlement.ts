import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { RentalBooking } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";
import type { DocumentReference } from "#domain/payments/charges.ts";
import type { GatewayNotice, OnlineMethod, PaymentIntent } from "#domain/payments/gateway-notices.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { selectDocumentId } from "#worker/store/documents/document-names.ts";
import { isDuplicateInColumns } from "#worker/store/failures.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { paymentIntents, paymentNotifications } from "#worker/store/schema/payments.ts";
import {
  confirmPaidBookingStatements,
  type PaymentConfirmationContext,
  savePaymentConfirmingIfPossible,
} from "./confirm-paid.ts";
import { completeGatewayRefundStatement } from "./gateway-refunds.ts";
import {
  type ChargeMethod,
  endSecondPaymentTasksStatement,
  GATEWAY_REFUND_CODE_SQL,
  newIntentChargeStatement,
  saveNoticeStatement,
} from "./payment-statements.ts";
import { selectTotalOwedCents } from "./refunds-due.ts";

/** Verified gateway notification that is about to be processed, with its payment attempt. */
export interface OnlineSettlement {
  readonly method: OnlineMethod;
  readonly chargeMethod: ChargeMethod;
  readonly intent: PaymentIntent;
  readonly notice: GatewayNotice;
  readonly at: number;
}

/**
 * Settles a payment once, all or nothing: the notice, the intent, the charge, the booking's sums, its confirmation, its
 * history and its documents. If the booking's units are no longer available, it isn't confirmed and a task is created.
 * With documents, the batch is refused if the booking has changed since it was read (`isBookingVersionConflict`).
 */
export async function savePayment(
  db: Database,
  settlement: OnlineSettlement,
  { civilNow, draftedDocuments }: { readonly civilNow: string; readonly draftedDocuments?: BookingDocumentStatements },
): Promise<void> {
  await savePaymentConfirmingIfPossible((confirmsBooking) =>
    db.batch(paymentStatements(db, settlement, { civilNow, confirmsBooking, draftedDocuments })),
  );
}

// Each statement after the intent's checks changes() of the previous one. If the intent didn't change to paid, because
// of a copy or a concurrent request, nothing else is written.
function paymentStatements(
  db: Database,
  { intent, notice, method, chargeMethod, at }: OnlineSettlement,
  {
    draftedDocuments,
    ...paying
  }: Pick<PaymentConfirmationContext, "civilNow" | "confirmsBooking"> & {
    readonly draftedDocuments: BookingDocumentStatements | undefined;
  },
) {
  const outcome = sql`CASE WHEN ${IS_SECOND(intent.id)} THEN 'second_payment' ELSE 'paid' END`;
  return [
    saveNoticeStatement(db, method, notice, intent.id, outcome, at),
    ...(draftedDocuments ? [expectBookingVersionStatement(db, draftedDocuments.booking)] : []),
    db
      .update(paymentIntents)
      .set({ state: "paid", paidAt: at, paidCode: notice.authCode || null })
      .where(and(eq(paymentIntents.id, intent.id), ne(paymentIntents.state, "paid"))),
    newIntentChargeStatement(db, intent.id, {
      type: "charge",
      chargeMethod,
      amount: sql`intent.amount_cents`,
      operation: sql`${notice.authCode || notice.order}`,
      from: sql`payment_intents AS intent`,
      document: UNPAID_DOCUMENT,
      at,
      when: sql`changes() = 1`,
    }),
    ...bookPaidStatements(db, { intent, method, at }, intent.amountCents),
    ...(draftedDocuments?.statements ?? []),
    ...confirmPaidBookingStatements(db, intent.bookingId, { ...paying, at, actor: `gateway:${method}` }),
    ...refundStatements(db, { intent, method, chargeMethod, at }, NO_DOCUMENT),
    ...settleSecondStatements(db, intent),
  ] as const;
}

// Condition that a refund concerns the payment that was recorded. Most gateways only name the order, not the payment.
const matchesBooked = (intentId: string) =>
  sql`(payment_code IS NULL OR payment_code = (SELECT coalesce(paid_code, payment_code) FROM payment_intents WHERE id = ${intentId}))`;

// Returns the reported amount. A message without an amount is about the payment's whole amount.
const toReportedCents = (
  table: "payment_notifications" | "refund",
  { amountCents }: Pick<PaymentIntent, "amountCents">,
) => sql`coalesce(${sql.raw(table)}.amount_cents, ${amountCents})`;

/**
 * Returns statements that close a second payment once it's refunded. The accounts contain neither the payment
 * nor its refund. Staff must check a refund whose payment is still unknown.
 */
function settleSecondStatements(db: Database, intent: Pick<PaymentIntent, "id" | "amountCents">) {
  const { id: intentId } = intent;
  const isPaid = sql`(SELECT state FROM payment_intents WHERE id = ${intentId}) = 'paid'`;
  const matchesIntent = eq(paymentNotifications.intentId, intentId);
  const isSecondKnown = sql`payment_code IN (SELECT auth_code FROM payment_notifications WHERE intent_id = ${intentId} AND kind = 'authorised')`;
  return [
    db
      .update(paymentNotifications)
      .set({ outcome: sql`iif(${isSecondKnown}, 'noted', 'mismatch')` })
      .where(
        and(
          matchesIntent,
          sql`kind = 'refunded' AND outcome IN ('waiting', 'mismatch') AND NOT ${matchesBooked(intentId)} AND ${isPaid}`,
        ),
      ),
    db
      .update(paymentNotifications)
      .set({ outcome: "noted" })
      .where(
        and(
          matchesIntent,
          sql`outcome = 'second_payment' AND auth_code <> (SELECT coalesce(paid_code, '') FROM payment_intents WHERE id = ${intentId})
            AND ${toReportedCents("payment_notifications", intent)} <= (SELECT sum(${toReportedCents("refund", intent)}) FROM payment_notifications AS refund
              WHERE refund.intent_id = ${intentId} AND refund.kind = 'refunded' AND refund.payment_code = payment_notifications.auth_code)`,
        ),
      ),
  ] as const;
}

/**
 * Saves the refund of a second payment. It changes no recorded amounts, because the second payment wasn't recorded as
 * paid.
 */
export async function saveSecondPaymentRefund(
  db: Database,
  { intent, notice, method, at }: Omit<OnlineSettlement, "chargeMethod">,
): Promise<void> {
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'noted'`, at),
    ...settleSecondStatements(db, intent),
  ]);
}

/**
 * Saves a message about a second card for one hold. Staff see its capture until it is refunded, because it isn't
 * recorded. Ends the task about its hold.
 */
export async function saveSecondCardNotice(
  db: Database,
  { intent, notice, method, at }: Omit<OnlineSettlement, "chargeMethod">,
): Promise<void> {
  const outcome = notice.kind === "captured" ? sql`'second_payment'` : sql`'noted'`;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, outcome, at),
    db
      .update(paymentNotifications)
      .set({ outcome: "noted" })
      .where(
        and(
          eq(paymentNotifications.intentId, intent.id),
          sql`outcome = 'second_payment' AND (kind = 'held' OR (kind = 'captured' AND ${toReportedCents("payment_notifications", intent)} <=
            (SELECT sum(${toReportedCents("refund", intent)}) FROM payment_notifications AS refund WHERE refund.intent_id = ${intent.id} AND refund.kind = 'refunded')))`,
        ),
      ),
  ]);
}

/**
 * Saves that a refund or reversal was taken back, so that the company has the money again. A repeated message changes
 * nothing.
 */
export async function saveRefundReinstatement(db: Database, settlement: OnlineSettlement): Promise<void> {
  const { intent, notice, method, chargeMethod, at } = settlement;
  const amountCents = notice.amountCents ?? 0;
  const isDue = sql`${amountCents} <= (SELECT refunded_cents FROM payment_intents WHERE id = ${intent.id})`;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'paid'`, at),
    db
      .update(paymentIntents)
      .set({ refundedCents: sql`refunded_cents - ${amountCents}` })
      .where(and(eq(paymentIntents.id, intent.id), sql`changes() = 1 AND ${isDue}`)),
    newIntentChargeStatement(db, intent.id, {
      type: "charge",
      chargeMethod,
      amount: sql`${amountCents}`,
      operation: sql`${notice.authCode}`,
      from: sql`payment_intents AS intent`,
      document: NO_DOCUMENT,
      at,
      when: sql`changes() = 1`,
    }),
    ...bookPaidStatements(db, { intent, method, at }, amountCents, { isReinstated: true }),
    db
      .update(paymentNotifications)
      .set({ outcome: "noted" })
      .where(
        and(
          eq(paymentNotifications.intentId, intent.id),
          sql`outcome = 'refund_exceeds_paid' AND (SELECT total_paid_cents FROM bookings WHERE id = ${intent.bookingId}) >= 0`,
        ),
      ),
    ...allocateMoneyStatements(db, { bookingId: intent.bookingId }, at),
  ]);
}

// Condition for a second payment: the attempt is already paid, or another payment covered the amount. It's only stored
// to be refunded.
const OWED_CENTS = selectTotalOwedCents("booking");
const IS_SECOND = (intentId: string) => sql`(SELECT intent.state = 'paid' OR (booking.total_paid_cents > 0
    AND (booking.total_paid_cents + intent.amount_cents > ${OWED_CENTS}
      OR EXISTS (SELECT 1 FROM payment_intents AS other WHERE other.link_id = intent.link_id AND other.id <> intent.id AND other.state = 'paid')
      OR (intent.part = 'deposit' AND booking.total_paid_cents >= min(booking.booking_amount_cents, ${OWED_CENTS}))))
  FROM payment_intents AS intent JOIN bookings AS booking ON booking.id = intent.booking_id WHERE intent.id = ${intentId})`;

// Invoice that a payment is recorded for: the oldest issued one that is unpaid. The allocation at the end of the batch
// decides the final one.
const UNPAID_DOCUMENT = sql`(SELECT id FROM documents WHERE id IN (SELECT document_id FROM booking_documents WHERE booking_id = booking.id) AND invoice_status = 'invoice' AND invoice_type = 'invoice'
  AND total_cents > total_paid_cents + agent_commission_prepaid_cents ORDER BY date, id LIMIT 1)`;
const NO_DOCUMENT = sql`NULL`;

const REINSTATED = sql`, 'reinstated', json('true')`;
const DISPUTED = sql`, 'disputed', json('true')`;

// Adds money to a booking's paid amount and history, if the previous statement changed a row.
function bookPaidStatements(
  db: Database,
  { intent, method, at }: Omit<OnlineSettlement, "notice" | "chargeMethod">,
  amountCents: Cents,
  { isReinstated = false } = {},
) {
  return [
    db
      .update(bookings)
      .set({
        totalPaidCents: sql`total_paid_cents + ${amountCents}`,
        paymentStatus: sql`CASE WHEN total_paid_cents + ${amountCents} + agent_commission_prepaid_cents >= total_cents - credited_cents THEN 'total' ELSE 'deposit' END`,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(and(eq(bookings.id, intent.bookingId), sql`changes() = 1`)),
    db.insert(bookingHistory).select(
      selectRowToInsert(
        bookingHistory,
        {
          bookingId: sql`id`,
          at,
          actor: `gateway:${method}`,
          event: "paid",
          detail: sql`json_object('amount_cents', ${amountCents}, 'order', ${intent.order}${isReinstated ? REINSTATED : sql``})`,
        },
        sql`FROM bookings WHERE id = ${intent.bookingId} AND changes() = 1`,
      ),
    ),
  ] as const;
}

/** Documents drafted for a version of their booking. */
export interface BookingDocumentStatements {
  readonly booking: Pick<RentalBooking, "id" | "version">;
  readonly statements: readonly Query[];
}

/** Documents of a refund. */
export interface RefundDocumentStatements extends BookingDocumentStatements {
  /** Credit note that the refund pays. */
  readonly note: DocumentReference | undefined;
}

/**
 * Saves a refund and reduces the booking's payments once the payment exists, in either order. Required documents are
 * written in the same batch, which is refused if the booking has changed (`isBookingVersionConflict`).
 */
export async function saveRefund(
  db: Database,
  settlement: OnlineSettlement,
  draftedDocuments?: RefundDocumentStatements,
): Promise<void> {
  const { intent, notice, method, at } = settlement;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'waiting'`, at),
    ...(draftedDocuments ? [expectBookingVersionStatement(db, draftedDocuments.booking)] : []),
    ...(draftedDocuments?.statements ?? []),
    ...refundStatements(
      db,
      settlement,
      draftedDocuments?.note ? selectDocumentId(draftedDocuments.note) : NO_DOCUMENT,
      notice,
    ),
    ...(notice.refundId === undefined ? [] : [completeGatewayRefundStatement(db, notice.refundId, intent.id, at)]),
  ]);
}

// Amount that the gateway received for an attempt, which is less than requested if a part of a hold was captured.
const TAKEN_CENTS = sql`CASE WHEN link_id IS NULL THEN amount_cents ELSE coalesce(
  (SELECT captured_cents FROM payment_holds WHERE payment_holds.link_id = payment_intents.link_id), amount_cents) END`;

/**
 * Returns statements that apply the refunds which the gateway announced before the capture of a hold. Refunds of more
 * than the captured amount are marked as a mismatch, so that staff check them.
 */
export function applyEarlierRefundsToCaptureStatements(db: Database, settlement: Omit<OnlineSettlement, "notice">) {
  return [
    ...refundStatements(db, settlement, NO_DOCUMENT),
    db
      .update(paymentNotifications)
      .set({ outcome: "mismatch" })
      .where(
        and(
          eq(paymentNotifications.intentId, settlement.intent.id),
          sql`kind = 'refunded'`,
          eq(paymentNotifications.outcome, "waiting"),
        ),
      ),
  ] as const;
}

// Adds a task about the part of a refund that exceeds what the contract has paid, because staff refunded it in another
// way too. The accounts contain both refunds, because the money was sent twice.
function showRefundBeyondPaidStatement(
  db: Database,
  { intent, method, at }: Omit<OnlineSettlement, "notice" | "chargeMethod">,
  pendingCents: SQL,
  isDue: SQL,
) {
  const paidCents = sql`(SELECT total_paid_cents FROM bookings WHERE id = ${intent.bookingId})`;
  return db
    .insert(paymentNotifications)
    .select(
      selectRowToInsert(
        paymentNotifications,
        {
          method,
          orderReference: intent.order,
          kind: "other",
          // Makes the codes of several refunds of an attempt unique.
          authCode: sql`'refunded-' || (SELECT refunded_cents FROM payment_intents WHERE id = ${intent.id})`,
          intentId: intent.id,
          amountCents: sql`min(${pendingCents}, ${pendingCents} - ${paidCents})`,
          outcome: "refund_exceeds_paid",
          receivedAt: at,
        },
        sql`WHERE ${isDue} AND ${pendingCents} > ${paidCents}`,
      ),
    )
    .onConflictDoUpdate({
      target: [
        paymentNotifications.method,
        paymentNotifications.orderReference,
        paymentNotifications.kind,
        paymentNotifications.authCode,
      ],
      set: { outcome: sql`excluded.outcome`, amountCents: sql`excluded.amount_cents`, receivedAt: at },
    });
}

// Applies all pending refunds of the intent if it is paid with a sufficient amount.
function refundStatements(
  db: Database,
  { intent, method, chargeMethod, at }: Omit<OnlineSettlement, "notice">,
  document: SQL,
  { isDisputed = false }: Pick<GatewayNotice, "isDisputed"> = {},
) {
  const pendingCents = sql`(SELECT coalesce(sum(amount_cents), 0) FROM payment_notifications WHERE intent_id = ${intent.id} AND outcome = 'waiting'
    AND ${matchesBooked(intent.id)})`;
  const isDue = sql`${pendingCents} BETWEEN 1 AND
    (SELECT ${TAKEN_CENTS} - refunded_cents FROM payment_intents WHERE id = ${intent.id} AND state = 'paid')`;
  return [
    newIntentChargeStatement(db, intent.id, {
      type: "payment",
      chargeMethod,
      amount: sql`refund.amount_cents`,
      operation: GATEWAY_REFUND_CODE_SQL,
      from: sql`payment_intents AS intent JOIN payment_notifications AS refund ON refund.intent_id = intent.id AND refund.outcome = 'waiting'
        AND (refund.payment_code IS NULL OR refund.payment_code = coalesce(intent.paid_code, refund.payment_code))`,
      document,
      at,
      when: isDue,
    }),
    showRefundBeyondPaidStatement(db, { intent, method, at }, pendingCents, isDue),
    db
      .update(bookings)
      .set({
        totalPaidCents: sql`total_paid_cents - ${pendingCents}`,
        paymentStatus: sql`CASE WHEN total_paid_cents - ${pendingCents} <= 0 THEN 'refunded'
          WHEN total_paid_cents - ${pendingCents} + agent_commission_prepaid_cents >= total_cents - credited_cents THEN 'total' ELSE 'deposit' END`,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(and(eq(bookings.id, intent.bookingId), isDue)),
    db.insert(bookingHistory).select(
      selectRowToInsert(
        bookingHistory,
        {
          bookingId: intent.bookingId,
          at,
          actor: `gateway:${method}`,
          event: "refunded",
          detail: sql`json_object('amount_cents', ${pendingCents}, 'payment_method_id', ${chargeMethod}, 'order', ${intent.order}
            ${isDisputed ? DISPUTED : sql``})`,
        },
        sql`WHERE ${isDue}`,
      ),
    ),
    db
      .update(paymentIntents)
      .set({ refundedCents: sql`refunded_cents + ${pendingCents}` })
      .where(and(eq(paymentIntents.id, intent.id), isDue)),
    db
      .update(paymentNotifications)
      .set({ outcome: "refunded" })
      .where(
        and(
          eq(paymentNotifications.intentId, intent.id),
          eq(paymentNotifications.outcome, "waiting"),
          sql`changes() = 1 AND ${matchesBooked(intent.id)}`,
        ),
      ),
    endSecondPaymentTasksStatement(db, intent.bookingId),
    ...allocateMoneyStatements(db, { bookingId: intent.bookingId }, at),
  ] as const;
}

/** Saves that the gateway denied a payment. A completed payment stays completed. */
export async function savePaymentDenial(
  db: Database,
  { intent, notice, method, at }: Omit<OnlineSettlement, "chargeMethod">,
): Promise<void> {
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'denied'`, at),
    db
      .update(paymentIntents)
      .set({ state: "denied" })
      .where(and(eq(paymentIntents.id, intent.id), eq(paymentIntents.state, "pending"))),
  ]);
}

/**
 * Saves that a message confirms a refund that staff entered by hand. The charges stay unchanged. `isShown`:
 * staff must check whether the message is about the same refund.
 */
export async function saveRefundConfirmation(
  db: Database,
  { intent, notice, method, at }: Omit<OnlineSettlement, "chargeMethod">,
  { chargeId, isShown }: { readonly chargeId: number; readonly isShown: boolean },
): Promise<void> {
  const task = { ...notice, kind: "other", authCode: toTaskCode(chargeId) } as const;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'noted'`, at, chargeId),
    isShown
      ? saveNoticeStatement(db, method, task, intent.id, sql`'mismatch'`, at)
      : db
          .update(paymentNotifications)
          .set({ outcome: "noted" })
          .where(and(eq(paymentNotifications.intentId, intent.id), eq(paymentNotifications.authCode, task.authCode))),
  ]);
}

/** Adds a task about a refund that staff recorded, because the gateway reported a refund of another amount. */
export async function addRefundMismatchTask(
  db: Database,
  { intent, notice, method, at }: Omit<OnlineSettlement, "chargeMethod">,
  chargeId: number,
): Promise<void> {
  const task = { ...notice, kind: "other", authCode: toTaskCode(chargeId) } as const;
  await db.batch([saveNoticeStatement(db, method, task, intent.id, sql`'mismatch'`, at)]);
}

/**
 * Ends the task about a refund that staff recorded with this operation number, because another message confirmed the
 * amount.
 */
export async function endRefundNumberTask(
  db: Database,
  { intent }: Pick<OnlineSettlement, "intent">,
  number: string,
): Promise<void> {
  await db.batch([
    db
      .update(paymentNotifications)
      .set({ outcome: "noted" })
      .where(
        and(
          eq(paymentNotifications.intentId, intent.id),
          sql`kind = 'other' AND outcome = 'mismatch' AND auth_code IN (SELECT 'entered-' || charges.id FROM charges
            WHERE booking_id = ${intent.bookingId} AND upper(external_operation_number) = upper(${number})
              AND charges.amount_cents = payment_notifications.amount_cents)`,
        ),
      ),
  ]);
}

/** Whether a batch failed because a concurrent message confirmed the same entered refund. */
export function isRefundAlreadyConfirmed(error: unknown): boolean {
  return isDuplicateInColumns(error, "payment_notifications.entered_charge_id");
}

const toTaskCode = (chargeId: number): string => `entered-${chargeId}`;

/** Saves a genuine message without effect, for staff to check. */
export async function saveIneffectiveNotice(
  db: Database,
  method: OnlineMethod,
  notice: GatewayNotice,
  outcome: "noted" | "mismatch" | "second_payment" | "unknown_order",
  intentId: string | undefined,
  at: number,
): Promise<void> {
  await db.batch([saveNoticeStatement(db, method, notice, intentId ?? null, sql`${outcome}`, at)]);
}
