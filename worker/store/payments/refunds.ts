import { eq, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { refundApprovalRequests } from "#worker/store/schema/documents.ts";
import { users } from "#worker/store/schema/people.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

const refund = {
  request: refundApprovalRequests,
  branchCode: bookings.branchCode,
  returnBranchCode: bookings.returnBranchCode,
  requestedByName: sql<
    string | null
  >`(SELECT full_name FROM users AS asker WHERE asker.id = refund_requests.requested_by)`.as("asked_by_name"),
  decidedByName: sql<string | null>`${users.fullName}`.as("decided_by_name"),
};

/** Returns the query for the requested refund, by its id. */
export const refundRequestQuery = prepareQuery((db) =>
  db
    .select(refund)
    .from(refundApprovalRequests)
    .innerJoin(bookings, eq(bookings.id, refundApprovalRequests.bookingId))
    .leftJoin(users, eq(users.id, refundApprovalRequests.decidedBy))
    .where(eq(refundApprovalRequests.id, sql.placeholder("id"))),
);

export type RefundRequestRow = Awaited<ReturnType<typeof refundRequestQuery>>[number];

/** Cursor of the list of pending refunds. */
export interface PendingRefundCursor {
  /** Time of the request, epoch ms. */
  readonly at: number;
  readonly id: number;
}

/** Page of the pending refunds at a user's branches. */
export interface PendingRefundSearch {
  readonly userId: number;
  readonly after: PendingRefundCursor | undefined;
  readonly pageSize: number;
}

/** Returns a page of the refunds that require a second person, oldest first, and the number and amount of all. */
export function pendingRefundListQueries(db: Database, { userId, after, pageSize }: PendingRefundSearch) {
  const isPending = sql`refund_requests.state = 'waiting' AND ${isInUserBranchesSql(userId, sql`bookings.branch_code`, sql`bookings.return_branch_code`)}`;
  const isBehind = after ? sql`(requested_at, refund_requests.id) > (${after.at}, ${after.id})` : sql`true`;
  return [
    db
      .select(refund)
      .from(refundApprovalRequests)
      .innerJoin(bookings, eq(bookings.id, refundApprovalRequests.bookingId))
      .leftJoin(users, eq(users.id, refundApprovalRequests.decidedBy))
      .where(sql`${isPending} AND ${isBehind}`)
      .orderBy(refundApprovalRequests.requestedAt, refundApprovalRequests.id)
      .limit(pageSize + 1),
    db
      .select({
        total: sql<number>`count(*)`.as("total"),
        amountCents: sql<number>`coalesce(sum(refund_requests.amount_cents), 0)`.as("amount"),
      })
      .from(refundApprovalRequests)
      .innerJoin(bookings, eq(bookings.id, refundApprovalRequests.bookingId))
      .where(isPending),
  ] as const;
}

/**
 * Returns the query for the requested refunds of a contract, the payment method of most of the remaining amount, and
 * the next request's id.
 */
export const newRefundRequestDataQuery = prepareQuery((db) =>
  db
    .select({
      waitingCents: sql<number>`coalesce(sum(CASE WHEN refund_requests.booking_id = ${sql.placeholder("bookingId")}
        AND state = 'waiting' THEN amount_cents ELSE 0 END), 0)`.as("waiting"),
      nextId: sql<number>`coalesce(max(refund_requests.id), 0) + 1`.as("next_id"),
      methodLeft: sql<
        string | null
      >`(SELECT payment_method_id FROM charges WHERE charges.booking_id = ${sql.placeholder("bookingId")}
        AND virtual = 0 GROUP BY payment_method_id
        ORDER BY sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END) DESC, max(id) DESC LIMIT 1)`.as(
        "method_left",
      ),
    })
    .from(refundApprovalRequests),
);

/** Returns the statement that saves a refund until a second person decides. */
export function insertRefundRequestStatement(
  db: Database,
  request: Omit<typeof refundApprovalRequests.$inferInsert, "state" | "decidedBy" | "decidedAt">,
): Query {
  return db.insert(refundApprovalRequests).values(request);
}

/** Returns the statement that saves a second person's decision. The batch is refused if already decided. */
export function decideRefundRequestStatement(
  db: Database,
  id: number,
  { state, userId, at }: { readonly state: "approved" | "declined"; readonly userId: number; readonly at: number },
): Query {
  return db
    .update(refundApprovalRequests)
    .set({ state, decidedBy: userId, decidedAt: at })
    .where(eq(refundApprovalRequests.id, id));
}
