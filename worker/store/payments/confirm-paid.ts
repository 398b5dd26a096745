import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { findSoldOut } from "#worker/store/failures.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";

/** Who paid, when (epoch ms), and whether the booking may be confirmed by it: false where its units are sold. */
export interface Paying {
  readonly at: number;
  readonly actor: string;
  readonly confirms: boolean;
}

/**
 * Writes a payment with what it confirms; where the booking's units are somebody else's by now, all of it but that: the
 * money is kept.
 */
export async function savePaid(write: (confirms: boolean) => Promise<unknown>): Promise<void> {
  try {
    await write(true);
  } catch (error) {
    if (!findSoldOut(error)) throw error;
    await write(false);
  }
}

// The last thing that ended it was its hold: only then does it live again.
const HAS_EXPIRED = sql`status = 'cancelled' AND cancellation_reason = 'expired'`;
const IS_REACHED = sql`total_paid_cents > 0 AND total_paid_cents >= booking_amount_cents`;
const IS_PAYABLE = sql`(status = 'pending_confirmation' OR (${HAS_EXPIRED}))`;

/**
 * Statements that come after the sums of a booking that was paid, by the desk or a gateway alike: what is paid for is
 * confirmed, its hold ends, and what had expired lives again. What was paid too late to be confirmed is marked for a
 * person. The guard of the database refuses the batch where the units are somebody else's by now.
 */
export function confirmPaidStatements(db: Database, bookingId: number, { at, actor, confirms }: Paying) {
  const isIt = sql`id = ${bookingId}`;
  return [
    ...(confirms ? confirmStatements(db, isIt, { at, actor }) : []),
    db
      .update(bookings)
      .set({ paidAfterExpiry: true })
      .where(
        sql`${isIt} AND total_paid_cents > 0 AND (status = 'cancelled' OR (status = 'pending_confirmation'
          AND (expires_at <= ${at} OR ${confirms ? 0 : 1})))`,
      ),
  ] as const;
}

function confirmStatements(db: Database, isIt: SQL, { at, actor }: Pick<Paying, "at" | "actor">) {
  return [
    db.insert(bookingHistory).select(
      newRow(
        bookingHistory,
        {
          bookingId: sql`id`,
          at,
          actor,
          event: sql`CASE status WHEN 'cancelled' THEN 'revived' ELSE 'confirmed' END`,
        },
        sql`FROM bookings WHERE ${isIt} AND ${IS_PAYABLE} AND ${IS_REACHED}`,
      ),
    ),
    db
      .update(bookings)
      .set({ status: "confirmed", expiresAt: null, cancelledAt: null, cancellationReason: null, lastUpdate: at })
      .where(sql`${isIt} AND ${IS_PAYABLE} AND ${IS_REACHED}`),
  ] as const;
}
