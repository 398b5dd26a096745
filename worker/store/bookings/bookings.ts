import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type {
  BookingExtra,
  BookingLine,
  NewBooking,
  NewReservation,
  RentalBooking,
} from "#domain/bookings/bookings.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { findSoldOutResource } from "#worker/store/failures.ts";
import { expectBookingVersionStatement, isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { expectCatalogueVersionStatement } from "#worker/store/guards/catalogue-version.ts";
import { prepareWideRowInsert, selectRowsToInsert, selectRowToInsert, toStoredRow } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingExtras, bookingHistory, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import {
  createBookingRow,
  createExtraRow,
  createLineRow,
  fromReservationRow,
  parseDiscount,
  type ReservationRow,
  reservationColumns,
} from "./booking-rows.ts";
import { contractExtrasQuery, type StoredExtraRow } from "./contract-extras.ts";
import { isDoNotRentSql } from "./do-not-rent.ts";
import { guestCustomerIdAfterInsert, insertGuestCustomerStatement, toGuestCustomerJson } from "./guests.ts";

/**
 * Identifies a booking by an agency and its own reference, by the booking's unguessable id, or by its cart.
 * The reference alone isn't enough, so an agency can't read another agency's booking.
 */
export type BookingIdentifier =
  | { readonly agencyId: number; readonly reference: string }
  | { readonly freeAccessId: string }
  | { readonly cartId: string };

/**
 * Returns the three queries for one booking: itself, its lines and its extras. Run them in a batch and pass the result
 * to `fromBookingRows`.
 */
export function bookingQueries(db: Database, identifier: BookingIdentifier) {
  const { booking, lines, extras } = queriesBy[getNameKind(identifier)];
  return [booking(db, identifier), lines(db, identifier), extras(db, identifier)] as const;
}

function getNameKind(name: BookingIdentifier): keyof typeof queriesBy {
  if ("freeAccessId" in name) return "freeAccessId";
  return "cartId" in name ? "cartId" : "reference";
}

const queriesBy = {
  reference: queriesNamed(
    and(
      eq(bookings.agencyId, sql.placeholder("agencyId")),
      eq(bookings.agencyReservationId, sql.placeholder("reference")),
    ),
  ),
  freeAccessId: queriesNamed(
    and(eq(bookings.freeAccessId, sql.placeholder("freeAccessId")), eq(bookings.kind, "rental")),
  ),
  cartId: queriesNamed(eq(bookings.cartId, sql.placeholder("cartId"))),
};

function queriesNamed(bookingCondition: SQL | undefined) {
  const id = (db: Database) => db.select({ id: bookings.id }).from(bookings).where(bookingCondition);
  return {
    booking: prepareQuery((db) => db.select(reservationColumns).from(bookings).where(bookingCondition)),
    lines: prepareQuery((db) =>
      db
        .select()
        .from(bookingLines)
        .where(inArray(bookingLines.bookingId, id(db)))
        .orderBy(bookingLines.id),
    ),
    extras: prepareQuery((db) => contractExtrasQuery(db, sql`(${id(db)})`)),
  };
}

type LineRow = typeof bookingLines.$inferSelect;
type ExtraRow = StoredExtraRow;

export function fromBookingRows(
  rows: readonly ReservationRow[],
  lines: readonly LineRow[],
  extras: readonly ExtraRow[],
): RentalBooking | undefined {
  const row = rows[0];
  if (!row) return undefined;
  return {
    ...fromReservationRow(row),
    agencyReservationId: row.agencyReservationId ?? undefined,
    requestFingerprint: row.requestFingerprint ?? undefined,
    period: {
      dateFrom: row.dateFrom as CivilDate,
      timeFrom: row.timeFrom as TimeText,
      dateTo: row.dateTo as CivilDate,
      timeTo: row.timeTo as TimeText,
    },
    days: row.days,
    pickupPlaceId: row.pickupPlaceId ?? undefined,
    pickupPlace: row.pickupPlace,
    returnPlaceId: row.returnPlaceId ?? undefined,
    returnPlace: row.returnPlace,
    branchCode: row.branchCode,
    salesChannel: row.salesChannelCode ?? undefined,
    promotionCode: row.promotionCode ?? undefined,
    driverAgeRuleId: row.driverAgeRuleId ?? undefined,
    totals: {
      ...row,
      categorySupplementCents: [
        row.categorySupplement1Cents,
        row.categorySupplement2Cents,
        row.categorySupplement3Cents,
      ],
    },
    closingCents: [row.supplement1Cents, row.supplement2Cents, row.supplement3Cents],
    discount: parseDiscount(row),
    lines: lines.map(fromLineRow),
    extras: extras.map(fromExtraRow),
  };
}

function fromLineRow(row: LineRow): BookingLine {
  return {
    id: row.id,
    categoryCode: row.itemId,
    description: row.itemDescription,
    quantity: row.quantity,
    unitBaseCents: row.itemUnitBaseCents,
    unitCents: row.itemUnitCents,
    discountCents: row.discountCents,
    offerId: row.offerId ?? undefined,
    itemCents: row.itemCents,
    supplementUnitCents: [
      row.categorySupplement1UnitCents,
      row.categorySupplement2UnitCents,
      row.categorySupplement3UnitCents,
    ],
    depositUnitCents: row.productDepositUnitCents,
    guaranteeUnitCents: row.productGuaranteeUnitCents,
    depositReductionUnitCents: row.depositReductionUnitCents,
    guaranteeReductionUnitCents: row.guaranteeReductionUnitCents,
  };
}

function fromExtraRow(row: ExtraRow): BookingExtra {
  return {
    id: row.id,
    extraCode: row.extraId,
    description: row.extraDescription,
    quantity: row.quantity,
    unitCents: row.extraUnitCents,
    discountCents: row.discountCents,
    extraCents: row.extraCents,
    ...(row.chargedOn && { chargedOn: row.chargedOn as CivilDate }),
  };
}

/**
 * Writes a new booking with its lines, units, extras and first history entry, all or nothing. Returns it as stored. The
 * database refuses the batch if the catalogue's version has changed (`isCatalogueChanged`). It allocates the units
 * while writing the lines, which fails if there are too few.
 */
export async function saveNewBooking(
  db: Database,
  booking: NewBooking,
  catalogueVersion: number,
): Promise<Result<RentalBooking, SoldOut>> {
  return catchSoldOut(async () => {
    const [, , [written], lines, , , extras = []] = await db.batch([
      expectCatalogueVersionStatement(db, catalogueVersion),
      ...newBookingStatements(db, booking),
    ]);
    if (!written) throw new Error("a booking was written and is not there");
    return toStoredBooking(booking, written, { lines, extras });
  });
}

/** Id that the database gave to a written row, with its category or extra. */
interface StoredRowId {
  readonly id: number;
  readonly code: string;
}

// Everything except the ids is known, so only they are read back.
function toStoredBooking(
  booking: NewBooking,
  { id, status }: Pick<ReservationRow, "id" | "status">,
  storedIds: { readonly lines: readonly StoredRowId[]; readonly extras: readonly StoredRowId[] },
): RentalBooking {
  const lineIds = new Map(storedIds.lines.map((line) => [line.code, line.id]));
  const extraIds = new Map(storedIds.extras.map((extra) => [extra.code, extra.id]));
  const lines = booking.draft.lines.map(createLineRow);
  const extras = booking.draft.extras.map(createExtraRow);
  const storedBooking = fromBookingRows(
    [toStoredRow(bookings, { ...createBookingRow(booking), id, status })],
    lines.map((line) => toStoredRow(bookingLines, { ...line, bookingId: id, id: lineIds.get(line.itemId) })),
    extras.map((extra) => toStoredRow(bookingExtras, { ...extra, bookingId: id, id: extraIds.get(extra.extraId) })),
  );
  if (!storedBooking) throw new Error("a booking was written and is not there");
  return storedBooking;
}

/**
 * Runs a write that allocates stock. If the database guard refuses it, returns what is sold out, and nothing was
 * written.
 */
export async function catchSoldOut<T>(write: () => Promise<T>): Promise<Result<T, SoldOut>> {
  try {
    return ok(await write());
  } catch (error) {
    const soldOut = findSoldOutResource(error);
    if (soldOut) return err(soldOut);
    throw error;
  }
}

/**
 * Returns the statements that write a booking with its lines, units, extras and history. The database guard may refuse
 * the batch.
 */
export function newBookingStatements(db: Database, booking: NewBooking) {
  const { draft, freeAccessId } = booking;
  const units = Math.max(...draft.lines.map((line) => line.quantity));
  const guest = toGuestCustomerJson(booking, {
    branchCode: draft.terms.pickupBranch.code,
    salesChannelCode: draft.terms.salesChannel,
  });
  return [
    insertGuestCustomerStatement(db, { guest }),
    insertBookingStatement(db, createBookingRow(booking), { guest }),
    insertLines(db, { freeAccessId, lines: JSON.stringify(draft.lines.map(createLineRow)) }),
    insertUnits(db, { freeAccessId, units: JSON.stringify(Array.from({ length: units }, (_, index) => index)) }),
    insertBookingCreatedEntryStatement(db, toCreatedEntry(booking)),
    ...(draft.extras.length > 0
      ? ([insertExtras(db, { freeAccessId, extras: JSON.stringify(draft.extras.map(createExtraRow)) })] as const)
      : ([] as const)),
  ] as const;
}

/** Id of the booking that the batch is writing. */
export const selectNewBookingId = sql`(SELECT id FROM bookings WHERE free_access_id = ${sql.placeholder("freeAccessId")})`;

const status = sql.placeholder("status");
// Status of a new booking. From a website or an agency, it's only requested if the company doesn't rent to the
// customer.
const CONFIRMED_STATUS = sql`iif(${status} = 'confirmed' AND ${sql.placeholder("createdBy")} IN ('agency', 'engine') AND ${isDoNotRentSql(
  {
    customerId: sql.placeholder("customerId"),
    documentId: sql.placeholder("customerDocumentId"),
    email: sql.placeholder("customerEmail"),
  },
)}, 'pending_confirmation', ${status})`;

// A website's link or an accepted quote may name an agent that doesn't exist any more.
const KNOWN_AGENT_ID = sql`(SELECT id FROM agents WHERE id = ${sql.placeholder("agentId")})`;

/**
 * Returns the statement that writes a new rental or transfer and returns its id and status. A booking without customer
 * gets the guest as customer.
 */
export const insertBookingStatement = prepareWideRowInsert(
  bookings,
  (db, row) => db.insert(bookings).select(row).returning({ id: bookings.id, status: bookings.status }),
  {
    fallbacks: { customerId: guestCustomerIdAfterInsert },
    replacements: { status: CONFIRMED_STATUS, agentId: KNOWN_AGENT_ID },
  },
);
const insertLines = prepareQuery((db) =>
  db
    .insert(bookingLines)
    .select(selectRowsToInsert(bookingLines, sql.placeholder("lines"), { bookingId: selectNewBookingId }))
    .returning({ id: bookingLines.id, code: bookingLines.itemId }),
);
const insertExtras = prepareQuery((db) =>
  db
    .insert(bookingExtras)
    .select(selectRowsToInsert(bookingExtras, sql.placeholder("extras"), { bookingId: selectNewBookingId }))
    .returning({ id: bookingExtras.id, code: bookingExtras.extraId }),
);
// Inserts one row for each unit of each line, for assigning vehicles later.
const insertUnits = prepareQuery((db) =>
  db.insert(bookingUnits).select(
    selectRowToInsert(
      bookingUnits,
      { bookingLineId: sql`line.id`, bookingId: sql`line.booking_id` },
      sql`FROM booking_lines AS line JOIN json_each(${sql.placeholder("units")}) AS unit ON unit.value < line.quantity
        WHERE line.booking_id = ${selectNewBookingId}`,
    ),
  ),
);
/** Returns the statement that adds the first history entry of a new rental or transfer. */
export const insertBookingCreatedEntryStatement = prepareQuery((db) =>
  db.insert(bookingHistory).select(
    selectRowToInsert(bookingHistory, {
      bookingId: selectNewBookingId,
      at: sql.placeholder("at"),
      actor: sql.placeholder("actor"),
      event: "created",
      detail: sql.placeholder("detail"),
    }),
  ),
);

/** Returns the values of a new booking's first history entry. */
export const toCreatedEntry = ({ freeAccessId, at, actor, creationDetail = {} }: NewReservation<unknown>) => ({
  freeAccessId,
  at,
  actor,
  detail: JSON.stringify(creationDetail),
});

/** Actor, time (epoch ms) and reason of a cancellation, and the cancellation fee. */
export interface BookingCancellation {
  readonly at: number;
  readonly actor: string;
  readonly reason?: string;
  readonly feeCents?: number;
  /** Statements for the cancellation's documents, written in the same batch. */
  readonly relatedStatements?: readonly Query[];
}

/**
 * Cancels a rental or transfer if its version is unchanged, and releases its stock. Returns false after a concurrent
 * change.
 */
export async function saveBookingCancellation(
  db: Database,
  booking: Pick<RentalBooking, "id" | "version">,
  { at, actor, reason, feeCents = 0, relatedStatements = [] }: BookingCancellation,
): Promise<boolean> {
  const detail = JSON.stringify({ reason, ...(feeCents > 0 && { after: { feeCents } }) });
  const statements = [
    db
      .update(bookings)
      .set({
        status: "cancelled",
        version: booking.version + 1,
        expiresAt: null,
        cancelledAt: at,
        lastUpdate: at,
        cancellationReason: "cancelled",
        cancellationFeeCents: feeCents,
      })
      .where(and(eq(bookings.id, booking.id), eq(bookings.version, booking.version)))
      .returning({ id: bookings.id }),
    // changes() refers to the previous statement, so history is only written after a change.
    db
      .insert(bookingHistory)
      .select(
        selectRowToInsert(
          bookingHistory,
          { bookingId: booking.id, at, actor, event: "cancelled", detail },
          sql`WHERE changes() = 1`,
        ),
      ),
  ] as const;
  if (relatedStatements.length === 0) return (await db.batch(statements))[0].length === 1;
  try {
    await db.batch([expectBookingVersionStatement(db, booking), ...statements, ...relatedStatements]);
    return true;
  } catch (error) {
    if (isBookingVersionConflict(error)) return false;
    throw error;
  }
}
