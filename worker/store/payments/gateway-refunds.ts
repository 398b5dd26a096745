import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { BOOKING_ID_BY_IDENTIFIER_SQL } from "#worker/store/documents/issued-documents.ts";
import { prepareQuery, type QueryInstant } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { gatewayRefunds, paymentIntents } from "#worker/store/schema/payments.ts";
import { users } from "#worker/store/schema/people.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Time in ms for a gateway to answer. Staff must check a refund without an answer after it. */
const PATIENCE = 10 * 60_000;
/** Time in ms that the cron job leaves to the original request before it sends the refund. */
const HEAD_START = 30_000;

/**
 * Time in ms for which a refund without an answer is requested again. Gateways forget the keys of repeated requests
 * after a day, and would then refund twice: https://docs.stripe.com/api/idempotent_requests.
 */
const MAX_REPEATED_MS = 23 * 3_600_000;

// Condition for a refund that was requested and is neither completed nor refused. Its amount can't be refunded again in
// the meantime.
const IN_FLIGHT = sql.raw("state IN ('waiting', 'sent')");

const row = {
  refund: gatewayRefunds,
  method: paymentIntents.method,
  order: paymentIntents.orderReference,
  transaction: paymentIntents.transactionCode,
  currency: paymentIntents.currency,
  branchCode: bookings.branchCode,
  returnBranchCode: bookings.returnBranchCode,
  requestedByName: users.fullName,
};

const selectRefunds = (db: Database) =>
  db
    .select(row)
    .from(gatewayRefunds)
    .innerJoin(paymentIntents, eq(paymentIntents.id, gatewayRefunds.intentId))
    .innerJoin(bookings, eq(bookings.id, gatewayRefunds.bookingId))
    .leftJoin(users, eq(users.id, gatewayRefunds.requestedBy));

function rowsWhere(condition: SQL | undefined) {
  return prepareQuery((db) => selectRefunds(db).where(condition).orderBy(gatewayRefunds.id).limit(200));
}

/** Returns the query for the gateway refund, by its id. */
export const gatewayRefundQuery = rowsWhere(eq(gatewayRefunds.id, sql.placeholder("id")));
/** Returns the query for the gateway refunds of a contract, oldest first. */
export const bookingGatewayRefundsQuery = rowsWhere(eq(gatewayRefunds.bookingId, sql.placeholder("bookingId")));

/** Page of gateway refunds at a user's branches: those of a contract, or all unfinished ones. */
export interface GatewayRefundSearch {
  readonly bookingId: number | undefined;
  readonly userId: number;
  readonly after: number | undefined;
  readonly pageSize: number;
}

/** Returns a page of gateway refunds, oldest first, and the number of all matches. */
export function gatewayRefundListQueries(db: Database, { bookingId, userId, after, pageSize }: GatewayRefundSearch) {
  const matches =
    bookingId === undefined
      ? sql`gateway_refunds.state IN ('waiting', 'sent', 'refused')`
      : sql`gateway_refunds.booking_id = ${bookingId}`;
  const isVisible = sql`${matches} AND ${isInUserBranchesSql(userId, sql`bookings.branch_code`, sql`bookings.return_branch_code`)}`;
  return [
    selectRefunds(db)
      .where(sql`${isVisible} AND ${after === undefined ? sql`true` : sql`gateway_refunds.id > ${after}`}`)
      .orderBy(gatewayRefunds.id)
      .limit(pageSize + 1),
    db
      .select({
        total: sql<number>`count(*)`.as("total"),
        amountCents: sql<number>`coalesce(sum(gateway_refunds.amount_cents), 0)`.as("amount"),
      })
      .from(gatewayRefunds)
      .innerJoin(bookings, eq(bookings.id, gatewayRefunds.bookingId))
      .where(isVisible),
  ] as const;
}

export type GatewayRefundRow = Awaited<ReturnType<typeof gatewayRefundQuery>>[number];

/** Returns the query for the paid payments of a contract, newest first, with their refundable amount. */
export const refundablePaymentsQuery = prepareQuery((db) =>
  db
    .select({
      intentId: paymentIntents.id,
      method: paymentIntents.method,
      refundableCents:
        sql<number>`coalesce((SELECT captured_cents FROM payment_holds WHERE intent_id = payment_intents.id), amount_cents) - refunded_cents
        - (SELECT coalesce(sum(one.amount_cents), 0) FROM gateway_refunds AS one WHERE one.intent_id = payment_intents.id AND one.${IN_FLIGHT})`.as(
          "refundable",
        ),
      nextId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM gateway_refunds)`.as("next_id"),
    })
    .from(paymentIntents)
    .where(sql`payment_intents.booking_id = ${BOOKING_ID_BY_IDENTIFIER_SQL} AND payment_intents.state = 'paid'`)
    .orderBy(sql`paid_at DESC`),
);

/** Returns the statement that saves a refund before it's sent to a gateway. */
export function insertGatewayRefundStatement(
  db: Database,
  refund: Omit<typeof gatewayRefunds.$inferInsert, "state" | "problem" | "sentAt" | "endedAt">,
): Query {
  return db.insert(gatewayRefunds).values(refund);
}

/** Returns the statement that claims a refund for sending. Returns it to one caller only. */
export function claimGatewayRefundStatement(db: Database, id: number, at: number) {
  return db
    .update(gatewayRefunds)
    .set({ state: "sent", sentAt: at, problem: null })
    .where(and(eq(gatewayRefunds.id, id), eq(gatewayRefunds.state, "waiting")))
    .returning({ id: gatewayRefunds.id });
}

/** Returns the statement that saves the gateway's answer, unless a notification came first. */
export function saveGatewayRefundAnswerStatement(
  db: Database,
  id: number,
  answer: { readonly state: "refused" | "sent" | "waiting"; readonly problem: string },
) {
  return db
    .update(gatewayRefunds)
    .set({ ...answer, ...(answer.state === "refused" && { refusals: sql`refusals + 1` }) })
    .where(and(eq(gatewayRefunds.id, id), eq(gatewayRefunds.state, "sent")));
}

/** Returns the statement that marks a refund as completed by the gateway. A decision made in the meantime stays. */
export function completeGatewayRefundStatement(db: Database, id: number, intentId: string, at: number) {
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

/** Returns the uid for a manual entry of a gateway refund that failed or got no answer. */
export function toEnteredRefundUid(id: number): string {
  return `gateway-refund:${id}`;
}

/**
 * Returns the statement that saves a decision on a failed gateway refund. The batch is refused if the refund has ended.
 */
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

/** Condition for a refund that the creating request didn't send, or that may still be sent again. */
export const isGatewayRefundDueSql = (now: QueryInstant) =>
  sql`state = 'waiting' AND requested_at < ${now} - ${sql.raw(String(HEAD_START))}
    AND (problem IS NULL OR requested_at > ${now} - ${sql.raw(String(MAX_REPEATED_MS))})`;

/** Condition for a refund `one` that staff must check now. */
export const isGatewayRefundStuckSql = (now: number) => sql`one.state = 'refused'
  OR (one.state = 'sent' AND (one.problem IS NOT NULL OR one.sent_at < ${now - PATIENCE}))
  OR (one.state = 'waiting' AND one.requested_at < ${now - PATIENCE})`;

/** Whether staff must check a refund that was read. */
export function isGatewayRefundStuck(
  { state, problem, sentAt, requestedAt }: GatewayRefundRow["refund"],
  now: number,
): boolean {
  if (state === "sent") return problem !== null || (sentAt ?? 0) < now - PATIENCE;
  if (state === "waiting") return problem !== null && requestedAt <= now - MAX_REPEATED_MS;
  return state === "refused";
}

/** Returns the query for the refunds to send now. */
export const dueGatewayRefundsQuery = prepareQuery((db) =>
  db
    .select({ id: gatewayRefunds.id })
    .from(gatewayRefunds)
    .where(isGatewayRefundDueSql(sql.placeholder("now")))
    .orderBy(gatewayRefunds.id)
    .limit(50),
);
