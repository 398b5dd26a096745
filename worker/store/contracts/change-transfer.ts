import { and, eq, sql } from "drizzle-orm";
import type { Contract } from "#domain/contracts/contract.ts";
import type { AgreedTransfer, AgreedTrip } from "#domain/transfers/agreed.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import { toDiscountColumns } from "#worker/store/bookings/booking-rows.ts";
import { reallocateStockStatement } from "#worker/store/bookings/reallocation.ts";
import type { BookingColumnChanges } from "#worker/store/contracts/write-action.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import {
  transferBookingExtras,
  transferBookingSupplements,
  transferBookings,
  transferTrips,
} from "#worker/store/schema/transfers.ts";

/** Returns the booking columns for a changed transfer. */
export function toChangedTransferColumns(
  contract: Pick<Contract, "version">,
  { totals, discount, period, trips: [outward], branchCode, branchGroupId }: ChangedTransfer,
): BookingColumnChanges {
  const { itemCents, extrasCents, supplementsCents, totalCents, bookingAmountCents } = totals;
  return {
    ...{ itemCents, extrasCents, totalCents, bookingAmountCents, supplement1Cents: supplementsCents },
    ...toDiscountColumns(discount),
    ...period,
    ...(outward && { pickupPlace: outward.originName, returnPlace: outward.destinationName }),
    ...{ branchCode, returnBranchCode: branchCode, branchGroupId },
    agreedVersion: contract.version + 1,
  };
}

/**
 * Returns the statements for a transfer's agreed trips, vehicle, travellers, extras and supplements. Reallocates the
 * vehicle for the current trips, then for a new return trip. The guard refuses the batch if it isn't free.
 */
export function saveChangedTransferStatements(
  db: Database,
  { id: bookingId, transfer: before }: Pick<Contract, "id" | "transfer">,
  after: ChangedTransfer,
  at: number,
): readonly Query[] {
  const known = before?.trips.length ?? 0;
  const { vehicle, people, trips } = after;
  return [
    db
      .update(transferBookings)
      .set({
        ...{ adults: people.adults, children: people.children, infants: people.infants },
        ...{ transferVehicleId: vehicle.id, vehicleName: vehicle.name, vatBasisPoints: vehicle.vat },
      })
      .where(eq(transferBookings.bookingId, bookingId)),
    ...trips.slice(0, known).map((trip, index) => changeTrip(db, bookingId, index + 1, trip)),
    ...(trips.length < known
      ? [db.delete(transferTrips).where(and(eq(transferTrips.bookingId, bookingId), sql`position > ${trips.length}`))]
      : []),
    ...partsStatements(db, bookingId, after),
    reallocateStockStatement(db, bookingId, at),
    ...trips
      .slice(known)
      .map((trip, index) =>
        db.insert(transferTrips).values({ bookingId, position: known + index + 1, ...tripColumns(trip) }),
      ),
  ];
}

function changeTrip(db: Database, bookingId: number, position: number, trip: AgreedTrip): Query {
  return db
    .update(transferTrips)
    .set(tripColumns(trip))
    .where(and(eq(transferTrips.bookingId, bookingId), eq(transferTrips.position, position)));
}

function tripColumns({ originId: originPointId, destinationId: destinationPointId, ...trip }: AgreedTrip) {
  const { date, time, originName, destinationName, minutes, priceCents } = trip;
  return { date, time, originPointId, originName, destinationPointId, destinationName, minutes, priceCents };
}

// Deletes and inserts all extras and supplements of a transfer, because they are few and nothing references them.
function partsStatements(db: Database, bookingId: number, { extras, supplements }: AgreedTransfer): readonly Query[] {
  const extraRows = extras.map(({ id: transferExtraId, code: _code, vat: vatBasisPoints, ...extra }) => {
    return { bookingId, transferExtraId, vatBasisPoints, ...extra };
  });
  const supplementRows = supplements.map(({ id: transferSupplementId, name, cents: supplementCents }) => {
    return { bookingId, transferSupplementId, name, supplementCents };
  });
  return [
    db.delete(transferBookingExtras).where(eq(transferBookingExtras.bookingId, bookingId)),
    db.insert(transferBookingExtras).select(selectRowsToInsert(transferBookingExtras, extraRows)),
    db.delete(transferBookingSupplements).where(eq(transferBookingSupplements.bookingId, bookingId)),
    db.insert(transferBookingSupplements).select(selectRowsToInsert(transferBookingSupplements, supplementRows)),
  ];
}
