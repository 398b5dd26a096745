import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { bookingUnits } from "#worker/store/schema/bookings.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/**
 * Returns the query for the vehicles assigned to a contract and the end of their permits. Excludes returned vehicles.
 */
export function assignedVehiclesQuery(db: Database, bookingId: number) {
  return db
    .select({
      plate: sql<string>`coalesce(${vehicles.plate}, ${vehicles.reference})`.as("assigned_plate"),
      inspectionDue: vehicles.inspectionDue,
      insuredUntil: vehicles.insuredUntil,
    })
    .from(bookingUnits)
    .innerJoin(vehicles, eq(vehicles.reference, bookingUnits.vehicleReference))
    .where(and(eq(bookingUnits.bookingId, bookingId), isNull(bookingUnits.collectedAt)));
}
