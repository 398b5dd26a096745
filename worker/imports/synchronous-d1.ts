import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { type BoundStatement, createBatchedD1 } from "./batched-d1.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";

/** Wraps a synchronous database in the part of D1's interface that imports use. `check` gets each statement first. */
export function wrapAsD1(
  database: SynchronousDatabase,
  check: (sql: string, values: readonly StoredValue[]) => void = () => undefined,
): D1Database {
  const run = ({ sql, values }: BoundStatement<StoredValue>) => {
    check(sql, values);
    return { success: true, results: [...database.prepare(sql).all(...values)], meta: {} };
  };
  return createBatchedD1(async (statements: readonly BoundStatement<StoredValue>[]) => {
    const [only] = statements;
    return only && statements.length === 1 ? [run(only)] : database.atomic(() => statements.map(run));
  });
}
