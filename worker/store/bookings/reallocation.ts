import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { allocationChanges, stockAllocations } from "#worker/store/schema/bookings.ts";

/**
 * The last statement of a batch that changes a booking's dates, places, categories, units or extras: what it took from
 * the stock goes, and what it takes as it then stands comes. What is more than it had passes the guard, which refuses
 * the whole batch (`unlessSoldOut`). `at` is the moment of the change, epoch ms.
 */
export function reallocateStatement(db: Database, bookingId: number, at: number) {
  return db.insert(allocationChanges).values({ bookingId, at });
}

/** What a booking takes is about to be replaced by what is written next; `reallocateStatement` has to end the batch. */
export function replacedStatement(db: Database, bookingId: number) {
  return db.update(stockAllocations).set({ expiresAt: 0 }).where(eq(stockAllocations.bookingId, bookingId));
}
