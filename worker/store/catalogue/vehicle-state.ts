import { sql } from "drizzle-orm";
import { formatEighths } from "#domain/check-in/fuel.ts";
import type { Database } from "#worker/store/database.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/** What is known of a vehicle by something that happened. Times in epoch ms. */
export interface VehicleReading {
  readonly reference: string;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
  /** Where it stands; undefined: where it stood. */
  readonly branchCode: string | undefined;
  readonly happenedAt: number;
  readonly now: number;
}

/**
 * Gives a vehicle its odometer, fuel and branch, unless more recent ones are known
 * (docs/interfaces/rules.md#closing-a-contract). Which branch group manages it does not change.
 */
export function updateVehicleStatement(db: Database, seen: VehicleReading) {
  const { reference, happenedAt } = seen;
  return db
    .update(vehicles)
    .set({
      usageUnits: sql`coalesce(${seen.kilometres ?? null}, usage_units)`,
      usageAvailableFuel: sql`coalesce(${formatEighths(seen.fuelEighths)}, usage_available_fuel)`,
      ...(seen.branchCode !== undefined && { branchCode: seen.branchCode }),
      stateAt: happenedAt,
      version: sql`version + 1`,
      lastUpdate: seen.now,
    })
    .where(sql`reference = ${reference} AND coalesce(as_of, 0) <= ${happenedAt}`);
}
