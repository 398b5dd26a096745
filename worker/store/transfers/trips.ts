import { and, asc, eq, sql } from "drizzle-orm";
import type { CivilDate } from "#domain/dates.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { transferBookings, transferTrips } from "#worker/store/schema/transfers.ts";

/** Filter for trips: a day, and one branch or all. `now` is epoch ms. */
export interface TripsQueryInput {
  readonly date: CivilDate;
  readonly branchCode: string | undefined;
  readonly now: number;
}

const EXTRAS = sql<string>`(SELECT json_group_array(json_object('name', name, 'quantity', quantity) ORDER BY transfer_extra_id)
  FROM transfer_booking_extras AS extra WHERE extra.booking_id = ${bookings.id})`;

// Driver reports for both trips of a reservation, earliest first. A missed-traveller report applies to the time agreed
// at that moment.
const MOMENTS = sql<string>`(SELECT json_group_array(json_object('position', operation ->> '$.trip.position',
    'moment', operation ->> '$.trip.moment', 'at', recorded_at, 'by', author) ORDER BY recorded_at)
  FROM check_in_operations WHERE booking_id = ${bookings.id} AND state IN ('applied', 'accepted') AND operation ->> '$.trip' IS NOT NULL
    AND (operation ->> '$.trip.moment' <> 'nobody_came' OR operation ->> '$.baseVersion' >= ${bookings.agreedVersion}))`;

// Condition for an unpaid hold that has expired, even if the cron job hasn't cancelled it yet. A partly paid one still
// counts, because staff must decide.
const isUnpaidExpiredHold = (
  now: number,
) => sql`(bookings.status = 'pending_confirmation' AND coalesce(bookings.expires_at <= ${now}, 0) AND bookings.total_paid_cents = 0)
  OR (bookings.status = 'cancelled' AND NOT EXISTS (SELECT 1 FROM booking_history AS past WHERE past.booking_id = ${bookings.id} AND past.event = 'cancelled'))`;

/**
 * Returns the query for a day's trips with all data that drivers need, by time. The cost depends only on the day's
 * trips.
 */
export function dayTripsQuery(db: Database, { date, branchCode, now }: TripsQueryInput) {
  return db
    .select({
      trip: transferTrips,
      booking: {
        id: bookings.id,
        version: bookings.version,
        status: bookings.status,
        dateFrom: bookings.dateFrom,
        timeFrom: bookings.timeFrom,
        branchCode: bookings.branchCode,
        customerName: bookings.customerName,
        customerSurname: bookings.customerSurname,
        customerPhone: bookings.customerPhone,
        customerEmail: bookings.customerEmail,
        customerLanguage: bookings.customerLanguage,
        contractData: bookings.contractData,
        comments: bookings.comments,
        totalCents: bookings.totalCents,
        totalPaidCents: bookings.totalPaidCents,
        creditedCents: bookings.creditedCents,
        agentCommissionPrepaidCents: bookings.agentCommissionPrepaidCents,
        cancellationFeeCents: bookings.cancellationFeeCents,
      },
      transfer: {
        vehicleName: transferBookings.vehicleName,
        adults: transferBookings.adults,
        children: transferBookings.children,
        infants: transferBookings.infants,
      },
      isRoundTrip:
        sql<number>`EXISTS (SELECT 1 FROM transfer_trips AS back WHERE back.booking_id = ${bookings.id} AND back.position = 2)`.as(
          "is_round_trip",
        ),
      extras: EXTRAS.as("extras"),
      moments: MOMENTS.as("moments"),
    })
    .from(transferTrips)
    .innerJoin(bookings, eq(bookings.id, transferTrips.bookingId))
    .innerJoin(transferBookings, eq(transferBookings.bookingId, transferTrips.bookingId))
    .where(
      and(
        eq(transferTrips.date, date),
        // The plus sign keeps SQLite from starting with all bookings of the branch.
        branchCode === undefined ? undefined : sql`+${bookings.branchCode} = ${branchCode}`,
        sql`NOT (${isUnpaidExpiredHold(now)})`,
      ),
    )
    .orderBy(asc(transferTrips.time), asc(transferTrips.bookingId), asc(transferTrips.position));
}

export type TripRow = QueryResults<readonly [ReturnType<typeof dayTripsQuery>]>[0][number];

/** Returns the query for a transfer for the decision on its cancellation. It starts with its outward trip. */
export function transferToCancelQuery(db: Database, bookingId: number) {
  return db
    .select({
      id: bookings.id,
      version: bookings.version,
      status: bookings.status,
      dateFrom: bookings.dateFrom,
      timeFrom: bookings.timeFrom,
      branchCode: bookings.branchCode,
      totalPaidCents: bookings.totalPaidCents,
      totalCents: bookings.totalCents,
      itemCents: bookings.itemCents,
      days: bookings.days,
      salesChannel: bookings.salesChannelCode,
      cancelledAt: bookings.cancelledAt,
    })
    .from(bookings)
    .where(and(eq(bookings.id, bookingId), eq(bookings.kind, "transfer")));
}
