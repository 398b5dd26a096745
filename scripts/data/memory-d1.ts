import type { DatabaseSync, SQLInputValue } from "node:sqlite";

interface Bound {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** SQLite of this process behind the part of D1's interface that scripts use; `check` sees each statement first. */
export function asD1(
  sqlite: DatabaseSync,
  check: (sql: string, values: readonly SQLInputValue[]) => void = () => undefined,
): D1Database {
  const bound = new WeakMap<object, Bound>();
  const run = ({ sql, values }: Bound) => ({ success: true, results: sqlite.prepare(sql).all(...values), meta: {} });
  const statement = (sql: string, values: readonly SQLInputValue[]): object => {
    check(sql, values);
    const prepared = {
      bind: (...more: SQLInputValue[]) => statement(sql, more),
      all: async () => run({ sql, values }),
      run: async () => run({ sql, values }),
      first: async (column?: string) => {
        const row = run({ sql, values }).results[0];
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    };
    bound.set(prepared, { sql, values });
    return prepared;
  };
  const batch = async (statements: readonly object[]) => {
    sqlite.exec("SAVEPOINT batch");
    try {
      const results = statements.map((one) => run(bound.get(one) ?? { sql: "", values: [] }));
      sqlite.exec("RELEASE batch");
      return results;
    } catch (error) {
      sqlite.exec("ROLLBACK TO batch; RELEASE batch");
      throw error;
    }
  };
  return { prepare: (sql: string) => statement(sql, []), batch } as unknown as D1Database;
}
