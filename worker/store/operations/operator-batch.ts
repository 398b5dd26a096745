import type { Database } from "#worker/store/database.ts";

/** Statement of the operator with its bound values. */
export interface OperatorStatement {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** Rows of a statement, and the number of rows that it changed. */
export interface OperatorStatementResult {
  readonly success: true;
  readonly results: readonly unknown[];
  readonly meta: { readonly changes: number };
}

/** Runs statements with bound values in one batch: all or nothing. */
export async function runOperatorBatch(
  db: Database,
  statements: readonly OperatorStatement[],
): Promise<readonly OperatorStatementResult[]> {
  const answers = await db.$client.batch(
    statements.map(({ sql, values }) => {
      const statement = db.$client.prepare(sql);
      return values.length === 0 ? statement : statement.bind(...values);
    }),
  );
  return answers.map(({ results, meta }) => ({ success: true, results, meta: { changes: meta?.changes ?? 0 } }));
}
