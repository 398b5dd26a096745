import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { migratedDatabase } from "#scripts/data/memory-database.ts";

/** SQLite in memory behind the part of D1's interface that scripts use: quick tests of rows, in plain Node. */
export interface SqliteD1 {
  readonly db: D1Database;
  /** For assertions, without D1's envelope. */
  readonly rows: <T = Record<string, string | number | null>>(sql: string, ...values: SQLInputValue[]) => T[];
}

interface Bound {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const MOST_PARAMETERS = 100;
const LONGEST_STATEMENT = 100_000;
const LONGEST_VALUE = 2_000_000;

/** A database with every migration applied. */
export function sqliteD1(): SqliteD1 {
  const sqlite = migratedDatabase(join(import.meta.dirname, "../../migrations"));
  // What wrangler keeps of them.
  sqlite.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  return d1Of(sqlite);
}

/** The database that a file holds, which may be removed at once. */
export function openSqliteD1(file: string): SqliteD1 {
  const sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA journal_mode = memory");
  return d1Of(sqlite);
}

/** A database of SQLite behind it. */
export function d1Of(sqlite: DatabaseSync): SqliteD1 {
  sqlite.exec("PRAGMA foreign_keys = on");
  const bound = new WeakMap<object, Bound>();
  const run = ({ sql, values }: Bound) => ({ success: true, results: sqlite.prepare(sql).all(...values), meta: {} });
  const statement = (sql: string, values: readonly SQLInputValue[]): object => {
    refuseBeyondLimits(sql, values);
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
    sqlite.exec("BEGIN");
    try {
      const results = statements.map((one) => run(bound.get(one) ?? { sql: "", values: [] }));
      sqlite.exec("COMMIT");
      return results;
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    db: { prepare: (sql: string) => statement(sql, []), batch } as unknown as D1Database,
    rows: <T>(sql: string, ...values: SQLInputValue[]) => sqlite.prepare(sql).all(...values) as T[],
  };
}

function refuseBeyondLimits(sql: string, values: readonly SQLInputValue[]): void {
  if (sql.length > LONGEST_STATEMENT) throw new Error("D1 refuses statements over 100 kB");
  if (values.length > MOST_PARAMETERS) throw new Error("D1 refuses more than 100 bound parameters");
  if (values.some((value) => String(value).length > LONGEST_VALUE)) throw new Error("D1 refuses values over 2 MB");
}
