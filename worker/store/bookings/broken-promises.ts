import { type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { bookingHistory, bookingUnits } from "#worker/store/schema/bookings.ts";

/**
 * Contracts that were promised a vehicle which stands blocked in their time, or has another home by now, have it no
 * more and are told so in their history: what ends a batch that blocks, moves or takes back a vehicle.
 */
export function withdrawBrokenPromises(
  db: Database,
  reference: string | SQL,
  { at, actor }: { readonly at: number; readonly actor: string },
): readonly Query[] {
  const isElsewhere = sql`(SELECT branch_group_id FROM vehicles WHERE reference = unit.vehicle_reference) <> booking.branch_group_id`;
  const broken = sql`FROM booking_units AS unit INDEXED BY booking_units_promised CROSS JOIN bookings AS booking ON booking.id = unit.booking_id
    WHERE unit.vehicle_reference = ${reference} AND unit.collected_at IS NULL AND unit.delivered_at IS NULL
      AND booking.status IN ('pending_confirmation', 'confirmed', 'in_progress')
      AND (${isElsewhere} OR EXISTS (SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = unit.vehicle_reference
        AND block.ends_at > unixepoch(booking.date_from || ' ' || booking.time_from) / 60
        AND block.starts_at < unixepoch(booking.date_to || ' ' || booking.time_to) / 60))`;
  const reason = sql`iif(${isElsewhere}, 'the vehicle has another home', 'the vehicle is blocked')`;
  return withdrawPromises(db, broken, reason, { at, actor });
}

/**
 * Takes their vehicles from units that it was promised to, and tells the histories of their contracts why. `from`: the
 * SQL that finds them, with the alias `unit`.
 */
export function withdrawPromises(
  db: Database,
  from: SQL,
  reason: SQL,
  { at, actor }: { readonly at: number; readonly actor: string },
): readonly Query[] {
  const entry = {
    bookingId: sql`unit.booking_id`,
    at,
    actor,
    event: "unassigned",
    detail: sql`json_object('before', json_object('reference', unit.vehicle_reference), 'reason', ${reason})`,
  } as const;
  return [
    db.insert(bookingHistory).select(newRow(bookingHistory, entry, from)),
    db.update(bookingUnits).set({ vehicleReference: null }).where(sql`id IN (SELECT unit.id ${from})`),
  ];
}
