import { and, eq, gt, sql } from "drizzle-orm";
import type { CivilMinute } from "#domain/dates.ts";
import { unassignInvalidVehicles } from "#worker/store/bookings/broken-promises.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { vehicleBlocks } from "#worker/store/schema/vehicles.ts";
import { updateVehicle, type VehicleEntry } from "./office-vehicles.ts";

/** Where a vehicle goes, decided by the office. */
export interface VehicleMove {
  readonly reference: string;
  /** Where it stands from then on. */
  readonly branchCode: string;
  /** The branch group that counts on it from then on; absent: its home stays. */
  readonly homeGroupId: number | undefined;
  /** From when on its home counts on it, in civil minutes. */
  readonly from: CivilMinute;
  /** When it is decided: on the account's clock, and epoch ms. */
  readonly now: CivilMinute;
  readonly at: number;
}

/**
 * What moves a vehicle: it is away until its home counts on it, whatever was said before is over, and who was promised
 * it meanwhile, or where its home was, has it no more.
 */
export function moveVehicleStatements(
  db: Database,
  move: VehicleMove,
  version: number,
  entry: Pick<VehicleEntry, "actor" | "event" | "before" | "after">,
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
    db.insert(vehicleBlocks).select(newRow(vehicleBlocks, away, sql`WHERE ${from} > ${now}`)),
    ...updateVehicle(db, { branchCode, ...(homeGroupId !== undefined && { branchGroupId: homeGroupId }) }, version, {
      ...entry,
      reference,
      at,
    }),
    ...unassignInvalidVehicles(db, reference, { at, actor: entry.actor }),
  ];
}
