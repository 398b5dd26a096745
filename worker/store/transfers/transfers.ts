import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { NewReservation } from "#domain/bookings/bookings.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Branch } from "#domain/catalogue/catalogue.ts";
import type { TransferVehicle } from "#domain/catalogue/transfers.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import type { Result } from "#domain/result.ts";
import type { TransferDraft } from "#domain/transfers/draft.ts";
import type { TransferReservation } from "#domain/transfers/reservations.ts";
import {
  createReservationRow,
  fromReservationRow,
  parseDiscount,
  type ReservationRow,
  reservationColumns,
  toDiscountColumns,
} from "#worker/store/bookings/booking-rows.ts";
import {
  catchSoldOut,
  insertBookingCreatedEntryStatement,
  insertBookingStatement,
  selectNewBookingId,
  toCreatedEntry,
} from "#worker/store/bookings/bookings.ts";
import { insertGuestCustomerStatement, toGuestCustomerJson } from "#worker/store/bookings/guests.ts";
import type { Database } from "#worker/store/database.ts";
import { expectCatalogueVersionStatement } from "#worker/store/guards/catalogue-version.ts";
import { selectRowsToInsert, toStoredRow } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import {
  transferBookingExtras,
  transferBookingSupplements,
  transferBookings,
  transferTrips,
} from "#worker/store/schema/transfers.ts";

/** Identifies a transfer by its unguessable id or its cart. */
export type TransferIdentifier = { readonly freeAccessId: string } | { readonly cartId: string };

/** Returns the queries for one transfer reservation. Run them in a batch and pass the result to `fromTransferRows`. */
export function transferReservationQueries(db: Database, identifier: TransferIdentifier) {
  const queries = "cartId" in identifier ? queriesBy.cartId : queriesBy.freeAccessId;
  return [
    queries.booking(db, identifier),
    queries.transfer(db, identifier),
    queries.trips(db, identifier),
    queries.extras(db, identifier),
    queries.supplements(db, identifier),
  ] as const;
}

const queriesBy = {
  freeAccessId: queriesNamed(eq(bookings.freeAccessId, sql.placeholder("freeAccessId"))),
  cartId: queriesNamed(eq(bookings.cartId, sql.placeholder("cartId"))),
};

function queriesNamed(bookingCondition: SQL) {
  const isNamed = and(bookingCondition, eq(bookings.kind, "transfer"));
  const id = (db: Database) => db.select({ id: bookings.id }).from(bookings).where(isNamed);
  return {
    booking: prepareQuery((db) => db.select(reservationColumns).from(bookings).where(isNamed)),
    transfer: prepareQuery((db) =>
      db
        .select()
        .from(transferBookings)
        .where(inArray(transferBookings.bookingId, id(db))),
    ),
    trips: prepareQuery((db) =>
      db
        .select()
        .from(transferTrips)
        .where(inArray(transferTrips.bookingId, id(db)))
        .orderBy(transferTrips.position),
    ),
    extras: prepareQuery((db) =>
      db
        .select()
        .from(transferBookingExtras)
        .where(inArray(transferBookingExtras.bookingId, id(db))),
    ),
    supplements: prepareQuery((db) =>
      db
        .select()
        .from(transferBookingSupplements)
        .where(inArray(transferBookingSupplements.bookingId, id(db))),
    ),
  };
}

/** Builds a transfer reservation from its rows. Undefined if a main row is missing. */
export function fromTransferRows(
  [row]: readonly ReservationRow[],
  [transfer]: readonly (typeof transferBookings.$inferSelect)[],
  trips: readonly (typeof transferTrips.$inferSelect)[],
  extras: readonly (typeof transferBookingExtras.$inferSelect)[],
  supplements: readonly (typeof transferBookingSupplements.$inferSelect)[],
): TransferReservation | undefined {
  if (!row || !transfer) return undefined;
  return {
    ...fromReservationRow(row),
    totals: {
      itemCents: row.itemCents,
      extrasCents: row.extrasCents,
      supplementsCents: row.supplement1Cents,
      totalCents: row.totalCents,
      bookingAmountCents: row.bookingAmountCents,
    },
    discount: parseDiscount(row),
    vehicle: { id: transfer.transferVehicleId, name: transfer.vehicleName },
    people: transfer,
    trips: trips.map((trip) => ({ ...trip, originId: trip.originPointId, destinationId: trip.destinationPointId })),
    extras: extras.map((extra) => ({ ...extra, id: extra.transferExtraId })),
    supplements: supplements.map(({ transferSupplementId: id, name, supplementCents: cents }) => ({ id, name, cents })),
  };
}

/** Returns the transfer reservation with an unguessable id. */
export async function findTransfer(db: Database, freeAccessId: string): Promise<TransferReservation | undefined> {
  return fromTransferRows(...(await db.batch([...transferReservationQueries(db, { freeAccessId })])));
}

/** Transfer about to be written, with a vehicle. */
export type NewTransfer = NewReservation<TransferDraft & { readonly vehicle: TransferVehicle }>;

/**
 * Writes a new transfer reservation, all or nothing, and returns it as stored. The database refuses the batch if the
 * catalogue's version has changed (`isCatalogueChanged`). It allocates the vehicle while writing the trips, which fails
 * if none is free.
 */
export function saveNewTransfer(
  db: Database,
  transfer: NewTransfer,
  branch: Branch,
  catalogueVersion: number,
): Promise<Result<TransferReservation, SoldOut>> {
  return catchSoldOut(async () => {
    const { draft } = transfer;
    const [extras, supplements] = [toTransferExtraRows(draft), toTransferSupplementRows(draft)];
    const [, , [written]] = await db.batch([
      expectCatalogueVersionStatement(db, catalogueVersion),
      ...newTransferStatements(db, transfer, branch),
    ]);
    const row = createTransferBookingRow(transfer, branch);
    const bookingId = written?.id;
    const storedTransfer =
      bookingId !== undefined &&
      fromTransferRows(
        [toStoredRow(bookings, { ...row, id: bookingId })],
        [{ ...toTransferDetailsRow(draft), bookingId }],
        toTransferTripRows(draft).map((trip) => ({ ...trip, bookingId })),
        extras.map((extra) => ({ ...extra, bookingId })).toSorted((a, b) => a.transferExtraId - b.transferExtraId),
        supplements
          .map((supplement) => ({ ...supplement, bookingId }))
          .toSorted((a, b) => a.transferSupplementId - b.transferSupplementId),
      );
    if (!storedTransfer) throw new Error("a transfer was written and is not there");
    return storedTransfer;
  });
}

/**
 * Returns the statements that write a transfer with its trips, extras and history. The database guard may refuse the
 * batch.
 */
export function newTransferStatements(db: Database, transfer: NewTransfer, branch: Branch) {
  const { draft, freeAccessId } = transfer;
  const [extras, supplements] = [toTransferExtraRows(draft), toTransferSupplementRows(draft)];
  const guest = toGuestCustomerJson(transfer, { branchCode: branch.code });
  return [
    insertGuestCustomerStatement(db, { guest }),
    insertBookingStatement(db, createTransferBookingRow(transfer, branch), { guest }),
    insertTransfer(db, { freeAccessId, rows: JSON.stringify([toTransferDetailsRow(draft)]) }),
    insertTrips(db, { freeAccessId, rows: JSON.stringify(toTransferTripRows(draft)) }),
    insertBookingCreatedEntryStatement(db, toCreatedEntry(transfer)),
    ...(extras.length > 0 ? [insertExtras(db, { freeAccessId, rows: JSON.stringify(extras) })] : []),
    ...(supplements.length > 0 ? [insertSupplements(db, { freeAccessId, rows: JSON.stringify(supplements) })] : []),
  ] as const;
}

const rows = sql.placeholder("rows");
const bookingReference = { bookingId: selectNewBookingId };
const insertTransfer = prepareQuery((db) =>
  db.insert(transferBookings).select(selectRowsToInsert(transferBookings, rows, bookingReference)),
);
const insertTrips = prepareQuery((db) =>
  db.insert(transferTrips).select(selectRowsToInsert(transferTrips, rows, bookingReference)),
);
const insertExtras = prepareQuery((db) =>
  db.insert(transferBookingExtras).select(selectRowsToInsert(transferBookingExtras, rows, bookingReference)),
);
const insertSupplements = prepareQuery((db) =>
  db.insert(transferBookingSupplements).select(selectRowsToInsert(transferBookingSupplements, rows, bookingReference)),
);

/**
 * Returns the columns of a new transfer. Its period is from the first departure to the last arrival, with one sum for
 * its supplements.
 */
export function createTransferBookingRow(transfer: NewTransfer, branch: Branch): typeof bookings.$inferInsert {
  const { trips, totals } = transfer.draft;
  const [outward] = trips;
  if (!outward) throw new Error("a transfer without a trip");
  const arrival = fromCivilMinute(Math.max(...trips.map((trip) => trip.startsAt + trip.minutes)));
  return {
    ...createReservationRow(transfer),
    kind: "transfer",
    dateFrom: outward.date,
    timeFrom: outward.time,
    dateTo: arrival.date,
    timeTo: arrival.time,
    days: 1,
    pickupPlace: outward.origin.name,
    returnPlace: outward.destination.name,
    branchCode: branch.code,
    returnBranchCode: branch.code,
    branchGroupId: branch.branchGroupId,
    itemCents: totals.itemCents,
    extrasCents: totals.extrasCents,
    supplement1Cents: totals.supplementsCents,
    totalCents: totals.totalCents,
    bookingAmountCents: totals.bookingAmountCents,
    ...toDiscountColumns(transfer.draft.discount),
  };
}

/** Returns the row with a transfer's vehicle and travellers. */
export function toTransferDetailsRow({ vehicle, terms }: NewTransfer["draft"]) {
  return { ...terms.people, transferVehicleId: vehicle.id, vehicleName: vehicle.name, vatBasisPoints: vehicle.vat };
}

/** Returns the rows of a transfer's trips. */
export function toTransferTripRows({ trips }: TransferDraft) {
  return trips.map(({ date, time, origin, destination, minutes, priceCents }, index) => ({
    position: index + 1,
    date,
    time,
    originPointId: origin.id,
    destinationPointId: destination.id,
    originName: origin.name,
    destinationName: destination.name,
    minutes,
    priceCents,
  }));
}

/** Returns the rows of a transfer's extras. */
export function toTransferExtraRows({ extras }: TransferDraft) {
  return extras.map(({ extra, quantity, unitCents, discountCents, extraCents }) => ({
    transferExtraId: extra.id,
    name: extra.name,
    quantity,
    unitCents,
    discountCents,
    extraCents,
    vatBasisPoints: extra.vat,
  }));
}

/** Returns one row per supplement of a transfer. */
export function toTransferSupplementRows({ supplements }: TransferDraft) {
  return supplements.map(({ supplement, cents }) => ({
    transferSupplementId: supplement.id,
    name: supplement.name,
    supplementCents: cents,
  }));
}
