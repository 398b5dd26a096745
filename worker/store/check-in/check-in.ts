import { and, eq, inArray, sql } from "drizzle-orm";
import { type ExchangedVehiclesUse, sumExchangedVehiclesUse } from "#domain/bookings/closing.ts";
import { parseFuelEighths } from "#domain/check-in/fuel.ts";
import type {
  CheckInBooking,
  CheckInLine,
  CheckInUnit,
  CheckInVehicle,
  PreviousOperation,
  TripEvent,
} from "#domain/check-in/operations.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { parseDiscount } from "#worker/store/bookings/booking-rows.ts";
import { selectExchangedVehiclesJson } from "#worker/store/bookings/exchange.ts";
import { selectVehicleEngagementsJson } from "#worker/store/catalogue/vehicles.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { selectDepositByMethod } from "#worker/store/documents/deposit-by-method.ts";
import { selectAuthorisedCardHoldCents } from "#worker/store/payments/card-holds.ts";
import { bookingExtras, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import { checkInOperations } from "#worker/store/schema/check-in.ts";
import { users } from "#worker/store/schema/people.ts";
import { categories, vehicles } from "#worker/store/schema/vehicles.ts";
import { missingOperationFilesQuery } from "./operations.ts";

/**
 * Returns the queries for a booking for check-in decisions. Run them in a batch and pass the result to
 * `toCheckInBooking`.
 */
export function checkInBookingQueries(db: Database, bookingId: number, kind: "rental" | "transfer") {
  return [
    db
      .select({
        id: bookings.id,
        version: bookings.version,
        agreedVersion: bookings.agreedVersion,
        status: bookings.status,
        dateFrom: bookings.dateFrom,
        timeFrom: bookings.timeFrom,
        dateTo: bookings.dateTo,
        timeTo: bookings.timeTo,
        days: bookings.days,
        branchCode: bookings.branchCode,
        branchGroupId: bookings.branchGroupId,
        returnBranchCode: bookings.returnBranchCode,
        returnPlaceId: bookings.returnPlaceId,
        returnPlace: bookings.returnPlace,
        customerName: bookings.customerName,
        customerSurname: bookings.customerSurname,
        customerId: bookings.customerId,
        salesChannelCode: bookings.salesChannelCode,
        extrasCents: bookings.extrasCents,
        discount: bookings.discount,
        discountCents: bookings.discountCents,
        dueCents:
          sql<number>`${bookings.totalCents} - ${bookings.creditedCents} - ${bookings.agentCommissionPrepaidCents} - ${bookings.totalPaidCents}`.as(
            "still_due_cents",
          ),
        supplement1Cents: bookings.supplement1Cents,
        supplement2Cents: bookings.supplement2Cents,
        supplement3Cents: bookings.supplement3Cents,
        totalCents: bookings.totalCents,
        totalDepositCents: bookings.totalDepositCents,
        depositHeldCents: bookings.depositHeldCents,
        depositAuthorisedCents: selectAuthorisedCardHoldCents("bookings").as("deposit_authorised_cents"),
        depositByMethod: selectDepositByMethod(),
        hasReturn:
          sql<number>`EXISTS (SELECT 1 FROM transfer_trips AS back WHERE back.booking_id = ${bookings.id} AND back.position = 2)`.as(
            "has_return",
          ),
      })
      .from(bookings)
      .where(and(eq(bookings.id, bookingId), eq(bookings.kind, kind))),
    unitsQuery(db, bookingId),
    db
      .select({
        unitId: checkInOperations.unitId,
        kind: checkInOperations.kind,
        author: checkInOperations.author,
        deviceId: checkInOperations.deviceId,
        tripPosition: sql<TripEvent["position"] | null>`operation ->> '$.trip.position'`.as("trip_position"),
        tripMoment: sql<TripEvent["moment"] | null>`operation ->> '$.trip.moment'`.as("trip_moment"),
        at: checkInOperations.recordedAt,
      })
      .from(checkInOperations)
      .where(and(eq(checkInOperations.bookingId, bookingId), inArray(checkInOperations.state, ["applied", "accepted"])))
      .orderBy(checkInOperations.receivedAt),
    db
      .select({
        code: bookingExtras.extraId,
        unitCents: bookingExtras.extraUnitCents,
        quantity: bookingExtras.quantity,
        discountCents: bookingExtras.discountCents,
      })
      .from(bookingExtras)
      .where(eq(bookingExtras.bookingId, bookingId)),
  ] as const;
}

function unitsQuery(db: Database, bookingId: number) {
  return db
    .select({
      unitId: bookingUnits.id,
      categoryCode: bookingLines.itemId,
      unitCents: bookingLines.itemUnitCents,
      lineDiscountCents: bookingLines.discountCents,
      lineId: bookingUnits.bookingLineId,
      depositUnitCents: bookingLines.productDepositUnitCents,
      guaranteeUnitCents: bookingLines.productGuaranteeUnitCents,
      depositReductionUnitCents: bookingLines.depositReductionUnitCents,
      guaranteeReductionUnitCents: bookingLines.guaranteeReductionUnitCents,
      reference: bookingUnits.vehicleReference,
      deliveredAt: bookingUnits.deliveredAt,
      collectedAt: bookingUnits.collectedAt,
      isReopened: bookingUnits.reopened,
      deliveryKilometres: bookingUnits.deliveryUsageUnits,
      deliveryFuel: bookingUnits.deliveryFuel,
      collectionKilometres: bookingUnits.collectionUsageUnits,
      collectionFuel: bookingUnits.collectionFuel,
      exchanged: sql<string>`${sql.raw(selectExchangedVehiclesJson("booking_units.id"))}`.as("exchanged"),
      fuelEighthCents: categories.fuelEighthCents,
      kilometresPerDay: categories.kilometresPerDay,
      extraKilometreCents: categories.extraKilometreCents,
    })
    .from(bookingUnits)
    .innerJoin(bookingLines, eq(bookingLines.id, bookingUnits.bookingLineId))
    .innerJoin(categories, eq(categories.code, bookingLines.itemId))
    .where(eq(bookingUnits.bookingId, bookingId))
    .orderBy(bookingUnits.id);
}

type Rows = Readonly<QueryResults<ReturnType<typeof checkInBookingQueries>>>;

export function toCheckInBooking([item, units, done, extras]: Rows): CheckInBooking | undefined {
  const row = item[0];
  if (!row) return undefined;
  const { dateFrom, timeFrom, dateTo, timeTo, supplement1Cents, supplement2Cents, supplement3Cents, ...rest } = row;
  return {
    ...rest,
    supplementCents: [supplement1Cents, supplement2Cents, supplement3Cents],
    salesChannelCode: row.salesChannelCode ?? undefined,
    period: {
      dateFrom: dateFrom as CivilDate,
      timeFrom: timeFrom as TimeText,
      dateTo: dateTo as CivilDate,
      timeTo: timeTo as TimeText,
    },
    customerFullName: `${row.customerName} ${row.customerSurname}`.trim(),
    customerId: row.customerId ?? undefined,
    hasReturn: row.hasReturn === 1,
    units: units.map(toUnit),
    lines: [...Map.groupBy(units, ({ lineId }) => lineId).values()].flatMap(toLine),
    extras,
    discount: parseDiscount(row),
    done: done.map(toPreviousWork),
  };
}

function toPreviousWork({ tripPosition, tripMoment, ...one }: Rows[2][number]): PreviousOperation {
  const trip = tripPosition && tripMoment ? { position: tripPosition, moment: tripMoment } : undefined;
  return { ...one, unitId: one.unitId ?? undefined, trip };
}

function toLine(units: readonly UnitRow[]): readonly CheckInLine[] {
  const [row] = units;
  if (!row) return [];
  const { lineId, depositUnitCents, guaranteeUnitCents, depositReductionUnitCents, guaranteeReductionUnitCents } = row;
  const excess = { depositUnitCents, guaranteeUnitCents, depositReductionUnitCents, guaranteeReductionUnitCents };
  const unitIds = units.map(({ unitId }) => unitId);
  const price = { unitCents: row.unitCents, discountCents: row.lineDiscountCents };
  return [{ lineId, unitIds, quantity: units.length, ...excess, ...price }];
}

type UnitRow = Awaited<ReturnType<typeof unitsQuery>>[number];

function toUnit(row: UnitRow): CheckInUnit {
  const exchanged = JSON.parse(row.exchanged) as ExchangedRow[];
  return {
    unitId: row.unitId,
    categoryCode: row.categoryCode,
    unitCents: row.unitCents,
    reference: row.reference ?? undefined,
    deliveredAt: row.deliveredAt ?? undefined,
    collectedAt: row.collectedAt ?? undefined,
    isReopened: row.isReopened,
    deliveryKilometres: row.deliveryKilometres ?? undefined,
    deliveryFuelEighths: parseFuelEighths(row.deliveryFuel),
    collectionKilometres: row.collectionKilometres ?? undefined,
    collectionFuelEighths: parseFuelEighths(row.collectionFuel),
    earlier: toExchangedVehiclesUse(exchanged),
    exchangedReferences: exchanged.map(({ reference }) => reference),
    fuelEighthCents: row.fuelEighthCents,
    kilometresPerDay: row.kilometresPerDay ?? undefined,
    extraKilometreCents: row.extraKilometreCents,
  };
}

export interface ExchangedRow {
  readonly reference: string;
  readonly deliveryKilometres: number | null;
  readonly returnKilometres: number | null;
  readonly deliveryFuel: string | null;
  readonly returnFuel: string | null;
}

/**
 * Sums the kilometres and fuel used with vehicles that were exchanged earlier, from the JSON of
 * `selectExchangedVehiclesJson`.
 */
export function toExchangedVehiclesUse(exchanged: readonly ExchangedRow[]): ExchangedVehiclesUse {
  return sumExchangedVehiclesUse(
    exchanged.map((row) => ({
      deliveryKilometres: row.deliveryKilometres ?? undefined,
      returnKilometres: row.returnKilometres ?? undefined,
      deliveryFuelEighths: parseFuelEighths(row.deliveryFuel),
      returnFuelEighths: parseFuelEighths(row.returnFuel),
    })),
  );
}

/**
 * Returns the query for the vehicles of a booking's units and the vehicle with this reference, each with the unit that
 * it's out for now.
 */
export function bookingVehiclesQuery(db: Database, bookingId: number, reference: string | undefined, date: string) {
  const vehicleReferences = sql`SELECT vehicle_reference FROM booking_units WHERE booking_id = ${bookingId} UNION SELECT ${reference ?? null}`;
  return db
    .select({
      reference: vehicles.reference,
      categoryCode: vehicles.categoryCode,
      branchGroupId: vehicles.branchGroupId,
      branchCode: vehicles.branchCode,
      kilometres: vehicles.usageUnits,
      inspectionDue: vehicles.inspectionDue,
      insuredUntil: vehicles.insuredUntil,
      engagements: sql<string>`${selectVehicleEngagementsJson("vehicles.reference")}`.as("engagements"),
      isUsable: sql<number>`active = 1 AND (sold_release_date IS NULL OR sold_release_date > ${date})`.as("is_usable"),
      outWith: sql<
        string | null
      >`(SELECT json_object('unitId', id, 'bookingId', booking_id, 'since', delivered_at) FROM booking_units INDEXED BY booking_units_out
        WHERE vehicle_reference = vehicles.reference AND delivered_at IS NOT NULL AND collected_at IS NULL LIMIT 1)`.as(
        "out_with",
      ),
    })
    .from(vehicles)
    .where(sql`${vehicles.reference} IN (${vehicleReferences})`);
}

/** Converts the vehicle with this reference from the rows of a booking's vehicles. */
export function toCheckInVehicle(
  rows: Awaited<ReturnType<typeof bookingVehiclesQuery>>,
  vehicleReference: string | undefined,
): CheckInVehicle | undefined {
  const row = rows.find(({ reference }) => reference === vehicleReference);
  return (
    row && {
      ...row,
      isUsable: row.isUsable === 1,
      engagements: JSON.parse(row.engagements) as CheckInVehicle["engagements"],
      outWith: row.outWith === null ? undefined : (JSON.parse(row.outWith) as CheckInVehicle["outWith"]),
    }
  );
}

/** Returns the query for the role of the user who sent an operation. */
export const userRoleQuery = (db: Database, userId: number) =>
  db.select({ role: users.role }).from(users).where(eq(users.id, userId));

/** Returns the queries for a stored operation and its files that haven't arrived. */
export function storedOperationQueries(db: Database, opId: string) {
  return [
    db.select().from(checkInOperations).where(eq(checkInOperations.opId, opId)),
    missingOperationFilesQuery(db, opId),
  ] as const;
}

/**
 * Returns the query for a booking's collections that are held until their delivery arrives from a device, oldest first.
 */
export function heldCollectionOperationsQuery(db: Database, bookingId: number) {
  return db
    .select()
    .from(checkInOperations)
    .where(and(eq(checkInOperations.bookingId, bookingId), eq(checkInOperations.state, "held")))
    .orderBy(checkInOperations.receivedAt);
}

export type StoredOperation = typeof checkInOperations.$inferSelect;
