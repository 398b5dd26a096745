import { type SQL, sql } from "drizzle-orm";

/** Returns the condition that the user works at all branches. */
export const isAllBranchesUserSql = (userId: number): SQL =>
  sql`(SELECT all_branches FROM users WHERE id = ${userId}) = 1`;

/** Returns a subquery, in brackets, for the user's own branches. */
export const selectUserBranchCodes = (userId: number): SQL =>
  sql`(SELECT branch_code FROM user_branches WHERE user_id = ${userId})`;

/**
 * Whether one of the columns names one of the user's branches. A plus before a column excludes its index from the plan.
 */
export function isInUserBranchesSql(userId: number, ...columns: readonly SQL[]): SQL {
  const own = columns.map((column) => sql`${column} IN ${selectUserBranchCodes(userId)}`);
  return sql`(${sql.join([isAllBranchesUserSql(userId), ...own], sql` OR `)})`;
}
