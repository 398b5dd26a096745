import { and, eq, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { CivilMinute } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { vehicleBlocks, vehicles } from "#worker/store/schema/vehicles.ts";

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

/** A vehicle as a move is decided on it, with whether a customer has it. */
export function vehicleToMoveQuery(db: Database, reference: string) {
  return db
    .select({
      reference: vehicles.reference,
      branchGroupId: vehicles.branchGroupId,
      branchCode: vehicles.branchCode,
      version: vehicles.version,
      isOut:
        sql<number>`EXISTS (SELECT 1 FROM booking_units INDEXED BY booking_units_out WHERE vehicle_reference = ${vehicles.reference}
        AND delivered_at IS NOT NULL AND collected_at IS NULL)`.as("is_out"),
    })
    .from(vehicles)
    .where(eq(vehicles.reference, reference));
}

/** What moves a vehicle: it is away until its home counts on it, and whatever was said before is over. */
export function moveVehicleStatements(
  db: Database,
  move: VehicleMove,
): [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]] {
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
    db
      .update(vehicles)
      .set({
        branchCode,
        ...(homeGroupId !== undefined && { branchGroupId: homeGroupId }),
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(eq(vehicles.reference, reference)),
  ];
}
