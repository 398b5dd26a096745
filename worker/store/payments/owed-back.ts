import { type SQL, sql } from "drizzle-orm";

/**
 * Whether more was paid of a cancelled booking than is kept of it, as the index `bookings_owed_back` has it; by what
 * the statement calls the bookings.
 */
export function isOwedBack(booking: "booking" | "bookings"): SQL {
  return sql.raw(
    `${booking}.status = 'cancelled' AND ${booking}.total_paid_cents > ${booking}.cancellation_fee_cents - ${booking}.credited_cents`,
  );
}
