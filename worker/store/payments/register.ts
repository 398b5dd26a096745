import { desc, eq, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { cashClosings, charges } from "#worker/store/schema/documents.ts";
import { users } from "#worker/store/schema/people.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Day of a branch as a range of instants (epoch ms), or of all branches if absent. */
export interface CashRegisterDay {
  readonly branchCode: string | undefined;
  readonly from: number;
  readonly until: number;
  /** User with access to the branches, if no branch is named. */
  readonly userId: number;
}

const sumWhere = (condition: string) =>
  sql<number>`coalesce(sum(CASE WHEN ${sql.raw(condition)} THEN amount_cents ELSE 0 END), 0)`;

function isInBranch({ branchCode, userId }: Pick<CashRegisterDay, "branchCode" | "userId">) {
  if (branchCode !== undefined) return sql`charges.branch_code = ${branchCode}`;
  // Queries each branch separately, because the index contains the branch before the day.
  return sql`charges.branch_code IN (SELECT code FROM branches WHERE ${isInUserBranchesSql(userId, sql`branches.code`)})`;
}

/** Returns the query for a day's receipts and payments by method, with deposits separate, in minor units. */
export function cashRegisterQuery(db: Database, day: CashRegisterDay) {
  return db
    .select({
      branchCode: charges.branchCode,
      method: charges.paymentMethodId,
      chargedCents: sumWhere("virtual = 0 AND payment_type = 'charge'").as("charged"),
      refundedCents: sumWhere("virtual = 0 AND payment_type = 'payment'").as("refunded"),
      depositsReceivedCents: sumWhere("source_doc = 'deposit_received'").as("received"),
      depositsReturnedCents: sumWhere("source_doc = 'deposit_returned' AND deposit_kept = 0").as("returned"),
      depositsKeptCents: sumWhere("source_doc = 'deposit_returned' AND deposit_kept = 1").as("kept"),
      charges: sql<number>`count(*)`.as("charges"),
    })
    .from(charges)
    .where(sql`${isInBranch(day)} AND charges.date >= ${day.from} AND charges.date < ${day.until}`)
    .groupBy(charges.branchCode, charges.paymentMethodId)
    .orderBy(charges.branchCode, charges.paymentMethodId);
}

export type CashRegisterRow = Awaited<ReturnType<typeof cashRegisterQuery>>[number];

// Change of the cash in a drawer. Deposits are in the drawer too, and retained ones stay there.
const MOVED = "coalesce(sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END), 0)";
const lastClosing = (branchCode: string) => sql`(SELECT max(id) FROM cash_closings WHERE branch_code = ${branchCode})`;

// Condition for cash charges since the last closing, or since the start of the day if there is no closing.
const notCounted = (
  branchCode: string,
  fromIfNeverClosed: number,
) => sql`branch_code = ${branchCode} AND payment_method_id = 'cash'
  AND id > coalesce((SELECT last_charge_id FROM cash_closings WHERE id = ${lastClosing(branchCode)}), 0)
  AND (${lastClosing(branchCode)} IS NOT NULL OR date >= ${fromIfNeverClosed})`;

/**
 * Returns the query for the expected cash in a branch's drawer: its opening cash and the changes since the last count.
 */
export function expectedDrawerCashQuery(db: Database, branchCode: string, fromIfNeverClosed: number) {
  return db
    .select({
      movedCents: sql<number>`${sql.raw(MOVED)}`.as("moved"),
      openingCents: sql<
        number | null
      >`(SELECT counted_cents - taken_out_cents FROM cash_closings WHERE id = ${lastClosing(branchCode)})`.as(
        "opening",
      ),
      lastDate: sql<string | null>`(SELECT date FROM cash_closings WHERE id = ${lastClosing(branchCode)})`.as(
        "last_date",
      ),
    })
    .from(charges)
    .where(notCounted(branchCode, fromIfNeverClosed));
}

/** Returns the query for the cash closings of a branch, or of the user's branches, on a day. */
export function cashClosingsQuery(db: Database, { branchCode, userId }: CashRegisterDay, date: string) {
  const isVisibleToUser =
    branchCode === undefined
      ? isInUserBranchesSql(userId, sql`cash_closings.branch_code`)
      : sql`cash_closings.branch_code = ${branchCode}`;
  return db
    .select({ closing: cashClosings, staffName: sql<string | null>`${users.fullName}`.as("staff_name") })
    .from(cashClosings)
    .leftJoin(users, sql`cash_closings.actor = 'staff:' || users.id`)
    .where(sql`${isVisibleToUser} AND cash_closings.date = ${date}`)
    .orderBy(cashClosings.branchCode);
}

/** Returns the query for one closing by its id, and the id of the last one. */
export function cashClosingQuery(db: Database, id: number) {
  return db
    .select({ closing: cashClosings, staffName: sql<string | null>`${users.fullName}`.as("staff_name") })
    .from(cashClosings)
    .leftJoin(users, sql`cash_closings.actor = 'staff:' || users.id`)
    .where(eq(cashClosings.id, id));
}

export type CashClosingRow = Awaited<ReturnType<typeof cashClosingQuery>>[number];

/** Returns the query for the date of a branch's latest cash closing, and the cash that it left. */
export function lastCashClosingQuery(db: Database, branchCode: string) {
  return db
    .select({
      date: cashClosings.date,
      leftCents: sql<number>`${cashClosings.countedCents} - ${cashClosings.takenOutCents}`.as("left"),
    })
    .from(cashClosings)
    .where(eq(cashClosings.branchCode, branchCode))
    .orderBy(desc(cashClosings.id))
    .limit(1);
}

/** Returns the query for the id of the next closing. */
export function nextCashClosingIdQuery(db: Database) {
  return db.select({ id: sql<number>`coalesce(max(id), 0) + 1`.as("id") }).from(cashClosings);
}

/** Cash of a branch as counted by staff. */
export interface CountedCash {
  readonly id: number;
  readonly branchCode: string;
  readonly date: string;
  /** Start of this closing's day, epoch ms. Charges count from then if the branch has no earlier closing. */
  readonly from: number;
  /** Cash before the first count. A later count opens with the cash that the last one left. */
  readonly openingCents: number;
  readonly countedCents: number;
  readonly takenOutCents: number;
  readonly note: string | undefined;
  readonly actor: string;
  readonly at: number;
}

/**
 * Returns the statement that closes the cash of a branch with all changes up to now, including charges recorded after
 * staff read the expected amount.
 */
export function newCashClosingStatement(db: Database, counted: CountedCash): Query {
  const { branchCode, from: fromIfNeverClosed, openingCents, countedCents } = counted;
  const opening = sql`coalesce((SELECT counted_cents - taken_out_cents FROM cash_closings WHERE id = ${lastClosing(branchCode)}), ${openingCents})`;
  const cashMovements = sql`(SELECT ${sql.raw(MOVED)} FROM charges WHERE ${notCounted(branchCode, fromIfNeverClosed)})`;
  return db.insert(cashClosings).select(
    selectRowToInsert(cashClosings, {
      id: counted.id,
      branchCode,
      date: counted.date,
      openingCents: opening,
      movedCents: cashMovements,
      countedCents,
      differenceCents: sql`${countedCents} - ${opening} - ${cashMovements}`,
      takenOutCents: counted.takenOutCents,
      lastChargeId: sql`(SELECT coalesce(max(id), 0) FROM charges)`,
      note: counted.note ?? null,
      actor: counted.actor,
      at: counted.at,
    }),
  );
}
