import { eq, sql } from "drizzle-orm";
import { selectVehicleContractPeriods } from "#worker/store/bookings/vehicle-contract-periods.ts";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/** Contract for which a vehicle was with a customer, and the period (epoch ms). */
export interface VehicleRenter {
  readonly bookingId: number;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly customerFullName: string;
  /** Driver's name. Empty if unknown. */
  readonly driverFullName: string;
  readonly outAt: number;
  /** Null while the vehicle is with the customer. */
  readonly backAt: number | null;
}

const OUT_AT = sql`coalesce(used.since, used.delivered_at)`;

/**
 * Returns the queries for a vehicle's branch and the contracts that it was out with at an instant (epoch ms). Reads its
 * full history.
 */
export function vehicleRenterQueries(db: Database, reference: string, at: number) {
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
        outAt: sql<number>`${OUT_AT}`.as("out_at"),
        backAt: sql<number | null>`used.back_at`.as("back_at"),
      })
      .from(bookings)
      .innerJoin(sql`(${selectVehicleContractPeriods(reference)}) AS used`, sql`used.booking_id = ${bookings.id}`)
      .where(sql`${OUT_AT} <= ${at} AND (used.back_at IS NULL OR used.back_at > ${at})`)
      .orderBy(OUT_AT),
  ] as const;
}
