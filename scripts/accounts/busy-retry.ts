import { setTimeout } from "node:timers/promises";
import { type BoundStatement, createBatchedD1 } from "#worker/imports/batched-d1.ts";

/** Whether another process is writing to the SQLite file. The runtime may only return a generic internal error. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /SQLITE_BUSY|database is locked|internal error; reference/.test(error.message);
}

/** Linear backoff, so that a permanently broken database isn't retried a hundred times. */
const WAIT_MILLISECONDS = 100;
const PATIENCE = 20;

/** Retries work while another process locks the files, for about twenty seconds. */
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
 * Wraps a database to retry while a running `npm start` locks it, for about twenty seconds. Batches are atomic, so
 * retrying is safe.
 */
export function addBusyRetry(db: D1Database): D1Database {
  return createBatchedD1((statements: readonly BoundStatement<unknown>[]) =>
    retryWhileBusy(() => db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)))),
  );
}
