import { type SQL, sql } from "drizzle-orm";
import { getFirstDayInMonth, getLastDayInYear } from "#domain/reporting/analytics.ts";
import type { Database } from "#worker/store/database.ts";
import { expenses } from "#worker/store/schema/documents.ts";
import { ledgerSales } from "#worker/store/schema/ledger.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";

/** Filter by a branch group, a branch, and the branches that the reader can access. Undefined for all. */
export interface BranchFilter {
  readonly branchGroupId: number | undefined;
  readonly branchCode: string | undefined;
  readonly branches: readonly string[] | undefined;
}

/** Year, customer class and branches of fleet figures. */
export interface FleetFiguresInput {
  readonly year: number;
  readonly customerClass: "all" | "individual" | "legal_entity";
  readonly branchFilter: BranchFilter;
}

/**
 * Returns the query for vehicles with their months of a year as JSON arrays: month, cents, cents without taxes, days,
 * occupied days, contracts, usage units. With a branch filter, revenue is limited to these branches' contracts, but
 * occupied days cover all. A further array contains the days rented by each branch: month, days, whether the branch is
 * in the filter.
 */
export function vehicleFiguresQuery(db: Database, input: FleetFiguresInput) {
  return hasNoBranchFilter(input.branchFilter) ? fullFleetQuery(db, input) : branchesFleetQuery(db, input);
}

const hasNoBranchFilter = ({ branchGroupId, branchCode, branches }: BranchFilter) =>
  branchGroupId === undefined && branchCode === undefined && branches === undefined;

const VEHICLE = {
  reference: vehicles.reference,
  plate: vehicles.plate,
  brand: vehicles.brand,
  model: vehicles.model,
  familyCode: familyCode("vehicles.category_code").as("family_code"),
  categoryCode: vehicles.categoryCode,
  characteristic1: vehicles.characteristic1,
  characteristic2: vehicles.characteristic2,
  characteristic3: vehicles.characteristic3,
  characteristic4: vehicles.characteristic4,
  acquiredOn: vehicles.acquisitionDate,
  releasedOn: vehicles.soldReleaseDate,
  ownProperty: vehicles.ownProperty,
};

const isInFleetDuring = (
  year: number,
) => sql`(acquisition_date IS NULL OR acquisition_date <= ${getLastDayInYear(year)})
  AND (sold_release_date IS NULL OR sold_release_date >= ${getFirstDayInMonth(year, 1)})`;

function fullFleetQuery(db: Database, { year, customerClass }: FleetFiguresInput) {
  const months = sql<string>`(SELECT json_group_array(json_array(month, cents, cents_without_taxes, days, occupied_days, contracts, usage_units))
    FROM ledger_products WHERE year = ${year} AND customer_class = ${customerClass} AND reference = vehicles.reference)`;
  return db
    .select({
      ...VEHICLE,
      branchCode: vehicles.branchCode,
      storageId: vehicles.branchGroupId,
      months: months.as("months"),
      days: sql<string>`'[]'`.as("branch_days"),
    })
    .from(vehicles)
    .where(
      sql`(${isInFleetDuring(year)}) OR EXISTS (
        SELECT 1 FROM ledger_products WHERE year = ${year} AND customer_class = ${customerClass} AND reference = vehicles.reference)`,
    )
    .orderBy(vehicles.reference);
}

// Includes vehicles that are at the selected branches now, even if they earned their revenue elsewhere.
function branchesFleetQuery(db: Database, { year, customerClass, branchFilter }: FleetFiguresInput) {
  const selectedBranches = sql`(SELECT code FROM branches WHERE ${createBranchCondition("branches", branchFilter, "code")})`;
  const earned = sql`(SELECT reference, min(branch_code) AS branch_code,
      json_group_array(json_array(month, cents, cents_without_taxes, days, 0, contracts, usage_units)) AS months
    FROM (SELECT reference, month, min(branch_code) AS branch_code, sum(cents) AS cents, sum(cents_without_taxes) AS cents_without_taxes,
        sum(days) AS days, sum(contracts) AS contracts, sum(usage_units) AS usage_units
      FROM ledger_branch_products WHERE year = ${year} AND customer_class = ${customerClass} AND branch_code IN ${selectedBranches}
        AND (cents <> 0 OR cents_without_taxes <> 0 OR days <> 0 OR contracts <> 0 OR usage_units <> 0)
      GROUP BY reference, month)
    GROUP BY reference) AS earned`;
  const occupied = sql`(SELECT occupied_days FROM ledger_products AS whole WHERE whole.year = ${year}
    AND whole.customer_class = ${customerClass} AND whole.reference = vehicles.reference AND whole.month = one.month)`;
  const days = sql<string>`CASE WHEN earned.reference IS NULL THEN '[]' ELSE (
    SELECT json_group_array(json_array(month, days, branch_code IN ${selectedBranches}, ${occupied}) ORDER BY month, branch_code)
    FROM ledger_branch_products AS one WHERE year = ${year} AND customer_class = ${customerClass} AND reference = vehicles.reference) END`;
  const branchCode = sql<string>`CASE WHEN vehicles.branch_code IN ${selectedBranches} THEN vehicles.branch_code ELSE earned.branch_code END`;
  return db
    .select({
      ...VEHICLE,
      branchCode: branchCode.as("shown_branch_code"),
      storageId: sql<number>`(SELECT branch_group_id FROM branches WHERE code = ${branchCode})`.as("shown_group"),
      months: sql<string>`coalesce(earned.months, '[]')`.as("months"),
      days: days.as("branch_days"),
    })
    .from(vehicles)
    .leftJoin(earned, sql`earned.reference = vehicles.reference`)
    .where(
      sql`earned.reference IS NOT NULL OR (vehicles.branch_code IN ${selectedBranches} AND ${isInFleetDuring(year)})`,
    )
    .orderBy(vehicles.reference);
}

function familyCode(category: string) {
  return sql<
    string | null
  >`(SELECT family.code FROM categories AS category JOIN families AS family ON family.id = category.family_id
    WHERE category.code = ${sql.raw(category)})`;
}

function createBranchCondition(
  table: string,
  { branchGroupId, branchCode, branches }: BranchFilter,
  code = "branch_code",
): SQL {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql.join(
    [
      sql`1 = 1`,
      ...(branchGroupId === undefined ? [] : [sql`${column("branch_group_id")} = ${branchGroupId}`]),
      ...(branchCode === undefined ? [] : [sql`${column(code)} = ${branchCode}`]),
      ...(branches === undefined
        ? []
        : [sql`${column(code)} IN (SELECT value FROM json_each(${JSON.stringify(branches)}))`]),
    ],
    sql` AND `,
  );
}

/** Returns the query for the sales of extras or supplements in a year, by branch and month. */
export function extraOrSupplementSalesQuery(
  db: Database,
  kind: "extra" | "supplement",
  year: number,
  branchFilter: Omit<BranchFilter, "branchGroupId">,
) {
  return db
    .select({
      code: ledgerSales.code,
      branchCode: ledgerSales.branchCode,
      month: ledgerSales.month,
      cents: ledgerSales.cents,
      centsWithoutTaxes: ledgerSales.centsWithoutTaxes,
      name: sql<string | null>`(SELECT name FROM extras WHERE extras.code = ledger_sales.code)`.as("extra_name"),
    })
    .from(ledgerSales)
    .where(
      sql`kind = ${kind} AND year = ${year} AND ${createBranchCondition("ledger_sales", { ...branchFilter, branchGroupId: undefined })}`,
    )
    .orderBy(ledgerSales.code, ledgerSales.branchCode, ledgerSales.month);
}

/** Filter for expenses. Dates are inclusive. */
export interface ExpensesQueryInput {
  readonly from: string;
  readonly to: string;
  readonly place: BranchFilter;
  readonly page: number;
  readonly pageSize: number;
}

/** Returns the queries for expenses: a page, and the total of all. */
export function expensesReportPageQueries(db: Database, { from, to, place, page, pageSize }: ExpensesQueryInput) {
  const condition = sql`expenses.date BETWEEN ${from} AND ${to} AND ${createBranchCondition("expenses", place)}`;
  const getColumn = (column: string) => sql.raw(column);
  return [
    db
      .select({
        id: expenses.id,
        reference: expenses.vehicleReference,
        plate: sql<string | null>`${getColumn("item.plate")}`.as("plate"),
        brand: sql<string | null>`${getColumn("item.brand")}`.as("brand"),
        model: sql<string | null>`${getColumn("item.model")}`.as("model"),
        characteristic1: sql<string | null>`${getColumn("item.characteristic_1")}`.as("c1"),
        characteristic2: sql<string | null>`${getColumn("item.characteristic_2")}`.as("c2"),
        characteristic3: sql<string | null>`${getColumn("item.characteristic_3")}`.as("c3"),
        characteristic4: sql<string | null>`${getColumn("item.characteristic_4")}`.as("c4"),
        categoryCode: sql<string>`${getColumn("item.category_code")}`.as("category_code"),
        categoryName: sql<string>`(SELECT name FROM categories WHERE code = item.category_code)`.as("category_name"),
        familyCode: familyCode("item.category_code").as("family_code"),
        accountId: sql<number>`${getColumn("concept.expense_account_id")}`.as("account_id"),
        conceptId: expenses.expenseConceptId,
        concept: sql<string>`${getColumn("concept.name")}`.as("concept"),
        date: expenses.date,
        description: expenses.description,
        documentReference: sql<string | null>`${getColumn("expenses.reference")}`.as("document_reference"),
        totalWithoutTaxesCents: expenses.totalWithoutTaxesCents,
        discountCents: expenses.discountCents,
        subtotalCents: expenses.subtotalCents,
        taxesCents: expenses.taxesCents,
        totalCents: expenses.totalCents,
        branchCode: expenses.branchCode,
        branchName: sql<string>`(SELECT name FROM branches WHERE code = expenses.branch_code)`.as("branch_name"),
        storageId: expenses.branchGroupId,
        storageName: sql<string>`(SELECT name FROM branch_groups WHERE id = expenses.branch_group_id)`.as(
          "storage_name",
        ),
      })
      .from(expenses)
      .innerJoin(sql`vehicles AS item`, sql`item.reference = expenses.vehicle_reference`)
      .innerJoin(sql`expense_concepts AS concept`, sql`concept.id = expenses.expense_concept_id`)
      .where(condition)
      .orderBy(expenses.date, expenses.id)
      .limit(pageSize)
      .offset(page * pageSize),
    db
      .select({
        totalWithoutTaxesCents: sql<number>`coalesce(sum(total_without_taxes_cents), 0)`.as("total_without_taxes"),
        discountCents: sql<number>`coalesce(sum(discount_cents), 0)`.as("discount"),
        subtotalCents: sql<number>`coalesce(sum(subtotal_cents), 0)`.as("subtotal"),
        taxesCents: sql<number>`coalesce(sum(taxes_cents), 0)`.as("taxes"),
        totalCents: sql<number>`coalesce(sum(total_cents), 0)`.as("total"),
        expenseCount: sql<number>`count(*)`.as("total_rows"),
        vehicleCount: sql<number>`count(DISTINCT vehicle_reference)`.as("vehicle_count"),
      })
      .from(expenses)
      .where(condition),
  ] as const;
}
