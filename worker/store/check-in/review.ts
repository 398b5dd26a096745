import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, QueryResults } from "#worker/store/database.ts";
import type { QueryInstant } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { checkInDevices, checkInOperations } from "#worker/store/schema/check-in.ts";
import { users } from "#worker/store/schema/people.ts";

/** Office review filter. `incomplete`: files are missing, or something was omitted. */
export type OperationReviewFilter = "conflict" | "held" | "incomplete" | "all";

export interface OperationReviewSearch {
  readonly view: OperationReviewFilter;
  readonly page: number;
  readonly pageSize: number;
}

/** Device name for work done at the desk. No device can use it, and device lists omit it. */
export const OFFICE_DEVICE_ID = "office";

/** Returns operations with related data for the office. */
function recordsQuery(db: Database, condition: SQL | undefined) {
  return db
    .select({
      row: checkInOperations,
      sentBy: sql<string>`${users.fullName}`.as("sent_by"),
      customerFullName: sql<string>`trim(${bookings.customerName} || ' ' || ${bookings.customerSurname})`.as(
        "customer",
      ),
      branchCode: bookings.branchCode,
      filesTotal:
        sql<number>`(SELECT count(*) FROM check_in_operation_files AS file WHERE file.op_id = ${checkInOperations.opId})`.as(
          "files_total",
        ),
      filesMissing:
        sql<number>`(SELECT count(*) FROM check_in_operation_files AS file WHERE file.op_id = ${checkInOperations.opId} AND file.arrived = 0)`.as(
          "files_missing",
        ),
    })
    .from(checkInOperations)
    .innerJoin(bookings, eq(bookings.id, checkInOperations.bookingId))
    .innerJoin(users, eq(users.id, checkInOperations.userId))
    .where(condition)
    .orderBy(desc(checkInOperations.receivedAt), checkInOperations.opId)
    .$dynamic();
}

export type OperationReviewRow = Awaited<ReturnType<typeof recordsQuery>>[number];

// Restricts a staff member to their branches' work. Uses EXISTS, so that counting needs no join.
function isInBranches(branches: SQL): SQL {
  return sql`(${branches} IS NULL OR EXISTS (SELECT 1 FROM bookings AS own WHERE own.id = check_in_operations.booking_id
    AND (own.branch_code IN (SELECT value FROM json_each(${branches})) OR own.return_branch_code IN (SELECT value FROM json_each(${branches})))))`;
}

const VIEWS: Readonly<Record<OperationReviewFilter, SQL | undefined>> = {
  all: undefined,
  conflict: eq(checkInOperations.state, "conflict"),
  held: eq(checkInOperations.state, "held"),
  incomplete: sql`(check_in_operations.needs_review = 1
    OR check_in_operations.op_id IN (SELECT op_id FROM check_in_operation_files WHERE arrived = 0))`,
};

/** Returns the branches of a session's user as JSON, null for all. SQL, so that list and session are read together. */
function selectSessionBranches(sessionUserId: number): SQL {
  return sql`(SELECT CASE WHEN all_branches = 1 THEN NULL ELSE (SELECT json_group_array(branch_code) FROM user_branches WHERE user_id = users.id) END
    FROM users WHERE users.id = ${sessionUserId})`;
}

/** Returns the queries for the office's list: its page, the total, and the devices. */
export function operationReviewQueries(db: Database, userId: number, { view, page, pageSize }: OperationReviewSearch) {
  const condition = and(VIEWS[view], isInBranches(selectSessionBranches(userId)));
  return [
    recordsQuery(db, condition)
      .limit(pageSize)
      .offset(page * pageSize),
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(checkInOperations)
      .where(condition),
    db
      .select({
        deviceId: checkInDevices.deviceId,
        user: sql<string>`${users.fullName}`.as("user_name"),
        lastSeq: checkInDevices.lastSeq,
        received: checkInDevices.received,
        repeated: checkInDevices.repeated,
        lastSeenAt: checkInDevices.lastSeenAt,
        report: checkInDevices.report,
        reportedAt: checkInDevices.reportedAt,
      })
      .from(checkInDevices)
      .innerJoin(users, eq(users.id, checkInDevices.userId))
      .where(
        sql`device_id <> ${OFFICE_DEVICE_ID} AND (${selectSessionBranches(userId)} IS NULL OR EXISTS (SELECT 1 FROM user_branches AS theirs WHERE theirs.user_id = check_in_devices.user_id
          AND theirs.branch_code IN (SELECT value FROM json_each(${selectSessionBranches(userId)}))))`,
      )
      .orderBy(desc(checkInDevices.lastSeenAt))
      .limit(100),
  ] as const;
}

export type OperationReviewResults = QueryResults<ReturnType<typeof operationReviewQueries>>;

/** Returns the query for every operation of one booking, newest first. */
export function bookingOperationsQuery(db: Database, bookingId: number) {
  return recordsQuery(db, eq(checkInOperations.bookingId, bookingId)).limit(200);
}

/** Returns the query for one check-in operation as the office reviews it. */
export function reviewedOperationQuery(db: Database, opId: string) {
  return recordsQuery(db, eq(checkInOperations.opId, opId));
}

/** Returns the query for a booking's branches, to check access. */
export function bookingBranchesQuery(db: Database, bookingId: number) {
  return db
    .select({
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
    })
    .from(bookings)
    .where(eq(bookings.id, bookingId));
}

/** Returns the query for the branches of an operation's booking. */
export function operationBranchesQuery(db: Database, opId: string) {
  return db
    .select({
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
    })
    .from(checkInOperations)
    .innerJoin(bookings, eq(bookings.id, checkInOperations.bookingId))
    .where(eq(checkInOperations.opId, opId));
}

/**
 * Returns the statement that saves the office's decision on refused work while it's open, so that two users don't
 * overwrite each other.
 */
export function resolveOperationStatement(
  db: Database,
  opId: string,
  resolution: {
    readonly state: "accepted" | "dismissed";
    readonly userId: number;
    readonly at: number;
    readonly note: string | undefined;
  },
) {
  return db
    .update(checkInOperations)
    .set({
      state: resolution.state,
      needsLook: false,
      heldUntil: null,
      resolvedBy: resolution.userId,
      resolvedAt: resolution.at,
      resolutionNote: resolution.note ?? null,
    })
    .where(and(eq(checkInOperations.opId, opId), sql`(state IN ('conflict', 'held') OR needs_review = 1)`));
}

/** Condition for a held operation whose delivery has arrived, or that has waited long enough. */
export const isHeldOperationDueSql = (now: QueryInstant) =>
  sql`state = 'held' AND (held_until <= ${now} OR EXISTS (SELECT 1 FROM booking_units AS unit WHERE unit.id = unit_id AND unit.delivered_at IS NOT NULL))`;

/** Lists held operations of all bookings whose delivery has arrived, or that have waited long enough. */
export async function listDueHeldOperations(db: Database, now: number, limit: number) {
  const [rows] = await db.batch([
    db
      .select()
      .from(checkInOperations)
      .where(isHeldOperationDueSql(now))
      .orderBy(checkInOperations.receivedAt)
      .limit(limit),
  ]);
  return rows;
}
