import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/** A contract that a vehicle was out with, from when until when (epoch ms). */
export interface VehicleUse {
  readonly bookingId: number;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly customerFullName: string;
  /** Who drives; empty where nobody said. */
  readonly driverFullName: string;
  readonly outAt: number;
  /** Null: it is out still. */
  readonly backAt: number | null;
}

/** Where a vehicle stands, and the contracts that it was out with at a moment (epoch ms). Its whole life is read. */
export function vehicleUseQueries(db: Database, reference: string, at: number) {
  return [
    db.select({ branchCode: vehicles.branchCode }).from(vehicles).where(eq(vehicles.reference, reference)),
    db
      .select({
        bookingId: bookings.id,
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        customerFullName: sql<string>`trim(${bookings.customerName} || ' ' || ${bookings.customerSurname})`.as(
          "customer",
        ),
        driverFullName:
          sql<string>`trim(coalesce(${bookings.contractData} ->> 'driver_name', '') || ' ' || coalesce(${bookings.contractData} ->> 'driver_surname', ''))`.as(
            "driver",
          ),
        outAt: sql<number>`used.out_at`.as("out_at"),
        backAt: sql<number | null>`used.back_at`.as("back_at"),
      })
      .from(bookings)
      .innerJoin(sql`(${usesOf(reference)}) AS used`, sql`used.booking_id = ${bookings.id}`)
      .where(sql`used.out_at <= ${at} AND (used.back_at IS NULL OR used.back_at > ${at})`)
      .orderBy(sql`used.out_at`),
  ] as const;
}

// What a unit has now went out when the one before it came back.
const usesOf = (reference: string) => sql`SELECT unit.booking_id,
    coalesce((SELECT max(returned_at) FROM exchanged_vehicles WHERE unit_id = unit.id), unit.delivered_at) AS out_at, unit.collected_at AS back_at
  FROM booking_units AS unit INDEXED BY booking_units_by_vehicle WHERE unit.vehicle_reference = ${reference}
  UNION ALL SELECT booking_id, delivered_at, returned_at
  FROM exchanged_vehicles INDEXED BY exchanged_vehicles_by_vehicle WHERE vehicle_reference = ${reference}`;
