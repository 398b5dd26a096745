import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { users } from "#worker/store/schema/people.ts";

/** Returns the query for the user who gave a booking's discount, stored as `staff:` and the id. */
export function discountAuthorQuery(db: Database, bookingId: number) {
  return db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(
      sql`id = (SELECT CAST(substr(discount ->> 'by', 7) AS INTEGER) FROM bookings WHERE id = ${bookingId} AND discount ->> 'by' LIKE 'staff:%')`,
    );
}
