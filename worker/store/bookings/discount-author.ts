import { sql } from "drizzle-orm";
import { selectStaffName } from "#worker/store/access/staff-name.ts";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";

/** Returns the query for the actor who gave a booking's discount, and the name if it's a user. */
export function discountAuthorQuery(db: Database, bookingId: number) {
  const actor = sql<string>`(bookings.discount ->> 'by')`;
  return db
    .select({ actor: actor.as("actor"), name: selectStaffName(actor).as("author_name") })
    .from(bookings)
    .where(sql`bookings.id = ${bookingId} AND bookings.discount IS NOT NULL`);
}
