import { and, eq, isNotNull, isNull, lt, lte, or, type Placeholder, sql } from "drizzle-orm";
import type { ChainFault } from "#domain/tax-records/audit.ts";
import type { Database } from "#worker/store/database.ts";
import { maintenanceState } from "#worker/store/schema/upkeep.ts";

const ONLY = eq(maintenanceState.id, 1);

/** Condition on the account's single row: no backup since a time, and none is running. Times in epoch ms. */
export function isBackupRunDueSql(lastBackupBefore: number | Placeholder, now: number | Placeholder) {
  const isOld = or(isNull(maintenanceState.backedUpAt), lt(maintenanceState.backedUpAt, sql`${lastBackupBefore}`));
  return and(ONLY, isOld, lte(maintenanceState.backupLeasedUntil, sql`${now}`));
}

/** Condition on the account's single row: expired data wasn't deleted since a time. */
export function isExpiredDataPurgeDueSql(lastPurgeBefore: number | Placeholder) {
  return and(ONLY, or(isNull(maintenanceState.purgedAt), lt(maintenanceState.purgedAt, sql`${lastPurgeBefore}`)));
}

/**
 * Claims the backup until a time. Returns its progress, null if not started, and the time of the previous backup.
 * Undefined if the backup exists or is running.
 */
export async function leaseBackup(
  db: Database,
  { since, now, until }: { readonly since: number; readonly now: number; readonly until: number },
): Promise<{ readonly progress: unknown; readonly before: number | null } | undefined> {
  const [[leased]] = await db.batch([
    db
      .update(maintenanceState)
      .set({ backupLeasedUntil: until })
      .where(isBackupRunDueSql(since, now))
      .returning({ progress: maintenanceState.backupProgress, before: maintenanceState.backedUpAt }),
  ]);
  return leased;
}

/** Saves a backup's progress and releases the lease until the next run. */
export async function saveBackupProgress(db: Database, backupProgress: unknown): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupProgress, backupLeasedUntil: 0 }).where(ONLY)]);
}

/** Resets a backup, so that the next run restarts it. */
export async function dropBackupProgress(db: Database): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupProgress: null }).where(ONLY)]);
}

/** Saves that a backup is complete, or its error. Releases the lease. */
export async function saveBackupOutcome(
  db: Database,
  outcome:
    | {
        readonly backedUpAt: number;
        readonly backupRows: number;
        readonly backupProgress: null;
        /** Initial progress of the export that starts after this backup. */
        readonly exportProgress?: unknown;
      }
    | { readonly backupProblem: string },
): Promise<void> {
  await db.batch([
    db
      .update(maintenanceState)
      .set({ backupProblem: null, ...outcome, backupLeasedUntil: 0 })
      .where(ONLY),
  ]);
}

/** Condition on the account's single row: an export is requested and incomplete, and not running. */
export function isExportDueSql(now: number | Placeholder) {
  return and(ONLY, isNotNull(maintenanceState.exportProgress), lte(maintenanceState.backupLeasedUntil, sql`${now}`));
}

/** Claims the export until a time, which also blocks backups. Undefined if none is due. */
export async function leaseExport(
  db: Database,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<{ readonly progress: unknown } | undefined> {
  const [[leased]] = await db.batch([
    db
      .update(maintenanceState)
      .set({ backupLeasedUntil: until })
      .where(isExportDueSql(now))
      .returning({ progress: maintenanceState.exportProgress }),
  ]);
  return leased;
}

/** Reads a requested export: its time in epoch ms, and the rows read so far. Undefined if none is requested. */
export async function readExportProgress(
  db: Database,
): Promise<{ readonly at: number; readonly rows?: number } | undefined> {
  const [[row]] = await db.batch([
    db.select({ progress: maintenanceState.exportProgress }).from(maintenanceState).where(ONLY),
  ]);
  return (row?.progress ?? undefined) as { readonly at: number; readonly rows?: number } | undefined;
}

/** Requests an export, unless one is requested. */
export async function requestExport(db: Database, exportProgress: { readonly at: number }): Promise<void> {
  await db.batch([
    db
      .update(maintenanceState)
      .set({ exportProgress })
      .where(and(ONLY, isNull(maintenanceState.exportProgress))),
  ]);
}

/** Saves an export's progress, null when done. Releases the lease until the next run. */
export async function saveExportProgress(db: Database, exportProgress: unknown): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ exportProgress, backupLeasedUntil: 0 }).where(ONLY)]);
}

/** Releases the lease. The next run repeats unfinished work. */
export async function releaseExportLease(db: Database): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupLeasedUntil: 0 }).where(ONLY)]);
}

/** Position of the nightly sweep of files: the last path that it checked, and when it may start (epoch ms). */
export interface FileSweepPosition {
  readonly after: string | null;
  readonly from: number;
}

/**
 * Claims the purge of expired data, once per period. Returns the position of the sweep of files. Undefined if
 * the purge was already claimed after `lastPurgeBefore`.
 */
export async function claimExpiredDataPurge(
  db: Database,
  lastPurgeBefore: number,
  now: number,
): Promise<FileSweepPosition | undefined> {
  const [leased] = await db.batch([
    db
      .update(maintenanceState)
      .set({ purgedAt: now })
      .where(isExpiredDataPurgeDueSql(lastPurgeBefore))
      .returning({ after: maintenanceState.fileSweepAfter, from: maintenanceState.fileSweepFrom }),
  ]);
  return leased[0];
}

/** Saves the path after which the sweep of files continues. Null starts it again. */
export async function saveFileSweepPosition(db: Database, fileSweepAfter: string | null): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ fileSweepAfter }).where(ONLY)]);
}

/** Time in which a restore can be undone: the period of D1 Time Travel. */
export const RESTORE_UNDO_MS = 30 * 24 * 3_600_000;

/**
 * Makes the purge of expired data due again, for the next cron run. A restored backup may contain erased persons. Files
 * without a row stay until the restore can't be undone, because their rows may return.
 */
export async function makeExpiredDataPurgeDue(db: Database, now: number): Promise<void> {
  const fileSweepFrom = now + RESTORE_UNDO_MS;
  await db.batch([db.update(maintenanceState).set({ purgedAt: null, fileSweepFrom }).where(ONLY)]);
}

/** Returns the time up to which files have been copied, epoch ms. */
export async function readFilesCopiedUntil(db: Database): Promise<number> {
  const [[row]] = await db.batch([
    db.select({ filesCopiedUntil: maintenanceState.filesCopiedUntil }).from(maintenanceState),
  ]);
  return row?.filesCopiedUntil ?? 0;
}

/** Saves the upload time of the last copied file, epoch ms. */
export async function saveFilesCopiedUntil(db: Database, filesCopiedUntil: number): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ filesCopiedUntil }).where(ONLY)]);
}

/** Saves the size of the database. */
export async function saveDatabaseSize(db: Database, sizeBytes: number): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ sizeBytes }).where(ONLY)]);
}

/** Saves the number of faults in the tax record chain, and the first fault. */
export async function saveTaxRecordFaults(db: Database, count: number, first: ChainFault | undefined): Promise<void> {
  await db.batch([
    db
      .update(maintenanceState)
      .set({ taxRecordFaults: count, taxRecordFault: first ?? null })
      .where(ONLY),
  ]);
}

/**
 * Condition on the account's single row: a backup exists, none was verified since a time, and no run is in progress.
 */
export function isBackupCheckDueSql(lastCheckBefore: number | Placeholder, now: number | Placeholder) {
  const isOld = lt(
    sql`coalesce(${maintenanceState.backupCheckedAt}, ${maintenanceState.since})`,
    sql`${lastCheckBefore}`,
  );
  return and(ONLY, isNotNull(maintenanceState.backedUpAt), isOld, lte(maintenanceState.backupLeasedUntil, sql`${now}`));
}

/**
 * Claims the backup verification until a time, which also blocks backups. Returns false if it isn't due or is running.
 */
export async function leaseBackupCheck(
  db: Database,
  { since, now, until }: { readonly since: number; readonly now: number; readonly until: number },
): Promise<boolean> {
  const [leased] = await db.batch([
    db
      .update(maintenanceState)
      .set({ backupLeasedUntil: until })
      .where(isBackupCheckDueSql(since, now))
      .returning({ id: maintenanceState.id }),
  ]);
  return leased.length > 0;
}

/** Saves that a backup was verified. */
export async function saveBackupCheck(db: Database, backupCheckedAt: number): Promise<void> {
  await db.batch([
    db.update(maintenanceState).set({ backupCheckedAt, backupProblem: null, backupLeasedUntil: 0 }).where(ONLY),
  ]);
}

/** Saves why a backup couldn't be verified. It's retried after the lease ends. */
export async function saveBackupCheckProblem(db: Database, backupProblem: string): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupProblem }).where(ONLY)]);
}
