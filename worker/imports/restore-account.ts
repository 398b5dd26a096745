import { type AccountRestoreResult, MAX_RESTORED_ROWS } from "#domain/operations/imports.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { type BackupRow, type BackupTable, listBackupTables, readBackupPage } from "#worker/store/operations/backup.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { RESTORE_UNDO_MS } from "#worker/store/operations/upkeep.ts";
import { openBackupBucket } from "#worker/tenancy/file-store.ts";
import { saveRestoreOrigin } from "#worker/usecases/operations/operator-commands.ts";
import { readBackupRows, type VerifiedBackup } from "#worker/usecases/operations/read-backup.ts";
import { reencryptSecretsForNewName } from "#worker/usecases/operations/reencrypt-secrets.ts";
import { copyAccountSchema } from "./copy.ts";
import { createResetAfterRestoreStatements } from "./reset-after-restore.ts";
import { restoreBackupIntoScratch, WITHOUT_PLAIN_INDEXES_CONDITION } from "./restore-copy.ts";
import { type RestorableTable, restoreTables } from "./restore-tables.ts";
import { wrapAsD1 } from "./synchronous-d1.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";

interface AccountRestore {
  readonly db: D1Database;
  /** Opens the empty temporary database. */
  readonly scratch: () => Promise<SynchronousDatabase>;
  readonly bucket: R2Bucket;
  readonly account: string;
  /** Account of the backup, with the keys of its secrets. */
  readonly from: Parameters<typeof reencryptSecretsForNewName>[1];
  readonly path: string;
  readonly now: number;
}

const PAGE_ROWS = 2000;
/** The triggers that build the search index, which a backup doesn't contain. All others are suspended. */
const SUSPENDED = "name NOT GLOB '*_insert_search_index' AND name NOT GLOB 'search_*'";
const FILE_TABLES = ["check_in_files", "customer_files", "catalogue_photos"];

/**
 * Restores a backup into an account without settings, in a temporary database first. The settings are written last, so
 * an interrupted restore can be repeated. Secrets are encrypted for the account's name.
 */
export async function restoreBackupIntoAccount(restore: AccountRestore): Promise<AccountRestoreResult> {
  const { db, bucket, account, from, path, now } = restore;
  const open = () => openBackupBucket(bucket, from.name).rows.get(path);
  const [settings, applied] = await db.batch<{ name: string }>([
    db.prepare("SELECT 1 FROM settings"),
    db.prepare("SELECT name FROM d1_migrations"),
  ]);
  if (settings?.results.length) return { kind: "accountNotEmpty" };
  const packed = await open();
  if (!packed) return { kind: "backupNotFound" };
  const backup = await readBackupRows(packed).catch(() => undefined);
  if (backup?.account !== from.name) return { kind: "backupDamaged" };
  if (isNewer(backup, applied?.results ?? [])) return { kind: "backupNewer" };
  if (backup.rows > MAX_RESTORED_ROWS) return { kind: "backupTooLarge", most: MAX_RESTORED_ROWS };
  const copy = await restore.scratch();
  const createTriggers = await copyAccountSchema(db, copy, WITHOUT_PLAIN_INDEXES_CONDITION);
  const { isWhole, brokenReferences } = await restoreBackupIntoScratch(copy, (await open()) ?? packed, createTriggers);
  if (!isWhole || brokenReferences > 0) return { kind: "backupDamaged" };
  const restored = openDatabase(wrapAsD1(copy), createUsageMeter());
  const { lost } = await reencryptSecretsForNewName(restored, from, account);
  if (from.name !== account) await saveRestoreOrigin({ copies: openBackupBucket(bucket, account) }, from.name, now);
  const { tables } = await listBackupTables(openDatabase(db, createUsageMeter()));
  const ordered = tables.toSorted((a, b) => Number(a.name === "settings") - Number(b.name === "settings"));
  const purge = db.prepare("UPDATE upkeep SET purged_at = NULL, file_sweep_from = ?1").bind(now + RESTORE_UNDO_MS);
  await restoreTables(
    db,
    ordered.map((table) => toRestorableTable(restored, table)),
    { suspended: SUSPENDED, last: [...createResetAfterRestoreStatements(db, now), purge] },
  );
  return { kind: "restored", rows: backup.rows, lostSecrets: lost, files: countFiles(copy) };
}

// A deployment of older code has no place for what a newer backup contains.
function isNewer({ migrations }: VerifiedBackup, applied: readonly { readonly name: string }[]): boolean {
  return migrations.some((migration) => !applied.some(({ name }) => name === migration));
}

function toRestorableTable(db: ReturnType<typeof openDatabase>, table: BackupTable): RestorableTable {
  async function* pages(): AsyncGenerator<StoredValue[][]> {
    let last: BackupRow | undefined;
    for (;;) {
      const { rows, isLast } = await readBackupPage(db, table, last, PAGE_ROWS);
      if (rows.length > 0) yield rows.map((row) => [...row]);
      const lastRow = rows.at(-1);
      if (isLast || !lastRow) return;
      last = table.key.map((name) => lastRow[table.columns.indexOf(name)] ?? null);
    }
  }
  return { name: table.name, columns: table.columns, pages: pages() };
}

function countFiles(copy: SynchronousDatabase): number {
  const counts = FILE_TABLES.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
  return Number(copy.prepare(`SELECT ${counts} AS n`).get()?.["n"]);
}
