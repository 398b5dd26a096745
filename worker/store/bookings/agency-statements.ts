import { eq, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { agencyCommissions, bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { agencies } from "#worker/store/schema/people.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Maximum number of reservations in a statement. */
export const MAX_AGENCY_STATEMENT_LINES = 5_000;

export interface AgencyStatementSearch {
  readonly agencyId: number;
  /** Return dates, both included. */
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly userId: number;
}

const LINE = {
  bookingId: bookings.id,
  reference: bookings.agencyReservationId,
  status: bookings.status,
  customerName: bookings.customerName,
  customerSurname: bookings.customerSurname,
  dateFrom: bookings.dateFrom,
  dateTo: bookings.dateTo,
  branchCode: bookings.branchCode,
  itemCents: bookings.itemCents,
  basisPoints: sql<number>`coalesce(${agencyCommissions.basisPoints}, 0)`.as("commission_basis_points"),
  paidCents: sql<number>`coalesce(${agencyCommissions.paidCents}, 0)`.as("commission_paid_cents"),
  paidOn: agencyCommissions.paidOn,
};

// Condition for a statement's reservations: finished ones, and cancelled ones for which the agency was paid.
const COUNTS = sql`(${bookings.status} = 'done' OR (${bookings.status} = 'cancelled' AND coalesce(${agencyCommissions.paidCents}, 0) > 0))`;

/** Returns the queries for an agency's name and its reservations with a return date in a period. */
export function agencyStatementQueries(db: Database, { agencyId, dateFrom, dateTo, userId }: AgencyStatementSearch) {
  return [
    db.select({ id: agencies.id, name: agencies.name }).from(agencies).where(eq(agencies.id, agencyId)),
    selectLines(
      db,
      sql`${bookings.dateTo} BETWEEN ${dateFrom} AND ${dateTo} AND ${COUNTS}
        AND ${isInUserBranchesSql(userId, sql`${bookings.branchCode}`, sql`${bookings.returnBranchCode}`)}`,
      agencyId,
    ),
  ] as const;
}

/** Returns the query for reservations of an agency by id. */
export function agencyReservationsQuery(
  db: Database,
  {
    agencyId,
    bookingIds,
    userId,
  }: { readonly agencyId: number; readonly bookingIds: readonly number[]; readonly userId: number },
) {
  return selectLines(
    db,
    sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(bookingIds)}))
      AND ${isInUserBranchesSql(userId, sql`${bookings.branchCode}`, sql`${bookings.returnBranchCode}`)}`,
    agencyId,
  );
}

function selectLines(db: Database, where: SQL, agencyId: number) {
  return db
    .select(LINE)
    .from(bookings)
    .leftJoin(agencyCommissions, eq(agencyCommissions.bookingId, bookings.id))
    .where(sql`${bookings.agencyId} = ${agencyId} AND ${where}`)
    .orderBy(bookings.dateTo, bookings.id)
    .limit(MAX_AGENCY_STATEMENT_LINES + 1);
}

export type AgencyStatementRow = Awaited<ReturnType<typeof agencyReservationsQuery>>[number];

/**
 * Returns the statements that record the amounts paid of commissions with the payment day, or delete them (`date`
 * null).
 */
export function agencyCommissionPaymentStatements(
  db: Database,
  rows: readonly { readonly bookingId: number; readonly paidCents: number }[],
  { date, at, actor }: { readonly date: string | null; readonly at: number; readonly actor: string },
): readonly Query[] {
  const json = JSON.stringify(rows);
  const detail = JSON.stringify({
    before: { commissionPaid: date === null },
    after: { commissionPaid: date ?? false },
  });
  return [
    db
      .update(agencyCommissions)
      .set({
        paidCents: sql`(SELECT value ->> 'paidCents' FROM json_each(${json}) WHERE value ->> 'bookingId' = booking_id)`,
        paidOn: date,
      })
      .where(sql`booking_id IN (SELECT value ->> 'bookingId' FROM json_each(${json}))`),
    db.insert(bookingHistory).select(
      selectRowsToInsert(
        bookingHistory,
        rows.map(({ bookingId }) => ({ bookingId, at, actor, event: "changed", detail })),
      ),
    ),
  ];
}
