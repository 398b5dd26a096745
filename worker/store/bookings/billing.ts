import { eq, type SQL, sql } from "drizzle-orm";
import type { RequestedBilling } from "#domain/contracts/requests.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { bookingBilling } from "#worker/store/schema/bookings.ts";

/** Payer and invoicing period of a booking. No row if the customer pays at the end. */
export const bookingBillingQuery = prepared((db) =>
  db
    .select()
    .from(bookingBilling)
    .where(eq(bookingBilling.bookingId, sql.placeholder("bookingId"))),
);

/** Returns the statement that sets the payer and the invoicing period of a booking. Absent values stay. */
export function billingStatements(
  db: Database,
  name: { readonly bookingId: number } | { readonly freeAccessId: string },
  { customerId, period }: RequestedBilling,
): readonly Query[] {
  if (customerId === undefined && period === undefined) return [];
  const id: SQL =
    "bookingId" in name
      ? sql`${name.bookingId}`
      : sql`(SELECT id FROM bookings WHERE free_access_id = ${name.freeAccessId})`;
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
