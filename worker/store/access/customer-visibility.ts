import { type SQL, sql } from "drizzle-orm";
import { isAllBranchesUserSql, selectUserBranchCodes } from "#worker/store/user-branches.ts";

/** Branches whose customers a user may see. `own` is SQL for a list of branch codes in parentheses. */
interface VisibleBranches {
  readonly own: SQL;
  readonly everywhere?: SQL;
}

/**
 * Returns the condition that a customer may be seen by branches: through the branch that created it, its contracts'
 * branches or a customer merged into it. A customer without a branch is visible to all. `table` is its alias.
 */
export function isCustomerVisibleInBranchesSql(
  { own, everywhere = sql`0` }: VisibleBranches,
  table: "customers" | "known",
): SQL {
  const customer = sql.raw(table);
  return sql`(${everywhere} OR +${customer}.branch_code IN ${own}
    OR EXISTS (SELECT 1 FROM bookings AS theirs WHERE theirs.customer_id = ${customer}.id AND (theirs.branch_code IN ${own} OR theirs.return_branch_code IN ${own}))
    OR EXISTS (SELECT 1 FROM customers AS merged WHERE merged.merged_into_id = ${customer}.id AND +merged.branch_code IN ${own})
    OR (${customer}.branch_code IS NULL AND NOT EXISTS (SELECT 1 FROM bookings AS theirs WHERE theirs.customer_id = ${customer}.id)))`;
}

/** Returns the condition that a user may access a customer. */
export function isCustomerVisibleToUserSql(userId: number, table: "customers" | "known" = "customers"): SQL {
  return isCustomerVisibleInBranchesSql(
    { own: selectUserBranchCodes(userId), everywhere: isAllBranchesUserSql(userId) },
    table,
  );
}

/** Returns the condition that a customer also belongs to branches where the user doesn't work. */
export function isCustomerSharedWithOtherBranchesSql(userId: number): SQL {
  const own = selectUserBranchCodes(userId);
  return sql`(NOT ${isAllBranchesUserSql(userId)} AND (+customers.branch_code NOT IN ${own} OR EXISTS (SELECT 1 FROM bookings AS theirs
    WHERE theirs.customer_id = customers.id AND theirs.branch_code NOT IN ${own} AND theirs.return_branch_code NOT IN ${own})))`;
}
