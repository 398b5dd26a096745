import { sql } from "drizzle-orm";
import type { Damage } from "#domain/contracts/damage.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { vehicleDamages } from "#worker/store/schema/check-in.ts";

/** Vehicle of a damage, and the date it was found. */
interface DamageReport {
  readonly reference: string;
  readonly bookingId: number;
  /** Check-in operation that reported it. Undefined for an exchange. */
  readonly opId: string | undefined;
  /** Date in the account's time zone. */
  readonly date: string;
}

/** Returns the statements that add damage to a vehicle. The same id is the same damage. */
export function newDamagesStatements(
  db: Database,
  damages: readonly Damage[],
  { reference, bookingId, opId, date }: DamageReport,
): readonly Query[] {
  if (damages.length === 0) return [];
  const rows = damages.map((damage) => ({
    ...damage,
    photos: JSON.stringify(damage.photos),
    ...{ vehicleReference: reference, bookingId, opId, since: date },
  }));
  return [
    db
      .insert(vehicleDamages)
      .select(sql`${selectRowsToInsert(vehicleDamages, rows)} WHERE true`)
      .onConflictDoNothing({ target: vehicleDamages.damageId }),
  ];
}
