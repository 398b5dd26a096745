import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { BOOKING_NAMED } from "#worker/store/documents/firm-documents.ts";
import { type Moment, prepared } from "#worker/store/prepared.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { gatewayRefunds, paymentIntents } from "#worker/store/schema/payments.ts";
import { users } from "#worker/store/schema/people.ts";

/** How long a request or the cron may be at it before a person should look, ms. */
const PATIENCE = 10 * 60_000;
/** How long the request that asked has, before the cron sends what it has not, ms. */
const HEAD_START = 30_000;

// Asked for, and neither given back nor refused yet: nobody else gives that money back meanwhile.
const IN_FLIGHT = sql.raw("state IN ('waiting', 'sent')");

const row = {
  refund: gatewayRefunds,
  method: paymentIntents.method,
  order: paymentIntents.orderReference,
  currency: paymentIntents.currency,
  branchCode: bookings.branchCode,
  returnBranchCode: bookings.returnBranchCode,
  askedByName: users.fullName,
};

function rowsWhere(condition: SQL | undefined) {
  return prepared((db) =>
    db
      .select(row)
      .from(gatewayRefunds)
      .innerJoin(paymentIntents, eq(paymentIntents.id, gatewayRefunds.intentId))
      .innerJoin(bookings, eq(bookings.id, gatewayRefunds.bookingId))
      .leftJoin(users, eq(users.id, gatewayRefunds.askedBy))
      .where(condition)
      .orderBy(gatewayRefunds.id)
      .limit(200),
  );
}

/** A refund that a gateway was asked for, by its id. */
export const gatewayRefundQuery = rowsWhere(eq(gatewayRefunds.id, sql.placeholder("id")));
/** Those of a contract, the oldest first. */
export const bookingRefundsQuery = rowsWhere(eq(gatewayRefunds.bookingId, sql.placeholder("bookingId")));
/** Those that have not ended, the oldest first. */
export const openGatewayRefundsQuery = rowsWhere(inArray(gatewayRefunds.state, ["waiting", "sent", "refused"]));

export type GatewayRefundRow = Awaited<ReturnType<typeof gatewayRefundQuery>>[number];

/** The paid payments of a contract, the latest first, with what is left of each to give back. */
export const refundablePaymentsQuery = prepared((db) =>
  db
    .select({
      intentId: paymentIntents.id,
      method: paymentIntents.method,
      refundableCents: sql<number>`amount_cents - refunded_cents
        - (SELECT coalesce(sum(one.amount_cents), 0) FROM gateway_refunds AS one WHERE one.intent_id = payment_intents.id AND one.${IN_FLIGHT})`.as(
        "refundable",
      ),
      nextId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM gateway_refunds)`.as("next_id"),
    })
    .from(paymentIntents)
    .where(sql`payment_intents.booking_id = ${BOOKING_NAMED} AND payment_intents.state = 'paid'`)
    .orderBy(sql`paid_at DESC`),
);

/** Keeps what a gateway is about to be asked for. */
export function insertGatewayRefund(
  db: Database,
  refund: Omit<typeof gatewayRefunds.$inferInsert, "state" | "problem" | "sentAt" | "endedAt">,
): Query {
  return db.insert(gatewayRefunds).values(refund);
}

/** Takes a refund to send it: answers it to one asker only. */
export function claimStatement(db: Database, id: number, at: number) {
  return db
    .update(gatewayRefunds)
    .set({ state: "sent", sentAt: at, problem: null })
    .where(and(eq(gatewayRefunds.id, id), eq(gatewayRefunds.state, "waiting")))
    .returning({ id: gatewayRefunds.id });
}

/** Keeps what came of asking, where no notification came first. */
export function answeredStatement(
  db: Database,
  id: number,
  answer: { readonly state: "refused" | "sent"; readonly problem: string },
) {
  return db
    .update(gatewayRefunds)
    .set(answer)
    .where(and(eq(gatewayRefunds.id, id), eq(gatewayRefunds.state, "sent")));
}

/** The gateway gave it back; what a person has decided on meanwhile stays as decided. */
export function completeRefundStatement(db: Database, id: number, intentId: string, at: number) {
  return db
    .update(gatewayRefunds)
    .set({ state: "done", endedAt: at, problem: null })
    .where(
      and(
        eq(gatewayRefunds.id, id),
        eq(gatewayRefunds.intentId, intentId),
        inArray(gatewayRefunds.state, ["waiting", "sent", "refused"]),
      ),
    );
}

/** Under which uid a person enters what a gateway was asked for and did not do, or did without an answer. */
export function enteredRefund(id: number): string {
  return `gateway-refund:${id}`;
}

/** Keeps what a person decided on a refund that the gateway did not do; the batch is refused where it has ended. */
export function decideGatewayRefundStatement(
  db: Database,
  id: number,
  state: "waiting" | "by_hand" | "dropped",
  at: number,
) {
  return db
    .update(gatewayRefunds)
    .set(state === "waiting" ? { state, problem: null, sentAt: null } : { state, endedAt: at })
    .where(eq(gatewayRefunds.id, id));
}

/** Of a refund: the request that asked for it did not come to sending it. */
export const refundDue = (now: Moment) =>
  sql`state = 'waiting' AND requested_at < ${now} - ${sql.raw(String(HEAD_START))}`;

/** Of a refund `one`: a person has to look at it, now. */
export const refundStuck = (now: number) => sql`one.state = 'refused'
  OR (one.state = 'sent' AND (one.problem IS NOT NULL OR one.sent_at < ${now - PATIENCE}))
  OR (one.state = 'waiting' AND one.requested_at < ${now - PATIENCE})`;

/** Whether that is so of one that was read. */
export function isStuck({ state, problem, sentAt }: GatewayRefundRow["refund"], now: number): boolean {
  if (state === "sent") return problem !== null || (sentAt ?? 0) < now - PATIENCE;
  return state === "refused";
}

/** The refunds to be sent now. */
export const dueRefundsQuery = prepared((db) =>
  db
    .select({ id: gatewayRefunds.id })
    .from(gatewayRefunds)
    .where(refundDue(sql.placeholder("now")))
    .orderBy(gatewayRefunds.id)
    .limit(50),
);
