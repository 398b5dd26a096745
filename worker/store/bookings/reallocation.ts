import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { allocationChanges, stockAllocations } from "#worker/store/schema/bookings.ts";

/**
 * Returns the last statement of a batch that changes a booking's dates, places, categories, units or extras. Releases
 * the booking's stock and allocates it again. Additional use is checked by the guard, which refuses the full batch
 * (`catchSoldOut`). `at` is the time of the change, epoch ms.
 */
export function reallocateStockStatement(db: Database, bookingId: number, at: number) {
  return db.insert(allocationChanges).values({ bookingId, at });
}

/**
 * Returns the statement that marks a booking's stock as about to be replaced. `reallocateStockStatement` must end the
 * batch.
 */
export function expireStockBeforeReallocationStatement(db: Database, bookingId: number) {
  return db.update(stockAllocations).set({ expiresAt: 0 }).where(eq(stockAllocations.bookingId, bookingId));
}
