import { type SQL, sql } from "drizzle-orm";

/**
 * Returns the amount owed of a booking that isn't cancelled, in minor units. `booking` is the alias of the bookings
 * table.
 */
export function selectTotalOwedCents(booking: "booking" | "bookings"): SQL {
  return sql.raw(`${booking}.total_cents - ${booking}.credited_cents - ${booking}.agent_commission_prepaid_cents`);
}

/**
 * Whether more was paid of a cancelled booking than is retained. Matches the index `bookings_refund_due`. `booking` is
 * the alias of the bookings table.
 */
export function isCancellationRefundDueSql(booking: "booking" | "bookings"): SQL {
  return sql.raw(
    `${booking}.status = 'cancelled' AND ${booking}.total_paid_cents > ${booking}.cancellation_fee_cents - ${booking}.credited_cents`,
  );
}
