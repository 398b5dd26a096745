import { type SQL, sql } from "drizzle-orm";
import type { CivilDate } from "#domain/dates.ts";
import { selectContractExtras } from "#worker/store/bookings/contract-extras.ts";
import { getCustomerIdentityColumns, selectDoNotRentReason } from "#worker/store/bookings/do-not-rent.ts";
import { selectExchangedVehiclesJson } from "#worker/store/bookings/exchange.ts";
import { currentVehicleBlocksQuery, isVehicleOutSql, selectVehicleJson } from "#worker/store/catalogue/vehicles.ts";
import { isContractSignedSql } from "#worker/store/contracts/hand-over-facts.ts";
import type { Database } from "#worker/store/database.ts";
import { selectAuthorisedCardHoldCents } from "#worker/store/payments/card-holds.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
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

// A booking has a hundred columns. Transferring and converting the others would take longer than the day's own work.
const BOOKING_COLUMNS = {
  id: bookings.id,
  version: bookings.version,
  status: bookings.status,
  createdAt: bookings.createdAt,
  dateFrom: bookings.dateFrom,
  timeFrom: bookings.timeFrom,
  dateTo: bookings.dateTo,
  timeTo: bookings.timeTo,
  days: bookings.days,
  pickupPlaceId: bookings.pickupPlaceId,
  pickupPlace: bookings.pickupPlace,
  returnPlaceId: bookings.returnPlaceId,
  returnPlace: bookings.returnPlace,
  branchCode: bookings.branchCode,
  returnBranchCode: bookings.returnBranchCode,
  branchGroupId: bookings.branchGroupId,
  customerName: bookings.customerName,
  customerSurname: bookings.customerSurname,
  customerType: bookings.customerType,
  customerPhonePrefix: bookings.customerPhonePrefix,
  customerPhone: bookings.customerPhone,
  customerEmail: bookings.customerEmail,
  customerDocumentId: bookings.customerDocumentId,
  customerLanguage: bookings.customerLanguage,
  contractData: bookings.contractData,
  comments: bookings.comments,
  itemCents: bookings.itemCents,
  discountCents: bookings.discountCents,
  extrasCents: bookings.extrasCents,
  supplement1Cents: bookings.supplement1Cents,
  supplement2Cents: bookings.supplement2Cents,
  supplement3Cents: bookings.supplement3Cents,
  totalCents: bookings.totalCents,
  totalPaidCents: bookings.totalPaidCents,
  creditedCents: bookings.creditedCents,
  agentCommissionPrepaidCents: bookings.agentCommissionPrepaidCents,
  cancellationFeeCents: bookings.cancellationFeeCents,
  totalDepositCents: bookings.totalDepositCents,
  depositHeldCents: bookings.depositHeldCents,
};

/** Returns the query for matching bookings with all data for the app. Each column is JSON. */
export function checkInDayBookingsQuery(db: Database, condition: SQL, order: SQL) {
  return db
    .select({
      booking: BOOKING_COLUMNS,
      depositAuthorisedCents: selectAuthorisedCardHoldCents("bookings").as("deposit_authorised_cents"),
      isSigned: isContractSignedSql.as("is_signed"),
      doNotRent: selectDoNotRentReason(getCustomerIdentityColumns("bookings")).as("day_do_not_rent"),
      units: sql<string>`${UNITS}`.as("units"),
      extras: sql<string>`${EXTRAS}`.as("extras"),
      operations: sql<string>`${OPERATIONS}`.as("operations"),
    })
    .from(bookings)
    .where(sql`${condition} AND bookings.kind = 'rental'`)
    .orderBy(order);
}

/** Day of a branch. `isToday` adds overdue deliveries and collections. */
export interface CheckInDayQueryInput {
  readonly branchCode: string;
  readonly date: CivilDate;
  readonly isToday: boolean;
  /** Start of the period in which no-shows are listed. */
  readonly since: CivilDate;
  /** Current time in epoch ms. */
  readonly now: number;
}

/** Overdue deliveries stay listed for this long after they were made, so that staff see the result. */
const RECENT_MILLISECONDS = 12 * 3_600_000;

/**
 * Returns the queries for a branch's day: deliveries, overdue collections, the day's collections, candidate vehicles
 * for deliveries without one, and vehicle blocks.
 */
export function checkInDayQueries(db: Database, { branchCode, date, isToday, since, now }: CheckInDayQueryInput) {
  const values = {
    branchCode,
    date,
    from: isToday ? since : date,
    isToday: isToday ? 1 : 0,
    recentSince: now - RECENT_MILLISECONDS,
  };
  return [
    deliveriesQuery(db, values),
    lateCollectionsQuery(db, values),
    collectionsQuery(db, values),
    candidatesQuery(db, values),
    currentVehicleBlocksQuery(db, now),
  ] as const;
}

const BRANCH = sql.placeholder("branchCode");
const DATE = sql.placeholder("date");
const IS_TODAY = sql`${sql.placeholder("isToday")} = 1`;
const RECENT_SINCE = sql.placeholder("recentSince");

// One date range with a filter for completed bookings. Two conditions would read each booking twice.
const deliveriesQuery = prepareQuery((db) =>
  checkInDayBookingsQuery(
    db,
    sql`bookings.branch_code = ${BRANCH} AND bookings.date_from BETWEEN ${sql.placeholder("from")} AND ${DATE}
      AND (bookings.status = 'confirmed' OR bookings.date_from = ${DATE} AND bookings.status IN ('in_progress', 'done')
        OR ${IS_TODAY} AND bookings.status = 'in_progress' AND bookings.last_update >= ${RECENT_SINCE}
          AND EXISTS (SELECT 1 FROM booking_units AS unit WHERE unit.booking_id = bookings.id
            AND unit.delivered_at >= ${RECENT_SINCE}))`,
    sql`time_from, bookings.id`,
  ),
);

const lateCollectionsQuery = prepareQuery((db) =>
  checkInDayBookingsQuery(
    db,
    sql`bookings.return_branch_code = ${BRANCH} AND bookings.date_to < ${DATE} AND bookings.status = 'in_progress'
      AND ${IS_TODAY}`,
    sql`date_to, time_to, bookings.id`,
  ),
);

const collectionsQuery = prepareQuery((db) =>
  checkInDayBookingsQuery(
    db,
    sql`bookings.return_branch_code = ${BRANCH} AND bookings.date_to = ${DATE}
      AND bookings.status IN ('confirmed', 'in_progress', 'done')`,
    sql`time_to, bookings.id`,
  ),
);

// Returns free vehicles of the branch's group in the categories of the day's deliveries without a vehicle. The plus
// sign keeps SQLite from starting with all units that never had a vehicle.
const candidatesQuery = prepareQuery((db) =>
  db
    .select({ vehicle: sql<string>`${selectVehicleJson("item", { isOut: "0" })}`.as("vehicle") })
    .from(sql`(SELECT DISTINCT line.category_code AS code, booking.branch_group_id AS storage
        FROM bookings AS booking
        JOIN booking_lines AS line ON line.booking_id = booking.id
        JOIN booking_units AS unit ON unit.booking_line_id = line.id AND +unit.vehicle_reference IS NULL
        WHERE booking.branch_code = ${BRANCH} AND booking.date_from = ${DATE} AND booking.status = 'confirmed') AS wanted
      JOIN vehicles AS item ON item.branch_group_id = wanted.storage AND item.category_code = wanted.code AND item.active = 1
        AND item.acquisition_mode <> 'virtual'`)
    .where(
      sql`(item.sold_release_date IS NULL OR item.sold_release_date > ${DATE}) AND NOT ${sql.raw(isVehicleOutSql("item"))}`,
    ),
);

export type CheckInDayBookingRow = Awaited<ReturnType<typeof checkInDayBookingsQuery>>[number];
