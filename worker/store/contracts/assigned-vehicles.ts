import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CivilDate, TimeText } from "#domain/dates.ts";
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

/**
 * Joins the vehicles that a contract has on rent, as `mine` of `own`, with the confirmed contracts that they are
 * assigned to, as `unit` of `theirs`. Ends in a condition.
 */
export function joinNextAssignments(bookingId: number): SQL {
  return sql`booking_units AS mine JOIN bookings AS own ON own.id = mine.booking_id
    JOIN booking_units AS unit INDEXED BY booking_units_promised ON unit.vehicle_reference = mine.vehicle_reference
      AND unit.collected_at IS NULL AND unit.delivered_at IS NULL AND unit.booking_id <> own.id
    JOIN bookings AS theirs ON theirs.id = unit.booking_id
    WHERE mine.booking_id = ${bookingId} AND mine.delivered_at IS NOT NULL AND mine.collected_at IS NULL AND theirs.status = 'confirmed'`;
}

/** Returns the query for the confirmed contracts that a contract's vehicles on rent are assigned to, by pickup. */
export function nextAssignmentsQuery(db: Database, bookingId: number) {
  return db
    .select({
      nextContractId: sql<number>`theirs.id`.as("next_contract_id"),
      vehicle: sql<string>`unit.vehicle_reference`.as("next_vehicle"),
      pickupDate: sql<CivilDate>`theirs.date_from`.as("next_date_from"),
      pickupTime: sql<TimeText>`theirs.time_from`.as("next_time_from"),
    })
    .from(sql`${joinNextAssignments(bookingId)} ORDER BY theirs.date_from, theirs.time_from, theirs.id`);
}
