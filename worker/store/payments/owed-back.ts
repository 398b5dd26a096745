import { type SQL, sql } from "drizzle-orm";

/** What is owed of a booking that is not cancelled, in minor units; by what the statement calls the bookings. */
export function getOwedCentsSql(booking: "booking" | "bookings"): SQL {
  return sql.raw(`${booking}.total_cents - ${booking}.credited_cents - ${booking}.agent_commission_prepaid_cents`);
}

/**
 * Whether more was paid of a cancelled booking than is kept of it, as the index `bookings_refund_due` has it; by what
 * the statement calls the bookings.
 */
export function isRefundDue(booking: "booking" | "bookings"): SQL {
  return sql.raw(
    `${booking}.status = 'cancelled' AND ${booking}.total_paid_cents > ${booking}.cancellation_fee_cents - ${booking}.credited_cents`,
  );
}
