import { and, eq, isNotNull, isNull, lt, lte, or, type Placeholder, sql } from "drizzle-orm";
import type { ChainFault } from "#domain/tax-records/audit.ts";
import type { Database } from "#worker/store/database.ts";
import { maintenanceState } from "#worker/store/schema/upkeep.ts";

const ONLY = eq(maintenanceState.id, 1);

/** Of the account's only row: it has not been backed up since a moment, and nobody is at it. Moments in epoch ms. */
export function backupDue(since: number | Placeholder, now: number | Placeholder) {
  const isOld = or(isNull(maintenanceState.backedUpAt), lt(maintenanceState.backedUpAt, sql`${since}`));
  return and(ONLY, isOld, lte(maintenanceState.backupLeasedUntil, sql`${now}`));
}

/** Of the account's only row: what is past its time was not looked for since a moment. */
export function isPurgeDue(since: number | Placeholder) {
  return and(ONLY, or(isNull(maintenanceState.sweptAt), lt(maintenanceState.sweptAt, sql`${since}`)));
}

/**
 * Takes the backup upon oneself until a moment, and answers how far it is, null where it has not begun, and when the
 * one before it was made; undefined where it is made already, or somebody is at it.
 */
export async function leaseBackup(
  db: Database,
  { since, now, until }: { readonly since: number; readonly now: number; readonly until: number },
): Promise<{ readonly progress: unknown; readonly before: number | null } | undefined> {
  const [[leased]] = await db.batch([
    db
      .update(maintenanceState)
      .set({ backupLeasedUntil: until })
      .where(backupDue(since, now))
      .returning({ progress: maintenanceState.backupProgress, before: maintenanceState.backedUpAt }),
  ]);
  return leased;
}

/** Keeps how far a backup is; nobody is at it until its next turn. */
export async function pauseBackup(db: Database, backupProgress: unknown): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupProgress, backupLeasedUntil: 0 }).where(ONLY)]);
}

/** Has a backup begin anew at its next turn. */
export async function dropBackupProgress(db: Database): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupProgress: null }).where(ONLY)]);
}

/** Keeps that a backup is whole, or why it is not; either way nobody is at it any more. */
export async function endBackup(
  db: Database,
  outcome:
    | {
        readonly backedUpAt: number;
        readonly backupRows: number;
        readonly backupProgress: null;
        /** What an export begins with that is to follow. */
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

/** Of the account's only row: an export is asked for that is not whole, and nobody is at it. */
export function exportDue(now: number | Placeholder) {
  return and(ONLY, isNotNull(maintenanceState.exportProgress), lte(maintenanceState.backupLeasedUntil, sql`${now}`));
}

/** Takes the export upon oneself until a moment, and no backup meanwhile; undefined where none is due. */
export async function leaseExport(
  db: Database,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<{ readonly progress: unknown } | undefined> {
  const [[leased]] = await db.batch([
    db
      .update(maintenanceState)
      .set({ backupLeasedUntil: until })
      .where(exportDue(now))
      .returning({ progress: maintenanceState.exportProgress }),
  ]);
  return leased;
}

/** Keeps how far an export is, null once there is nothing more to do; nobody is at it until its next turn. */
export async function pauseExport(db: Database, exportProgress: unknown): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ exportProgress, backupLeasedUntil: 0 }).where(ONLY)]);
}

/** Nobody is at it any more: the next turn does again what this one did not. */
export async function leaveExport(db: Database): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupLeasedUntil: 0 }).where(ONLY)]);
}

/** Takes the sweeping upon oneself, once a while; false where somebody did. */
export async function acquirePurgeLock(db: Database, since: number, now: number): Promise<boolean> {
  const [leased] = await db.batch([
    db.update(maintenanceState).set({ sweptAt: now }).where(isPurgeDue(since)).returning({ id: maintenanceState.id }),
  ]);
  return leased.length > 0;
}

/** Has the clock do the night's work at the account's next turn: what was restored may hold whom it should not. */
export async function schedulePurge(db: Database): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ sweptAt: null }).where(ONLY)]);
}

/** Until when files are copied, epoch ms. */
export async function readPhotosUntil(db: Database): Promise<number> {
  const [[row]] = await db.batch([db.select({ photosUntil: maintenanceState.photosUntil }).from(maintenanceState)]);
  return row?.photosUntil ?? 0;
}

export async function savePhotosUntil(db: Database, photosUntil: number): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ photosUntil }).where(ONLY)]);
}

/** Keeps how large the database is. */
export async function saveSize(db: Database, sizeBytes: number): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ sizeBytes }).where(ONLY)]);
}

/** Keeps how much is wrong with the chain of tax records, and the first of it. */
export async function saveRecordFaults(db: Database, count: number, first: ChainFault | undefined): Promise<void> {
  await db.batch([
    db
      .update(maintenanceState)
      .set({ taxRecordFaults: count, taxRecordFault: first ?? null })
      .where(ONLY),
  ]);
}

/** Of the account's only row: there is a backup, none was examined since a moment, and nobody is at it. */
export function isDrillDue(since: number | Placeholder, now: number | Placeholder) {
  const isOld = lt(sql`coalesce(${maintenanceState.drilledAt}, ${maintenanceState.since})`, sql`${since}`);
  return and(ONLY, isNotNull(maintenanceState.backedUpAt), isOld, lte(maintenanceState.backupLeasedUntil, sql`${now}`));
}

/** Takes the drill upon oneself until a moment, and no backup meanwhile; false where it was, or somebody is at it. */
export async function acquireDrillLock(
  db: Database,
  { since, now, until }: { readonly since: number; readonly now: number; readonly until: number },
): Promise<boolean> {
  const [leased] = await db.batch([
    db
      .update(maintenanceState)
      .set({ backupLeasedUntil: until })
      .where(isDrillDue(since, now))
      .returning({ id: maintenanceState.id }),
  ]);
  return leased.length > 0;
}

/** Keeps that a backup was examined. */
export async function saveDrill(db: Database, drilledAt: number): Promise<void> {
  await db.batch([
    db.update(maintenanceState).set({ drilledAt, backupProblem: null, backupLeasedUntil: 0 }).where(ONLY),
  ]);
}

/** Keeps why a backup could not be examined; it is tried again when the lease is over. */
export async function recordDrillProblem(db: Database, backupProblem: string): Promise<void> {
  await db.batch([db.update(maintenanceState).set({ backupProblem }).where(ONLY)]);
}
