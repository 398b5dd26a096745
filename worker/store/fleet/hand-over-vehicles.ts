import { sql } from "drizzle-orm";
import type { CivilMinute } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";
import { isAllBranchesUserSql, isInUserBranchesSql, selectUserBranchCodes } from "#worker/store/user-branches.ts";

/** Contract with a vehicle. The name is null if the user can't access the contract. */
export interface VehicleContract {
  readonly id: number;
  readonly customer: string | null;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
}

export interface VehicleBlock {
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
  readonly kind: string;
}

/** Reservation, user and current time: as `yyyy-mm-dd hh:mm` and in civil minutes. */
export interface HandOverQueryInput {
  readonly id: number;
  readonly userId: number;
  readonly civilNow: string;
  readonly minuteNow: CivilMinute;
}

/**
 * Returns the queries for a reservation if the user may see it, and its branch group's vehicles with the contract or
 * block that makes each unavailable.
 */
export function handOverVehiclesQueries(db: Database, { id, userId, civilNow, minuteNow }: HandOverQueryInput) {
  const visible = sql`${isAllBranchesUserSql(userId)} OR other.branch_code IN ${selectUserBranchCodes(userId)} OR other.return_branch_code IN ${selectUserBranchCodes(userId)}`;
  const contract = sql`json_object('id', other.id, 'customer', CASE WHEN ${visible} THEN trim(other.customer_name || ' ' || other.customer_surname) END,
    'dateFrom', other.date_from, 'timeFrom', other.time_from, 'dateTo', other.date_to, 'timeTo', other.time_to)`;
  // Period in which the vehicle is needed: from the pickup or now, whichever is earlier, to the return or now,
  // whichever is later.
  const end = sql`max(bookings.date_to || ' ' || bookings.time_to, ${civilNow})`;
  const start = sql`min(bookings.date_from || ' ' || bookings.time_from, ${civilNow})`;
  const minuteEnd = sql`max((unixepoch(bookings.date_to || ' ' || bookings.time_to) / 60), ${minuteNow})`;
  const out = sql`(SELECT ${contract} FROM booking_units AS unit INDEXED BY booking_units_out JOIN bookings AS other ON other.id = unit.booking_id
    WHERE unit.vehicle_reference = vehicles.reference AND unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL AND other.id <> ${id} LIMIT 1)`;
  const reserved = sql`(SELECT ${contract} FROM booking_units AS unit JOIN bookings AS other ON other.id = unit.booking_id
    WHERE unit.vehicle_reference = vehicles.reference AND unit.delivered_at IS NULL AND other.id <> ${id}
      AND other.status IN ('pending_confirmation', 'confirmed', 'in_progress')
      AND other.date_from || ' ' || other.time_from < ${end} AND other.date_to || ' ' || other.time_to > ${start}
    ORDER BY other.date_from, other.time_from LIMIT 1)`;
  const block = sql`(SELECT json_object('startsAt', block.starts_at, 'endsAt', block.ends_at, 'kind', block.kind) FROM vehicle_blocks AS block
    WHERE block.vehicle_reference = vehicles.reference AND block.ends_at > ${minuteNow} AND block.starts_at < ${minuteEnd}
    ORDER BY block.starts_at LIMIT 1)`;
  const isOwnCategory = sql<number>`EXISTS (SELECT 1 FROM booking_lines AS line WHERE line.booking_id = bookings.id AND line.category_code = vehicles.category_code)`;
  const isVisible = isInUserBranchesSql(userId, sql`bookings.branch_code`, sql`bookings.return_branch_code`);
  return [
    db
      .select({ id: bookings.id })
      .from(bookings)
      .where(sql`bookings.id = ${id} AND bookings.kind = 'rental' AND ${isVisible}`),
    db
      .select({
        reference: vehicles.reference,
        name: vehicles.name,
        plate: vehicles.plate,
        categoryCode: vehicles.categoryCode,
        branchCode: vehicles.branchCode,
        needsCleaning: vehicles.needsCleaning,
        isOwnCategory: isOwnCategory.as("is_own_category"),
        isElsewhere: sql<number>`vehicles.branch_code <> bookings.branch_code`.as("is_elsewhere"),
        out: sql`${out}`.mapWith(parseStoredJson<VehicleContract>).as("out_with"),
        reserved: sql`${reserved}`.mapWith(parseStoredJson<VehicleContract>).as("reserved_for"),
        block: sql`${block}`.mapWith(parseStoredJson<VehicleBlock>).as("vehicle_block"),
      })
      .from(bookings)
      .innerJoin(vehicles, sql`vehicles.branch_group_id = bookings.branch_group_id`)
      .where(
        sql`bookings.id = ${id} AND ${isVisible} AND vehicles.active = 1
          AND (vehicles.sold_release_date IS NULL OR vehicles.sold_release_date > ${civilNow.slice(0, 10)})`,
      )
      .orderBy(sql`is_own_category DESC, vehicles.reference`),
  ] as const;
}
