import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { CommissionTerms } from "#domain/contracts/agent-commission.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings, versionGuards } from "#worker/store/schema/bookings.ts";
import { agents } from "#worker/store/schema/people.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Returns the query for an agent by id with the terms of the commission. */
export function agentQuery(db: Database, id: number | SQL) {
  const { name, commissionCalculation, commissionFixedCents, commissionBasisPoints } = agents;
  return db
    .select({ id: agents.id, name, commissionCalculation, commissionFixedCents, commissionBasisPoints })
    .from(agents)
    .where(sql`${agents.id} = ${id}`);
}

/**
 * Returns the query for the commission of a booking, its agent's name, and its number of documents, including drafts.
 */
export function bookingCommissionQuery(db: Database, bookingId: number) {
  return db
    .select({
      agentName: sql<string | null>`(SELECT name FROM agents WHERE id = bookings.agent_id)`.as("agent_name"),
      agentId: bookings.agentId,
      commissionCents: bookings.agentCommissionTotalCents,
      baseCents: bookings.itemCents,
      prepaidCents: bookings.agentCommissionPrepaidCents,
      isSettled: bookings.agentCommissionPaid,
      // Terms at the time of booking.
      commissionCalculation: sql<
        CommissionTerms["commissionCalculation"]
      >`coalesce(${bookings.agentCommissionCalculation}, 'fixed_amount')`.as("commission_calculation"),
      commissionFixedCents: bookings.agentCommissionFixedCents,
      commissionBasisPoints: bookings.agentCommissionBasisPoints,
      documentCount: sql<number>`(SELECT count(*) FROM booking_documents WHERE booking_id = bookings.id)`.as(
        "documentCount",
      ),
    })
    .from(bookings)
    .where(eq(bookings.id, bookingId));
}

export type BookingCommission = Awaited<ReturnType<typeof bookingCommissionQuery>>[number];

/** Filters for commissions. Absent filters don't apply. Dates are return dates. */
export interface CommissionSearch {
  readonly agentId: number | undefined;
  readonly isSettled: boolean;
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
  readonly userId: number;
  readonly after: number | undefined;
  readonly pageSize: number;
}

const COMMISSION = {
  bookingId: bookings.id,
  version: bookings.version,
  status: bookings.status,
  kind: bookings.kind,
  customerName: bookings.customerName,
  customerSurname: bookings.customerSurname,
  dateFrom: bookings.dateFrom,
  dateTo: bookings.dateTo,
  branchCode: bookings.branchCode,
  returnBranchCode: bookings.returnBranchCode,
  agentId: bookings.agentId,
  agentName: sql<string>`(SELECT name FROM agents WHERE agents.id = bookings.agent_id)`.as("agent_name"),
  baseCents: bookings.agentCommissionBaseCents,
  totalCents: bookings.agentCommissionTotalCents,
  prepaidCents: bookings.agentCommissionPrepaidCents,
  isSettled: bookings.agentCommissionPaid,
  settledOn: bookings.agentCommissionPaymentDate,
};

// Condition for due commissions: of completed contracts, and of cancelled ones from which the agent collected an
// amount. Doesn't apply to settled ones.
const DUE = sql`(status = 'done' OR (status = 'cancelled' AND agent_commission_prepaid_cents <> 0))`;

/** Returns the queries for a page of commissions, newest first, and the totals of all matches. */
export function commissionsQueries(db: Database, search: CommissionSearch) {
  const { agentId, dateFrom, dateTo } = search;
  const conditions: readonly SQL[] = [
    agentId === undefined ? sql`agent_id IN (SELECT id FROM agents)` : sql`agent_id = ${agentId}`,
    sql`agent_commission_paid = ${search.isSettled ? 1 : 0}`,
    ...(search.isSettled ? [] : [DUE]),
    isInUserBranchesSql(search.userId, sql`branch_code`, sql`return_branch_code`),
    ...(dateFrom === undefined ? [] : [sql`date_to >= ${dateFrom}`]),
    ...(dateTo === undefined ? [] : [sql`date_to <= ${dateTo}`]),
  ];
  const ids = (more: SQL) =>
    sql`(SELECT id FROM bookings INDEXED BY bookings_of_agents WHERE ${sql.join([...conditions], sql` AND `)}${more})`;
  const before = search.after === undefined ? sql`` : sql` AND id < ${search.after}`;
  return [
    db
      .select(COMMISSION)
      .from(bookings)
      .where(sql`bookings.id IN ${ids(before)}`)
      .orderBy(desc(bookings.id))
      .limit(search.pageSize + 1),
    db
      .select({
        count: sql<number>`count(*)`.as("found"),
        baseCents: sql<number>`coalesce(sum(agent_commission_base_cents), 0)`.as("base"),
        totalCents: sql<number>`coalesce(sum(agent_commission_total_cents), 0)`.as("earned"),
        prepaidCents: sql<number>`coalesce(sum(agent_commission_prepaid_cents), 0)`.as("kept"),
      })
      .from(bookings)
      .where(sql`bookings.id IN ${ids(sql``)}`),
  ] as const;
}

/** Returns the query for the commissions of several bookings. */
export function bookingCommissionsQuery(db: Database, bookingIds: readonly number[]) {
  return db
    .select(COMMISSION)
    .from(bookings)
    .where(
      sql`bookings.agent_id IS NOT NULL AND bookings.id IN (SELECT value FROM json_each(${JSON.stringify(bookingIds)}))`,
    )
    .orderBy(bookings.id);
}

export type CommissionRow = Awaited<ReturnType<typeof bookingCommissionsQuery>>[number];

// Current commission of a contract. The stored one wasn't updated while it was settled.
const BASE_NOW = sql`(SELECT base_cents FROM earned_commissions WHERE booking_id = bookings.id)`;
const EARNED_NOW = sql`(SELECT total_cents FROM earned_commissions WHERE booking_id = bookings.id)`;
const IS_OTHER = sql`agent_commission_calculation IS NOT NULL AND agent_commission_base_cents <> ${BASE_NOW}`;
const REOPENED = {
  agentCommissionBaseCents: sql`iif(${IS_OTHER}, ${BASE_NOW}, agent_commission_base_cents)`,
  agentCommissionTotalCents: sql`iif(${IS_OTHER}, ${EARNED_NOW}, agent_commission_total_cents)`,
};

/**
 * Returns the statements that settle commissions on a day, or revert it (`date` null). The database refuses them if a
 * commission has changed.
 */
export function settleCommissionsStatements(
  db: Database,
  rows: readonly Pick<CommissionRow, "bookingId" | "version">[],
  { date, at, actor }: { readonly date: string | null; readonly at: number; readonly actor: string },
): readonly Query[] {
  const ids = JSON.stringify(rows.map(({ bookingId }) => bookingId));
  const detail = JSON.stringify({
    before: { commissionPaid: date === null },
    after: { commissionPaid: date ?? false },
  });
  const entries = rows.map(({ bookingId }) => ({ bookingId, at, actor, event: "changed", detail }));
  return [
    db.insert(versionGuards).select(
      selectRowsToInsert(
        versionGuards,
        rows.map(({ bookingId, version }) => ({ bookingId, version })),
      ),
    ),
    db
      .update(bookings)
      .set({
        agentCommissionPaid: date !== null,
        agentCommissionPaymentDate: date,
        ...(date === null && REOPENED),
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(sql`id IN (SELECT value FROM json_each(${ids}))`),
    db.insert(bookingHistory).select(selectRowsToInsert(bookingHistory, entries)),
  ];
}
