import { type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { acceptedShortages } from "#worker/store/schema/bookings.ts";
import { users } from "#worker/store/schema/people.ts";

/** Manager's decision to rent out more than the stock contains. */
export interface AcceptedShortage {
  /** Time at which staff accepted it, epoch ms. */
  readonly at: number;
  readonly actor: string;
  readonly reason: string;
}

type BookingId = { readonly bookingId: number } | { readonly freeAccessId: string };

const toId = (name: BookingId): SQL =>
  "bookingId" in name
    ? sql`${name.bookingId}`
    : sql`(SELECT id FROM bookings WHERE free_access_id = ${name.freeAccessId})`;

/**
 * Wraps statements of a batch so that the stock guard lets this booking take more stock than there is. The
 * guard still checks other bookings, and checks this one again after the last statement.
 */
export function allowShortageDuringStatements(
  db: Database,
  bookingIdentifier: BookingId,
  accepted: AcceptedShortage | undefined,
  statements: readonly Query[],
): readonly Query[] {
  if (!accepted) return statements;
  const opened = db
    .insert(acceptedShortages)
    .select(selectRowToInsert(acceptedShortages, { bookingId: toId(bookingIdentifier), ...accepted, isOpen: true }));
  const closed = db
    .update(acceptedShortages)
    .set({ isOpen: false })
    .where(sql`booking_id = ${toId(bookingIdentifier)} AND is_open = 1`);
  return [opened, ...statements, closed];
}

/** Maximum number of listed managers who can approve an exception. */
const MAX_APPROVERS = 20;

/** Returns the query for the managers and administrators who can approve a shortage or other exception at a branch. */
export function approversQuery(db: Database, branchCode: string) {
  return db
    .select({ name: users.fullName })
    .from(users)
    .where(
      sql`kind = 'staff' AND active = 1 AND role IN ('manager', 'administrator')
        AND (all_branches = 1 OR EXISTS (SELECT 1 FROM user_branches WHERE user_id = users.id AND branch_code = ${branchCode}))`,
    )
    .orderBy(sql`full_name`)
    .limit(MAX_APPROVERS);
}
