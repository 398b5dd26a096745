import { type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookingUnits } from "#worker/store/schema/bookings.ts";

/**
 * Returns the statements that unassign a vehicle from contracts during which it's blocked, leaves the fleet, or has a
 * different home. Adds this to their history. Ends a batch that blocks, moves, retires or collects a vehicle.
 */
export function unassignInvalidVehiclesStatements(
  db: Database,
  reference: string | SQL,
  { at, actor }: { readonly at: number; readonly actor: string },
): readonly Query[] {
  const isInOtherBranchGroup = sql`(SELECT branch_group_id FROM vehicles WHERE reference = unit.vehicle_reference) <> booking.branch_group_id`;
  const hasLeftFleet = sql`EXISTS (SELECT 1 FROM vehicles WHERE reference = unit.vehicle_reference AND (active = 0 OR sold_release_date <= booking.date_to))`;
  const broken = sql`${selectAssignments(reference)} AND (${isInOtherBranchGroup} OR ${hasLeftFleet} OR EXISTS (SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = unit.vehicle_reference
        AND block.ends_at > unixepoch(booking.date_from || ' ' || booking.time_from) / 60
        AND block.starts_at < unixepoch(booking.date_to || ' ' || booking.time_to) / 60))`;
  const code = sql`CASE WHEN ${isInOtherBranchGroup} THEN 'vehicle_home_changed' WHEN ${hasLeftFleet} THEN 'vehicle_retired' ELSE 'vehicle_blocked' END`;
  return unassignVehiclesStatements(db, broken, { code }, { at, actor });
}

/**
 * Returns the statements that unassign a vehicle from contracts of a category that it no longer has. Ends a batch that
 * changes the category.
 */
export function unassignFromOtherCategoryStatements(
  db: Database,
  reference: string,
  { at, actor }: { readonly at: number; readonly actor: string },
): readonly Query[] {
  const other = sql`${selectAssignments(reference)} AND (SELECT category_code FROM vehicles WHERE reference = unit.vehicle_reference)
    <> (SELECT category_code FROM booking_lines WHERE id = unit.booking_line_id)`;
  return unassignVehiclesStatements(db, other, { code: sql`'vehicle_category_changed'` }, { at, actor });
}

/** Selects the units that a vehicle is assigned to, as `unit` of `booking`. */
function selectAssignments(reference: string | SQL): SQL {
  return sql`FROM booking_units AS unit INDEXED BY booking_units_promised CROSS JOIN bookings AS booking ON booking.id = unit.booking_id
    WHERE unit.vehicle_reference = ${reference} AND unit.collected_at IS NULL AND unit.delivered_at IS NULL
      AND booking.status IN ('pending_confirmation', 'confirmed', 'in_progress')`;
}

/**
 * Returns the statements that unassign vehicles from units and add the reason to the contracts' history. `from` is the
 * SQL that finds them, with the alias `unit`.
 */
export function unassignVehiclesStatements(
  db: Database,
  from: SQL,
  reason: { readonly code: SQL; readonly params?: string },
  { at, actor }: { readonly at: number; readonly actor: string },
): readonly Query[] {
  const entry = {
    bookingId: sql`unit.booking_id`,
    at,
    actor,
    event: "unassigned",
    detail: sql`json_object('before', json_object('reference', unit.vehicle_reference), 'reasonCode', ${reason.code}, 'reasonParams', json(${reason.params ?? "{}"}))`,
  } as const;
  return [
    db.insert(bookingHistory).select(selectRowToInsert(bookingHistory, entry, from)),
    db.update(bookingUnits).set({ vehicleReference: null }).where(sql`id IN (SELECT unit.id ${from})`),
  ];
}
