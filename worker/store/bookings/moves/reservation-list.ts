import { type SQL, sql } from "drizzle-orm";
import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { contract } from "#worker/store/reporting/contract-lists.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { foundTotalQuery, idsByNumber, idsByVehicle, isFound, knownTotal, totalQuery } from "#worker/store/search.ts";
import { isOfUser } from "#worker/store/user-branches.ts";

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
  readonly customerId: number | undefined;
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
  const { text, userId, after, pageSize } = search;
  const found = conditions(search);
  const ofUser = isOfUser(userId, sql`+bookings.branch_code`, sql`+bookings.return_branch_code`);
  const where = sql.join([ofUser, ...found], sql` AND `);
  const known = { total: knownTotal("bookings", "transfers"), userId };
  const page = db.select(contract).from(bookings);
  if (text !== undefined) {
    const unlessEverywhere = found.length === 0 ? userId : undefined;
    const searched = { list: "bookings", text, others: others(text), where, unlessEverywhere, pageSize } as const;
    return [
      page
        .where(isFound(searched, after))
        .orderBy(sql`bookings.id DESC`)
        .limit(pageSize + 1),
      foundTotalQuery(db, searched),
    ] as const;
  }
  return [
    page
      .where(sql`${where} AND ${after === undefined ? sql`true` : sql`bookings.id < ${after}`}`)
      .orderBy(sql`bookings.id DESC`)
      .limit(pageSize + 1),
    totalQuery(db, { ...countedBy(search, ofUser, where), pageSize, known: found.length === 0 ? known : undefined }),
  ] as const;
}

// A page takes the latest of those days and needs all of their ids; a count walks the days until it has enough.
function countedBy(
  search: ReservationSearch,
  ofUser: SQL,
  where: SQL,
): { readonly table: string; readonly where: SQL } {
  const { dateFrom, dateTo, customerId, needsAttention } = search;
  if ((dateFrom === undefined && dateTo === undefined) || customerId !== undefined || needsAttention)
    return { table: "bookings", where };
  const others = conditions({ ...search, dateFrom: undefined, dateTo: undefined }, false);
  return {
    table: "bookings INDEXED BY bookings_by_pickup",
    where: sql.join([pickedUpFrom(search), ofUser, ...others], sql` AND `),
  };
}

// What finds few rows is asked of its index first, and names them by id: a list goes down the ids, whatever else it
// asks. The plus keeps a column's index out of it.
function conditions(search: ReservationSearch, isByStatus = findsByStatus(search)): readonly SQL[] {
  const { status, kind, branchCode, categoryCode, customerId, needsAttention } = search;
  return [
    ...(customerId === undefined ? [] : [isOfCustomer(customerId)]),
    ...(needsAttention ? [waits(search)] : []),
    ...(status === undefined ? [] : [isByStatus ? byStatus(status) : sql`+bookings.status = ${status}`]),
    ...pickedUp(search),
    ...(kind === undefined ? [] : [kind === "transfer" ? IS_TRANSFER : sql`bookings.kind = ${kind}`]),
    ...(branchCode === undefined
      ? []
      : [sql`(+bookings.branch_code = ${branchCode} OR +bookings.return_branch_code = ${branchCode})`]),
    ...(categoryCode === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM booking_lines AS line WHERE line.booking_id = bookings.id AND line.category_code = ${categoryCode})`,
        ]),
  ];
}

// An index of what is done and one of what is not have the contracts of a status in the order of their ids.
function byStatus(status: BookingStatus): SQL {
  const isStatus = `bookings.status = '${status}'`;
  return sql.raw(status === "done" ? isStatus : `${isStatus} AND bookings.status <> 'done'`);
}

function findsByStatus({ dateFrom, dateTo, customerId, needsAttention, text }: ReservationSearch): boolean {
  return [dateFrom, dateTo, customerId, text].every((one) => one === undefined) && !needsAttention;
}

const IS_TRANSFER = sql`bookings.id IN (SELECT booking_id FROM transfer_bookings)`;

function isOfCustomer(id: number): SQL {
  return sql`bookings.id IN (SELECT id FROM bookings INDEXED BY bookings_by_customer WHERE customer_id = ${id})`;
}

function pickedUp(search: ReservationSearch): readonly SQL[] {
  if (search.dateFrom === undefined && search.dateTo === undefined) return [];
  return [
    sql`bookings.id IN (SELECT bookings.id FROM bookings INDEXED BY bookings_by_pickup WHERE ${pickedUpFrom(search)})`,
  ];
}

const pickedUpFrom = ({ dateFrom, dateTo }: ReservationSearch) =>
  sql`bookings.branch_code IN (SELECT code FROM branches) AND bookings.date_from BETWEEN ${dateFrom ?? "0000"} AND ${dateTo ?? "9999-12-31"}`;

// What finds a reservation beside its own texts.
function others(text: string): readonly SQL[] {
  return [
    idsByVehicle(text),
    sql`SELECT id FROM bookings WHERE free_access_id = ${text.trim()}`,
    ...idsByNumber("bookings", text),
  ];
}

// Overdue or not come for, paid and not confirmed, paid too much or owed back, opened again: each by its own index.
function waits({ civilNow }: ReservationSearch): SQL {
  const setting = (column: string) => sql.raw(`(SELECT ${column} FROM settings WHERE id = 1)`);
  const branches = sql`(SELECT code FROM branches)`;
  const ids = [
    sql`paid_after_expiry = 1`,
    sql`reopened_at IS NOT NULL`,
    sql`status = 'pending_confirmation' AND total_paid_cents > 0`,
    sql`status = 'cancelled' AND total_paid_cents > cancellation_fee_cents - credited_cents`,
    sql`status <> 'cancelled' AND total_paid_cents > total_cents - credited_cents - agent_commission_prepaid_cents`,
    sql`status = 'in_progress' AND return_branch_code IN ${branches} AND date_to <= substr(${civilNow}, 1, 10) AND date_to || ' ' || time_to < ${civilNow}`,
    sql`status = 'confirmed' AND kind = 'rental' AND branch_code IN ${branches} AND date_from <= substr(${civilNow}, 1, 10)
      AND datetime(date_from || ' ' || time_from, '+' || ${setting("no_show_minutes")} || ' minutes') < datetime(${civilNow})`,
  ].map((condition) => sql`SELECT id FROM bookings WHERE ${condition}`);
  const together = (queries: readonly SQL[]) => sql.join([...queries], sql` UNION `);
  // D1 puts no more than five queries together.
  return sql`bookings.id IN (SELECT id FROM (${together(ids.slice(0, 4))}) UNION SELECT id FROM (${together(ids.slice(4))}))`;
}
