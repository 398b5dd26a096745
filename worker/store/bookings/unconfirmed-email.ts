import { type SQL, sql } from "drizzle-orm";

/**
 * Whether a booking's customer was signed in with an unconfirmed address, which gets no mails. A guest who creates an
 * account with the checkout gets them like any guest. That account is as old as the booking.
 */
export const isEmailUnconfirmedSql = (booking: "bookings" | "booking"): SQL<0 | 1> =>
  sql.raw(`EXISTS (SELECT 1 FROM users WHERE users.customer_id = ${booking}.made_by_customer_id
    AND unverified_since < ${booking}.created_at)`) as SQL<0 | 1>;
