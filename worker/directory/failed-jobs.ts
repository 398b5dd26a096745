import { DirectoryRefusalError } from "./refusal.ts";

/** Company and kind of long work that is sent through a queue. */
export interface CompanyJob {
  readonly account: string;
  readonly kind: string;
}

/** Work that failed in every attempt. */
export interface FailedJob extends CompanyJob {
  readonly failed_at: number;
  readonly failures: number;
  readonly held_until: number;
}

/** Time after which the cron job sends failed work again. */
const HOLD_MS = 15 * 60_000;

/** Lists the failed work of a cell's companies. */
export async function listFailedJobs(directory: D1Database, cell: string): Promise<readonly FailedJob[]> {
  const query = directory.prepare(`SELECT account, kind, failed_at, failures, held_until FROM failed_jobs
    WHERE account IN (SELECT name FROM accounts WHERE cell = ? AND state = 'active')`);
  return (await query.bind(cell).all<FailedJob>()).results;
}

/** Records work whose attempts are exhausted. That of deleted companies is ignored. */
export async function recordFailedJobs(directory: D1Database, jobs: readonly CompanyJob[], now: number): Promise<void> {
  await directory
    .prepare(`INSERT INTO failed_jobs (account, kind, failed_at, held_until)
      SELECT DISTINCT accounts.name, json_extract(job.value, '$.kind'), ?2, ?3
      FROM json_each(?1) AS job JOIN accounts ON accounts.name = json_extract(job.value, '$.account')
      WHERE true
      ON CONFLICT (account, kind) DO UPDATE SET
        failed_at = excluded.failed_at, held_until = excluded.held_until, failures = failures + 1`)
    .bind(JSON.stringify(jobs), now, now + HOLD_MS)
    .run();
}

/** Deletes the records of work that succeeded or is no longer due. */
export async function clearFailedJobs(directory: D1Database, jobs: readonly CompanyJob[]): Promise<void> {
  await directory
    .prepare(`DELETE FROM failed_jobs WHERE (account, kind) IN
      (SELECT json_extract(value, '$.account'), json_extract(value, '$.kind') FROM json_each(?))`)
    .bind(JSON.stringify(jobs))
    .run();
}

/** Holds failed work back after it was sent again, so that the cron job doesn't send it each minute. */
export async function postponeFailedJobs(
  directory: D1Database,
  jobs: readonly CompanyJob[],
  now: number,
): Promise<void> {
  await directory
    .prepare(`UPDATE failed_jobs SET held_until = ?2 WHERE (account, kind) IN
      (SELECT json_extract(value, '$.account'), json_extract(value, '$.kind') FROM json_each(?1))`)
    .bind(JSON.stringify(jobs), now + HOLD_MS)
    .run();
}

/** Lets the cron job send a company's failed work again within a minute. Without `kind`, all of it. */
export async function scheduleFailedJobsForRetry(
  directory: D1Database,
  account: string,
  kind: string | undefined,
): Promise<void> {
  const sql = "UPDATE failed_jobs SET held_until = 0";
  await changeFailed(directory, sql, account, kind);
}

/** Deletes records of a company's failed work. If the work is still due and fails again, it's recorded again. */
export async function dismissFailedJobs(
  directory: D1Database,
  account: string,
  kind: string | undefined,
): Promise<void> {
  await changeFailed(directory, "DELETE FROM failed_jobs", account, kind);
}

async function changeFailed(directory: D1Database, sql: string, account: string, kind: string | undefined) {
  const changed = await directory
    .prepare(`${sql} WHERE account = ?1 AND kind = coalesce(?2, kind) RETURNING kind`)
    .bind(account, kind ?? null)
    .all();
  if (changed.results.length > 0) return;
  throw new DirectoryRefusalError(404, "job_not_found", `${account} has no failed work${kind ? ` ${kind}` : ""}`);
}
