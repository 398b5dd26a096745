import { sql } from "drizzle-orm";
import { formatFuelEighths } from "#domain/check-in/fuel.ts";
import type { Database } from "#worker/store/database.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/** Vehicle data recorded at an event, such as a return. Times in epoch ms. */
export interface VehicleReading {
  readonly reference: string;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
  /** Current branch. Undefined if unchanged. */
  readonly branchCode: string | undefined;
  readonly happenedAt: number;
  readonly now: number;
}

/**
 * Returns the statement that updates a vehicle's odometer and fuel unless a more recent reading is known, and its
 * branch unless a more recent one is known (docs/interfaces/rules.md#closing-a-contract). Doesn't change the branch
 * group that manages it.
 */
export function updateVehicleReadingStatement(db: Database, reading: VehicleReading) {
  const { reference, kilometres, fuelEighths, branchCode, happenedAt } = reading;
  const isRead = kilometres !== undefined || fuelEighths !== undefined;
  const isLastReading = sql`coalesce(read_at, 0) <= ${happenedAt}`;
  const isLastPlace = sql`coalesce(as_of, 0) <= ${happenedAt}`;
  return db
    .update(vehicles)
    .set({
      usageUnits: sql`iif(${isLastReading}, coalesce(${kilometres ?? null}, usage_units), usage_units)`,
      usageAvailableFuel: sql`iif(${isLastReading}, coalesce(${formatFuelEighths(fuelEighths)}, usage_available_fuel), usage_available_fuel)`,
      ...(branchCode !== undefined && { branchCode: sql`iif(${isLastPlace}, ${branchCode}, branch_code)` }),
      ...(isRead && { readAt: sql`max(coalesce(read_at, 0), ${happenedAt})` }),
      stateAt: sql`max(coalesce(as_of, 0), ${happenedAt})`,
      version: sql`version + 1`,
      lastUpdate: reading.now,
    })
    .where(sql`reference = ${reference} AND (${isLastPlace} OR ${isLastReading})`);
}
