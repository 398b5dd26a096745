import { and, eq, gt, sql } from "drizzle-orm";
import type { CivilMinute } from "#domain/dates.ts";
import { unassignInvalidVehiclesStatements } from "#worker/store/bookings/invalid-assignments.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { vehicleBlocks } from "#worker/store/schema/vehicles.ts";
import { updateVehicleStatements, type VehicleHistoryEntry } from "./office-vehicles.ts";

/** Decision of the office to move a vehicle to another branch or another home branch group. */
export interface VehicleRelocation {
  readonly reference: string;
  /** Branch of the vehicle after the move. */
  readonly branchCode: string;
  /** Branch group that owns the vehicle after the move. Absent if its home doesn't change. */
  readonly homeGroupId: number | undefined;
  /** Start of the vehicle's availability at its home branch group, in civil minutes. */
  readonly from: CivilMinute;
  /** Time of the decision, in the account's time zone and epoch ms. */
  readonly now: CivilMinute;
  readonly at: number;
}

/**
 * Returns the statements that move a vehicle. It's absent until its home can use it, and earlier absences end.
 * Contracts with the vehicle assigned in the meantime, or at its old home, lose it.
 */
export function moveVehicleStatements(
  db: Database,
  move: VehicleRelocation,
  version: number,
  entry: Pick<VehicleHistoryEntry, "actor" | "event" | "before" | "after">,
): readonly Query[] {
  const { reference, branchCode, homeGroupId, from, now, at } = move;
  const isAway = and(
    eq(vehicleBlocks.vehicleReference, reference),
    eq(vehicleBlocks.kind, "away"),
    gt(vehicleBlocks.endsAt, now),
  );
  const away = { vehicleReference: reference, kind: "away" as const, startsAt: now, endsAt: from };
  return [
    db.delete(vehicleBlocks).where(isAway),
    db.insert(vehicleBlocks).select(selectRowToInsert(vehicleBlocks, away, sql`WHERE ${from} > ${now}`)),
    ...updateVehicleStatements(
      db,
      { branchCode, ...(homeGroupId !== undefined && { branchGroupId: homeGroupId }) },
      version,
      {
        ...entry,
        reference,
        at,
      },
    ),
    ...unassignInvalidVehiclesStatements(db, reference, { at, actor: entry.actor }),
  ];
}
