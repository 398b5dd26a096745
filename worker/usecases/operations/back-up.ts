import { listBackupTables } from "#worker/store/operations/backup.ts";
import { dropBackupProgress, endBackup, leaseBackup, pauseBackup } from "#worker/store/operations/upkeep.ts";
import type { FileStore } from "#worker/tenancy/file-store.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { asGzip, streamOf } from "./gzip-pieces.ts";
import { bytesOf, deleteParts, type KeptParts, nextPart, partPaths } from "./kept-parts.ts";
import { readBack } from "./read-back.ts";
import { type BackupBudget, type BackupProgress, beginBackup, writeBackup } from "./write-backup.ts";

const DAY = 24 * 3_600_000;
/** Whoever backs up has it for itself so long: longer than a Worker lives. */
export const LEASE_MILLISECONDS = 30 * 60_000;
/** Dailies for five weeks, then each month's first for a year. */
const DAILIES_KEPT = 35 * DAY;
const MONTHLIES_KEPT = 400 * DAY;
const GZIP = "application/gzip";
/** 1970 began on a Thursday: its first Sunday, on which weeks begin, was three days later. */
const FIRST_SUNDAY = 3 * DAY;

/** The backup of a day among an account's copies of rows. */
export function backupPath(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.ndjson.gz`;
}

/** A backup that several turns make, and the parts that it left in the bucket. */
type KeptProgress = BackupProgress & KeptParts;

/**
 * Goes on with an account's backup where there is none since a moment and nobody is at it, as far as the budget lasts;
 * answers how many rows it holds once it is whole, until then none. Each turn stores a part and reads it back before it
 * counts; the last one puts the parts together. A turn that fails or is killed is done again from where the last one
 * ended. What a migration came into, or takes longer than a day, begins anew.
 */
export async function backUpOnce(
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
    const kept = leased.progress as KeptProgress | null;
    const isWritten = kept !== null && kept.next === undefined;
    const progress = isWritten ? kept : await writePart(tenant, kept, now, budget);
    // What took several turns is put together in one of its own.
    if (progress.next || (progress.parts > 1 && !isWritten)) {
      await pauseBackup(db, progress);
      return 0;
    }
    await putTogether(tenant, progress);
    const exportProgress = isFirstOfWeek(progress.at, leased.before) ? { at: now } : undefined;
    await endBackup(db, {
      backedUpAt: progress.at,
      backupRows: progress.rows,
      backupProgress: null,
      ...(exportProgress && { exportProgress }),
    });
    await deleteParts(copiesOf(tenant), progress);
    await forgetOldBackups(tenant, now);
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
  const rows = copiesOf(tenant);
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

function copiesOf({ copies }: Tenant): FileStore {
  if (!copies) throw new Error("no bucket for backups is bound");
  return copies.rows;
}

// Stores what a turn reads as one part more, and reads it back.
async function writePart(
  tenant: Tenant,
  kept: KeptProgress | null,
  now: number,
  budget: BackupBudget,
): Promise<KeptProgress> {
  const rows = copiesOf(tenant);
  const tables = await listBackupTables(tenant.db);
  budget.calls -= 1;
  const goesOn = kept !== null && kept.migrations === tables.migrations.length && now - kept.at < DAY;
  if (kept && !goesOn) await deleteParts(rows, kept);
  const from: KeptProgress = goesOn ? kept : { ...beginBackup(tables, now), parts: 0 };
  const { pieces, progress, packedAlone } = writeBackup(tenant, tables, from, budget);
  const path = nextPart(from);
  await rows.putStream(path, streamOf(pieces), "application/octet-stream");
  await refuseOther(asGzip(bytesOf(rows, [path]), packedAlone), progress().rows - from.rows);
  return { ...progress(), parts: from.parts + 1 };
}

async function refuseOther(packed: ReadableStream | undefined, rows: number): Promise<void> {
  if (!packed || (await readBack(packed)).rows !== rows) throw new Error("the backup is not what was written");
}

// Each part was read back when it was stored. Where one is gone the next turn begins anew.
async function putTogether(tenant: Tenant, progress: KeptProgress): Promise<void> {
  const rows = copiesOf(tenant);
  const bytes = bytesOf(rows, partPaths(progress));
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
function isFirstOfWeek(at: number, before: number | null): boolean {
  const weekOf = (moment: number) => Math.floor((moment - FIRST_SUNDAY) / (7 * DAY));
  return before === null ? new Date(at).getUTCDay() === 0 : weekOf(before) < weekOf(at);
}

async function forgetOldBackups({ copies }: Tenant, now: number): Promise<void> {
  for (const path of (await copies?.rows.list("")) ?? []) {
    const age = now - Date.parse(path.slice(0, 10));
    const isMonthly = path.slice(8, 10) === "01";
    if (age > (isMonthly ? MONTHLIES_KEPT : DAILIES_KEPT)) await copies?.rows.delete(path);
  }
}
