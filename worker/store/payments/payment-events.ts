import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { GatewayEvent, GatewayReportedState } from "#domain/payments/gateway-events.ts";
import type { GatewayNotice, OnlineMethod } from "#domain/payments/gateway-notices.ts";
import type { Database } from "#worker/store/database.ts";
import { paymentEvents, paymentIntents, paymentNotifications } from "#worker/store/schema/payments.ts";
import { toEnteredRefundUid } from "./gateway-refunds.ts";

/**
 * Saves an event once by its id, and the gateway's id of its payment with our payment attempt. Returns the
 * attempt. An event names the attempt by the gateway's id, which has priority, or by our order or id.
 * `isSecond`: the attempt already has another payment, and the event is about a further one.
 */
export async function saveGatewayEvent(db: Database, method: OnlineMethod, event: GatewayEvent, at: number) {
  const { transaction, order } = event;
  const isNamed = namesAttempt(event);
  const isIt = or(transaction === undefined ? undefined : isTransactionFor(method, transaction), isNamed);
  const [, , [item]] = await db.batch([
    db
      .insert(paymentEvents)
      .values({
        eventId: event.id,
        method,
        type: event.type,
        transactionCode: transaction ?? null,
        orderReference: order ?? null,
        fact: event.fact,
        currency: event.currency ?? null,
        receivedAt: at,
      })
      .onConflictDoNothing(),
    db
      .update(paymentIntents)
      .set({ transactionCode: transaction ?? null })
      .where(
        isNamed === undefined || transaction === undefined
          ? sql`false`
          : and(
              eq(paymentIntents.method, method),
              isNamed,
              isNull(paymentIntents.transactionCode),
              sql`NOT EXISTS (SELECT 1 FROM payment_intents AS other WHERE other.method = ${method} AND other.transaction_code = ${transaction})`,
            ),
      ),
    db
      .select({
        id: paymentIntents.id,
        order: paymentIntents.orderReference,
        isSecond: sql`${transaction ?? null} <> coalesce(${paymentIntents.transactionCode}, '')`
          .mapWith(Boolean)
          .as("is_second"),
      })
      .from(paymentIntents)
      .where(isIt ? and(eq(paymentIntents.method, method), isIt) : sql`false`)
      .orderBy(desc(sql`${paymentIntents.transactionCode} IS ${transaction ?? null}`))
      .limit(1),
  ]);
  return item;
}

// Returns the condition for the attempt that an event names by our order or our id. Undefined if it names none.
function namesAttempt({ order, intentId }: GatewayEvent): SQL | undefined {
  return or(
    order === undefined ? undefined : eq(paymentIntents.orderReference, order),
    intentId === undefined ? undefined : eq(paymentIntents.id, intentId),
  );
}

// Returns the condition for the attempt to which a gateway's payment belongs. Events about refunds and
// disputes of a second payment name only the payment. An earlier event with our order connects it to the
// attempt.
function isTransactionFor(method: OnlineMethod, transaction: string): SQL | undefined {
  const orders = sql`SELECT order_reference FROM payment_events WHERE method = ${method} AND transaction_code = ${transaction}`;
  return or(eq(paymentIntents.transactionCode, transaction), sql`order_reference IN (${orders})`);
}

/** Reads all gateway events of a payment attempt, and the amounts that staff recorded as refunded by hand. */
export async function readPaymentGatewayEvents(
  db: Database,
  method: OnlineMethod,
  order: string,
  chargeMethod: string,
) {
  const transaction = sql`(SELECT transaction_code FROM payment_intents WHERE method = ${method} AND order_reference = ${order})`;
  const [events, [counted]] = await db.batch([
    db
      .select({ fact: paymentEvents.fact, currency: paymentEvents.currency })
      .from(paymentEvents)
      .where(
        and(
          eq(paymentEvents.method, method),
          sql`(transaction_code = ${transaction} OR (transaction_code IS NULL AND order_reference = ${order}))`,
        ),
      ),
    db
      .select({
        notices: sql<number>`count(*)`.as("notices"),
        confirmedCents:
          sql<number>`coalesce(sum((SELECT amount_cents FROM charges WHERE id = entered_charge_id)), 0)`.as(
            "confirmed_cents",
          ),
        enteredCents: sql<number>`(SELECT coalesce(sum(charge.amount_cents), 0) FROM gateway_refunds AS refund
          JOIN charges AS charge ON charge.uid = ${sql.raw(`'${toEnteredRefundUid(0).replace(/0$/, "")}'`)} || refund.id
          WHERE refund.intent_id = (SELECT id FROM payment_intents WHERE method = ${method} AND order_reference = ${order})
            AND charge.payment_method_id = ${chargeMethod})`.as("entered_cents"),
      })
      .from(paymentNotifications)
      .where(and(eq(paymentNotifications.method, method), eq(paymentNotifications.orderReference, order))),
  ]);
  const { notices = 0, confirmedCents = 0, enteredCents = 0 } = counted ?? {};
  return { events, notices, confirmedCents, enteredCents: enteredCents + confirmedCents };
}

/** Reads the facts that the gateway reported about one of its payments. */
export async function readTransactionReportedStates(
  db: Database,
  method: OnlineMethod,
  transaction: string,
): Promise<readonly GatewayReportedState[]> {
  const [events] = await db.batch([
    db
      .select({ fact: paymentEvents.fact })
      .from(paymentEvents)
      .where(and(eq(paymentEvents.method, method), eq(paymentEvents.transactionCode, transaction))),
  ]);
  return events.map(({ fact }) => fact);
}

/**
 * Ends the tasks with a code: about a dispute that was closed, a second payment that was refunded, or a refund whose
 * payment arrived. With a kind, only those of this kind.
 */
export async function completeNoticeTasks(
  db: Database,
  method: OnlineMethod,
  code: string,
  kind?: GatewayNotice["kind"],
): Promise<void> {
  await db.batch([
    db
      .update(paymentNotifications)
      .set({ outcome: "noted" })
      .where(
        and(
          eq(paymentNotifications.method, method),
          inArray(paymentNotifications.outcome, ["mismatch", "second_payment"]),
          eq(paymentNotifications.authCode, code),
          kind && eq(paymentNotifications.kind, kind),
        ),
      ),
  ]);
}
