import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { CivilMinute } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { bookingUnits, stockAllocations } from "#worker/store/schema/bookings.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/**
 * Returns the statement that assigns a vehicle to a unit, or unassigns it. The database refuses one that is assigned to
 * another contract or blocked.
 */
export function assignVehicleStatement(db: Database, unitId: number, reference: string | undefined) {
  return db
    .update(bookingUnits)
    .set({ vehicleReference: reference ?? null })
    .where(eq(bookingUnits.id, unitId));
}

/**
 * Returns the query for the vehicle to assign or to deliver in an exchange, and whether it's blocked at a civil minute.
 * Undefined if not active.
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

/**
 * Returns the statements that mark the units of a reopened contract as to be collected again with corrected data. The
 * vehicles are back and use no stock.
 */
export function reopenUnitsStatements(db: Database, bookingId: number) {
  return [
    db
      .update(bookingUnits)
      .set({ reopened: sql`1` })
      .where(and(eq(bookingUnits.bookingId, bookingId), isNotNull(bookingUnits.collectedAt))),
    releaseStockStatement(db, bookingId),
  ] as const;
}

/** Returns the statement that releases the stock used by a contract. */
export function releaseStockStatement(db: Database, bookingId: number) {
  return db.delete(stockAllocations).where(eq(stockAllocations.bookingId, bookingId));
}
