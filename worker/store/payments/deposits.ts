import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** End of a page of deposits. */
export interface DepositCursor {
  /** Due date of the vehicle's return, `yyyy-mm-dd`. */
  readonly date: string;
  readonly id: number;
}

/** Filters for held deposits. Absent filters don't apply. */
export interface DepositSearch {
  /** Whether the contract has ended, so that the deposit is to be returned or retained. */
  readonly isOver: boolean | undefined;
  readonly method: string | undefined;
  /** Pickup or return branch. */
  readonly branchCode: string | undefined;
  readonly userId: number;
  readonly after: DepositCursor | undefined;
  readonly pageSize: number;
}

/** Time, methods and receiver of a deposit's payment. */
export interface DepositReceivedInfo {
  /** Time of the deposit's first payment, epoch ms. */
  readonly at: number | null;
  readonly methods: readonly string[];
  /** Staff member who received the deposit, if known. */
  readonly by: string | null;
}

// Name of the staff member who received the deposit. A history entry with the time of the payment contains the actor.
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
  taken: RECEIPT_JSON.mapWith(parseStoredJson<DepositReceivedInfo>).as("taken"),
};

/** Returns the queries for a page of held deposits, longest overdue first, and the total of all matches. */
export function depositListQueries(db: Database, search: DepositSearch) {
  const conditions: readonly SQL[] = [
    sql`deposit_held_cents > 0`,
    isInUserBranchesSql(search.userId, sql`branch_code`, sql`return_branch_code`),
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
