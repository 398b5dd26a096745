import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { isCustomerBookingSql } from "#worker/store/bookings/own-bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { transferBookings, transferTrips } from "#worker/store/schema/transfers.ts";

const LISTED = 200;
const OUTWARD = 1;

/** Lists a customer's own transfers with their outward trips, newest first, in one round trip. */
export function readCustomerTransfers(db: Database, customerId: number, isEmailVerified: boolean) {
  const { originPointId, destinationPointId } = getTableColumns(transferTrips);
  const { transferVehicleId, vehicleName } = getTableColumns(transferBookings);
  return db
    .select({ booking: bookings, transferVehicleId, vehicleName, originPointId, destinationPointId })
    .from(bookings)
    .innerJoin(transferBookings, eq(transferBookings.bookingId, bookings.id))
    .innerJoin(transferTrips, and(eq(transferTrips.bookingId, bookings.id), eq(transferTrips.position, OUTWARD)))
    .where(and(isCustomerBookingSql(customerId, isEmailVerified), sql`+${bookings.kind} = 'transfer'`))
    .orderBy(desc(sql`+${bookings.dateFrom}`), desc(bookings.timeFrom), desc(bookings.id))
    .limit(LISTED);
}

/** Transfer in a customer's list. */
export type CustomerTransfer = Awaited<ReturnType<typeof readCustomerTransfers>>[number];
