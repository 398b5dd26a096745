import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { MinistryReportKind } from "#domain/ministry-reports/rental.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import type { Database } from "#worker/store/database.ts";
import { bookingLines, bookings, bookingUnits, exchangedVehicles } from "#worker/store/schema/bookings.ts";
import { ministryReports } from "#worker/store/schema/ministry-reports.ts";
import { branches, pickupPlaces } from "#worker/store/schema/organization.ts";
import { categories, vehicles } from "#worker/store/schema/vehicles.ts";
import { ministryListsForBookingsQuery } from "./lists.ts";

const returnBranch = alias(branches, "return_branch");
const returnPlace = alias(pickupPlaces, "return_place");
const ownCategory = alias(categories, "own_category");

// D1 returns rows by column name, so names must be unique.
function selectPlace(end: "pickup" | "return", place: typeof pickupPlaces, branch: typeof branches) {
  const text = (name: string, value: SQL) => sql<string | null>`${value}`.as(`${end}_${name}`);
  return {
    // A place with its own address, such as a hotel, isn't the branch's establishment.
    establishment: text(
      "establishment",
      sql`iif(${place.addressStreetAddress} <> coalesce(${branch.addressStreetAddress}, '')
        OR (${place.addressStreetAddress} <> '' AND ${place.addressCity} <> ${branch.addressCity}), NULL, ${branch.sesEstablishmentCode})`,
    ),
    street: text("street", sql`coalesce(${place.addressStreetAddress}, ${branch.addressStreetAddress})`),
    city: text("city", sql`coalesce(${place.addressCity}, ${branch.addressCity})`),
    zip: text("zip", sql`coalesce(${place.addressZip}, ${branch.addressZip})`),
    country: text("country", sql`coalesce(${place.addressCountryCode}, ${branch.addressCountryCode})`),
  };
}

const reportedVehicle = {
  brand: vehicles.brand,
  model: vehicles.model,
  plate: vehicles.plate,
  vin: vehicles.vin,
  color: vehicles.color,
};

/**
 * Returns the queries for bookings with all data to report, for one batch: the bookings, their vehicles including
 * exchanged ones, and earlier reports to the ministry.
 */
export function bookingsToReportQueries(db: Database, bookingIds: readonly number[]) {
  const ids = [...bookingIds];
  return [
    db
      .select({
        id: bookings.id,
        kind: bookings.kind,
        status: bookings.status,
        version: bookings.version,
        isFromBefore:
          sql<number>`coalesce(${bookings.lastUpdate} <= (SELECT since FROM ministry_report_cursor WHERE id = 1), 0)`
            .mapWith(Boolean)
            .as("is_from_before"),
        register: branches.rentalRegister,
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        createdAt: bookings.createdAt,
        dateFrom: bookings.dateFrom,
        timeFrom: bookings.timeFrom,
        dateTo: bookings.dateTo,
        timeTo: bookings.timeTo,
        customerType: bookings.customerType,
        name: bookings.customerName,
        surname: bookings.customerSurname,
        email: bookings.customerEmail,
        phonePrefix: bookings.customerPhonePrefix,
        phone: bookings.customerPhone,
        documentId: bookings.customerDocumentId,
        contractData: bookings.contractData,
        agencyId: bookings.agencyId,
        totalPaidCents: bookings.totalPaidCents,
        method:
          sql<PaymentMethod | null>`(SELECT payment_method_id FROM charges WHERE booking_id = bookings.id AND virtual = 0
          AND payment_type = 'charge' ORDER BY id LIMIT 1)`.as("method"),
        pickup: selectPlace("pickup", pickupPlaces, branches),
        return: selectPlace(
          "return",
          returnPlace as unknown as typeof pickupPlaces,
          returnBranch as unknown as typeof branches,
        ),
      })
      .from(bookings)
      .innerJoin(branches, eq(branches.code, bookings.branchCode))
      .innerJoin(returnBranch, eq(returnBranch.code, bookings.returnBranchCode))
      .leftJoin(pickupPlaces, eq(pickupPlaces.id, bookings.pickupPlaceId))
      .leftJoin(returnPlace, eq(returnPlace.id, bookings.returnPlaceId))
      .where(inArray(bookings.id, ids)),
    db
      .select({
        id: sql<number>`${bookingUnits.id}`.as("reported_unit"),
        bookingId: bookingUnits.bookingId,
        vehicleNumber: sql<number>`${countReportedVehiclesSql("booking_units")}`.as("vehicle_number"),
        deliveredAt: bookingUnits.deliveredAt,
        exchangedAt: sql<number | null>`NULL`.as("exchanged_at"),
        kilometres: bookingUnits.deliveryUsageUnits,
        category: sql<string>`${categories.name}`.as("category_name"),
        ...reportedVehicle,
      })
      .from(bookingUnits)
      .innerJoin(bookingLines, eq(bookingLines.id, bookingUnits.bookingLineId))
      .innerJoin(categories, eq(categories.code, bookingLines.itemId))
      .leftJoin(vehicles, eq(vehicles.reference, bookingUnits.vehicleReference))
      .where(inArray(bookingUnits.bookingId, ids))
      .unionAll(
        db
          .select({
            id: sql<number>`${exchangedVehicles.unitId}`.as("reported_unit"),
            bookingId: exchangedVehicles.bookingId,
            vehicleNumber:
              sql<number>`row_number() OVER (PARTITION BY ${exchangedVehicles.unitId} ORDER BY ${exchangedVehicles.id})`.as(
                "vehicle_number",
              ),
            deliveredAt: sql<number | null>`${exchangedVehicles.deliveredAt}`.as("delivered_at"),
            exchangedAt: sql<number | null>`${exchangedVehicles.returnedAt}`.as("exchanged_at"),
            kilometres: exchangedVehicles.deliveryUsageUnits,
            // An exchange for another category changes the line.
            category: sql<string>`${ownCategory.name}`.as("category_name"),
            ...reportedVehicle,
          })
          .from(exchangedVehicles)
          .innerJoin(vehicles, eq(vehicles.reference, exchangedVehicles.vehicleReference))
          .innerJoin(ownCategory, eq(ownCategory.code, vehicles.categoryCode))
          .where(inArray(exchangedVehicles.bookingId, ids)),
      )
      .orderBy(sql`reported_unit, vehicle_number`),
    db.select().from(ministryReports).where(inArray(ministryReports.bookingId, ids)).orderBy(asc(ministryReports.id)),
    ministryListsForBookingsQuery(db, ids),
  ] as const;
}

export type BookingToReportRows = readonly [
  booking: Awaited<ReturnType<typeof bookingsToReportQueries>[0]>[number],
  units: Awaited<ReturnType<typeof bookingsToReportQueries>[1]>,
  ministryReports: Awaited<ReturnType<typeof bookingsToReportQueries>[2]>,
  lists: Awaited<ReturnType<typeof bookingsToReportQueries>[3]>,
];

/** Returns the query for the rentals changed after an instant, earliest first. */
export function rentalsChangedSinceQuery(db: Database, after: number, limit: number) {
  return db
    .select({ id: bookings.id, lastUpdate: bookings.lastUpdate })
    .from(bookings)
    .where(
      and(
        gt(bookings.lastUpdate, after),
        eq(bookings.kind, "rental"),
        inArray(bookings.status, ["confirmed", "in_progress", "done", "cancelled"]),
      ),
    )
    .orderBy(asc(bookings.lastUpdate))
    .limit(limit);
}

/**
 * Returns the number of parts in which a booking is reported, as in `listReportPartNumbers`. `booking` is the table's
 * name in the statement.
 */
function countReportPartsSql(booking: "bookings" | "booking"): SQL {
  const isNamed = (n: 1 | 2) =>
    `(trim(coalesce(${booking}.contract_data ->> 'additional_driver_${n}_name', '') || coalesce(${booking}.contract_data ->> 'additional_driver_${n}_surname', '')) <> '')`;
  return sql.raw(`max(1, ${isNamed(1)} + ${isNamed(2)})`);
}

function countReportedVehiclesSql(unit: "booking_units" | "unit"): SQL {
  return sql.raw(`(1 + (SELECT count(*) FROM exchanged_vehicles WHERE exchanged_vehicles.unit_id = ${unit}.id))`);
}

interface ReportedRows {
  /** Name of the bookings' table in the statement. */
  readonly booking: "bookings" | "booking";
  /** Condition on the reports' states. */
  readonly states: SQL;
}

/**
 * Returns SQL of whether all reports of a reservation, or of a row `unit` of `booking_units` with its exchanged
 * vehicles, have certain states.
 */
export function isFullyReportedSql(kind: MinistryReportKind, { booking, states }: ReportedRows): SQL {
  const isUnit = kind === "AV" ? sql`AND report.unit_id = unit.id` : sql``;
  const vehicleCount = kind === "AV" ? countReportedVehiclesSql("unit") : sql`1`;
  return sql`(SELECT count(DISTINCT report.part || '/' || report.vehicle_number) FROM ministry_reports AS report
    WHERE report.booking_id = ${sql.raw(booking)}.id AND report.kind = ${kind} ${isUnit} AND report.state ${states})
    >= ${countReportPartsSql(booking)} * ${vehicleCount}`;
}

/**
 * Whether a row of `bookings` was delivered and isn't accepted by the ministry. Applies while the law requires it and
 * its register: up to three years after its end.
 */
export const isUnreportedRentalSql = (
  now: number,
) => sql<number>`(bookings.kind = 'rental' AND bookings.date_to >= date(${now} / 1000, 'unixepoch', '-3 years')
  AND (SELECT ses_mode FROM settings WHERE id = 1) = 'ses'
  AND (SELECT rental_register FROM branches WHERE code = bookings.branch_code) = 'ses_hospedajes'
  AND EXISTS (SELECT 1 FROM booking_units AS unit WHERE unit.booking_id = bookings.id
    AND unit.delivered_at >= (SELECT since FROM ministry_report_cursor WHERE id = 1)
    AND NOT (${isFullyReportedSql("AV", { booking: "bookings", states: sql`= 'accepted'` })})))`;

/** Period before now in which unreported rentals are searched. Older ones create an office task. */
const LOOKED_BACK_MILLISECONDS = 60 * 24 * 3_600_000;

/**
 * Returns the query for the rentals that are due but not reported to the ministry, or whose report was refused, newest
 * first.
 */
export function unreportedRentalsQuery(db: Database, now: number, limit: number) {
  const isReported = (kind: MinistryReportKind) =>
    sql`(${isFullyReportedSql(kind, { booking: "bookings", states: sql`NOT IN ('refused', 'annulling', 'annulled')` })})`;
  const hasStarted = sql`EXISTS (SELECT 1 FROM booking_units AS unit WHERE unit.booking_id = ${bookings.id} AND unit.delivered_at IS NOT NULL
    AND unit.delivered_at >= (SELECT since FROM ministry_report_cursor WHERE id = 1) AND NOT ${isReported("AV")})`;
  return db
    .select({ id: bookings.id })
    .from(bookings)
    .where(
      and(
        gt(
          bookings.lastUpdate,
          sql`max(${now - LOOKED_BACK_MILLISECONDS}, (SELECT since FROM ministry_report_cursor WHERE id = 1))`,
        ),
        eq(bookings.kind, "rental"),
        sql`((${bookings.status} IN ('in_progress', 'done') AND ${hasStarted})
          OR (${bookings.status} = 'confirmed' AND NOT ${isReported("RV")}))`,
      ),
    )
    .orderBy(desc(bookings.lastUpdate))
    .limit(limit);
}
