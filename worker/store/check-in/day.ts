import { type SQL, sql } from "drizzle-orm";
import type { CivilDate } from "#domain/dates.ts";
import { selectContractExtras } from "#worker/store/bookings/contract-extras.ts";
import { selectExchangedVehiclesJson } from "#worker/store/bookings/exchange.ts";
import { currentVehicleBlocksQuery, isVehicleOutSql, selectVehicleJson } from "#worker/store/catalogue/vehicles.ts";
import type { Database } from "#worker/store/database.ts";
import { selectAuthorisedCents } from "#worker/store/payments/holds.ts";
import { bookings } from "#worker/store/schema/bookings.ts";

// One statement builds a full entry. Each of its rows is found through an index and read once, so the cost depends only
// on the day's entries.

/** Units of a booking, each with its category's rates, its vehicle and the vehicle's damage. */
const UNITS = sql`(SELECT json_group_array(json_object('unitId', unit.id, 'lineId', line.id, 'categoryCode', line.category_code,
    'categoryName', line.item_description, 'unitCents', line.item_unit_cents, 'deliveredAt', unit.delivered_at, 'collectedAt', unit.collected_at,
    'deliveryKilometres', unit.delivery_usage_units, 'collectionKilometres', unit.collection_usage_units,
    'deliveryFuel', unit.delivery_fuel, 'collectionFuel', unit.collection_fuel,
    'fuelEighthCents', category.fuel_eighth_cents, 'kilometresPerDay', category.kilometres_per_day,
    'extraKilometreCents', category.extra_kilometre_cents, 'exchanged', ${sql.raw(selectExchangedVehiclesJson("unit.id"))},
    'vehicle', CASE WHEN item.reference IS NOT NULL THEN json(${selectVehicleJson("item")}) END) ORDER BY unit.id)
  FROM booking_units AS unit
  JOIN booking_lines AS line ON line.id = unit.booking_line_id
  JOIN categories AS category ON category.code = line.category_code
  LEFT JOIN vehicles AS item ON item.reference = unit.vehicle_reference
  WHERE unit.booking_id = bookings.id)`;

const EXTRAS =
  sql.raw(`(SELECT json_group_array(json_object('code', extra_code, 'name', extra_description, 'quantity', quantity,
    'unitCents', extra_unit_cents, 'cents', extra_cents) ORDER BY id)
  FROM ${selectContractExtras("bookings.id")})`);

const OPERATIONS =
  sql.raw(`(SELECT json_group_array(json_object('opId', op_id, 'kind', kind, 'unitId', unit_id, 'state', state,
    'author', author, 'at', recorded_at, 'notes', json_extract(operation.operation, '$.notes'),
    'filesTotal', (SELECT count(*) FROM check_in_operation_files AS file WHERE file.op_id = operation.op_id),
    'filesMissing', (SELECT count(*) FROM check_in_operation_files AS file WHERE file.op_id = operation.op_id AND arrived = 0)) ORDER BY received_at)
  FROM check_in_operations AS operation WHERE operation.booking_id = bookings.id)`);

/** Returns matching bookings with all data for the app. Each column is JSON. */
export function dayEntriesQuery(db: Database, condition: SQL, order: SQL) {
  return db
    .select({
      booking: bookings,
      depositAuthorisedCents: selectAuthorisedCents("bookings").as("deposit_authorised_cents"),
      units: sql<string>`${UNITS}`.as("units"),
      extras: sql<string>`${EXTRAS}`.as("extras"),
      operations: sql<string>`${OPERATIONS}`.as("operations"),
    })
    .from(bookings)
    .where(sql`${condition} AND bookings.kind = 'rental'`)
    .orderBy(order);
}

/** Day of a branch. `isToday` adds overdue deliveries and collections. */
export interface DayQueryInput {
  readonly branchCode: string;
  readonly date: CivilDate;
  readonly isToday: boolean;
  /** Start of the period in which no-shows are listed. */
  readonly since: CivilDate;
  /** Epoch ms. */
  readonly now: number;
}

/** Overdue deliveries stay listed for this long after they were made, so that staff see the result. */
const RECENT_MILLISECONDS = 12 * 3_600_000;

/**
 * Returns the reads of a branch's day: deliveries, overdue collections, the day's collections, candidate vehicles for
 * deliveries without one, and vehicle blocks.
 */
export function branchDayQueries(db: Database, { branchCode, date, isToday, since, now }: DayQueryInput) {
  const from = isToday ? since : date;
  return [
    // One date range with a filter for completed bookings. Two conditions would read each booking twice.
    dayEntriesQuery(
      db,
      sql`bookings.branch_code = ${branchCode} AND bookings.date_from BETWEEN ${from} AND ${date}
        AND (bookings.status = 'confirmed' OR bookings.date_from = ${date} AND bookings.status IN ('in_progress', 'done')
          OR ${isToday ? 1 : 0} = 1 AND bookings.status = 'in_progress' AND bookings.last_update >= ${now - RECENT_MILLISECONDS}
            AND EXISTS (SELECT 1 FROM booking_units AS unit WHERE unit.booking_id = bookings.id
              AND unit.delivered_at >= ${now - RECENT_MILLISECONDS}))`,
      sql`time_from, bookings.id`,
    ),
    dayEntriesQuery(
      db,
      sql`bookings.return_branch_code = ${branchCode} AND bookings.date_to < ${date} AND bookings.status = 'in_progress'
        AND ${isToday ? 1 : 0} = 1`,
      sql`date_to, time_to, bookings.id`,
    ),
    dayEntriesQuery(
      db,
      sql`bookings.return_branch_code = ${branchCode} AND bookings.date_to = ${date}
        AND bookings.status IN ('confirmed', 'in_progress', 'done')`,
      sql`time_to, bookings.id`,
    ),
    candidatesQuery(db, { branchCode, date }),
    currentVehicleBlocksQuery(db, now),
  ] as const;
}

// Returns free vehicles of the branch's group in the categories of the day's deliveries without a vehicle. The plus
// sign keeps SQLite from starting with all units that never had a vehicle.
function candidatesQuery(db: Database, { branchCode, date }: Pick<DayQueryInput, "branchCode" | "date">) {
  return db
    .select({ vehicle: sql<string>`${selectVehicleJson("item", { isOut: "0" })}`.as("vehicle") })
    .from(sql`(SELECT DISTINCT line.category_code AS code, booking.branch_group_id AS storage
        FROM bookings AS booking
        JOIN booking_lines AS line ON line.booking_id = booking.id
        JOIN booking_units AS unit ON unit.booking_line_id = line.id AND +unit.vehicle_reference IS NULL
        WHERE booking.branch_code = ${branchCode} AND booking.date_from = ${date} AND booking.status = 'confirmed') AS wanted
      JOIN vehicles AS item ON item.branch_group_id = wanted.storage AND item.category_code = wanted.code AND item.active = 1
        AND item.acquisition_mode <> 'virtual'`)
    .where(
      sql`(item.sold_release_date IS NULL OR item.sold_release_date > ${date}) AND NOT ${sql.raw(isVehicleOutSql("item"))}`,
    );
}

export type DayEntryRow = Awaited<ReturnType<typeof dayEntriesQuery>>[number];
