import { sql } from "drizzle-orm";
import { formatEighths } from "#domain/check-in/fuel.ts";
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
 * Updates a vehicle's odometer, fuel and branch unless more recent values are known
 * (docs/interfaces/rules.md#closing-a-contract). Doesn't change the branch group that manages it.
 */
export function updateVehicleStatement(db: Database, reading: VehicleReading) {
  const { reference, happenedAt } = reading;
  return db
    .update(vehicles)
    .set({
      usageUnits: sql`coalesce(${reading.kilometres ?? null}, usage_units)`,
      usageAvailableFuel: sql`coalesce(${formatEighths(reading.fuelEighths)}, usage_available_fuel)`,
      ...(reading.branchCode !== undefined && { branchCode: reading.branchCode }),
      stateAt: happenedAt,
      version: sql`version + 1`,
      lastUpdate: reading.now,
    })
    .where(sql`reference = ${reference} AND coalesce(as_of, 0) <= ${happenedAt}`);
}
