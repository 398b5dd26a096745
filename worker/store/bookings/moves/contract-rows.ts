import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Contract } from "#domain/bookings/moves/contract.ts";
import { fromBookingRows } from "#worker/store/bookings/bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { bookingExtras, bookingHistory, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import { users } from "#worker/store/schema/people.ts";

const ofBooking = sql.placeholder("bookingId");
const bookingQuery = prepared((db) => db.select().from(bookings).where(eq(bookings.id, ofBooking)));
const linesQuery = prepared((db) =>
  db.select().from(bookingLines).where(eq(bookingLines.bookingId, ofBooking)).orderBy(bookingLines.id),
);
const extrasQuery = prepared((db) =>
  db.select().from(bookingExtras).where(eq(bookingExtras.bookingId, ofBooking)).orderBy(bookingExtras.id),
);
const unitsQuery = prepared((db) =>
  db.select().from(bookingUnits).where(eq(bookingUnits.bookingId, ofBooking)).orderBy(bookingUnits.id),
);

/** The four reads of a contract for its moves. Put them into a batch, then `toContract`. */
export function contractQueries(db: Database, bookingId: number) {
  const values = { bookingId };
  return [bookingQuery(db, values), linesQuery(db, values), extrasQuery(db, values), unitsQuery(db, values)] as const;
}

type Rows = Readonly<BatchResponse<[...ReturnType<typeof contractQueries>]>>;

/** The contract as the moves see it; undefined where there is no such booking. */
export function toContract([rows, lines, extras, units]: Rows): Contract | undefined {
  const booking = fromBookingRows(rows, lines, extras);
  const row = rows[0];
  if (!booking || !row) return undefined;
  return {
    ...booking,
    kind: row.kind,
    branchGroupId: row.branchGroupId,
    returnBranchCode: row.returnBranchCode,
    agencyId: row.agencyId ?? undefined,
    driverAge: row.driverAge ?? undefined,
    customerType: row.customerType,
    units: units.map((unit) => ({
      id: unit.id,
      lineId: unit.bookingLineId,
      reference: unit.vehicleReference ?? undefined,
      deliveredAt: unit.deliveredAt ?? undefined,
      collectedAt: unit.collectedAt ?? undefined,
      deliveryKilometres: unit.deliveryUsageUnits ?? undefined,
      collectionKilometres: unit.collectionUsageUnits ?? undefined,
      reopened: unit.reopened,
    })),
    closingCents: [row.supplement1Cents, row.supplement2Cents, row.supplement3Cents],
    cancellationFeeCents: row.cancellationFeeCents,
    priceDifferenceCents: row.priceDifferenceCents,
    priceReason: row.priceReason ?? undefined,
    reopenedAt: row.reopenedAt ?? undefined,
    vatByLine: new Map(lines.map((line) => [line.id, line.vatBasisPoints])),
    vatByExtra: new Map(extras.map((extra) => [extra.extraId, extra.vatBasisPoints])),
  };
}

const MOST_ENTRIES = 500;

/** What became of a contract, the latest first, with the names of the staff who did it. */
export const historyQuery = prepared((db) =>
  db
    .select({
      ...getTableColumns(bookingHistory),
      staffName: sql<string | null>`${users.fullName}`.as("staff_name"),
    })
    .from(bookingHistory)
    .leftJoin(users, sql`booking_history.actor = 'staff:' || users.id`)
    .where(eq(bookingHistory.bookingId, ofBooking))
    .orderBy(desc(bookingHistory.id))
    .limit(MOST_ENTRIES),
);

export type HistoryRow = Awaited<ReturnType<typeof historyQuery>>[number];
