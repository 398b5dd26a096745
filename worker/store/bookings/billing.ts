import { eq, type SQL, sql } from "drizzle-orm";
import type { RequestedPayerAndInvoicing } from "#domain/contracts/requests.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingBilling } from "#worker/store/schema/bookings.ts";

/** Returns the query for the payer and invoicing period of a booking. No row if the customer pays at the end. */
export const bookingPayerAndInvoicingQuery = prepareQuery((db) =>
  db
    .select()
    .from(bookingBilling)
    .where(eq(bookingBilling.bookingId, sql.placeholder("bookingId"))),
);

/** Returns the statement that sets the payer and the invoicing period of a booking. Absent values stay. */
export function setPayerAndInvoicingStatements(
  db: Database,
  bookingIdentifier: { readonly bookingId: number } | { readonly freeAccessId: string },
  { customerId, period }: RequestedPayerAndInvoicing,
): readonly Query[] {
  if (customerId === undefined && period === undefined) return [];
  const id: SQL =
    "bookingId" in bookingIdentifier
      ? sql`${bookingIdentifier.bookingId}`
      : sql`(SELECT id FROM bookings WHERE free_access_id = ${bookingIdentifier.freeAccessId})`;
  return [
    db
      .insert(bookingBilling)
      .values({ bookingId: id, customerId: customerId ?? null, period: period ?? null })
      .onConflictDoUpdate({
        target: bookingBilling.bookingId,
        set: { ...(customerId !== undefined && { customerId }), ...(period !== undefined && { period }) },
      }),
  ];
}

// Condition that a rental's next month is over and can be invoiced. If a month doesn't have the day of the pickup,
// SQLite counts on into the next month, so it's invoiced some days later.
const isMonthOver = (
  now: SQL,
) => sql`billing.period = 'month' AND booking.status = 'in_progress' AND booking.kind = 'rental'
  AND date(booking.date_from, '+' || (billing.invoiced_months + 1) || ' months') <= date(${now} / 1000, 'unixepoch')
  AND date(booking.date_from, '+' || (billing.invoiced_months + 1) || ' months') < booking.date_to`;

/** Condition that some rental has a completed month to invoice. */
export const isMonthlyInvoiceDueSql = (now: SQL): SQL => sql`EXISTS (SELECT 1 FROM booking_billing AS billing
  JOIN bookings AS booking ON booking.id = billing.booking_id WHERE ${isMonthOver(now)})`;

/** Returns the query for rentals with a completed month to invoice, at most the limit. */
export function monthsToInvoiceQuery(db: Database, now: number) {
  return db
    .select({ bookingId: sql<number>`billing.booking_id`.as("booking_id") })
    .from(sql`booking_billing AS billing JOIN bookings AS booking ON booking.id = billing.booking_id`)
    .where(isMonthOver(sql`${now}`))
    .limit(MAX_MONTHS_AT_ONCE);
}

const MAX_MONTHS_AT_ONCE = 20;

/** Returns the statement that remembers how many months of a rental are invoiced. */
export function markMonthsInvoicedStatement(db: Database, bookingId: number, months: number) {
  return db.update(bookingBilling).set({ invoicedMonths: months }).where(eq(bookingBilling.bookingId, bookingId));
}
