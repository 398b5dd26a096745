import { and, eq, gt, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toCivilMinute } from "#domain/dates.ts";
import type { TransferAllocations } from "#domain/transfers/draft.ts";
import type { RequestedTrip, TransferSearch } from "#domain/transfers/terms.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { stockAllocations } from "#worker/store/schema/bookings.ts";

/**
 * Returns the query for the current use of the account's transfer vehicles around the trips of a search, across all
 * branch groups. A trip uses its vehicle for at most two days, so older trips aren't read.
 */
export function transferAllocationsQuery(db: Database, catalogue: Catalogue, search: TransferSearch, at: number) {
  const trips = [search.outward, ...(search.back ? [search.back] : [])];
  return transferAllocationsAroundTripsQuery(db, catalogue, { trips, at, exceptBookingId: 0 });
}

/** Returns the query for the allocations of vehicles around the trips of a booking, without the booking itself. */
export function transferAllocationsAroundTripsQuery(
  db: Database,
  catalogue: Catalogue,
  { trips, at, exceptBookingId }: TripsAround,
): ReturnType<typeof allocationsAroundQuery> {
  const starts = trips.map(({ date, time }) => toCivilMinute(date, time));
  const vehicles = [...catalogue.transfers.vehicles.values()];
  return allocationsAroundQuery(db, {
    codes: JSON.stringify(vehicles.map(({ id }) => String(id))),
    starts: JSON.stringify(starts),
    from: Math.min(...starts) - MAX_TRIP_MINUTES,
    until: Math.max(...starts) + MAX_TRIP_MINUTES,
    at,
    exceptBookingId,
  });
}

interface TripsAround {
  readonly trips: readonly Pick<RequestedTrip, "date" | "time">[];
  /** Current time in epoch ms. Holds expired by then don't count. */
  readonly at: number;
  readonly exceptBookingId: number;
}

const MAX_TRIP_MINUTES = 2880;
const MAX_TRIP_MINUTES_SQL = sql.raw(String(MAX_TRIP_MINUTES));

const allocationsAroundQuery = prepareQuery((db) =>
  db
    .select({
      code: stockAllocations.code,
      startsAt: stockAllocations.startsAt,
      endsAt: sql<number>`ends_at - preparation_minutes`.as("arrives_at"),
      originId: sql<number>`coalesce(${stockAllocations.originPointId}, 0)`.as("origin_id"),
      destinationId: sql<number>`coalesce(${stockAllocations.destinationPointId}, 0)`.as("destination_id"),
    })
    .from(stockAllocations)
    .where(
      and(
        sql`${stockAllocations.branchGroupId} IN (SELECT id FROM branch_groups)`,
        eq(stockAllocations.kind, "transfer"),
        sql`${stockAllocations.code} IN (SELECT value FROM json_each(${sql.placeholder("codes")}))`,
        ne(stockAllocations.bookingId, sql.placeholder("exceptBookingId")),
        gt(stockAllocations.startsAt, sql.placeholder("from")),
        lt(stockAllocations.startsAt, sql.placeholder("until")),
        sql`EXISTS (SELECT 1 FROM json_each(${sql.placeholder("starts")}) AS trip
          WHERE abs(${stockAllocations.startsAt} - trip.value) < ${MAX_TRIP_MINUTES_SQL})`,
        or(isNull(stockAllocations.expiresAt), gt(stockAllocations.expiresAt, sql.placeholder("at"))),
      ),
    ),
);

/** Groups the rows of `transferAllocationsQuery` by vehicle. */
export function toTransferAllocations(rows: Awaited<ReturnType<typeof transferAllocationsQuery>>): TransferAllocations {
  return Map.groupBy(rows, ({ code }) => Number(code));
}
