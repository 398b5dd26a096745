import { type SQL, sql } from "drizzle-orm";
import type { GatewayNotice, OnlineMethod } from "#domain/payments/gateway-notices.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { charges } from "#worker/store/schema/documents.ts";
import { paymentNotifications } from "#worker/store/schema/payments.ts";
import { selectTotalOwedCents } from "./refunds-due.ts";

export type ChargeMethod = (typeof charges.$inferSelect)["paymentMethodId"];

/**
 * Returns the unique code under which a message is stored. A gateway's code is not unique for refunds: it can
 * be missing, or be the payment's code. Refunds that we requested therefore add our id, other refunds their
 * amount and the gateway's time.
 */
export function toNotificationCode({
  kind,
  authCode,
  amountCents,
  refundId,
  moment,
}: Pick<GatewayNotice, "kind" | "authCode" | "amountCents" | "refundId" | "moment">): string {
  if (kind !== "refunded") return authCode;
  if (refundId !== undefined) return `${authCode}#refund-${refundId}`;
  return [`${authCode}#${amountCents ?? ""}`, moment].filter(Boolean).join("#");
}

/** Gateway's own code of a stored refund. */
export const GATEWAY_REFUND_CODE_SQL = sql`substr(refund.auth_code, 1, instr(refund.auth_code || '#', '#') - 1)`;

/** SQL text of the outcomes that staff must check, as in the index `payment_notifications_unexpected`. */
export const UNEXPECTED_OUTCOMES_TEXT =
  "('mismatch', 'unknown_order', 'second_payment', 'waiting', 'refund_exceeds_paid')";
export const UNEXPECTED_OUTCOMES_SQL = sql.raw(UNEXPECTED_OUTCOMES_TEXT);

const MAX_ANSWER_LENGTH = 100;

/**
 * Returns the statement that saves a message. A copy changes nothing. A payment or refund is saved even if a
 * mismatching message with its number came before.
 */
export function saveNoticeStatement(
  db: Database,
  method: OnlineMethod,
  notice: GatewayNotice,
  intentId: string | null,
  outcome: SQL,
  at: number,
  enteredChargeId: number | null = null,
) {
  return db
    .insert(paymentNotifications)
    .select(
      selectRowToInsert(paymentNotifications, {
        method,
        orderReference: notice.order,
        kind: notice.kind,
        authCode: toNotificationCode(notice),
        paymentCode: notice.paymentCode ?? null,
        intentId,
        amountCents: notice.amountCents ?? null,
        currency: notice.currency ?? null,
        outcome,
        receivedAt: at,
        answer: (notice.answer ?? "").slice(0, MAX_ANSWER_LENGTH),
        enteredChargeId,
      }),
    )
    .onConflictDoUpdate({
      target: [
        paymentNotifications.method,
        paymentNotifications.orderReference,
        paymentNotifications.kind,
        paymentNotifications.authCode,
      ],
      set: {
        outcome: sql`excluded.outcome`,
        intentId: sql`excluded.intent_id`,
        answer: sql`excluded.answer`,
        enteredChargeId: sql`excluded.entered_charge_id`,
      },
      setWhere: sql`payment_notifications.outcome IN ('mismatch', 'unknown_order')
        AND (excluded.outcome IN ('paid', 'second_payment', 'waiting') OR excluded.payment_code IS NOT NULL OR excluded.entered_charge_id IS NOT NULL)`,
    });
}

interface ChargeSource {
  readonly type: "charge" | "payment";
  readonly chargeMethod: ChargeMethod;
  readonly amount: SQL;
  readonly operation: SQL;
  readonly from: SQL;
  /** Id of the document that the money is allocated to. */
  readonly document: SQL;
  readonly at: number;
  readonly when: SQL;
}

/**
 * Returns the statement that writes the charge of a payment intent if `when` holds. A transfer's charge comes from an
 * order, because it isn't a rental contract.
 */
export function newIntentChargeStatement(db: Database, intentId: string, source: ChargeSource) {
  const { type, chargeMethod, amount, operation, from, document, at, when } = source;
  return db.insert(charges).select(
    selectRowToInsert(
      charges,
      {
        bookingId: sql`booking.id`,
        documentId: document,
        sourceDoc: sql`CASE booking.kind WHEN 'transfer' THEN 'order' ELSE 'booking' END`,
        paymentType: type,
        paymentMethodId: chargeMethod,
        date: at,
        amountCents: amount,
        currency: sql`intent.currency`,
        branchCode: sql`booking.branch_code`,
        salesChannelCode: sql`booking.sales_channel_code`,
        externalOperationNumber: operation,
        origin: "web",
        createdAt: at,
        lastUpdate: at,
      },
      sql`FROM ${from} JOIN bookings AS booking ON booking.id = intent.booking_id WHERE intent.id = ${intentId} AND ${when}`,
    ),
  );
}

/**
 * Returns the statement that ends the tasks about second payments of a booking after a refund of any kind.
 * They end once their amount was refunded since, from either payment, or the booking is no longer overpaid.
 */
export function endSecondPaymentTasksStatement(db: Database, bookingId: number) {
  const recorded = sql`payment_intents AS intent JOIN payment_notifications AS notice ON notice.intent_id = intent.id
    WHERE intent.booking_id = ${bookingId} AND notice.outcome = 'second_payment' AND notice.auth_code = coalesce(intent.paid_code, '')`;
  const refundedCents = sql`(SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE booking_id = ${bookingId} AND payment_type = 'payment' AND virtual = 0
    AND created_at >= (SELECT min(notice.received_at) FROM ${recorded}))`;
  const overpaidCents = sql`(SELECT booking.total_paid_cents - ${selectTotalOwedCents("booking")} FROM bookings AS booking WHERE booking.id = ${bookingId})`;
  return db
    .update(paymentNotifications)
    .set({ outcome: "paid" })
    .where(
      sql`payment_notifications.id IN (SELECT notice.id FROM ${recorded})
        AND (${refundedCents} >= (SELECT sum(intent.amount_cents) FROM ${recorded}) OR ${overpaidCents} BETWEEN 1 - ${refundedCents} AND 0)`,
    );
}
