import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { findSoldOut } from "#worker/store/failures.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";

/** Who paid, when, and whether the booking may be confirmed by it: false where its units are sold. */
export interface Paying {
  /** Epoch ms. */
  readonly at: number;
  /** What the account's clock shows then, as `2026-05-01 10:00`. */
  readonly clock: string;
  readonly actor: string;
  readonly confirms: boolean;
}

/**
 * Writes a payment with what it confirms; where the booking's units are somebody else's by now, all of it but that: the
 * money is kept.
 */
export async function savePaid<T>(write: (confirms: boolean) => Promise<T>): Promise<T> {
  try {
    return await write(true);
  } catch (error) {
    if (!findSoldOut(error)) throw error;
    return write(false);
  }
}

const isToCome = (clock: string) => sql`date_to || ' ' || time_to > ${clock}`;
// The same rule as `depositOf`.
const IS_REACHED = sql`total_paid_cents > 0
  AND total_paid_cents >= min(booking_amount_cents, total_cents - credited_cents - agent_commission_prepaid_cents)`;
// Nothing is confirmed of which nothing is to come. The last thing that ended it was its hold: only then does it live
// again.
const isPayable = (clock: string) =>
  sql`(status = 'pending_confirmation' OR (status = 'cancelled' AND cancellation_reason = 'expired')) AND ${isToCome(clock)}`;

/**
 * Statements that come after the sums of a booking that was paid, by the desk or a gateway alike: what is paid for is
 * confirmed, its hold ends, and what had expired lives again, unless its time is over. What was paid too late to be
 * confirmed is marked for a person. The guard of the database refuses the batch where the units are somebody else's by
 * now.
 */
export function confirmPaidStatements(db: Database, bookingId: number, { at, clock, actor, confirms }: Paying) {
  const isIt = sql`id = ${bookingId}`;
  return [
    ...(confirms ? confirmStatements(db, isIt, { at, clock, actor }) : []),
    db
      .update(bookings)
      .set({ paidAfterExpiry: true })
      .where(
        sql`${isIt} AND total_paid_cents > 0 AND (status = 'cancelled' OR (status = 'pending_confirmation'
          AND (expires_at <= ${at} OR ${confirms ? 0 : 1} OR (${IS_REACHED} AND NOT ${isToCome(clock)}))))`,
      ),
  ] as const;
}

function confirmStatements(db: Database, isIt: SQL, { at, clock, actor }: Omit<Paying, "confirms">) {
  const isConfirmed = sql`${isIt} AND ${isPayable(clock)} AND ${IS_REACHED}`;
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
        sql`FROM bookings WHERE ${isConfirmed}`,
      ),
    ),
    db
      .update(bookings)
      .set({ status: "confirmed", expiresAt: null, cancelledAt: null, cancellationReason: null, lastUpdate: at })
      .where(isConfirmed),
  ] as const;
}
