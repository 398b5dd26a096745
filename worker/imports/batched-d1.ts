/** Statement with its values, as part of a batch. */
export interface BoundStatement<Value> {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Result of a batch statement, in D1's format. */
export interface BatchStatementResult {
  readonly success: boolean;
  readonly results: readonly unknown[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/**
 * Provides the part of D1's interface that commands and imports use, over a function that runs a batch. A single
 * statement is a batch of one.
 */
export function createBatchedD1<Value>(
  runBatch: (statements: readonly BoundStatement<Value>[]) => Promise<readonly BatchStatementResult[]>,
): D1Database {
  const bound = new WeakMap<object, BoundStatement<Value>>();
  const statement = (boundStatement: BoundStatement<Value>): object => {
    const run = async () => (await runBatch([boundStatement]))[0] ?? { success: true, results: [], meta: {} };
    const prepared = {
      bind: (...values: Value[]) => statement({ sql: boundStatement.sql, values }),
      all: run,
      run,
      first: async (column?: string) => {
        const row = (await run()).results[0] as Readonly<Record<string, unknown>> | undefined;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    };
    bound.set(prepared, boundStatement);
    return prepared;
  };
  return {
    prepare: (sql: string) => statement({ sql, values: [] }),
    batch: (statements: readonly object[]) =>
      runBatch(statements.map((statement) => bound.get(statement) ?? { sql: "", values: [] })),
  } as unknown as D1Database;
}
