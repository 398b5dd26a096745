import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { NewCharge } from "#domain/payments/charges.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { expectBookingVersionStatement, refuseBookingBatchIfStatement } from "#worker/store/guards/booking-version.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { paymentHolds, paymentIntents, paymentLinks } from "#worker/store/schema/payments.ts";
import { newChargesStatements } from "./charges.ts";
import { saveNoticeStatement } from "./payment-statements.ts";
import {
  applyEarlierRefundsToCaptureStatements,
  type BookingDocumentStatements,
  type OnlineSettlement,
} from "./settlement.ts";

/** Time in ms for a gateway to answer. Staff must check a card hold without an answer after it. */
const PATIENCE = 10 * 60_000;
const HEAD_START = 30_000;

/** Returns the amount that cards hold for a booking's deposit now, in minor units. `booking` is the table's alias. */
export function selectAuthorisedCardHoldCents(booking: "booking" | "bookings"): SQL<number> {
  return sql<number>`(SELECT coalesce(sum(hold.amount_cents), 0) FROM payment_holds AS hold WHERE hold.booking_id = ${sql.raw(booking)}.id
    AND hold.status = 'authorised' AND hold.expires_at > unixepoch() * 1000)`;
}

const hold = {
  id: paymentHolds.id,
  bookingId: paymentHolds.bookingId,
  amountCents: paymentHolds.amountCents,
  status: paymentHolds.status,
  capturedCents: paymentHolds.capturedCents,
  expiresAt: paymentHolds.expiresAt,
  action: paymentHolds.action,
  actionState: paymentHolds.actionState,
  actionCents: paymentHolds.actionCents,
  actionReason: paymentHolds.actionReason,
  actionBy: paymentHolds.actionBy,
  actionAt: paymentHolds.actionAt,
  problem: paymentHolds.problem,
  createdAt: sql<number>`${paymentHolds.createdAt}`.as("hold_created_at"),
  method: paymentIntents.method,
  order: paymentIntents.orderReference,
  transaction: paymentIntents.transactionCode,
  currency: paymentIntents.currency,
  linkStatus: sql<(typeof paymentLinks.$inferSelect)["status"]>`${paymentLinks.status}`.as("link_status"),
  linkExpiresAt: sql<number>`${paymentLinks.expiresAt}`.as("link_expires_at"),
  linkId: paymentHolds.linkId,
};

function holdsWhere(condition: SQL) {
  return prepareQuery((db) =>
    db
      .select(hold)
      .from(paymentHolds)
      .innerJoin(paymentLinks, eq(paymentLinks.id, paymentHolds.linkId))
      .leftJoin(paymentIntents, eq(paymentIntents.id, paymentHolds.intentId))
      .where(condition)
      .orderBy(paymentHolds.id),
  );
}

/** Returns the query for the card holds of a reservation, oldest first. */
export const bookingCardHoldsQuery = holdsWhere(eq(paymentHolds.bookingId, sql.placeholder("bookingId")));
/** Returns the query that reads a card hold by its id. */
export const cardHoldQuery = holdsWhere(eq(paymentHolds.id, sql.placeholder("id")));
/** Returns the query that reads the card hold that a payment link requests. */
export const linkCardHoldQuery = holdsWhere(eq(paymentHolds.linkId, sql.placeholder("linkId")));

export type CardHoldRow = Awaited<ReturnType<typeof cardHoldQuery>>[number];

/** Returns the statement that adds the hold of a new link. */
export function newCardHoldStatement(
  db: Database,
  row: { readonly bookingId: number; readonly linkId: number; readonly amountCents: number; readonly at: number },
): Query {
  const { bookingId, linkId, amountCents, at } = row;
  return db.insert(paymentHolds).values({ bookingId, linkId, amountCents, createdAt: at, lastUpdate: at });
}

function historyStatement(
  db: Database,
  { intent, method, at }: Pick<OnlineSettlement, "intent" | "method" | "at">,
  detail: Readonly<Record<string, unknown>>,
) {
  return db.insert(bookingHistory).select(
    selectRowToInsert(
      bookingHistory,
      {
        bookingId: intent.bookingId,
        at,
        actor: `gateway:${method}`,
        event: "changed",
        detail: JSON.stringify(detail),
      },
      sql`WHERE changes() = 1`,
    ),
  );
}

const holdIs = (id: number, ...states: (typeof paymentHolds.$inferSelect)["status"][]) =>
  and(eq(paymentHolds.id, id), inArray(paymentHolds.status, states));

// Condition that the hold has no card yet, or its card is that of this attempt.
const belongsToCard = (intentId: string) => sql`(coalesce(intent_id, ${intentId}) = ${intentId})`;

/** Saves that the amount is held on the card, once. A hold that was released or captured stays so. */
export async function saveCardHold(db: Database, settlement: OnlineSettlement, holdId: number): Promise<void> {
  const { intent, notice, method, at } = settlement;
  const days = sql`(SELECT hold_days FROM payment_gateways WHERE method = ${method})`;
  // Whether another card is held already. Staff must release this one unless it was captured or released.
  const isSecond = sql`EXISTS (SELECT 1 FROM payment_holds WHERE id = ${holdId} AND intent_id IS NOT NULL AND intent_id <> ${intent.id})
    AND NOT EXISTS (SELECT 1 FROM payment_notifications WHERE intent_id = ${intent.id} AND kind IN ('captured', 'released'))`;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`iif(${isSecond}, 'second_payment', 'noted')`, at),
    db
      .update(paymentIntents)
      .set({ state: "held" })
      .where(and(eq(paymentIntents.id, intent.id), sql`state <> 'paid'`)),
    db
      .update(paymentHolds)
      .set({
        status: "authorised",
        intentId: intent.id,
        amountCents: intent.amountCents,
        expiresAt: sql`${at} + 86400000 * ${days}`,
        lastUpdate: at,
      })
      .where(holdIs(holdId, "requested", "failed")),
    historyStatement(db, settlement, { cardHold: holdId, cents: intent.amountCents }),
  ]);
}

/** Saves that the gateway refused a card. The customer can still try another one. */
export async function saveCardHoldRefusal(db: Database, settlement: OnlineSettlement, holdId: number): Promise<void> {
  const { intent, notice, method, at } = settlement;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'denied'`, at),
    db
      .update(paymentIntents)
      .set({ state: "denied" })
      .where(and(eq(paymentIntents.id, intent.id), eq(paymentIntents.state, "pending"))),
    db.update(paymentHolds).set({ status: "failed", lastUpdate: at }).where(holdIs(holdId, "requested")),
  ]);
}

/** Saves that the gateway has released the amount, once. */
export async function saveCardHoldRelease(db: Database, settlement: OnlineSettlement, holdId: number): Promise<void> {
  const { intent, notice, method, at } = settlement;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'noted'`, at),
    db
      .update(paymentHolds)
      .set({
        status: "released",
        intentId: sql`coalesce(intent_id, ${intent.id})`,
        action: null,
        actionState: null,
        problem: null,
        lastUpdate: at,
      })
      .where(and(holdIs(holdId, "requested", "failed", "authorised"), belongsToCard(intent.id))),
    historyStatement(db, settlement, { cardHoldReleased: holdId }),
  ]);
}

/** Charge of a capture, with the documents of an ended contract. */
export interface CardCaptureCharge extends BookingDocumentStatements {
  readonly charge: Omit<NewCharge, "kind" | "uid" | "amountCents">;
}

/**
 * Saves a capture once. From then on the held amount is money: a deposit that was received and retained. The
 * batch is refused if the booking has changed since it was read, or if another card is held by now
 * (`isBookingVersionConflict`).
 */
export async function saveCardHoldCapture(
  db: Database,
  settlement: OnlineSettlement,
  holdId: number,
  { booking, statements, charge }: CardCaptureCharge,
): Promise<void> {
  const { intent, notice, method, at } = settlement;
  const amountCents = notice.amountCents ?? intent.amountCents;
  const uid = `hold:${holdId}`;
  const reason = sql`(SELECT action_reason FROM payment_holds WHERE id = ${holdId})`;
  await db.batch([
    saveNoticeStatement(db, method, notice, intent.id, sql`'noted'`, at),
    expectBookingVersionStatement(db, booking),
    // Another card may have been held since the hold was read.
    refuseBookingBatchIfStatement(
      db,
      booking.id,
      sql`EXISTS (SELECT 1 FROM payment_holds WHERE id = ${holdId} AND NOT ${belongsToCard(intent.id)})`,
    ),
    db
      .update(paymentIntents)
      .set({ state: "paid", paidAt: at, paidCode: notice.authCode || null })
      .where(eq(paymentIntents.id, intent.id)),
    db
      .update(paymentHolds)
      .set({
        status: "captured",
        capturedCents: amountCents,
        amountCents: sql`max(amount_cents, ${amountCents})`,
        intentId: sql`coalesce(intent_id, ${intent.id})`,
        action: null,
        actionState: null,
        problem: null,
        lastUpdate: at,
      })
      .where(holdIs(holdId, "requested", "failed", "authorised", "released")),
    ...statements,
    ...newChargesStatements(db, [
      { ...charge, document: undefined, kind: "deposit_received", uid: `${uid}:received`, amountCents },
      { ...charge, kind: "deposit_kept", uid: `${uid}:captured`, amountCents },
    ]),
    db.update(bookings).set({ version: sql`version + 1`, lastUpdate: at }).where(eq(bookings.id, intent.bookingId)),
    db.insert(bookingHistory).select(
      selectRowToInsert(bookingHistory, {
        bookingId: intent.bookingId,
        at,
        actor: `gateway:${method}`,
        event: "changed",
        detail: sql`json_object('cardHoldCaptured', ${holdId}, 'cents', ${amountCents}, 'reason', ${reason})`,
      }),
    ),
    ...applyEarlierRefundsToCaptureStatements(db, settlement),
  ]);
}

/** Requested end of a hold. */
export interface CardHoldAction {
  readonly action: "capture" | "release";
  readonly cents: number | null;
  readonly reason: string | null;
  readonly userId: number;
  readonly at: number;
}

/** Returns the statement that saves the action before it's sent to the gateway. */
export function requestCardHoldActionStatement(
  db: Database,
  id: number,
  { action, cents, reason, userId, at }: CardHoldAction,
): Query {
  return db
    .update(paymentHolds)
    .set({
      ...{ action, actionState: "waiting", actionCents: cents, actionReason: reason, actionBy: userId, actionAt: at },
      ...{ problem: null, lastUpdate: at },
    })
    .where(and(eq(paymentHolds.id, id), eq(paymentHolds.status, "authorised")));
}

/** Returns the statement that claims an action for sending. Returns it to one caller only. */
export function claimCardHoldActionStatement(db: Database, id: number) {
  return db
    .update(paymentHolds)
    .set({ actionState: "sent" })
    .where(and(eq(paymentHolds.id, id), eq(paymentHolds.actionState, "waiting")))
    .returning({ id: paymentHolds.id });
}

/** Returns the statement that saves the gateway's answer, unless a notification came first. */
export function saveCardHoldAnswerStatement(
  db: Database,
  id: number,
  answer: { readonly state: "waiting" | "sent" | "refused"; readonly problem: string },
): Query {
  return db
    .update(paymentHolds)
    .set({ actionState: answer.state, problem: answer.problem })
    .where(and(eq(paymentHolds.id, id), eq(paymentHolds.actionState, "sent")));
}

/** Condition for a capture or release that the creating request didn't send, or that must be sent again. */
export const isCardHoldActionDueSql = (now: number | SQL) =>
  sql`action_state = 'waiting' AND action_at < ${now} - ${sql.raw(String(HEAD_START))}`;

/** Condition for an action of the hold `one` that staff must check now. */
export const isCardHoldActionStuckSql = (now: number) => sql`one.action_state = 'refused'
  OR (one.action_state IS NOT NULL AND one.action_at < ${now - PATIENCE})`;

/** Returns the query that reads the captures and releases of card holds that are due to be sent to the gateway. */
export const dueCardHoldActionsQuery = prepareQuery((db) =>
  db
    .select({ id: paymentHolds.id })
    .from(paymentHolds)
    .where(isCardHoldActionDueSql(sql`${sql.placeholder("now")}`))
    .orderBy(paymentHolds.id)
    .limit(50),
);
