import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { yieldToOtherRequests } from "#worker/tenancy/pause.ts";
import type { SqliteRow, SynchronousDatabase } from "./synchronous-database.ts";

/** Wraps a Durable Object's database for imports. Errors contain only SQLite's message. */
export function wrapDurableObjectDatabase(storage: DurableObjectStorage): SynchronousDatabase {
  const run = (sql: string, values: readonly StoredValue[]): readonly SqliteRow[] => {
    try {
      return storage.sql.exec<Record<string, StoredValue>>(sql, ...values).toArray();
    } catch (error) {
      throw new Error(describeError(error));
    }
  };
  return {
    prepare: (sql) => ({
      all: (...values) => run(sql, values),
      get: (...values) => run(sql, values)[0],
      run: (...values) => void run(sql, values),
    }),
    exec: (sql) => void run(sql, []),
    atomic: (work) => storage.transactionSync(work),
    settle: () => storage.sync(),
    pause: yieldToOtherRequests,
  };
}

// Removes the error codes that the runtime appends to SQLite's message.
function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/: SQLITE_\w+(?: \(extended: \w+\))?$/, "");
}
