import { and, desc, inArray, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { bookingLines, bookings } from "#worker/store/schema/bookings.ts";
import { isCustomerBookingSql } from "./own-bookings.ts";

const LISTED = 200;

/** Booking in a customer's list. */
export interface CustomerRental {
  readonly id: number;
  readonly freeAccessId: string;
  readonly status: (typeof bookings.$inferSelect)["status"];
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly pickupPlaceId: number | null;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | null;
  readonly returnPlace: string;
  readonly totalCents: number;
  readonly items: readonly { readonly categoryCode: string; readonly description: string }[];
}

/** Lists a customer's own bookings, latest pickup first, in one round trip. */
export async function readCustomerRentals(
  db: Database,
  customerId: number,
  isEmailVerified: boolean,
): Promise<readonly CustomerRental[]> {
  // The plus signs keep SQLite from using the indexes of other columns, which would read all rentals.
  const isOwn = and(isCustomerBookingSql(customerId, isEmailVerified), sql`+${bookings.kind} = 'rental'`);
  const latest = [desc(sql`+${bookings.dateFrom}`), desc(bookings.timeFrom), desc(bookings.id)] as const;
  const ids = db
    .select({ id: bookings.id })
    .from(bookings)
    .where(isOwn)
    .orderBy(...latest)
    .limit(LISTED);
  const [rows, lines] = await db.batch([
    db
      .select()
      .from(bookings)
      .where(isOwn)
      .orderBy(...latest)
      .limit(LISTED),
    db
      .select({
        bookingId: bookingLines.bookingId,
        categoryCode: bookingLines.itemId,
        description: bookingLines.itemDescription,
      })
      .from(bookingLines)
      .where(inArray(bookingLines.bookingId, ids))
      .orderBy(bookingLines.id),
  ]);
  const linesByBooking = Map.groupBy(lines, (line) => line.bookingId);
  return rows.map((row) => ({ ...row, items: linesByBooking.get(row.id) ?? [] }));
}
