import { type SQL, sql } from "drizzle-orm";

/** Whether all branches are a user's; a condition. */
export const worksEverywhere = (userId: number): SQL => sql`(SELECT all_branches FROM users WHERE id = ${userId}) = 1`;

/** The branches that are a user's own; a subquery in brackets. */
export const ownBranches = (userId: number): SQL =>
  sql`(SELECT branch_code FROM user_branches WHERE user_id = ${userId})`;

/** Whether one of some columns names a branch of a user's. A plus before a column keeps its index out of the plan. */
export function isInUserBranches(userId: number, ...columns: readonly SQL[]): SQL {
  const own = columns.map((column) => sql`${column} IN ${ownBranches(userId)}`);
  return sql`(${sql.join([worksEverywhere(userId), ...own], sql` OR `)})`;
}
