import { eq, getTableColumns, sql } from "drizzle-orm";
import { expenseAccounts, expenseConcepts, expenses } from "#worker/store/schema/documents.ts";
import { createPageQuery } from "./list.ts";

/** Returns the query for the expenses in the order of their ids, with concept and account. */
export const expensesPageQuery = createPageQuery({
  table: "expenses",
  key: "id",
  counter: "expenses",
  filters: {
    updatedFrom: (at) => sql`expenses.last_update >= ${at}`,
    dateFrom: (date) => sql`expenses.date >= ${date}`,
    dateTo: (date) => sql`expenses.date <= ${date}`,
    branchCode: (code) => sql`expenses.branch_code = ${code}`,
  },
  rows: (db, { where, order }) =>
    db
      .select({
        ...getTableColumns(expenses),
        concept: sql<string>`${expenseConcepts.name}`.as("concept"),
        accountId: sql<number>`${expenseConcepts.expenseAccountId}`.as("account_id"),
        account: sql<string>`${expenseAccounts.name}`.as("account"),
      })
      .from(expenses)
      .innerJoin(expenseConcepts, eq(expenseConcepts.id, expenses.expenseConceptId))
      .innerJoin(expenseAccounts, eq(expenseAccounts.id, expenseConcepts.expenseAccountId))
      .where(where)
      .orderBy(order),
});
