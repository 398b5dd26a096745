import { sql } from "drizzle-orm";
import type { Damage } from "#domain/check-in/operations.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { newRows } from "#worker/store/new-rows.ts";
import { vehicleDamages } from "#worker/store/schema/check-in.ts";

/** Whose damage it is, and from when on. */
interface DamageReport {
  readonly reference: string;
  readonly bookingId: number;
  /** The operation of check-in that tells of it; none at an exchange. */
  readonly opId: string | undefined;
  /** The account's own date. */
  readonly date: string;
}

/** A vehicle carries damage from now on. Seen again under the same id it is the same damage. */
export function damageStatements(
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
      .select(sql`${newRows(vehicleDamages, rows)} WHERE true`)
      .onConflictDoNothing({ target: vehicleDamages.damageId }),
  ];
}
