import type { RowCountExpectation, WritersHistory } from "../history.ts";

/** A query on the account's database. */
export type RowCountQuery = Pick<RowCountExpectation, "account" | "sql" | "values">;

/** Expects a number of rows of a query at every kill from now on. `name` describes the check. */
export function expectRows(
  { history }: { readonly history: WritersHistory },
  name: string,
  question: RowCountQuery,
  rows: number | readonly [number, number],
): void {
  const [atLeast, atMost] = typeof rows === "number" ? [rows, rows] : rows;
  history.expectations.set(name, { ...question, atLeast, atMost });
}

/**
 * Runs work that changes the rows of a query. Until there's a response, the old or new number is expected, afterwards
 * the new one, or the old one if it returns undefined after a rejection. Returns its result.
 */
export async function runWithExpectedRows<T>(
  context: { readonly history: WritersHistory },
  name: string,
  { before, after, ...question }: RowCountQuery & { readonly before: number; readonly after: number },
  doing: () => Promise<T | undefined>,
): Promise<T | undefined> {
  expectRows(context, name, question, [Math.min(before, after), Math.max(before, after)]);
  const actionResult = await doing();
  expectRows(context, name, question, actionResult === undefined ? before : after);
  return actionResult;
}
