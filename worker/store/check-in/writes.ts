import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DiscountChange } from "#domain/bookings/sold-extras-discount.ts";
import { formatFuelEighths } from "#domain/check-in/fuel.ts";
import type {
  AppliedOperationEffects,
  CheckInBooking,
  CheckInOperation,
  CollectionCharges,
} from "#domain/check-in/operations.ts";
import { correctsReturnReading } from "#domain/contracts/readings.ts";
import type { Surcharge } from "#domain/contracts/surcharge.ts";
import type { CivilDate } from "#domain/dates.ts";
import { sumCents } from "#domain/money.ts";
import { AGENCY_BOOKING_SNAPSHOT_SQL } from "#worker/store/bookings/agreed-with-agency.ts";
import { insertSurchargeStatement } from "#worker/store/bookings/contract-extras.ts";
import { unassignInvalidVehiclesStatements } from "#worker/store/bookings/invalid-assignments.ts";
import { reallocateStockStatement } from "#worker/store/bookings/reallocation.ts";
import { updateVehicleReadingStatement } from "#worker/store/catalogue/vehicle-state.ts";
import type { Database } from "#worker/store/database.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { bookingExtras, bookingHistory, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import { checkInFiles, checkInOperationFiles, checkInOperations } from "#worker/store/schema/check-in.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";
import { type CorrectedReturn, correctVehicleLocationStatements, undoFirstReturnStatements } from "./correct-return.ts";
import { newDamagesStatements } from "./damages.ts";
import { createReducedDepositColumns, type DepositReduction, reduceLineDepositsStatements } from "./deposits.ts";
import { linkContractToCustomerStatements, updateDriverStatements } from "./link-customer.ts";

export type Statement = BatchItem<"sqlite">;

/** Sender of an operation and its arrival time (epoch ms). */
export interface OperationReceipt {
  readonly userId: number;
  readonly author: string;
  readonly at: number;
}

/** Row of a synced check-in operation, with the decision on it. */
export type OperationRow = typeof checkInOperations.$inferInsert;

/**
 * Returns the statements that store an operation with its files. They come first in a batch, because the database
 * refuses a duplicate id.
 */
export function storeOperationStatements(
  db: Database,
  booking: CheckInBooking,
  { files, removedFiles }: CheckInOperation,
  row: OperationRow,
): Statement[] {
  const fileRows = files.map((file, position) => ({ ...file, opId: row.opId, bookingId: row.bookingId, position }));
  return [
    expectBookingVersionStatement(db, booking),
    db.insert(checkInOperations).values(row),
    db.insert(checkInOperationFiles).select(selectRowsToInsert(checkInOperationFiles, fileRows)),
    db
      .update(checkInFiles)
      .set({ removedAt: row.receivedAt })
      .where(
        and(
          eq(checkInFiles.bookingId, row.bookingId),
          isNull(checkInFiles.removedAt),
          inArray(checkInFiles.hash, sql`(SELECT value FROM json_each(${JSON.stringify(removedFiles)}))`),
        ),
      ),
  ];
}

/** Returns the statements that update a held or refused operation instead of storing a new one. */
export function updateOperationStatements(db: Database, booking: CheckInBooking, row: OperationRow): Statement[] {
  const { opId, ...change } = row;
  return [
    expectBookingVersionStatement(db, booking),
    db.update(checkInOperations).set(change).where(eq(checkInOperations.opId, opId)),
  ];
}

/** Returns the statement that adds refused or held work to the booking's history. */
export function addUnappliedOperationHistoryStatement(db: Database, row: OperationRow): Statement {
  return db.insert(bookingHistory).values({
    bookingId: row.bookingId,
    at: row.receivedAt,
    actor: `staff:${row.userId}`,
    event: "changed",
    detail: JSON.stringify({ op_id: row.opId, kind: row.kind, check_in: row.state, code: row.code }),
  });
}

/**
 * Returns the statement that increases the booking's version without other changes, so that a request that read it
 * earlier must read it again.
 */
export function increaseBookingVersionStatement(db: Database, { id, version }: CheckInBooking): Statement {
  return db
    .update(bookings)
    .set({ version: version + 1 })
    .where(eq(bookings.id, id));
}

/** Extra sold at delivery, priced by the domain. */
export interface SoldExtra {
  readonly code: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly vatBasisPoints: number;
}

/** Operation to write, with the booking that it applies to and its effects. */
export interface AppliedOperation {
  readonly booking: CheckInBooking;
  readonly operation: CheckInOperation;
  readonly applied: AppliedOperationEffects;
  /** Actual return branch, if it isn't the agreed one. The contract ends there if this is its last vehicle. */
  readonly returnedTo?: { readonly code: string; readonly name: string; readonly agreed: string } | undefined;
  readonly extras: readonly SoldExtra[];
  readonly discountChange: DiscountChange;
  /** Charges of a return in addition to the extras. */
  readonly surcharges: readonly Surcharge[];
  readonly depositReduction: DepositReduction;
  /** Whether the vehicle returns to another branch group than that of its pickup, or than its home. */
  readonly isElsewhere: boolean;
  readonly receipt: OperationReceipt;
  /** When the work was done, epoch ms: the device's time, at most the time of receipt. */
  readonly doneAt: number;
  /** Day of `doneAt` in the account's time zone. */
  readonly date: CivilDate;
}

/**
 * Returns the statements for all effects of an operation except itself, its payments and its documents. For an
 * exchange, only the returned vehicle's data.
 */
export function applyOperationStatements(db: Database, application: AppliedOperation): Statement[] {
  const { booking, operation } = application;
  // For an exchange, the office action already writes the units and amounts.
  const right = findCorrectedReturn(application);
  if (operation.kind === "exchange")
    return [...updateConditionStatements(db, application), ...updateDamageStatements(db, application)];
  return [
    ...(operation.kind === "delivery" ? linkContractToCustomerStatements(db, booking, application.receipt.at) : []),
    ...(isWithoutDelivery(application) ? [openedBooking(db, booking)] : []),
    ...(right ? undoFirstReturnStatements(db, right) : []),
    ...(operation.kind === "evidence" ? [] : [changedBooking(db, application)]),
    ...soldExtras(db, application),
    ...changedDiscounts(db, application),
    ...application.surcharges.map((surcharge) => insertSurchargeStatement(db, booking.id, surcharge)),
    ...reduceLineDepositsStatements(db, application.depositReduction),
    ...changedUnit(db, application),
    ...expectedAsAgreed(db, application),
    ...changedVehicle(db, application),
    ...updateConditionStatements(db, application),
    ...updateDriverStatements(db, booking.id, operation),
    ...updateDamageStatements(db, application),
    db.insert(bookingHistory).values({
      bookingId: booking.id,
      at: application.receipt.at,
      actor: `staff:${application.receipt.userId}`,
      event: EVENTS[operation.kind],
      detail: JSON.stringify(historyDetail(application)),
    }),
  ];
}

const EVENTS = {
  delivery: "delivered",
  collection: "collected",
  exchange: "exchanged",
  evidence: "changed",
  correction: "changed",
} as const;

function historyDetail({ operation, applied, returnedTo, booking }: AppliedOperation) {
  const { unit, vehicleReference, flags, closing } = applied;
  return {
    op_id: operation.opId,
    kind: operation.kind,
    unit_id: unit?.unitId,
    vehicle: vehicleReference ?? unit?.reference,
    kilometres: operation.kilometres,
    fuel: formatFuelEighths(operation.fuelEighths) ?? undefined,
    notes: operation.notes,
    ...(operation.trip && { trip: operation.trip }),
    ...(returnedTo && { return_rental_location_code: returnedTo.code }),
    ...(returnedTo && applied.status === "done" && { agreed_return: agreedReturn(returnedTo.agreed, booking) }),
    recorded_at: new Date(operation.recordedAt).toISOString(),
    ...(flags.length > 0 && { flags }),
    ...(operation.kind === "collection" && { closing }),
  };
}

// Returns the agreed return place of a contract that ended elsewhere. A later correction to the agreed return restores
// it.
const agreedReturn = (branchCode: string, { returnPlaceId, returnPlace }: CheckInBooking) => ({
  ...{ rental_location_code: branchCode, place_id: returnPlaceId, place: returnPlace },
});

const isWithoutDelivery = ({ operation, applied, booking }: AppliedOperation) =>
  operation.kind === "collection" && applied.status === "done" && booking.status === "confirmed";

// Sets the contract in progress before it's completed, even if its delivery was never sent.
function openedBooking(db: Database, { id }: CheckInBooking): Statement {
  const out = { status: "in_progress", agreedWithAgency: AGENCY_BOOKING_SNAPSHOT_SQL } as const;
  return db.update(bookings).set(out).where(eq(bookings.id, id));
}

function changedBooking(db: Database, application: AppliedOperation): Statement {
  const { booking, applied, extras, surcharges, depositReduction, receipt, returnedTo } = application;
  const { closing } = applied;
  const { addedCents, addedLineCents } = application.discountChange;
  const listCents = sumExtras(extras) + sumCents(surcharges.map((surcharge) => surcharge.extraCents));
  const extrasCents = listCents - (addedCents - addedLineCents);
  const more = listCents - addedCents + closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
  return db
    .update(bookings)
    .set({
      ...(applied.status && { status: applied.status }),
      ...(applied.status === "in_progress" && { agreedWithAgency: AGENCY_BOOKING_SNAPSHOT_SQL }),
      ...(applied.status === "done" && { reopenedAt: null }),
      // Comes before the unit's return, so that the stock uses the new branch.
      ...(returnedTo && { returnBranchCode: returnedTo.code }),
      ...(returnedTo && applied.status === "done" && getReturnPlaceColumns(booking.id, returnedTo)),
      version: booking.version + 1,
      lastUpdate: receipt.at,
      ...addedSums(closing, extrasCents),
      ...(addedCents !== 0 && {
        itemCents: sql`item_cents - ${addedLineCents}`,
        discountCents: sql`discount_cents + ${addedCents}`,
      }),
      ...(depositReduction.lines.length > 0 && createReducedDepositColumns(depositReduction)),
      totalCents: sql`total_cents + ${more}`,
      paymentStatus: sql`CASE WHEN payment_status = 'total' AND total_paid_cents + agent_commission_prepaid_cents < total_cents - credited_cents + ${more} THEN 'deposit' ELSE payment_status END`,
    })
    .where(eq(bookings.id, booking.id));
}

// Returns the agreed return place if it's at the actual return branch, otherwise the branch's name.
function getReturnPlaceColumns(bookingId: number, { code, name }: NonNullable<AppliedOperation["returnedTo"]>) {
  const agreed = (part: string) =>
    sql`(SELECT detail ->> ${`$.agreed_return.${part}`} FROM booking_history WHERE booking_id = ${bookingId} AND event = 'collected'
      AND detail ->> '$.agreed_return.rental_location_code' = ${code} ORDER BY id DESC LIMIT 1)`;
  return { returnPlaceId: agreed("place_id"), returnPlace: sql`coalesce(${agreed("place")}, ${name})` };
}

// The contract's other vehicles keep their agreed return branch, in the contract and in stock.
function expectedAsAgreed(db: Database, { booking, applied, returnedTo, receipt }: AppliedOperation): Statement[] {
  if (!returnedTo || applied.status === "done") return [];
  return [
    db
      .update(bookings)
      .set({ returnBranchCode: returnedTo.agreed, lastUpdate: receipt.at })
      .where(eq(bookings.id, booking.id)),
    reallocateStockStatement(db, booking.id, receipt.at),
  ];
}

function sumExtras(extras: readonly SoldExtra[]): number {
  return extras.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0);
}

function addedSums(closing: CollectionCharges, extrasCents: number): Record<string, SQL> {
  return {
    extrasCents: sql`extras_cents + ${extrasCents}`,
    supplement1Cents: sql`supplement_1_cents + ${closing.extraDaysCents}`,
    supplement2Cents: sql`supplement_2_cents + ${closing.fuelCents}`,
    supplement3Cents: sql`supplement_3_cents + ${closing.kilometresCents}`,
  };
}

// An already booked extra grows at its sale price, so that its line stays quantity times price.
function soldExtras(db: Database, { booking, extras }: AppliedOperation): Statement[] {
  return extras.map(({ code, description, quantity, unitCents, vatBasisPoints }) =>
    db
      .insert(bookingExtras)
      .values({
        bookingId: booking.id,
        extraId: code,
        extraDescription: description,
        quantity,
        extraUnitCents: unitCents,
        extraCents: unitCents * quantity,
        vatBasisPoints,
      })
      .onConflictDoUpdate({
        target: [bookingExtras.bookingId, bookingExtras.extraId],
        set: {
          quantity: sql`quantity + ${quantity}`,
          extraCents: sql`extra_unit_cents * (quantity + ${quantity}) - discount_cents`,
        },
      }),
  );
}

// Lines and extras absorb the discount again, because extras were sold.
function changedDiscounts(db: Database, { booking, discountChange: { lines, extras } }: AppliedOperation): Statement[] {
  return [
    ...lines.map(({ lineId, itemCents, discountCents }) =>
      db.update(bookingLines).set({ itemCents, discountCents }).where(eq(bookingLines.id, lineId)),
    ),
    ...extras.map(({ code, discountCents }) =>
      db
        .update(bookingExtras)
        .set({ discountCents, extraCents: sql`extra_unit_cents * quantity - ${discountCents}` })
        .where(and(eq(bookingExtras.bookingId, booking.id), eq(bookingExtras.extraId, code))),
    ),
  ];
}

function changedUnit(db: Database, application: AppliedOperation): Statement[] {
  const { booking, operation, applied, isElsewhere, receipt, doneAt } = application;
  const { unit, vehicleReference } = applied;
  const right = findCorrectedReturn(application);
  if (!unit || operation.kind === "evidence") return [];
  const reference = vehicleReference ?? unit.reference;
  const kilometres = operation.kilometres ?? null;
  const fuel = formatFuelEighths(operation.fuelEighths);
  const isAfterReturn = operation.kind === "collection" || correctsReturnReading(unit, doneAt);
  const readings = isAfterReturn
    ? {
        collectionUsageUnits: sql`coalesce(${kilometres}, collection_usage_units)`,
        collectionFuel: sql`coalesce(${fuel}, collection_fuel)`,
      }
    : {
        deliveryUsageUnits: sql`coalesce(${kilometres}, delivery_usage_units)`,
        deliveryFuel: sql`coalesce(${fuel}, delivery_fuel)`,
      };
  return [
    db
      .update(bookingUnits)
      .set({
        ...(vehicleReference && { vehicleReference }),
        ...(operation.kind === "delivery" && { deliveredAt: doneAt }),
        ...(operation.kind === "collection" && {
          collectedAt: doneAt,
          reopened: false,
          deliveredAt: sql`coalesce(delivered_at, ${doneAt})`,
        }),
        ...readings,
      })
      .where(and(eq(bookingUnits.id, unit.unitId), eq(bookingUnits.bookingId, booking.id))),
    ...(right ? correctVehicleLocationStatements(db, right) : []),
    // The vehicle is on its way to its home branch group, or has a new home, so assigned contracts may lose it.
    ...(operation.kind === "collection" && isElsewhere && reference !== undefined
      ? unassignInvalidVehiclesStatements(db, reference, { at: receipt.at, actor: `staff:${receipt.userId}` })
      : []),
  ];
}

// Updates the vehicle's current branch, kilometres and fuel.
function changedVehicle(db: Database, { booking, operation, applied, receipt, doneAt }: AppliedOperation): Statement[] {
  const reference = applied.vehicleReference ?? applied.unit?.reference;
  if (!reference || operation.kind === "evidence") return [];
  const { kind, kilometres, fuelEighths } = operation;
  return [
    updateVehicleReadingStatement(db, {
      ...{ reference, kilometres, fuelEighths, now: receipt.at },
      branchCode: kind === "collection" && !isUnmoved(operation, applied) ? booking.returnBranchCode : undefined,
      happenedAt: kind === "correction" ? correctedAt(applied, doneAt) : doneAt,
    }),
  ];
}

// Returns the data of a corrected return, if the operation corrects the return branch of a reopened contract's vehicle.
function findCorrectedReturn({ booking, operation, applied, doneAt }: AppliedOperation): CorrectedReturn | undefined {
  const { kind, returnBranchCode } = operation;
  const { reference, collectedAt, isReopened } = applied.unit ?? {};
  if (kind !== "collection" || returnBranchCode === undefined || !isReopened) return undefined;
  if (reference === undefined || collectedAt === undefined) return undefined;
  return { reference, collectedAt, doneAt, bookingId: booking.id, branchGroupId: booking.branchGroupId };
}

// For a reopened contract, the vehicle's branch stays unless a different one is specified.
const isUnmoved = ({ returnBranchCode }: CheckInOperation, { unit }: AppliedOperationEffects): boolean =>
  returnBranchCode === undefined && unit?.isReopened === true;

// Updates where the vehicle is parked and what it needs. A delivery clears these values, because the customer parks
// anywhere.
function updateConditionStatements(db: Database, { operation, applied, doneAt }: AppliedOperation): Statement[] {
  const reference = applied.vehicleReference ?? applied.unit?.reference;
  const { standing, kind } = operation;
  if (!reference || (!standing && kind !== "delivery")) return [];
  const conditionColumns =
    kind === "delivery" ? { parkingPlace: null, needsCleaning: false, needsFuel: false } : toConditionColumns(standing);
  const keyNumber = standing?.keyNumber;
  const set = { ...conditionColumns, ...(keyNumber !== undefined && { keyNumber: keyNumber || null }) };
  if (Object.keys(set).length === 0) return [];
  const isNewest = sql`coalesce(as_of, 0) <= ${doneAt}`;
  return [
    db
      .update(vehicles)
      .set(set)
      .where(and(eq(vehicles.reference, reference), isNewest)),
  ];
}

function toConditionColumns({
  parkingPlace,
  needsCleaning,
  needsFuel,
}: Partial<NonNullable<CheckInOperation["standing"]>> = {}) {
  return {
    ...(parkingPlace !== undefined && { parkingPlace: parkingPlace || null }),
    ...(needsCleaning !== undefined && { needsCleaning }),
    ...(needsFuel !== undefined && { needsFuel }),
  };
}

// Returns the time of the readings that a correction applies to: the collection or, while the vehicle is out, the
// delivery.
function correctedAt({ unit }: AppliedOperationEffects, doneAt: number): number {
  return (unit && correctsReturnReading(unit, doneAt) ? unit.collectedAt : unit?.deliveredAt) ?? 0;
}

function updateDamageStatements(
  db: Database,
  { booking, operation, applied, date }: AppliedOperation,
): readonly Statement[] {
  const reference = applied.vehicleReference ?? applied.unit?.reference;
  if (!reference) return [];
  const { damages, exchange, opId } = operation;
  const damageOrigin = { bookingId: booking.id, opId, date };
  const isOut = ({ isReplacement = false }: (typeof damages)[number]) => isReplacement;
  return [
    ...newDamagesStatements(
      db,
      damages.filter((damage) => !isOut(damage)),
      { ...damageOrigin, reference },
    ),
    ...(exchange
      ? newDamagesStatements(db, damages.filter(isOut), { ...damageOrigin, reference: exchange.reference })
      : []),
  ];
}
