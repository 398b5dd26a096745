import { sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";

/** Returns the query for a website's unpaid hold of stock, and the other holds of the same visitor. */
export function sameVisitorHoldsQuery(db: Database, bookingId: number) {
  return db
    .select({
      id: bookings.id,
      version: bookings.version,
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
    })
    .from(bookings)
    .where(isSameVisitorHold(bookingId));
}

const isSameVisitorHold = (bookingId: number) =>
  sql`${bookings.status} = 'pending_confirmation' AND ${bookings.createdBy} = 'engine' AND ${bookings.totalPaidCents} = 0
    AND (${bookings.id} = ${bookingId} OR ${bookings.visitorNetwork} = (SELECT visitor_network FROM bookings WHERE id = ${bookingId}))`;

/** Returns the statements that end holds now and record the actor. The next expiry run cancels them. */
export function endVisitorHoldsStatements(
  db: Database,
  ids: readonly number[],
  { at, actor, reason }: { readonly at: number; readonly actor: string; readonly reason: string },
): readonly Query[] {
  const chosen = sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND status = 'pending_confirmation' AND total_paid_cents = 0`;
  const detail = JSON.stringify({ fields: ["expires_at"], reason });
  return [
    db
      .insert(bookingHistory)
      .select(
        selectRowToInsert(
          bookingHistory,
          { bookingId: sql`id`, at, actor, event: "changed", detail },
          sql`FROM bookings WHERE ${chosen}`,
        ),
      ),
    db.update(bookings).set({ expiresAt: at, version: sql`version + 1`, lastUpdate: at }).where(chosen),
  ];
}
