import { type SQL, sql } from "drizzle-orm";
import type { RentalBooking } from "#domain/bookings/bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { violatesSqlRule } from "#worker/store/failures.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { versionGuards } from "#worker/store/schema/bookings.ts";
import { CHANGED_MEANWHILE } from "./sql-rules.ts";

/**
 * Returns the first statement of a batch based on a booking read before. If the booking has changed, the database
 * refuses the full batch (`isBookingVersionConflict`).
 */
export function expectBookingVersionStatement(db: Database, { id, version }: Pick<RentalBooking, "id" | "version">) {
  return db.insert(versionGuards).values({ bookingId: id, version });
}

/**
 * Returns the statement that refuses its batch if the condition holds. The error is the same as after a
 * change of the booking (`isBookingVersionConflict`).
 */
export function refuseBookingBatchIfStatement(db: Database, bookingId: number, condition: SQL) {
  return db
    .insert(versionGuards)
    .select(selectRowToInsert(versionGuards, { bookingId, version: -1 }, sql`WHERE ${condition}`));
}

/** Whether a batch was refused because its booking has changed since it was read. */
export function isBookingVersionConflict(error: unknown): boolean {
  return violatesSqlRule(error, CHANGED_MEANWHILE);
}
