/** State of a company as found by its cell's cron job. */
interface AccountClock {
  readonly name: string;
  /** Time of the last complete backup, epoch ms. Null if the database didn't answer. */
  readonly backupAt: number | null;
  readonly sizeBytes: number | null;
  /** Types of the account's alerts, or null without alerts. */
  readonly error: string | null;
}

interface CronRun {
  readonly cell: string;
  readonly at: number;
  readonly milliseconds: number;
  readonly accounts: readonly AccountClock[];
}

/** Stores a run of a cell's cron job, in one round trip. */
export async function saveCronRun(directory: D1Database, { cell, at, milliseconds, accounts }: CronRun): Promise<void> {
  await directory.batch([
    directory
      .prepare("UPDATE cells SET clock_at = ?1, clock_ms = ?2 WHERE name = ?3")
      .bind(at, Math.max(0, milliseconds), cell),
    directory
      .prepare(`UPDATE accounts SET clock_at = ?1, error = json_extract(state.value, '$.error'),
          backup_at = coalesce(json_extract(state.value, '$.backupAt'), backup_at),
          size_bytes = coalesce(json_extract(state.value, '$.sizeBytes'), size_bytes)
        FROM json_each(?2) AS state
        WHERE accounts.name = json_extract(state.value, '$.name') AND accounts.cell = ?3`)
      .bind(at, JSON.stringify(accounts), cell),
  ]);
}
