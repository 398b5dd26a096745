import { listBackupTables } from "#worker/store/operations/backup.ts";
import { dropBackupProgress, endBackup, leaseBackup, pauseBackup } from "#worker/store/operations/upkeep.ts";
import type { FileStore } from "#worker/tenancy/file-store.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { asGzip, toReadableStream } from "./gzip-pieces.ts";
import { deleteParts, nextPart, partPaths, readObjects, type StoredParts } from "./kept-parts.ts";
import { readBackupValue } from "./read-back.ts";
import { type BackupBudget, type BackupProgress, beginBackup, writeBackup } from "./write-backup.ts";

const DAY = 24 * 3_600_000;
/** Whoever backs up has it for itself so long: longer than a Worker lives. */
export const LEASE_MILLISECONDS = 30 * 60_000;
/** Dailies for five weeks, then each month's first for a year. */
const DAILY_BACKUP_RETENTION_MS = 35 * DAY;
const MONTHLY_BACKUP_RETENTION_MS = 400 * DAY;
const GZIP = "application/gzip";
/** 1970 began on a Thursday: its first Sunday, on which weeks begin, was three days later. */
const FIRST_SUNDAY = 3 * DAY;

/** The backup of a day among an account's copies of rows. */
export function backupPath(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.ndjson.gz`;
}

/** A backup that several turns make, and the parts that it left in the bucket. */
type StoredProgress = BackupProgress & StoredParts;

/**
 * Goes on with an account's backup where there is none since a moment and nobody is at it, as far as the budget lasts;
 * answers how many rows it holds once it is whole, until then none. Each turn stores a part and reads it back before it
 * counts; the last one puts the parts together. A turn that fails or is killed is done again from where the last one
 * ended. What a migration came into, or takes longer than a day, begins anew.
 */
export async function runBackup(
  tenant: Tenant,
  {
    since,
    now,
    budget = withoutEnd(),
  }: { readonly since: number; readonly now: number; readonly budget?: BackupBudget },
): Promise<number> {
  const { db } = tenant;
  const leased = await leaseBackup(db, { since, now, until: now + LEASE_MILLISECONDS });
  if (!leased) return 0;
  try {
    const storedProgress = leased.progress as StoredProgress | null;
    const isWritten = storedProgress !== null && storedProgress.next === undefined;
    const progress = isWritten ? storedProgress : await writePart(tenant, storedProgress, now, budget);
    // What took several turns is put together in one of its own.
    if (progress.next || (progress.parts > 1 && !isWritten)) {
      await pauseBackup(db, progress);
      return 0;
    }
    await putTogether(tenant, progress);
    const exportProgress = isFirstInWeek(progress.at, leased.before) ? { at: now } : undefined;
    await endBackup(db, {
      backedUpAt: progress.at,
      backupRows: progress.rows,
      backupProgress: null,
      ...(exportProgress && { exportProgress }),
    });
    await deleteParts(getRowBackups(tenant), progress);
    await deleteOldBackups(tenant, now);
    return progress.rows;
  } catch (error) {
    // Without its message: that may carry data.
    await endBackup(db, { backupProblem: error instanceof Error ? error.name : "unknown" });
    throw error;
  }
}

/**
 * Writes all of an account's rows at once, and reads them back: a line about the backup, then for each table its head,
 * a line for each row, its count and hash; answers how many rows. It is packed and stored as it is read, so that an
 * account may be of any size. Rows written meanwhile may be missing: Time Travel goes back to a moment, this is the
 * copy beside it.
 */
export async function backUp(tenant: Tenant, now: number): Promise<number> {
  const rows = getRowBackups(tenant);
  const tables = await listBackupTables(tenant.db);
  const { pieces, progress } = writeBackup(tenant, tables, beginBackup(tables, now), withoutEnd());
  await rows.putStream(
    backupPath(now),
    asGzip(pieces, () => progress().packed),
    GZIP,
  );
  await refuseOther(await rows.get(backupPath(now)), progress().rows);
  return progress().rows;
}

function withoutEnd(): BackupBudget {
  return { calls: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
}

function getRowBackups({ copies }: Tenant): FileStore {
  if (!copies) throw new Error("no bucket for backups is bound");
  return copies.rows;
}

// Stores what a turn reads as one part more, and reads it back.
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
  if (storedProgress && !goesOn) await deleteParts(rows, storedProgress);
  const from: StoredProgress = goesOn ? storedProgress : { ...beginBackup(tables, now), parts: 0 };
  const { pieces, progress, packedAlone } = writeBackup(tenant, tables, from, budget);
  const path = nextPart(from);
  await rows.putStream(path, toReadableStream(pieces), "application/octet-stream");
  await refuseOther(asGzip(readObjects(rows, [path]), packedAlone), progress().rows - from.rows);
  return { ...progress(), parts: from.parts + 1 };
}

async function refuseOther(packed: ReadableStream | undefined, rows: number): Promise<void> {
  if (!packed || (await readBackupValue(packed)).rows !== rows) throw new Error("the backup is not what was written");
}

// Each part was read back when it was stored. Where one is gone the next turn begins anew.
async function putTogether(tenant: Tenant, progress: StoredProgress): Promise<void> {
  const rows = getRowBackups(tenant);
  const bytes = readObjects(rows, partPaths(progress));
  try {
    await rows.putStream(
      backupPath(progress.at),
      asGzip(bytes, () => progress.packed),
      GZIP,
    );
  } catch (error) {
    await dropBackupProgress(tenant.db);
    throw error;
  }
}

// An account is exported after each week's first backup: Sunday's, or the next one where there was none on that day.
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
