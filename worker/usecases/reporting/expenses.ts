import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Problem } from "#domain/problems.ts";
import type { ExpenseAmounts } from "#domain/reporting/expenses.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { resourceHistoryQuery } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  EXPENSES_RESOURCE,
  type ExpenseRow,
  type ExpenseSearch,
  expenseListQueries,
  expenseQuery,
} from "#worker/store/reporting/expenses.ts";
import { findMissingRightRefusal, type MissingRight } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { createSortedPageCursor, toPage } from "#worker/usecases/shared/page.ts";

/** Reasons to refuse an expense's creation, change or removal. */
export type ExpenseRefusal =
  | StaffRefusal
  | MissingRight
  | { readonly kind: "branchOfOthers" | "keyReused" | "secondFactorStale" | "expenseNotFound" }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  /**
   * The vehicle already has an expense with the same document and date. `id` is set if it belongs to one of the user's
   * branches.
   */
  | { readonly kind: "expenseKnown"; readonly id: number | undefined }
  /** The expense has changed. Contains its current state. */
  | { readonly kind: "expenseChanged"; readonly expense: ExpenseRow };

export type ExpenseResult<T> = Promise<Result<StaffAnswer<T>, ExpenseRefusal>>;

export interface ExpensePage {
  readonly rows: readonly ExpenseRow[];
  readonly sums: ExpenseAmounts;
  readonly total: number;
  readonly next: string | undefined;
}

/** Returns a page of expenses of the caller's branches and the total of all matches. One round trip. */
export async function listExpenses(
  request: StaffRequest,
  filter: Omit<ExpenseSearch, "userId">,
): ExpenseResult<ExpensePage> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => expenseListQueries(request.tenant.db, { ...filter, userId }));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [ownExpense, [counted]] = rows;
  if (!counted) throw new Error("the sums of the expenses were not answered");
  const { total, ...sums } = counted;
  const page = toPage(ownExpense, counted, filter.pageSize, ({ date, id }) =>
    createSortedPageCursor(filter.sorted, date, id),
  );
  return ok({ value: { rows: page.rows, sums, total, next: page.next }, freshToken });
}

/** Returns one expense. One round trip. */
export async function readExpense(request: StaffRequest, id: number): ExpenseResult<ExpenseRow> {
  const read = await readAsStaff(request, () => [expenseQuery(request.tenant.db, id)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const ownExpense = pickOwnBranchExpense(rows[0], staff);
  return ownExpense ? ok({ value: ownExpense, freshToken }) : err({ kind: "expenseNotFound" });
}

type History = QueryResults<readonly [ReturnType<typeof resourceHistoryQuery>]>[0];

/**
 * Returns the history of an expense. The history of a removed expense can only be read by users of all branches. One
 * round trip.
 */
export async function readExpenseHistory(request: StaffRequest, id: number): ExpenseResult<History> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () => [expenseQuery(db, id), resourceHistoryQuery(db, EXPENSES_RESOURCE, String(id))] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[ownExpense], history] = rows;
  const isOwn = ownExpense
    ? canAccessBranch(staff, ownExpense.branchCode)
    : staff.branches === "all" && history.length > 0;
  return isOwn ? ok({ value: history, freshToken }) : err({ kind: "expenseNotFound" });
}

/** Returns the expense if it belongs to one of the user's branches. */
export const pickOwnBranchExpense = ([row]: readonly ExpenseRow[], staff: SignedInUser) =>
  row && canAccessBranch(staff, row.branchCode) ? row : undefined;
