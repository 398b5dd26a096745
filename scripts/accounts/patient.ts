import { setTimeout } from "node:timers/promises";
import { type BoundStatement, batchedD1 } from "#worker/imports/batched-d1.ts";

/** Another process writes to the same file of SQLite at this moment; the runtime says as little as the last of them. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /SQLITE_BUSY|database is locked|internal error; reference/.test(error.message);
}

/** Longer by as much each time: a database that is broken for good is not asked a hundred times. */
const WAIT_MILLISECONDS = 100;
const PATIENCE = 20;

/** Does something again while another process has the files for itself, for some twenty seconds. */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === PATIENCE) throw error;
      await setTimeout(attempt * WAIT_MILLISECONDS);
    }
  }
}

/**
 * A database that waits for its turn beside a running `npm start`: what the other is busy for is tried again, for some
 * twenty seconds. A batch is whole or nothing, so that it may be.
 */
export function withBusyRetry(db: D1Database): D1Database {
  return batchedD1((statements: readonly BoundStatement<unknown>[]) =>
    retryWhileBusy(() => db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)))),
  );
}
