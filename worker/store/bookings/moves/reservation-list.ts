import { type SQL, sql } from "drizzle-orm";
import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { contract } from "#worker/store/reporting/contract-lists.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";

/** Which reservations the office looks for; what is absent narrows nothing. */
export interface ReservationSearch {
  /** Any part of the id, the reference, the name, the document, the phone, the mail or a plate. */
  readonly text: string | undefined;
  readonly status: BookingStatus | undefined;
  readonly kind: "rental" | "transfer" | undefined;
  /** By the pickup. */
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
  readonly branchCode: string | undefined;
  readonly categoryCode: string | undefined;
  /** Only what waits for a person. */
  readonly needsAttention: boolean;
  /** Of whose branches. */
  readonly userId: number;
  /** The id of the last one before the page. */
  readonly after: number | undefined;
  readonly pageSize: number;
  /** Epoch ms, and the account's own clock as `yyyy-mm-dd hh:mm`. */
  readonly at: number;
  readonly civilNow: string;
}

/** A page of reservations, the latest made first, and how many there are; two queries of one batch. */
export function reservationListQueries(db: Database, search: ReservationSearch) {
  const found = conditions(search);
  const where = sql.join([isOfUser(search.userId), ...found], sql` AND `);
  const after = search.after === undefined ? sql`true` : sql`bookings.id < ${search.after}`;
  return [
    db
      .select(contract)
      .from(bookings)
      .where(sql`${where} AND ${after}`)
      .orderBy(sql`bookings.id DESC`)
      .limit(search.pageSize + 1),
    db.select({ total: totalOf(search.userId, found.length === 0, where).as("total") }).from(catalogueVersion),
  ] as const;
}

function conditions(search: ReservationSearch): readonly SQL[] {
  const { text, status, kind, dateFrom, dateTo, branchCode, categoryCode, needsAttention } = search;
  return [
    ...(text === undefined ? [] : [matches(text)]),
    ...(status === undefined ? [] : [sql`bookings.status = ${status}`]),
    ...(kind === undefined ? [] : [sql`bookings.kind = ${kind}`]),
    ...(dateFrom === undefined ? [] : [sql`bookings.date_from >= ${dateFrom}`]),
    ...(dateTo === undefined ? [] : [sql`bookings.date_from <= ${dateTo}`]),
    ...(branchCode === undefined
      ? []
      : [sql`(bookings.branch_code = ${branchCode} OR bookings.return_branch_code = ${branchCode})`]),
    ...(categoryCode === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM booking_lines AS line WHERE line.booking_id = bookings.id AND line.category_code = ${categoryCode})`,
        ]),
    ...(needsAttention ? [waits(search)] : []),
  ];
}

const worksEverywhere = (userId: number) => sql`(SELECT all_branches FROM users WHERE id = ${userId}) = 1`;

function isOfUser(userId: number): SQL {
  const own = sql`(SELECT branch_code FROM user_branches WHERE user_id = ${userId})`;
  return sql`(${worksEverywhere(userId)} OR bookings.branch_code IN ${own} OR bookings.return_branch_code IN ${own})`;
}

// All there is to see is counted already, beside the transfers, which are few.
function totalOf(userId: number, isUnfiltered: boolean, where: SQL): SQL<number> {
  const counted = sql<number>`(SELECT count(*) FROM bookings WHERE ${where})`;
  if (!isUnfiltered) return counted;
  return sql<number>`CASE WHEN ${worksEverywhere(userId)} THEN (SELECT count(*) FROM transfer_bookings)
    + coalesce((SELECT total FROM list_totals WHERE list = 'bookings'), 0) ELSE ${counted} END`;
}

function matches(text: string): SQL {
  const part = text.toLowerCase();
  const inColumn = (column: string) => sql`instr(lower(coalesce(${sql.raw(column)}, '')), ${part}) > 0`;
  const squeezed = part.replaceAll(/[\s-]/g, "");
  return sql`(CAST(bookings.id AS TEXT) = ${part} OR ${inColumn("bookings.free_access_id")} OR ${inColumn("bookings.agency_reservation_id")}
    OR ${inColumn("bookings.customer_name || ' ' || bookings.customer_surname")} OR ${inColumn("bookings.customer_document_id")}
    OR ${inColumn("replace(bookings.customer_phone, ' ', '')")} OR ${inColumn("bookings.customer_email")}
    OR EXISTS (SELECT 1 FROM booking_units AS unit JOIN vehicles AS vehicle ON vehicle.reference = unit.vehicle_reference
      WHERE unit.booking_id = bookings.id AND (instr(lower(replace(replace(coalesce(vehicle.plate, ''), ' ', ''), '-', '')), ${squeezed}) > 0
        OR lower(vehicle.reference) = ${part})))`;
}

// Overdue or not come for, paid and not confirmed, paid too much or owed back, opened again.
function waits({ civilNow }: ReservationSearch): SQL {
  const settings = (column: string) => sql.raw(`(SELECT ${column} FROM settings WHERE id = 1)`);
  return sql`(bookings.paid_after_expiry = 1 OR bookings.reopened_at IS NOT NULL
    OR (bookings.status = 'pending_confirmation' AND bookings.total_paid_cents > 0)
    OR (bookings.status = 'cancelled' AND bookings.total_paid_cents > bookings.cancellation_fee_cents)
    OR (bookings.status <> 'cancelled' AND bookings.total_paid_cents > bookings.total_cents - bookings.credited_cents)
    OR (bookings.status = 'in_progress' AND bookings.date_to || ' ' || bookings.time_to < ${civilNow})
    OR (bookings.status = 'confirmed' AND bookings.kind = 'rental'
      AND datetime(bookings.date_from || ' ' || bookings.time_from, '+' || ${settings("no_show_minutes")} || ' minutes') < datetime(${civilNow})))`;
}
