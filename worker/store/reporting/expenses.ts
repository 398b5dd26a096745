import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SortedPageRequest, SortField } from "#domain/reporting/list-sort.ts";
import { foldText } from "#domain/search-text.ts";
import {
  type ResourceHistoryEntry,
  resourceHistoryEntryStatement,
} from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Database, Query, QueryResults } from "#worker/store/database.ts";
import { createFoldedTextSql } from "#worker/store/folded-text.ts";
import { expenseAccounts, expenseConcepts, expenses } from "#worker/store/schema/documents.ts";
import { settings } from "#worker/store/schema/organization.ts";
import { vehicleServices, vehicles } from "#worker/store/schema/vehicles.ts";
import { createSortedPageSql, type SortFieldSql } from "#worker/store/sorted-page.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Name for the history and versions of expenses. */
export const EXPENSES_RESOURCE = { name: "expenses" } as const;

/** End of a page of expenses. */
export interface ExpenseCursor {
  readonly date: string;
  readonly id: number;
}

/** Filters for expenses. Absent filters don't apply. Dates are inclusive. */
export interface ExpenseSearch {
  readonly text: string | undefined;
  readonly vehicleReference: string | undefined;
  readonly conceptId: number | undefined;
  readonly accountId: number | undefined;
  readonly branchCode: string | undefined;
  readonly branchGroupId: number | undefined;
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
  readonly userId: number;
  readonly after: ExpenseCursor | undefined;
  readonly sorted?: SortedPageRequest<SortField<"expenses">> | undefined;
  readonly pageSize: number;
}

const when = <T>(value: T | undefined, condition: (value: T) => SQL): SQL[] =>
  value === undefined ? [] : [condition(value)];

const VERSION = sql<number>`coalesce((SELECT max(entry.version) FROM office_history AS entry
  WHERE entry.resource = 'expenses' AND entry.resource_id = CAST(expenses.id AS TEXT)), 1)`;

function selected(db: Database) {
  return db
    .select({
      ...getTableColumns(expenses),
      version: VERSION.as("version"),
      plate: sql<string | null>`${vehicles.plate}`.as("plate"),
      vehicleName: sql<string>`${vehicles.name}`.as("vehicle_name"),
      concept: sql<string>`${expenseConcepts.name}`.as("concept"),
      accountId: sql<number>`${expenseConcepts.expenseAccountId}`.as("account_id"),
      account: sql<string>`${expenseAccounts.name}`.as("account"),
      vehicleServiceId: sql<
        number | null
      >`(SELECT service.id FROM vehicle_services AS service WHERE service.expense_id = expenses.id)`.as("service_id"),
    })
    .from(expenses)
    .innerJoin(vehicles, eq(vehicles.reference, expenses.vehicleReference))
    .innerJoin(expenseConcepts, eq(expenseConcepts.id, expenses.expenseConceptId))
    .innerJoin(expenseAccounts, eq(expenseAccounts.id, expenseConcepts.expenseAccountId));
}

/** Returns the query for one expense. */
export function expenseQuery(db: Database, id: number) {
  return selected(db).where(eq(expenses.id, id));
}

export type ExpenseRow = QueryResults<readonly [ReturnType<typeof expenseQuery>]>[0][number];

const SORTED: SortFieldSql<SortField<"expenses">> = {
  id: sql`expenses.id`,
  date: sql`expenses.date`,
  booking_item_reference: sql`expenses.vehicle_reference`,
  total: sql`expenses.total_cents`,
  concept: sql`(SELECT lower(name) FROM expense_concepts WHERE expense_concepts.id = expenses.expense_concept_id)`,
  rental_location_code: sql`expenses.branch_code`,
};

/** Returns the queries for a page of expenses, newest day first, and the total of all matches. */
export function expenseListQueries(db: Database, search: ExpenseSearch) {
  const conditions = sql.join(
    [
      isInUserBranchesSql(search.userId, sql`expenses.branch_code`),
      ...when(search.vehicleReference, (reference) => sql`expenses.vehicle_reference = ${reference}`),
      ...when(search.conceptId, (id) => sql`expenses.expense_concept_id = ${id}`),
      ...when(
        search.accountId,
        (id) => sql`expenses.expense_concept_id IN (SELECT id FROM expense_concepts WHERE expense_account_id = ${id})`,
      ),
      ...when(search.branchCode, (code) => sql`${place("branch_code", search)} = ${code}`),
      ...when(search.branchGroupId, (id) => sql`${place("branch_group_id", search)} = ${id}`),
      ...when(search.dateFrom, (date) => sql`expenses.date >= ${date}`),
      ...when(search.dateTo, (date) => sql`expenses.date <= ${date}`),
      ...when(search.text, holds),
    ],
    sql` AND `,
  );
  const sorted = search.sorted && createSortedPageSql({ table: "expenses", key: "id", columns: SORTED }, search.sorted);
  const after = sorted
    ? [sorted.condition]
    : when(search.after, ({ date, id }) => sql`(expenses.date, expenses.id) < (${date}, ${id})`);
  return [
    selected(db)
      .where(sql.join([conditions, ...after], sql` AND `))
      .orderBy(...(sorted?.order ?? [sql`expenses.date DESC, expenses.id DESC`]))
      .limit(search.pageSize + 1),
    db
      .select({
        totalWithoutTaxesCents: selectSum("total_without_taxes_cents"),
        discountCents: selectSum("discount_cents"),
        subtotalCents: selectSum("subtotal_cents"),
        taxesCents: selectSum("taxes_cents"),
        totalCents: selectSum("total_cents"),
        total: sql<number>`count(*)`.as("total_rows"),
      })
      .from(expenses)
      .where(conditions),
  ] as const;
}

// A vehicle has fewer expenses than a branch, so the plus sign keeps SQLite from using the branch's index.
const place = (column: string, { vehicleReference }: ExpenseSearch) =>
  sql.raw(`${vehicleReference === undefined ? "" : "+"}expenses.${column}`);

const selectSum = (column: string) => sql<number>`coalesce(sum(expenses.${sql.raw(column)}), 0)`.as(`sum_of_${column}`);

// Users type plates and document numbers with or without spaces and dashes, and descriptions with or without accents.
function holds(text: string): SQL {
  const small = (value: SQL) => sql`lower(coalesce(${value}, ''))`;
  const bare = (value: SQL) => sql`replace(replace(${small(value)}, ' ', ''), '-', '')`;
  const description = sql.raw(createFoldedTextSql("expenses.description"));
  const isInBare = (value: SQL) =>
    sql`(${bare(sql`${text}`)} <> '' AND instr(${bare(value)}, ${bare(sql`${text}`)}) > 0)`;
  const vehicle = sql`expenses.vehicle_reference IN (SELECT reference FROM vehicles
    WHERE ${isInBare(sql`reference`)} OR ${isInBare(sql`plate`)})`;
  return sql`(instr(${description}, ${foldText(text)}) > 0 OR ${isInBare(sql`expenses.reference`)} OR ${vehicle})`;
}

/** Ids of other rows that an expense references. Undefined ones of an existing expense keep their value. */
export interface ExpenseReferences {
  /** Id of the expense to change. */
  readonly id?: number | undefined;
  readonly vehicleReference?: string | undefined;
  readonly conceptId?: number | undefined;
  readonly date?: string | undefined;
  readonly reference?: string | null | undefined;
}

/**
 * Returns the queries for an expense's references: its vehicle's branch, its concept, and another expense of the same
 * vehicle, day and document number.
 */
export function expenseReferencesQueries(db: Database, references: ExpenseReferences) {
  const { id = 0, vehicleReference, conceptId, date, reference } = references;
  const own = (column: string) => sql`(SELECT ${sql.raw(column)} FROM expenses WHERE id = ${id})`;
  const vehicle = vehicleReference === undefined ? own("vehicle_reference") : sql`${vehicleReference}`;
  const documentNumber = reference === undefined ? own("reference") : sql`${reference}`;
  return [
    db
      .select({ reference: vehicles.reference, branchCode: vehicles.branchCode })
      .from(vehicles)
      .where(sql`${vehicles.reference} = ${vehicle}`),
    db
      .select({ id: expenseConcepts.id })
      .from(expenseConcepts)
      .where(sql`${expenseConcepts.id} = ${conceptId === undefined ? own("expense_concept_id") : sql`${conceptId}`}`),
    db
      .select({ id: expenses.id, branchCode: expenses.branchCode })
      .from(expenses)
      .where(
        sql`vehicle_reference = ${vehicle} AND date = ${date === undefined ? own("date") : sql`${date}`} AND id <> ${id}
          AND lower(trim(reference)) = lower(trim(${documentNumber}))`,
      )
      .orderBy(expenses.id)
      .limit(1),
  ] as const;
}

/**
 * Returns the query for the first unused id after the last. Ids of removed expenses aren't reused, so their history
 * stays separate.
 */
export function nextExpenseIdQuery(db: Database) {
  const id = sql<number>`(WITH RECURSIVE free (id) AS (SELECT coalesce(max(id), 0) + 1 FROM expenses
    UNION ALL SELECT id + 1 FROM free WHERE EXISTS (SELECT 1 FROM office_history AS entry
      WHERE entry.resource = 'expenses' AND entry.resource_id = CAST(free.id AS TEXT)))
    SELECT max(id) FROM free)`;
  return db.select({ id: id.as("next_id") }).from(settings);
}

/** Name for the history and versions of maintenance. */
const SERVICES = { name: "vehicle-services" } as const;

/** Returns the query for maintenance by its id, or by the expense recorded from it. */
export function expenseServiceQuery(
  db: Database,
  serviceKey: { readonly id: number } | { readonly expenseId: number },
) {
  const { id, expenseId, vehicleReference, inExpenses } = vehicleServices;
  return db
    .select({
      id,
      expenseId,
      vehicleReference,
      inExpenses,
      branchCode: vehicles.branchCode,
      version: sql<number>`coalesce((SELECT max(entry.version) FROM office_history AS entry
        WHERE entry.resource = 'vehicle-services' AND entry.resource_id = CAST(vehicle_services.id AS TEXT)), 1)`.as(
        "service_version",
      ),
    })
    .from(vehicleServices)
    .innerJoin(vehicles, eq(vehicles.reference, vehicleReference))
    .where("id" in serviceKey ? eq(id, serviceKey.id) : eq(expenseId, serviceKey.expenseId));
}

export type ExpenseService = QueryResults<readonly [ReturnType<typeof expenseServiceQuery>]>[0][number];

/**
 * Returns the statements that link maintenance to its expense, or unlink it. After a concurrent change, the entry's
 * version already exists and the batch is refused.
 */
export function linkServiceToExpenseStatements(
  db: Database,
  service: Pick<ExpenseService, "id" | "version" | "expenseId" | "inExpenses">,
  expenseId: number | null,
  { actor, at }: Pick<ResourceHistoryEntry, "actor" | "at">,
): readonly Query[] {
  const before = { in_expenses: service.inExpenses, expense_id: service.expenseId };
  const after = { in_expenses: expenseId !== null, expense_id: expenseId };
  const version = service.version + 1;
  return [
    db
      .update(vehicleServices)
      .set({ expenseId, inExpenses: expenseId !== null })
      .where(eq(vehicleServices.id, service.id)),
    resourceHistoryEntryStatement(db, SERVICES, {
      id: String(service.id),
      actor,
      at,
      version,
      event: "changed",
      before,
      after,
    }),
  ];
}

export type NewExpense = typeof expenses.$inferInsert;
export type ExpenseChange = Partial<Omit<NewExpense, "id">>;

export function insertExpenseStatements(db: Database, row: NewExpense, entry: ResourceHistoryEntry): readonly Query[] {
  return [db.insert(expenses).values(row), resourceHistoryEntryStatement(db, EXPENSES_RESOURCE, entry)];
}

/**
 * Returns the statements that change an expense. After a concurrent change, the entry's version already exists and the
 * batch is refused.
 */
export function updateExpenseStatements(
  db: Database,
  id: number,
  row: ExpenseChange,
  entry: ResourceHistoryEntry,
): readonly Query[] {
  return [
    db.update(expenses).set(row).where(eq(expenses.id, id)),
    resourceHistoryEntryStatement(db, EXPENSES_RESOURCE, entry),
  ];
}

/** Returns the statements that remove an expense. Its history keeps its last state. */
export function deleteExpenseStatements(db: Database, id: number, entry: ResourceHistoryEntry): readonly Query[] {
  return [db.delete(expenses).where(eq(expenses.id, id)), resourceHistoryEntryStatement(db, EXPENSES_RESOURCE, entry)];
}
