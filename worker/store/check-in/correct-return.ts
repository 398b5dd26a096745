import { and, eq, type SQL, sql } from "drizzle-orm";
import { MILLISECONDS_PER_MINUTE } from "#domain/dates.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { vehicleBlocks, vehicles } from "#worker/store/schema/vehicles.ts";

/** Vehicle and data of a corrected return: the unit of a reopened contract is collected again. Times in epoch ms. */
export interface CorrectedReturn {
  readonly reference: string;
  /** Time of the first return. */
  readonly collectedAt: number;
  readonly doneAt: number;
  readonly bookingId: number;
  readonly branchGroupId: number;
}

// Corrects the home branch of a vehicle after a contract was reopened. Its unit is already back, so no trigger sets the
// home branch. The effects of the first return are undone and recalculated for the corrected one.

/**
 * Returns the queries that undo the earlier return of a reopened contract: the vehicle's home and its block at another
 * branch. Run them before the new return is written.
 */
export function undoFirstReturnStatements(db: Database, correctedReturn: CorrectedReturn): Query[] {
  const { reference, collectedAt, branchGroupId } = correctedReturn;
  const stayed = sql`(SELECT one_way_mode FROM settings WHERE id = 1) = 'stays'
    AND branch_group_id = (SELECT branch_group_id FROM branches WHERE code = vehicles.branch_code)`;
  return [
    db
      .update(vehicles)
      .set({ branchGroupId })
      .where(and(isLocatedSince(reference, collectedAt), stayed)),
    db
      .delete(vehicleBlocks)
      .where(
        and(
          eq(vehicleBlocks.vehicleReference, reference),
          eq(vehicleBlocks.kind, "away"),
          sql`starts_at = ${civilMinute(collectedAt)}`,
        ),
      ),
  ];
}

/**
 * Returns the statements that set a vehicle's home, or its absence, from the corrected branch, like any other return.
 * Run them after the contract's return is written.
 */
export function correctVehicleLocationStatements(db: Database, correctedReturn: CorrectedReturn): Query[] {
  const { reference, collectedAt, doneAt, bookingId } = correctedReturn;
  const rental = sql`rental_stretches AS rental`;
  const block = {
    vehicleReference: reference,
    kind: "away",
    startsAt: civilMinute(doneAt),
    endsAt: sql`${civilMinute(doneAt)} + max(rental.preparation_minutes
      + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3), 1)`,
  } as const;
  return [
    db
      .update(vehicles)
      .set({ branchGroupId: sql`(SELECT return_branch_group_id FROM ${rental} WHERE booking_id = ${bookingId})` })
      .where(
        and(isLocatedSince(reference, collectedAt), sql`(SELECT stays FROM ${rental} WHERE booking_id = ${bookingId})`),
      ),
    db.insert(vehicleBlocks).select(
      selectRowToInsert(
        vehicleBlocks,
        block,
        sql`FROM ${rental} JOIN vehicles ON ${isLocatedSince(reference, collectedAt)}
          LEFT JOIN repatriations AS home ON home.branch_group_id = vehicles.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id
          WHERE rental.booking_id = ${bookingId} AND NOT rental.stays AND vehicles.branch_group_id <> rental.return_branch_group_id`,
      ),
    ),
  ];
}

// Condition that the vehicle's state wasn't recorded again after this time.
const isLocatedSince = (reference: string, since: number): SQL =>
  sql`vehicles.reference = ${reference} AND coalesce(vehicles.as_of, 0) <= ${since}`;

const civilMinute = (at: number): SQL =>
  sql`(CAST(${Math.floor(at / MILLISECONDS_PER_MINUTE)} AS INTEGER) + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= ${at} ORDER BY from_at DESC LIMIT 1), 0))`;
