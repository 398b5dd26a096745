import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parsed } from "#worker/store/reporting/parsed.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { isInUserBranches } from "#worker/store/user-branches.ts";

/** Where a page of deposits ended. */
export interface DepositCursor {
  /** When the vehicle is due back, `yyyy-mm-dd`. */
  readonly date: string;
  readonly id: number;
}

/** Which of the deposits that are held are looked for; what is absent narrows nothing. */
export interface DepositSearch {
  /** Whether the contract is over, and what is held is to be given back or kept. */
  readonly isOver: boolean | undefined;
  readonly method: string | undefined;
  /** Where the vehicle leaves, or is brought back. */
  readonly branchCode: string | undefined;
  readonly userId: number;
  readonly after: DepositCursor | undefined;
  readonly pageSize: number;
}

/** How a deposit was taken. */
export interface DepositReceipt {
  /** When the oldest part of it was, epoch ms. */
  readonly at: number | null;
  readonly methods: readonly string[];
  /** Who of the staff took it, where that is known. */
  readonly by: string | null;
}

// Whoever hands a vehicle over or enters money leaves an entry of that moment, among the last of the contract.
const TAKER = sql`(SELECT full_name FROM users WHERE id = (SELECT CAST(substr(actor, 7) AS INTEGER) FROM booking_history
  WHERE booking_id = bookings.id AND actor LIKE 'staff:%' AND at = taken.at ORDER BY booking_history.id DESC LIMIT 1))`;
const RECEIPT_JSON = sql`(SELECT json_object('at', taken.at, 'methods', json(taken.methods), 'by', ${TAKER})
  FROM (SELECT min(date) AS at, json_group_array(DISTINCT payment_method_id) AS methods
    FROM charges INDEXED BY charges_of_deposit WHERE booking_id = bookings.id AND source_doc = 'deposit_received') AS taken)`;

const DEPOSIT = {
  bookingId: bookings.id,
  status: bookings.status,
  customerName: bookings.customerName,
  customerSurname: bookings.customerSurname,
  branchCode: bookings.branchCode,
  returnBranchCode: bookings.returnBranchCode,
  dateTo: bookings.dateTo,
  timeTo: bookings.timeTo,
  agreedCents: bookings.totalDepositCents,
  heldCents: bookings.depositHeldCents,
  taken: RECEIPT_JSON.mapWith(parsed<DepositReceipt>).as("taken"),
};

/** A page of the deposits that are held, what is due back longest first, and what all that were found come to. */
export function depositListQueries(db: Database, search: DepositSearch) {
  const conditions: readonly SQL[] = [
    sql`deposit_held_cents > 0`,
    isInUserBranches(search.userId, sql`branch_code`, sql`return_branch_code`),
    ...when(search.isOver, (isOver) => sql`status ${sql.raw(isOver ? "" : "NOT")} IN ('done', 'cancelled')`),
    ...when(search.branchCode, (code) => sql`${code} IN (branch_code, return_branch_code)`),
    ...when(
      search.method,
      (method) => sql`EXISTS (SELECT 1 FROM charges WHERE charges.booking_id = bookings.id
        AND charges.source_doc = 'deposit_received' AND charges.payment_method_id = ${method})`,
    ),
  ];
  const after = when(search.after, ({ date, id }) => sql`(date_to, id) > (${date}, ${id})`);
  const from = sql`bookings INDEXED BY bookings_with_deposit`;
  return [
    db
      .select(DEPOSIT)
      .from(bookings)
      .where(sql.join([...conditions, ...after], sql` AND `))
      .orderBy(sql`date_to, id`)
      .limit(search.pageSize + 1),
    db
      .select({
        total: sql<number>`count(*)`.as("found"),
        heldCents: sql<number>`coalesce(sum(deposit_held_cents), 0)`.as("held"),
      })
      .from(from)
      .where(sql.join([...conditions], sql` AND `)),
  ] as const;
}

const when = <T>(value: T | undefined, condition: (value: T) => SQL): SQL[] =>
  value === undefined ? [] : [condition(value)];

export type DepositRow = Awaited<ReturnType<typeof depositListQueries>[0]>[number];
