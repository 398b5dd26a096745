import type { Database } from "#worker/store/database.ts";
import { reallocations } from "#worker/store/schema/bookings.ts";

/**
 * The last statement of a batch that changes a booking's dates, places, categories, units or extras: what it took from
 * the stock goes, and what it takes as it then stands comes. What is more than it had passes the guard, which refuses
 * the whole batch (`unlessSoldOut`). `at` is the moment of the change, epoch ms.
 */
export function reallocateStatement(db: Database, bookingId: number, at: number) {
  return db.insert(reallocations).values({ bookingId, at });
}
