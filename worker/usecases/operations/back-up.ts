import { listBackupTables } from "#worker/store/operations/backup.ts";
import {
  dropBackupProgress,
  leaseBackup,
  saveBackupOutcome,
  saveBackupProgress,
} from "#worker/store/operations/upkeep.ts";
import type { FileStore } from "#worker/tenancy/file-store.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { joinToGzip, toReadableStream } from "./gzip-pieces.ts";
import { readBackupRows } from "./read-backup.ts";
import {
  createNextPartPath,
  deleteCopyParts,
  listPartPaths,
  readObjectsInSequence,
  type StoredCopyParts,
} from "./stored-parts.ts";
import { type BackupBudget, type BackupProgress, beginBackup, writeBackup } from "./write-backup.ts";

const DAY = 24 * 3_600_000;
/** Lease of a backup. Longer than a Worker can run. */
export const BACKUP_LEASE_MILLISECONDS = 30 * 60_000;
/** Daily backups for five weeks, then the first of each month for a year. */
const DAILY_BACKUP_RETENTION_MS = 35 * DAY;
const MONTHLY_BACKUP_RETENTION_MS = 400 * DAY;
const GZIP = "application/gzip";
/** 1970 started on a Thursday. The first Sunday, which starts a week, was three days later. */
const FIRST_SUNDAY = 3 * DAY;

/** Returns the path of a day's backup. */
export function getBackupPath(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.ndjson.gz`;
}

/** Backup over several runs, with its stored parts. */
type StoredProgress = BackupProgress & StoredCopyParts;

/**
 * Continues an account's backup within the budget, if it's due and not running. Returns the number of rows once
 * complete, otherwise 0. Each run stores a part and reads it back. The last run joins the parts. A failed or killed run
 * is repeated from the end of the last part. After a migration, or after more than a day, the backup restarts.
 */
export async function continueBackup(
  tenant: Tenant,
  {
    since,
    now,
    budget = withoutEnd(),
  }: { readonly since: number; readonly now: number; readonly budget?: BackupBudget },
): Promise<number> {
  const { db } = tenant;
  const leased = await leaseBackup(db, { since, now, until: now + BACKUP_LEASE_MILLISECONDS });
  if (!leased) return 0;
  try {
    const storedProgress = leased.progress as StoredProgress | null;
    const isWritten = storedProgress !== null && storedProgress.next === undefined;
    const progress = isWritten ? storedProgress : await writePart(tenant, storedProgress, now, budget);
    // A backup with several parts is joined in a separate run.
    if (progress.next || (progress.parts > 1 && !isWritten)) {
      await saveBackupProgress(db, progress);
      return 0;
    }
    await putTogether(tenant, progress);
    const exportProgress = isFirstInWeek(progress.at, leased.before) ? { at: now } : undefined;
    await saveBackupOutcome(db, {
      backedUpAt: progress.at,
      backupRows: progress.rows,
      backupProgress: null,
      ...(exportProgress && { exportProgress }),
    });
    await deleteCopyParts(getRowBackups(tenant), progress);
    await deleteOldBackups(tenant, now);
    return progress.rows;
  } catch (error) {
    // Without the message, because it may contain data.
    await saveBackupOutcome(db, { backupProblem: error instanceof Error ? error.name : "unknown" });
    throw error;
  }
}

/**
 * Writes all rows of an account at once and reads them back. Returns the number of rows. The file contains a line about
 * the backup, then per table a header, one line per row, a count and a hash. It's compressed and stored while it's
 * read, so an account can have any size. Rows written in the meantime may be missing. Time Travel restores to an
 * instant, and this is the separate copy.
 */
export async function backUpAccountInOneRun(tenant: Tenant, now: number): Promise<number> {
  const rows = getRowBackups(tenant);
  const tables = await listBackupTables(tenant.db);
  const { pieces, progress } = writeBackup(tenant, tables, beginBackup(tables, now), withoutEnd());
  await rows.putStream(
    getBackupPath(now),
    joinToGzip(pieces, () => progress().packed),
    GZIP,
  );
  await refuseOther(await rows.get(getBackupPath(now)), progress().rows);
  return progress().rows;
}

function withoutEnd(): BackupBudget {
  return { calls: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
}

function getRowBackups({ copies }: Tenant): FileStore {
  if (!copies) throw new Error("no bucket for backups is bound");
  return copies.rows;
}

// Stores a run's rows as the next part and reads it back.
async function writePart(
  tenant: Tenant,
  storedProgress: StoredProgress | null,
  now: number,
  budget: BackupBudget,
): Promise<StoredProgress> {
  const rows = getRowBackups(tenant);
  const tables = await listBackupTables(tenant.db);
  budget.calls -= 1;
  const goesOn =
    storedProgress !== null && storedProgress.migrations === tables.migrations.length && now - storedProgress.at < DAY;
  if (storedProgress && !goesOn) await deleteCopyParts(rows, storedProgress);
  const from: StoredProgress = goesOn ? storedProgress : { ...beginBackup(tables, now), parts: 0 };
  const { pieces, progress, packedInThisRun: packedAlone } = writeBackup(tenant, tables, from, budget);
  const path = createNextPartPath(from);
  await rows.putStream(path, toReadableStream(pieces), "application/octet-stream");
  await refuseOther(joinToGzip(readObjectsInSequence(rows, [path]), packedAlone), progress().rows - from.rows);
  return { ...progress(), parts: from.parts + 1 };
}

async function refuseOther(packed: ReadableStream | undefined, rows: number): Promise<void> {
  if (!packed || (await readBackupRows(packed)).rows !== rows) throw new Error("the backup is not what was written");
}

// Joins the parts, which were verified when stored. If a part is missing, the next run restarts.
async function putTogether(tenant: Tenant, progress: StoredProgress): Promise<void> {
  const rows = getRowBackups(tenant);
  const bytes = readObjectsInSequence(rows, listPartPaths(progress));
  try {
    await rows.putStream(
      getBackupPath(progress.at),
      joinToGzip(bytes, () => progress.packed),
      GZIP,
    );
  } catch (error) {
    await dropBackupProgress(tenant.db);
    throw error;
  }
}

// An account is exported after the first backup of each week. That is Sunday's, or the next one if Sunday's is missing.
function isFirstInWeek(at: number, before: number | null): boolean {
  const getWeek = (moment: number) => Math.floor((moment - FIRST_SUNDAY) / (7 * DAY));
  return before === null ? new Date(at).getUTCDay() === 0 : getWeek(before) < getWeek(at);
}

async function deleteOldBackups({ copies }: Tenant, now: number): Promise<void> {
  for (const path of (await copies?.rows.list("")) ?? []) {
    const age = now - Date.parse(path.slice(0, 10));
    const isMonthly = path.slice(8, 10) === "01";
    if (age > (isMonthly ? MONTHLY_BACKUP_RETENTION_MS : DAILY_BACKUP_RETENTION_MS)) await copies?.rows.delete(path);
  }
}
