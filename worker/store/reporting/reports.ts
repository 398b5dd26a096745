import { type SQL, sql } from "drizzle-orm";
import type { CivilDate } from "#domain/dates.ts";
import type { ReportGroup, ReportRange } from "#domain/reporting/reports.ts";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { expenses } from "#worker/store/schema/documents.ts";
import { ledgerEntries } from "#worker/store/schema/ledger.ts";
import { quotes } from "#worker/store/schema/quotes.ts";
import { vehicleServices, vehicles } from "#worker/store/schema/vehicles.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Range, group and user of a report. A range that ends before it starts reads no rows. */
export interface ReportQueryInput extends ReportRange {
  readonly group: ReportGroup | undefined;
  /** User with access to the branches. */
  readonly userId: number;
}

const NONE = sql`NULL`;

const CATEGORY = sql`(SELECT line.category_code FROM booking_lines AS line WHERE line.booking_id = bookings.id ORDER BY line.id LIMIT 1)`;

// A contract with several categories or vehicles counts for the first.
const CONTRACT_GROUPS: Readonly<Record<ReportGroup, SQL>> = {
  category: CATEGORY,
  vehicle: sql`(SELECT unit.vehicle_reference FROM booking_units AS unit WHERE unit.booking_id = bookings.id ORDER BY unit.id LIMIT 1)`,
  branch: sql`bookings.branch_code`,
  channel: sql`bookings.sales_channel_code`,
  agency: sql`CAST(bookings.agency_id AS TEXT)`,
  agent: sql`CAST(bookings.agent_id AS TEXT)`,
  customer: sql`CAST(bookings.customer_id AS TEXT)`,
  extra: NONE,
};

const NO_GROUPS: Readonly<Record<ReportGroup, SQL>> = {
  ...{ category: NONE, vehicle: NONE, branch: NONE, channel: NONE },
  ...{ agency: NONE, agent: NONE, customer: NONE, extra: NONE },
};

const LEDGER_GROUPS: Readonly<Record<ReportGroup, SQL>> = {
  ...CONTRACT_GROUPS,
  category: sql`CASE ledger_entries.kind WHEN 'product' THEN (SELECT category_code FROM vehicles WHERE reference = ledger_entries.code) ELSE ${CATEGORY} END`,
  vehicle: sql`CASE ledger_entries.kind WHEN 'product' THEN ledger_entries.code END`,
  branch: sql`ledger_entries.branch_code`,
  extra: sql`ledger_entries.code`,
};

/** Returns the SQL of a group's key. */
const toKey = (groups: Readonly<Record<ReportGroup, SQL>>, group: ReportGroup | undefined) =>
  sql<string | null>`${group === undefined ? NONE : groups[group]}`;

const NAMED: Readonly<Record<ReportGroup, SQL>> = {
  category: sql`SELECT named.name FROM categories AS named WHERE named.code = `,
  vehicle: sql`SELECT named.name FROM vehicles AS named WHERE named.reference = `,
  branch: sql`SELECT named.name FROM branches AS named WHERE named.code = `,
  channel: sql`SELECT named.name FROM sales_channels AS named WHERE named.code = `,
  agency: sql`SELECT named.name FROM agencies AS named WHERE named.id = `,
  agent: sql`SELECT named.name FROM agents AS named WHERE named.id = `,
  customer: sql`SELECT named.full_name FROM customers AS named WHERE named.id = `,
  extra: sql`SELECT named.name FROM extras AS named WHERE named.code = `,
};

const toName = (group: ReportGroup | undefined, key: SQL) =>
  sql<string | null>`${group === undefined ? NONE : sql`(${NAMED[group]}${key})`}`;

const sum = (value: SQL) => sql<number>`coalesce(sum(${value}), 0)`;

/** Returns the query for the ledger's sums by month, rented days and group. */
export function reportRevenueQuery(db: Database, { from, to, group, userId }: ReportQueryInput) {
  const key = toKey(LEDGER_GROUPS, group);
  const month = sql`printf('%04d-%02d', ledger_entries.year, ledger_entries.month)`;
  // Extras and supplements belong to the pickup, or to the first day of the month in which they were charged later.
  const saleDay = sql`CASE WHEN substr(bookings.date_from, 1, 7) = ${month} THEN CAST(substr(bookings.date_from, 9) AS INTEGER) ELSE 1 END`;
  const day = (column: string) =>
    sql<number>`CASE WHEN ledger_entries.first_day > 0 THEN ledger_entries.${sql.raw(column)} ELSE ${saleDay} END`;
  return db
    .select({
      year: ledgerEntries.year,
      month: ledgerEntries.month,
      firstDay: day("first_day").as("from_day"),
      lastDay: day("last_day").as("to_day"),
      group: key.as("group_key"),
      name: toName(group, key).as("group_name"),
      cents: sum(sql`ledger_entries.cents`).as("gross"),
      centsWithoutTaxes: sum(sql`ledger_entries.cents_without_taxes`).as("net"),
      days: sum(sql`ledger_entries.days`).as("rented"),
      contracts: sum(sql`ledger_entries.contracts`).as("contract_count"),
    })
    .from(ledgerEntries)
    .innerJoin(bookings, sql`bookings.id = ledger_entries.booking_id`)
    .where(
      sql`${from} <= ${to} AND ${month} BETWEEN ${from.slice(0, 7)} AND ${to.slice(0, 7)} AND ${isInUserBranchesSql(userId, sql`ledger_entries.branch_code`)}
        ${group === "extra" ? sql`AND ledger_entries.kind = 'extra'` : sql``}`,
    )
    .groupBy(sql`1, 2, 3, 4, 5`);
}

/** Returns the query for sums of rentals by pickup date and group. `asOf` (epoch ms) leaves out what changed later. */
export function reportRentalSumsQuery(
  db: Database,
  { from, to, group, userId }: ReportQueryInput,
  status: "active" | "cancelled",
  asOf?: number,
) {
  const key = toKey(CONTRACT_GROUPS, group);
  const contractCondition =
    asOf === undefined
      ? sql`bookings.status IN ('confirmed', 'in_progress', 'done')`
      : sql`bookings.status <> 'pending_confirmation' AND bookings.created_at <= ${asOf}
          AND (bookings.cancelled_at IS NULL OR bookings.cancelled_at > ${asOf})`;
  const isReason = (reason: string) => sum(sql`bookings.cancellation_reason IS ${reason}`);
  return db
    .select({
      date: sql<CivilDate>`bookings.date_from`.as("pickup"),
      group: key.as("group_key"),
      name: toName(group, key).as("group_name"),
      contracts: sql<number>`count(*)`.as("contract_count"),
      days: sum(sql`bookings.days`).as("rented"),
      cents: sum(sql`bookings.total_cents`).as("total"),
      feeCents: sum(sql`bookings.cancellation_fee_cents`).as("fees"),
      leadDays: sum(
        sql`max(0, CAST(julianday(bookings.date_from) - julianday(date(bookings.created_at / 1000, 'unixepoch')) AS INTEGER))`,
      ).as("lead"),
      cancelled: isReason("cancelled").as("cancelled"),
      noShows: isReason("no_show").as("no_shows"),
      expired: isReason("expired").as("expired"),
    })
    .from(bookings)
    .where(
      sql`${from} <= ${to} AND bookings.date_from BETWEEN ${from} AND ${to} AND bookings.kind = 'rental'
        AND ${status === "active" ? contractCondition : sql`bookings.status = 'cancelled'`}
        AND ${isInUserBranchesSql(userId, sql`bookings.branch_code`)}`,
    )
    .groupBy(sql`1, 2`);
}

/** Returns the query for sums of vehicle expenses by date and group. */
export function reportExpensesQuery(db: Database, { from, to, group, userId }: ReportQueryInput) {
  const groups = {
    ...NO_GROUPS,
    vehicle: sql`expenses.vehicle_reference`,
    branch: sql`expenses.branch_code`,
    category: sql`(SELECT category_code FROM vehicles WHERE reference = expenses.vehicle_reference)`,
  };
  const key = toKey(groups, group);
  return db
    .select({
      date: sql<CivilDate>`expenses.date`.as("expense_date"),
      group: key.as("group_key"),
      name: toName(group, key).as("group_name"),
      expenses: sql<number>`count(*)`.as("expense_count"),
      subtotalCents: sum(sql`expenses.subtotal_cents`).as("subtotal"),
      taxesCents: sum(sql`expenses.taxes_cents`).as("taxes"),
      totalCents: sum(sql`expenses.total_cents`).as("total"),
    })
    .from(expenses)
    .where(sql`expenses.date BETWEEN ${from} AND ${to} AND ${isInUserBranchesSql(userId, sql`expenses.branch_code`)}`)
    .groupBy(sql`1, 2`);
}

/**
 * Returns the query for the costs of maintenance that no expense contains, by date and group, at the branch of the
 * vehicle.
 */
export function reportMaintenanceQuery(db: Database, { from, to, group, userId }: ReportQueryInput) {
  const groups = {
    ...NO_GROUPS,
    vehicle: sql`vehicle_services.vehicle_reference`,
    branch: sql`vehicles.branch_code`,
    category: sql`vehicles.category_code`,
  };
  const key = toKey(groups, group);
  return db
    .select({
      date: sql<CivilDate>`vehicle_services.date`.as("service_date"),
      group: key.as("group_key"),
      name: toName(group, key).as("group_name"),
      cents: sum(sql`vehicle_services.cost_cents`).as("cost"),
    })
    .from(vehicleServices)
    .innerJoin(vehicles, sql`vehicles.reference = vehicle_services.vehicle_reference`)
    .where(
      sql`vehicle_services.date BETWEEN ${from} AND ${to} AND vehicle_services.in_expenses = 0
        AND ${isInUserBranchesSql(userId, sql`vehicles.branch_code`)}`,
    )
    .groupBy(sql`1, 2`);
}

/** Returns the query for quotes created in a period (epoch ms, end excluded). */
export function reportQuotesQuery(
  db: Database,
  { group, userId }: ReportQueryInput,
  { from, until }: { readonly from: number; readonly until: number },
) {
  const groups = {
    ...NO_GROUPS,
    branch: sql`quotes.branch_code`,
    customer: sql`CAST(quotes.customer_id AS TEXT)`,
  };
  const key = toKey(groups, group);
  return db
    .select({
      at: quotes.createdAt,
      group: key.as("group_key"),
      name: toName(group, key).as("group_name"),
      status: quotes.status,
      cents: quotes.totalCents,
    })
    .from(quotes)
    .where(
      sql`quotes.created_at >= ${from} AND quotes.created_at < ${until} AND ${isInUserBranchesSql(userId, sql`quotes.branch_code`)}`,
    );
}

/** Returns the query for vehicles with their rented days: year, month and the four fields of `ledger_products`. */
export function fleetRentedDaysQuery(db: Database, { from, to, group, userId }: ReportQueryInput) {
  const groups = {
    ...NO_GROUPS,
    vehicle: sql`vehicles.reference`,
    branch: sql`vehicles.branch_code`,
    category: sql`vehicles.category_code`,
  };
  const key = toKey(groups, group);
  const months = sql<string>`(SELECT json_group_array(json_array(year, month, rented_a, rented_b, rented_c, rented_d)) FROM ledger_products
    WHERE customer_class = 'all' AND ledger_products.reference = vehicles.reference
      AND year BETWEEN ${Number(from.slice(0, 4))} AND ${Number(to.slice(0, 4))})`;
  return db
    .select({
      group: key.as("group_key"),
      name: toName(group, key).as("group_name"),
      acquiredOn: sql<CivilDate | null>`vehicles.acquisition_date`.as("acquired"),
      releasedOn: sql<CivilDate | null>`vehicles.sold_release_date`.as("released"),
      months: months.as("months"),
    })
    .from(vehicles)
    .where(
      sql`${from} <= ${to} AND (vehicles.acquisition_date IS NULL OR vehicles.acquisition_date <= ${to})
        AND (vehicles.sold_release_date IS NULL OR vehicles.sold_release_date >= ${from})
        AND ${isInUserBranchesSql(userId, sql`vehicles.branch_code`)}`,
    );
}
