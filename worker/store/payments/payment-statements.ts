import { type SQL, sql } from "drizzle-orm";
import type { GatewayNotice, OnlineMethod } from "#domain/payments/settlement.ts";
import type { Database } from "#worker/store/database.ts";
import { charges } from "#worker/store/schema/documents.ts";
import { paymentNotifications } from "#worker/store/schema/payments.ts";

export type ChargeMethod = (typeof charges.$inferSelect)["paymentMethodId"];

/** Keeps a message. A copy changes nothing; but a payment is recorded as one though a mismatching message came under its number before. */
export function noticeStatement(
  db: Database,
  method: OnlineMethod,
  notice: GatewayNotice,
  intentId: string | null,
  outcome: SQL,
  at: number,
) {
  return db
    .insert(paymentNotifications)
    .select(
      sql`SELECT NULL, ${method}, ${notice.order}, ${notice.kind}, ${notice.authCode}, ${intentId}, ${notice.amountCents ?? null},
        ${notice.currency ?? null}, ${outcome}, ${at} WHERE true`,
    )
    .onConflictDoUpdate({
      target: [
        paymentNotifications.method,
        paymentNotifications.orderReference,
        paymentNotifications.kind,
        paymentNotifications.authCode,
      ],
      set: { outcome: sql`excluded.outcome`, intentId: sql`excluded.intent_id` },
      setWhere: sql`payment_notifications.outcome IN ('mismatch', 'unknown_order') AND excluded.outcome = 'paid'`,
    });
}

interface ChargeSource {
  readonly type: "charge" | "payment";
  readonly chargeMethod: ChargeMethod;
  readonly amount: SQL;
  readonly operation: SQL;
  readonly from: SQL;
  /** The id of the document that it counts towards. */
  readonly document: SQL;
  readonly at: number;
  readonly when: SQL;
}

/** Writes the charge of an intent, or none where `when` does not hold. A transfer's comes from an order: it is no rental contract. */
export function chargeStatement(db: Database, intentId: string, source: ChargeSource) {
  const { type, chargeMethod, amount, operation, from, document, at, when } = source;
  return db.insert(charges).select(
    sql`SELECT NULL, booking.id, ${document}, CASE booking.kind WHEN 'transfer' THEN 'order' ELSE 'booking' END, ${type}, ${chargeMethod}, ${at}, ${amount}, intent.currency, 'done',
      booking.branch_code, booking.sales_channel_code, ${operation}, 'web', 0, NULL, 0, ${at}, ${at}, NULL
      FROM ${from} JOIN bookings AS booking ON booking.id = intent.booking_id WHERE intent.id = ${intentId} AND ${when}`,
  );
}
