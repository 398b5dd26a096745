import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { CivilMinute } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { bookingUnits, stockAllocations } from "#worker/store/schema/bookings.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/** Gives a unit a vehicle, or none any more; the database refuses one that is promised to somebody else or blocked. */
export function assignStatement(db: Database, unitId: number, reference: string | undefined) {
  return db
    .update(bookingUnits)
    .set({ vehicleReference: reference ?? null })
    .where(eq(bookingUnits.id, unitId));
}

/**
 * The vehicle that is to be assigned or goes out in exchange, and whether it stands blocked at a civil minute;
 * undefined where there is none in use.
 */
export function vehicleToAssignQuery(db: Database, reference: string, now: CivilMinute) {
  const isBlocked = sql<number>`EXISTS (SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = vehicles.reference
    AND block.kind <> 'away' AND block.starts_at <= ${now} AND block.ends_at > ${now})`;
  return db
    .select({
      reference: vehicles.reference,
      categoryCode: vehicles.categoryCode,
      branchCode: vehicles.branchCode,
      branchGroupId: vehicles.branchGroupId,
      soldReleaseDate: vehicles.soldReleaseDate,
      kilometres: vehicles.usageUnits,
      isBlocked: isBlocked.mapWith(Boolean).as("is_blocked"),
    })
    .from(vehicles)
    .where(and(eq(vehicles.reference, reference), eq(vehicles.active, true)));
}

/** The units of a contract that was closed wait for their right collection; they are back, and take nothing. */
export function reopenUnits(db: Database, bookingId: number) {
  return [
    db
      .update(bookingUnits)
      .set({ reopened: sql`1` })
      .where(and(eq(bookingUnits.bookingId, bookingId), isNotNull(bookingUnits.collectedAt))),
    giveBackStatement(db, bookingId),
  ] as const;
}

/** What a contract takes from the stock goes back. */
export function giveBackStatement(db: Database, bookingId: number) {
  return db.delete(stockAllocations).where(eq(stockAllocations.bookingId, bookingId));
}
