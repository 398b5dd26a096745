import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { FaultyNetwork } from "./faults.ts";
import { replaceNow } from "./virtual-clock.ts";

interface Bound {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const bound = new WeakMap<object, Bound>();

/** Provides an in-memory database to one Worker. Batches are atomic and have latency in both directions. */
export function createD1Binding(database: DatabaseSync, faults: FaultyNetwork): D1Database {
  const prepared = new Map<string, StatementSync>();
  const run = ({ sql, values }: Bound) => {
    const statement = prepared.get(sql) ?? database.prepare(replaceNow(sql));
    prepared.set(sql, statement);
    if (statement.columns().length > 0) {
      const results = statement.all(...values);
      return createResult(results, results.length);
    }
    return createResult([], Number(statement.run(...values).changes));
  };
  const batch = (statements: readonly object[]) =>
    faults.call("d1", () => {
      database.exec("BEGIN");
      try {
        const results = statements.map((statement) => run(bound.get(statement) ?? { sql: "", values: [] }));
        database.exec("COMMIT");
        return results;
      } catch (error) {
        database.exec("ROLLBACK");
        throw asD1Error(error);
      }
    });
  const runStatement = async (bound: Bound) => {
    const [answer] = await batch([createStatement(bound)]);
    if (!answer) throw new Error("a statement without an answer");
    return answer;
  };
  const createStatement = (item: Bound): object => {
    const statement = {
      bind: (...values: SQLInputValue[]) => createStatement({ sql: item.sql, values }),
      all: () => runStatement(item),
      run: () => runStatement(item),
      first: async (column?: string) => {
        const row = (await runStatement(item)).results[0];
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    };
    bound.set(statement, item);
    return statement;
  };
  return { prepare: (sql: string) => createStatement({ sql, values: [] }), batch } as unknown as D1Database;
}

function createResult(results: Record<string, unknown>[], changes: number) {
  const meta = { changes, rows_read: 0, rows_written: 0, duration: 0, size_after: 0, last_row_id: 0 };
  return { success: true, results, meta };
}

// Converts SQLite errors to D1's messages, which the Worker parses.
function asD1Error(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`D1_ERROR: ${message}: SQLITE_CONSTRAINT`);
}
