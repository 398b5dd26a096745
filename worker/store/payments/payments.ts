import { and, desc, eq, exists, getTableColumns, ne, or, type SQL, sql } from "drizzle-orm";
import type { RentalBooking } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";
import type { EnteredRefund } from "#domain/payments/entered-refunds.ts";
import type { GatewayNotice, OnlineMethod, PaymentHold, PaymentIntent } from "#domain/payments/gateway-notices.ts";
import type { PaymentPart } from "#domain/payments/payments.ts";
import { selectWebsitePage } from "#worker/store/bookings/website-page.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { prepareQuery, type QueryInstant } from "#worker/store/prepared-queries.ts";
import { bookingHistory, bookings, stockAllocations } from "#worker/store/schema/bookings.ts";
import { paymentGateways, paymentIntents, paymentNotifications } from "#worker/store/schema/payments.ts";
import { quoteHistory } from "#worker/store/schema/quotes.ts";
import { mapOnlineToChargeMethodSql, selectUnconfirmedEnteredRefunds } from "./entered-refunds.ts";
import { toEnteredRefundUid } from "./gateway-refunds.ts";
import { toNotificationCode } from "./payment-statements.ts";
import { isCancellationRefundDueSql, selectTotalOwedCents } from "./refunds-due.ts";

/** Returns the query for the fields of a rental or transfer reservation that a payment needs. */
export const payableBookingQuery = prepareQuery((db) =>
  db
    .select({
      id: bookings.id,
      status: bookings.status,
      totalCents:
        sql<number>`${bookings.totalCents} - ${bookings.creditedCents} - ${bookings.agentCommissionPrepaidCents}`.as(
          "due_cents",
        ),
      bookingAmountCents: bookings.bookingAmountCents,
      totalPaidCents: bookings.totalPaidCents,
      expiresAt: bookings.expiresAt,
      paidAfterExpiry: bookings.paidAfterExpiry,
      cancellationReason: bookings.cancellationReason,
      customerLanguage: bookings.customerLanguage,
    })
    .from(bookings)
    .where(eq(bookings.freeAccessId, sql.placeholder("freeAccessId"))),
);

/** Stored gateway of an account, with encrypted secrets. */
export type GatewayRow = typeof paymentGateways.$inferSelect;

export function gatewayQuery(db: Database, method: OnlineMethod) {
  return db.select().from(paymentGateways).where(eq(paymentGateways.method, method));
}

export async function findGateway(db: Database, method: OnlineMethod): Promise<GatewayRow | undefined> {
  const [rows] = await db.batch([gatewayQuery(db, method)]);
  return rows[0];
}

/** Payment attempt to store. */
export interface NewPaymentIntent {
  readonly id: string;
  readonly booking: Pick<RentalBooking, "id">;
  readonly method: OnlineMethod;
  readonly part: PaymentPart;
  readonly order: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly summaryUrl: string | undefined;
  readonly at: number;
  readonly expiresAt: number;
}

/**
 * Saves a payment intent once and ends the booking's earlier one. Returns the order reference, also if it was saved
 * before and the answer was lost. Undefined if another payment uses the order.
 */
export async function savePaymentIntent(db: Database, intent: NewPaymentIntent): Promise<string | undefined> {
  const [, , [item]] = await db.batch([
    db
      .update(paymentIntents)
      .set({ state: "expired" })
      .where(
        and(
          eq(paymentIntents.bookingId, intent.booking.id),
          eq(paymentIntents.state, "pending"),
          ne(paymentIntents.id, intent.id),
        ),
      ),
    db
      .insert(paymentIntents)
      .values({
        id: intent.id,
        bookingId: intent.booking.id,
        method: intent.method,
        part: intent.part,
        orderReference: intent.order,
        amountCents: intent.amountCents,
        currency: intent.currency,
        summaryUrl: intent.summaryUrl ?? null,
        createdAt: intent.at,
        expiresAt: intent.expiresAt,
      })
      .onConflictDoNothing(),
    db.select({ order: paymentIntents.orderReference }).from(paymentIntents).where(eq(paymentIntents.id, intent.id)),
  ]);
  return item?.order;
}

// Refunded amount, including refunds that the gateway announced before the payment.
const REFUNDED = sql<number>`refunded_cents + (SELECT coalesce(sum(amount_cents), 0) FROM payment_notifications
  WHERE intent_id = payment_intents.id AND outcome = 'waiting')`;

function enteredChargeId({ refundId }: GatewayNotice) {
  return sql<number | null>`(SELECT id FROM charges WHERE uid = ${toEnteredRefundUid(refundId ?? 0)}
    AND booking_id = payment_intents.booking_id AND payment_method_id = ${sql.raw(mapOnlineToChargeMethodSql("payment_intents.method"))})`.as(
    "entered_charge_id",
  );
}

/** Payment attempt that a gateway message is about, with what was stored about it. */
export interface NotifiedPayment {
  readonly intent: PaymentIntent;
  /** Outcome of an earlier copy of the same message, if there was one. */
  readonly outcome: (typeof paymentNotifications.$inferSelect)["outcome"] | undefined;
  /** Whether this message names the refund that we requested, although its earlier copy didn't. */
  readonly isNameNew: boolean;
  /** Charge with which staff recorded this requested refund as made on the gateway's site. */
  readonly enteredChargeId: number | undefined;
  /**
   * Other refunds that staff recorded for this gateway's payments of the contract, and that no message has confirmed
   * yet.
   */
  readonly enteredRefunds: readonly EnteredRefund[];
  /** Amount that the contract has paid. */
  readonly totalPaidCents: Cents;
  /** Whether the gateway has already notified us of the payment that the refund belongs to. */
  readonly isPaymentKnown: boolean;
  /** Language of the visitor. */
  readonly language: string;
  /** Whether the payment's booking is cancelled and its fee isn't fully paid. */
  readonly lacksFee: boolean;
}

// Parts of the code under which a refund is stored (`toNotificationCode`).
const STORED_REFUND_CODE = sql`substr(auth_code, 1, instr(auth_code, '#') - 1)`;
const STORED_REFUND_SUFFIX = sql`substr(auth_code, instr(auth_code, '#') + 1)`;

// Returns the condition for another copy of a refund's message. A gateway may send it with and without a code, and with
// and without our name for the refund. Two codes mean two refunds, also in the same minute. The code of the payment
// identifies no refund, because some gateways repeat it in every refund. The time isn't stored with our name.
function isSameRefund(notice: GatewayNotice, paidCode: SQL): SQL | undefined {
  const { authCode, amountCents, moment, refundId } = notice;
  const hasCode = sql`${authCode} NOT IN ('', ${paidCode})`;
  const isSameCode = sql`${hasCode} AND ${STORED_REFUND_CODE} = ${authCode}`;
  const isCodeMissing = sql`(NOT ${hasCode} OR ${STORED_REFUND_CODE} IN ('', ${paidCode}, ${authCode}))`;
  const isNamed = sql`${STORED_REFUND_SUFFIX} LIKE 'refund-%'`;
  const isSameAmount = sql`amount_cents = ${amountCents ?? -1}`;
  const isSameTime =
    moment === undefined
      ? sql`false`
      : sql`${STORED_REFUND_SUFFIX} = ${`${amountCents ?? ""}#${moment}`} AND ${isCodeMissing}`;
  if (refundId === undefined) return or(isSameTime, sql`${isNamed} AND ${isSameCode} AND ${isSameAmount}`);
  return or(
    sql`${STORED_REFUND_SUFFIX} = ${`refund-${refundId}`} AND ${isCodeMissing}`,
    sql`NOT ${isNamed} AND ${isSameCode} AND ${isSameAmount}`,
  );
}

/** Finds an order at a gateway, with an earlier copy of the message. */
export async function findNotifiedPayment(
  db: Database,
  method: OnlineMethod,
  notice: GatewayNotice,
): Promise<NotifiedPayment | undefined> {
  const { order, kind, authCode, paymentCode } = notice;
  const matchesOrder = and(eq(paymentNotifications.method, method), eq(paymentNotifications.orderReference, order));
  const paidCode = sql`coalesce((SELECT paid_code FROM payment_intents WHERE method = ${method} AND order_reference = ${order}), '')`;
  const isCopy =
    kind === "refunded"
      ? or(eq(paymentNotifications.authCode, toNotificationCode(notice)), isSameRefund(notice, paidCode))
      : eq(paymentNotifications.authCode, authCode);
  const [intents, notices] = await db.batch([
    db
      .select({
        ...getTableColumns(paymentIntents),
        refundedCents: REFUNDED,
        isKnown: exists(
          db
            .select({ id: paymentNotifications.id })
            .from(paymentNotifications)
            .where(
              and(
                matchesOrder,
                eq(paymentNotifications.kind, "authorised"),
                eq(paymentNotifications.authCode, paymentCode ?? ""),
              ),
            ),
        )
          .mapWith(Boolean)
          .as("is_known"),
        enteredChargeId: enteredChargeId(notice),
        entered: selectUnconfirmedEnteredRefunds("payment_intents.booking_id", "payment_intents.method"),
        totalPaidCents: sql<number>`(SELECT total_paid_cents FROM bookings WHERE id = payment_intents.booking_id)`.as(
          "total_paid_cents",
        ),
        language: sql<string>`(SELECT customer_language FROM bookings WHERE id = payment_intents.booking_id)`.as(
          "language",
        ),
        lacksFee: LACKS_FEE.as("lacks_fee"),
        hold: HOLD_JSON,
      })
      .from(paymentIntents)
      .where(and(eq(paymentIntents.method, method), eq(paymentIntents.orderReference, order))),
    db
      .select({
        outcome: paymentNotifications.outcome,
        isUnnamed: sql`${STORED_REFUND_SUFFIX} NOT LIKE 'refund-%'`.mapWith(Boolean).as("is_unnamed"),
      })
      .from(paymentNotifications)
      .where(and(matchesOrder, eq(paymentNotifications.kind, kind), isCopy))
      .orderBy(sql`outcome IN ('mismatch', 'unknown_order')`),
  ]);
  const row = intents[0];
  return (
    row && {
      intent: { ...row, order: row.orderReference, paidCode: row.paidCode ?? undefined, hold: row.hold ?? undefined },
      isPaymentKnown: row.isKnown,
      outcome: notices[0]?.outcome,
      isNameNew: notice.refundId !== undefined && notices[0]?.isUnnamed === true,
      enteredChargeId: row.enteredChargeId ?? undefined,
      enteredRefunds: row.entered,
      totalPaidCents: row.totalPaidCents,
      language: row.language,
      lacksFee: row.lacksFee === 1,
    }
  );
}

/** Finds our order of a payment by the gateway's code of it. */
export async function findPaymentOrder(
  db: Database,
  method: OnlineMethod,
  paymentCode: string,
): Promise<string | undefined> {
  const [[notice]] = await db.batch([
    db
      .select({ order: paymentNotifications.orderReference })
      .from(paymentNotifications)
      .where(
        and(
          eq(paymentNotifications.method, method),
          eq(paymentNotifications.kind, "authorised"),
          eq(paymentNotifications.authCode, paymentCode),
        ),
      )
      .limit(1),
  ]);
  return notice?.order;
}

/**
 * Finds the message that a refund or reversal was cancelled, if the message came before the refund that is recorded
 * now.
 */
export async function findReinstatementBeforeRefund(db: Database, intentId: string) {
  const [[notice]] = await db.batch([
    db
      .select({
        authCode: paymentNotifications.authCode,
        amountCents: sql<number>`amount_cents`.as("amount_cents"),
        paymentCode: sql<string | undefined>`payment_code`.as("payment_code"),
      })
      .from(paymentNotifications)
      .where(
        sql`intent_id = ${intentId} AND kind = 'reinstated' AND outcome = 'mismatch'
          AND EXISTS (SELECT 1 FROM payment_intents AS intent WHERE intent.id = ${intentId} AND intent.state = 'paid'
            AND coalesce(payment_code, intent.paid_code, '') = coalesce(intent.paid_code, payment_code, '')
            AND payment_notifications.amount_cents BETWEEN 1 AND intent.refunded_cents
            AND coalesce(payment_notifications.currency, intent.currency) = intent.currency)`,
      )
      .limit(1),
  ]);
  return notice;
}

// Card hold that the payment attempt is for, as JSON.
const HOLD_JSON =
  sql`(SELECT json_object('id', id, 'status', status, 'capturedCents', captured_cents, 'attemptId', intent_id) FROM payment_holds
  WHERE link_id = payment_intents.link_id)`
    .mapWith(parseStoredJson<PaymentHold | null>)
    .as("card_hold");

// Whether a cancelled booking's fee isn't fully paid. Expired bookings don't count, because a payment reactivates them.
const LACKS_FEE = sql<number>`(SELECT status = 'cancelled' AND cancellation_reason IS NOT 'expired'
    AND cancellation_fee_cents > total_paid_cents FROM bookings WHERE id = payment_intents.booking_id)`;

/** Payment data for a visitor who returns from a gateway. */
export interface ReturningVisitorPayment {
  readonly state: PaymentIntent["state"];
  readonly amountCents: number;
  readonly currency: string;
  readonly summaryUrl: string | undefined;
  readonly bookingId: number;
  readonly kind: "rental" | "transfer";
  readonly freeAccessId: string;
  readonly bookingStatus: RentalBooking["status"];
  readonly needsStaffDecision: boolean;
  /** Whether the booking was cancelled and more was paid than is retained. */
  readonly isOwedBack: boolean;
  /** Whether this payment is superfluous, because another payment already covered the amount. */
  readonly isSecond: boolean;
  readonly isOverpaid: boolean;
  /** Total amount paid for the booking, and the amount still to pay. */
  readonly bookingPaidCents: Cents;
  readonly bookingPendingCents: Cents;
  /** Refunded amount of this payment. */
  readonly refundedCents: Cents;
  /** Time of the last refund, epoch ms. */
  readonly refundedAt: number | undefined;
  /** Amount of pending refunds at the gateway. */
  readonly refundingCents: Cents;
  readonly language: string;
  /** Page of the website that made the booking. */
  readonly websitePage: string | null;
  /** Whether the gateway's last notification didn't match the payment, so that staff must check it. */
  readonly isRefused: boolean;
  /** Whether the last message reported the payment as pending at the gateway. */
  readonly isPendingAtBank: boolean;
}

const IS_REFUND = sql`booking_id = payment_intents.booking_id AND payment_type = 'payment' AND virtual = 0 AND deposit_kept = 0`;
// Amount that staff refunded by hand. It counts for the last payment first, because a double payment is refunded from
// the second one.
const MANUAL_REFUND_CENTS = sql`(SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE ${IS_REFUND})
  - (SELECT coalesce(sum(iif(other.state = 'paid' AND other.paid_at > payment_intents.paid_at, other.amount_cents, other.refunded_cents)), 0)
    FROM payment_intents AS other WHERE other.booking_id = payment_intents.booking_id)`;
const REFUNDED_CENTS = sql<number>`min(payment_intents.amount_cents, payment_intents.refunded_cents + max(0, ${MANUAL_REFUND_CENTS}))`;

/** Returns the payment with an unguessable id, from the database. */
export async function findReturningVisitorPayment(
  db: Database,
  intentId: string,
): Promise<ReturningVisitorPayment | undefined> {
  const [rows, notices] = await db.batch([
    db
      .select({
        state: paymentIntents.state,
        amountCents: paymentIntents.amountCents,
        currency: paymentIntents.currency,
        summaryUrl: paymentIntents.summaryUrl,
        bookingId: bookings.id,
        kind: bookings.kind,
        freeAccessId: bookings.freeAccessId,
        bookingStatus: bookings.status,
        needsStaffDecision: bookings.paidAfterExpiry,
        isOwedBack: sql<0 | 1>`(${isCancellationRefundDueSql("bookings")})`.as("is_refund_due"),
        bookingPaidCents: bookings.totalPaidCents,
        bookingOwedCents: sql<number>`(${selectTotalOwedCents("bookings")})`.as("booking_owed_cents"),
        refundedCents: REFUNDED_CENTS.as("given_back_cents"),
        refundedAt: sql<number | null>`(SELECT max(date) FROM charges WHERE ${IS_REFUND})`.as("given_back_at"),
        refundingCents: sql<number>`(SELECT coalesce(sum(amount_cents), 0) FROM gateway_refunds
          WHERE intent_id = payment_intents.id AND state IN ('waiting', 'sent'))`.as("on_its_way_cents"),
        language: bookings.customerLanguage,
        websitePage: selectWebsitePage("bookings").as("website_page"),
      })
      .from(paymentIntents)
      .innerJoin(bookings, eq(bookings.id, paymentIntents.bookingId))
      .where(eq(paymentIntents.id, intentId)),
    db
      .select({ outcome: paymentNotifications.outcome, kind: paymentNotifications.kind })
      .from(paymentNotifications)
      .where(eq(paymentNotifications.intentId, intentId))
      .orderBy(desc(paymentNotifications.id))
      .limit(1),
  ]);
  const row = rows[0];
  const last = notices[0]?.outcome;
  return (
    row && {
      ...row,
      summaryUrl: row.summaryUrl ?? undefined,
      isOwedBack: row.isOwedBack === 1,
      isSecond: last === "second_payment",
      isOverpaid: row.bookingPaidCents > row.bookingOwedCents,
      bookingPendingCents: Math.max(0, row.bookingOwedCents - row.bookingPaidCents),
      refundedAt: row.refundedAt ?? undefined,
      isRefused: last === "mismatch",
      isPendingAtBank: notices[0]?.kind === "pending",
    }
  );
}

const DRIVEN_MINUTES = 2880;

/** Condition for a booking with an expired unpaid hold. A partly paid booking stays until staff decide. */
export const isUnpaidHoldExpiredSql = (now: QueryInstant) =>
  sql`status = 'pending_confirmation' AND expires_at <= ${now} AND total_paid_cents = 0`;
/** Condition for a payment that was started and not completed before it expired. */
export const isPaymentAbandonedSql = (now: QueryInstant) => sql`state = 'pending' AND expires_at <= ${now}`;
/** Condition for the stock of trips that are over in every time zone (at most two days behind). It's deleted. */
export const isPastTransferAllocationSql = (now: QueryInstant) =>
  sql`kind = 'transfer' AND ends_at < ${now} / 60000 - ${DRIVEN_MINUTES}`;

/** Condition for units that an expired quote held. */
export const isQuoteHoldExpiredSql = (now: QueryInstant) => sql`quote_id IS NOT NULL AND expires_at <= ${now}`;

// The same period as events are stored for partners.
const MAX_EXPIRED_QUOTE_AGE_MS = 30 * 86_400_000;

/** Condition for an open quote that is no longer valid, if its history doesn't contain the expiry yet. */
export const isQuoteExpiryUnrecordedSql = (
  now: QueryInstant,
) => sql`status IN ('draft', 'sent') AND min(valid_until, pickup_at) <= ${now}
  AND min(valid_until, pickup_at) > ${now} - ${sql.raw(String(MAX_EXPIRED_QUOTE_AGE_MS))}
  AND NOT EXISTS (SELECT 1 FROM quote_history WHERE quote_id = quotes.id AND event = 'expired'
    AND quote_history.at >= min(quotes.valid_until, quotes.pickup_at))`;

const HAS_PAPERS = sql`EXISTS (SELECT 1 FROM booking_documents WHERE booking_documents.booking_id = bookings.id)`;

/**
 * Cancels expired unpaid holds and ends abandoned payments. Returns the number of bookings, and those with documents.
 * The latter stay until their documents are credited in the same batch.
 */
export async function expireUnpaidHolds(
  db: Database,
  now: number,
): Promise<{ readonly count: number; readonly withDocuments: readonly number[] }> {
  const withDocuments = db
    .select({ id: bookings.id })
    .from(bookings)
    .where(sql`${isUnpaidHoldExpiredSql(now)} AND ${HAS_PAPERS}`);
  const [item, , cancelled] = await db.batch([withDocuments, ...expireUnpaidHoldsStatements(db, now)]);
  return { count: cancelled.length, withDocuments: item.map(({ id }) => id) };
}

/** Returns the expiry statements for a batch. */
export function expireUnpaidHoldsStatements(db: Database, now: number) {
  return [
    ...expireStatements(db, sql`${isUnpaidHoldExpiredSql(now)} AND NOT ${HAS_PAPERS}`, now),
    db.update(paymentIntents).set({ state: "expired" }).where(isPaymentAbandonedSql(now)),
    db.delete(stockAllocations).where(isPastTransferAllocationSql(now)),
    db.delete(stockAllocations).where(isQuoteHoldExpiredSql(now)),
    db
      .insert(quoteHistory)
      .select(
        selectRowToInsert(
          quoteHistory,
          { quoteId: sql`quotes.id`, at: now, actor: "system", event: "expired", detail: "{}" },
          sql`FROM quotes WHERE ${isQuoteExpiryUnrecordedSql(now)}`,
        ),
      ),
  ] as const;
}

/** Returns the query for a booking if its hold has expired unpaid. */
export function expiredUnpaidBookingQuery(db: Database, id: number, now: number) {
  return db
    .select({ id: bookings.id })
    .from(bookings)
    .where(sql`id = ${id} AND ${isUnpaidHoldExpiredSql(now)}`);
}

/** Returns the statements that cancel one booking with an expired unpaid hold. */
export function expireBookingHoldStatements(db: Database, id: number, now: number) {
  return expireStatements(db, sql`id = ${id} AND ${isUnpaidHoldExpiredSql(now)}`, now);
}

function expireStatements(db: Database, ended: SQL, now: number) {
  return [
    db
      .insert(bookingHistory)
      .select(
        selectRowToInsert(
          bookingHistory,
          { bookingId: sql`id`, at: now, actor: "system", event: "expired" },
          sql`FROM bookings WHERE ${ended}`,
        ),
      ),
    db
      .update(bookings)
      .set({
        status: "cancelled",
        version: sql`version + 1`,
        expiresAt: null,
        cancelledAt: now,
        cancellationReason: "expired",
        lastUpdate: now,
      })
      .where(ended)
      .returning({ id: bookings.id }),
  ] as const;
}
