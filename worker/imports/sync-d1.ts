import type { Stored } from "#worker/store/operations/file-rows.ts";
import type { SyncDatabase } from "./sync-database.ts";

interface Bound {
  readonly sql: string;
  readonly values: readonly Stored[];
}

/**
 * A database that answers at once behind the part of D1's interface that imports use; `check` sees each statement
 * first.
 */
export function asD1(
  database: SyncDatabase,
  check: (sql: string, values: readonly Stored[]) => void = () => undefined,
): D1Database {
  const bound = new WeakMap<object, Bound>();
  const run = ({ sql, values }: Bound) => ({
    success: true,
    results: [...database.prepare(sql).all(...values)],
    meta: {},
  });
  const statement = (sql: string, values: readonly Stored[]): object => {
    check(sql, values);
    const prepared = {
      bind: (...more: Stored[]) => statement(sql, more),
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
  const batch = async (statements: readonly object[]) =>
    database.atomic(() => statements.map((one) => run(bound.get(one) ?? { sql: "", values: [] })));
  return { prepare: (sql: string) => statement(sql, []), batch } as unknown as D1Database;
}
