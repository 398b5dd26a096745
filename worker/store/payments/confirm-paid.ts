import { type SQL, sql } from "drizzle-orm";
import { getCustomerIdentityColumns, isDoNotRentSql } from "#worker/store/bookings/do-not-rent.ts";
import type { Database } from "#worker/store/database.ts";
import { findSoldOutResource } from "#worker/store/failures.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";

/**
 * Actor and time of a payment, and whether it may confirm the booking. It can't if the stock was sold to others in the
 * meantime.
 */
export interface PaymentConfirmationContext {
  /** Time of the payment, epoch ms. */
  readonly at: number;
  /** Account's local time, such as `2026-05-01 10:00`. */
  readonly civilNow: string;
  readonly actor: string;
  readonly confirmsBooking: boolean;
}

/**
 * Writes a payment and the confirmation. If the booking's units are no longer available, writes everything except the
 * confirmation and keeps the money.
 */
export async function savePaymentConfirmingIfPossible<T>(write: (confirmsBooking: boolean) => Promise<T>): Promise<T> {
  try {
    return await write(true);
  } catch (error) {
    if (!findSoldOutResource(error)) throw error;
    return write(false);
  }
}

const isToCome = (civilNow: string) => sql`date_to || ' ' || time_to > ${civilNow}`;
// Condition that enough is paid to confirm the booking, the same rule as `getPrepaymentCents`.
const IS_REACHED = sql`total_paid_cents > 0
  AND total_paid_cents >= min(booking_amount_cents, total_cents - credited_cents - agent_commission_prepaid_cents)`;
// Condition that a payment may confirm a booking. Its return is in the future, it's pending or was cancelled because
// its hold expired, and the company rents to the customer.
const isPayable = (civilNow: string) =>
  sql`(status = 'pending_confirmation' OR (status = 'cancelled' AND cancellation_reason = 'expired')) AND ${isToCome(civilNow)}
    AND NOT ${isDoNotRentSql(getCustomerIdentityColumns("bookings"))}`;

/**
 * Returns the statements after a booking's payment at the desk or a gateway. A paid booking is confirmed and its hold
 * ends. An expired one is reactivated unless its time has passed. Payments too late for a confirmation create a task.
 * The database guard refuses the batch if the units are no longer available.
 */
export function confirmPaidBookingStatements(
  db: Database,
  bookingId: number,
  { at, civilNow, actor, confirmsBooking }: PaymentConfirmationContext,
) {
  const isIt = sql`id = ${bookingId}`;
  return [
    ...(confirmsBooking ? confirmStatements(db, isIt, { at, civilNow, actor }) : []),
    db
      .update(bookings)
      .set({ paidAfterExpiry: true })
      .where(
        sql`${isIt} AND total_paid_cents > 0 AND (status = 'cancelled' OR (status = 'pending_confirmation'
          AND (expires_at <= ${at} OR ${confirmsBooking ? 0 : 1} OR (${IS_REACHED} AND NOT ${isToCome(civilNow)}))))`,
      ),
  ] as const;
}

function confirmStatements(
  db: Database,
  isIt: SQL,
  { at, civilNow, actor }: Omit<PaymentConfirmationContext, "confirmsBooking">,
) {
  const isConfirmed = sql`${isIt} AND ${isPayable(civilNow)} AND ${IS_REACHED}`;
  return [
    db.insert(bookingHistory).select(
      selectRowToInsert(
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
