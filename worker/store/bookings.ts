import { and, eq, inArray, sql } from "drizzle-orm";
import type { Booking, BookingExtra, BookingLine, NewBooking } from "#domain/bookings.ts";
import type { CivilDate, TimeOfDay } from "#domain/dates.ts";
import type { SoldOut } from "#domain/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { Database } from "./database.ts";
import { findSoldOut } from "./failures.ts";
import { bookingExtras, bookingHistory, bookingLineResources, bookingLines, bookings } from "./schema/bookings.ts";

/** Names one booking: by the agency's own reference, so that no agency can name another's. */
export interface AgencyReference {
  readonly agencyId: number;
  readonly reference: string;
}

/** The three reads of one booking: itself, its lines, its extras. Put them into a batch, then `fromBookingRows`. */
export function agencyBookingQueries(db: Database, { agencyId, reference }: AgencyReference) {
  const named = and(eq(bookings.agencyId, agencyId), eq(bookings.agencyReservationId, reference));
  const id = db.select({ id: bookings.id }).from(bookings).where(named);
  return [
    db.select().from(bookings).where(named),
    db.select().from(bookingLines).where(inArray(bookingLines.bookingId, id)).orderBy(bookingLines.id),
    db.select().from(bookingExtras).where(inArray(bookingExtras.bookingId, id)).orderBy(bookingExtras.id),
  ] as const;
}

type BookingRow = typeof bookings.$inferSelect;
type LineRow = typeof bookingLines.$inferSelect;
type ExtraRow = typeof bookingExtras.$inferSelect;

export function fromBookingRows(
  rows: readonly BookingRow[],
  lines: readonly LineRow[],
  extras: readonly ExtraRow[],
): Booking | undefined {
  const row = rows[0];
  if (!row) return undefined;
  return {
    id: row.id,
    freeAccessId: row.freeAccessId,
    status: row.status,
    version: row.version,
    agencyReservationId: row.agencyReservationId ?? undefined,
    requestFingerprint: row.requestFingerprint ?? undefined,
    period: {
      dateFrom: row.dateFrom as CivilDate,
      timeFrom: row.timeFrom as TimeOfDay,
      dateTo: row.dateTo as CivilDate,
      timeTo: row.timeTo as TimeOfDay,
    },
    days: row.days,
    pickupPlaceId: row.pickupPlaceId ?? undefined,
    pickupPlace: row.pickupPlace,
    returnPlaceId: row.returnPlaceId ?? undefined,
    returnPlace: row.returnPlace,
    rentalLocationCode: row.rentalLocationCode,
    customerLanguage: row.customerLanguage,
    totals: {
      ...row,
      categorySupplementCents: [
        row.categorySupplement1Cents,
        row.categorySupplement2Cents,
        row.categorySupplement3Cents,
      ],
    },
    lines: lines.map(fromLineRow),
    extras: extras.map(fromExtraRow),
  };
}

function fromLineRow(row: LineRow): BookingLine {
  return {
    categoryCode: row.itemId,
    description: row.itemDescription,
    quantity: row.quantity,
    unitCents: row.itemUnitCents,
    itemCents: row.itemCents,
    supplementUnitCents: [
      row.categorySupplement1UnitCents,
      row.categorySupplement2UnitCents,
      row.categorySupplement3UnitCents,
    ],
    depositUnitCents: row.productDepositUnitCents,
    guaranteeUnitCents: row.productGuaranteeUnitCents,
  };
}

function fromExtraRow(row: ExtraRow): BookingExtra {
  return {
    extraCode: row.extraId,
    description: row.extraDescription,
    quantity: row.quantity,
    unitCents: row.extraUnitCents,
    extraCents: row.extraCents,
  };
}

/**
 * Writes a new booking with its lines, units, extras and first history entry, all or nothing. The database takes the units from
 * the stock as the lines are written and refuses the whole batch where there are too few. Answers the booking's id.
 */
export async function saveNewBooking(db: Database, booking: NewBooking): Promise<Result<number, SoldOut>> {
  try {
    return ok(await writeNewBooking(db, booking));
  } catch (error) {
    const soldOut = findSoldOut(error);
    if (soldOut) return refuse(soldOut);
    throw error;
  }
}

async function writeNewBooking(db: Database, booking: NewBooking): Promise<number> {
  const { draft, at } = booking;
  const id = sql`(SELECT id FROM bookings WHERE free_access_id = ${booking.freeAccessId})`;
  const [inserted] = await db.batch([
    db.insert(bookings).values(toBookingRow(booking)).returning({ id: bookings.id }),
    db.insert(bookingLines).values(draft.lines.map((line) => ({ bookingId: id, ...toLineRow(line) }))),
    unitRows(db, id, Math.max(...draft.lines.map((line) => line.quantity))),
    db.insert(bookingHistory).values({ bookingId: id, at, actor: booking.actor, event: "created" }),
    ...(draft.extras.length > 0
      ? [db.insert(bookingExtras).values(draft.extras.map((extra) => ({ bookingId: id, ...toExtraRow(extra) })))]
      : []),
  ]);
  const row = inserted[0];
  if (!row) throw new Error("a booking was written without an id");
  return row.id;
}

// One row for each unit of each line, to be given a vehicle later.
function unitRows(db: Database, bookingId: ReturnType<typeof sql>, largestQuantity: number) {
  const units = JSON.stringify(Array.from({ length: largestQuantity }, (_, index) => index));
  return db.insert(bookingLineResources).select(
    sql`SELECT NULL, line.id, line.booking_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM booking_lines AS line JOIN json_each(${units}) AS unit ON unit.value < line.quantity
      WHERE line.booking_id = ${bookingId}`,
  );
}

function toBookingRow(booking: NewBooking): typeof bookings.$inferInsert {
  const { draft, customer, at } = booking;
  const { terms, totals } = draft;
  const { categorySupplementCents: supplements, ...sums } = totals;
  return {
    ...sums,
    ...terms.period,
    categorySupplement1Cents: supplements[0],
    categorySupplement2Cents: supplements[1],
    categorySupplement3Cents: supplements[2],
    freeAccessId: booking.freeAccessId,
    status: booking.status,
    createdBy: booking.createdBy,
    requestFingerprint: booking.requestFingerprint,
    days: terms.days,
    pickupPlaceId: terms.pickupPlace.id,
    returnPlaceId: terms.returnPlace.id,
    pickupPlace: terms.pickupPlace.name,
    returnPlace: terms.returnPlace.name,
    rentalLocationCode: terms.pickupBranch.code,
    returnRentalLocationCode: terms.returnBranch.code,
    rentalStorageId: terms.pickupBranch.rentalStorageId,
    salesChannelCode: terms.salesChannel,
    agencyId: booking.agency?.id,
    agencyReservationId: booking.agency?.reference,
    customerName: customer.name,
    customerSurname: customer.surname,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    customerDocumentId: customer.documentId,
    customerLanguage: booking.customerLanguage,
    driverAge: terms.driverAge,
    driverAgeRuleId: terms.driverAgeRule?.id,
    createdAt: at,
    lastUpdate: at,
  };
}

function toLineRow(line: NewBooking["draft"]["lines"][number]) {
  const { category } = line;
  return {
    itemId: category.code,
    itemDescription: category.name,
    quantity: line.quantity,
    itemUnitBaseCents: line.unitBaseCents,
    itemUnitCents: line.unitCents,
    itemCents: line.itemCents,
    vatBasisPoints: category.vat,
    categorySupplement1UnitCents: category.supplementCents[0],
    categorySupplement2UnitCents: category.supplementCents[1],
    categorySupplement3UnitCents: category.supplementCents[2],
    productDepositUnitCents: category.depositCents,
    productGuaranteeUnitCents: category.guaranteeCents,
    offerId: line.offer?.id,
  };
}

function toExtraRow(extra: NewBooking["draft"]["extras"][number]) {
  return {
    extraId: extra.extra.code,
    extraDescription: extra.extra.name,
    quantity: extra.quantity,
    extraUnitCents: extra.unitCents,
    extraCents: extra.extraCents,
    vatBasisPoints: extra.extra.vat,
  };
}

/**
 * Cancels a booking that is still the version that was read, and gives its units back. False when somebody changed it meanwhile.
 */
export async function saveCancellation(
  db: Database,
  booking: Pick<Booking, "id" | "version">,
  { at, actor }: { readonly at: number; readonly actor: string },
): Promise<boolean> {
  const [cancelled] = await db.batch([
    db
      .update(bookings)
      .set({ status: "cancelled", version: booking.version + 1, expiresAt: null, cancelledAt: at, lastUpdate: at })
      .where(and(eq(bookings.id, booking.id), eq(bookings.version, booking.version)))
      .returning({ id: bookings.id }),
    // changes() speaks of the statement before: no history without the change.
    db
      .insert(bookingHistory)
      .select(sql`SELECT NULL, ${booking.id}, ${at}, ${actor}, 'cancelled', '{}' WHERE changes() = 1`),
  ]);
  return cancelled.length === 1;
}
