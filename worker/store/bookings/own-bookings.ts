import { and, eq, type SQL, sql } from "drizzle-orm";
import { bookings } from "#worker/store/schema/bookings.ts";

/**
 * SQL condition for a customer's own bookings. If the address is verified, these include bookings that a guest made
 * with it: its owner received their links. Otherwise only bookings made while signed in.
 */
export function isCustomerBookingSql(customerId: number, isEmailVerified: boolean): SQL | undefined {
  if (!isEmailVerified) return and(eq(bookings.customerId, customerId), eq(bookings.madeByCustomerId, customerId));
  const email = sql`(SELECT email FROM users WHERE customer_id = ${customerId} AND unverified_since IS NULL)`;
  const isGuestBooking = sql`+${bookings.madeByCustomerId} IS NULL AND +${bookings.agencyId} IS NULL AND lower(${bookings.customerEmail}) = lower(${email})`;
  // The plus signs keep SQLite from using other indexes. The agency's index would read all bookings without an agency.
  return and(
    sql`${bookings.customerId} IN (SELECT ${customerId} UNION ALL SELECT id FROM customers WHERE email IS NOT NULL AND merged_into_id IS NULL AND lower(email) = lower(${email}))`,
    sql`(+${bookings.customerId} = ${customerId} OR (${isGuestBooking}))`,
  );
}
