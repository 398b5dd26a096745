import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { RestoreResult } from "#domain/operations/imports.ts";
import type { AccountSecrets } from "#worker/auth/account-keys.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { readDatabaseOwner } from "#worker/directory/owner.ts";
import type { ReportProgress } from "#worker/imports/import.ts";
import { restoreBackupIntoScratch } from "#worker/imports/restore-copy.ts";
import { restoreTables } from "#worker/imports/restore-tables.ts";
import { dropTriggers } from "#worker/imports/synchronous-database.ts";
import { createInsertStatement, createTriggerSuspension, splitRowsIntoJson } from "#worker/imports/write-rows.ts";
import { DERIVED_TABLES } from "#worker/store/operations/backup.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { readBackupRows } from "#worker/usecases/operations/read-backup.ts";
import { assertCodeIsCurrent } from "../migrations.ts";
import { PROJECT_ROOT } from "../processes.ts";
import { createFillSearchBlocksStatements } from "../schema/search-triggers.ts";
import { createMigratedDatabase, toSyncDatabase } from "./memory-database.ts";

interface RestoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: StoredValue[][];
}

/** Content of a backup, in memory. */
export interface BackupFile {
  readonly account: string;
  readonly at: string;
  readonly tables: readonly RestoredTable[];
}

/** Opens a backup file in the format of the Worker. */
export const openBackupFile = (file: string) =>
  Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;

/**
 * Reads a backup written by the Worker. Throws if a table doesn't match its count and hash, or if the backup has
 * migrations that this code doesn't.
 */
export async function readBackupFile(
  file: string,
  migrationsFolder = join(PROJECT_ROOT, "migrations"),
): Promise<BackupFile> {
  const tables: RestoredTable[] = [];
  const {
    account = "",
    at = "",
    migrations,
  } = await readBackupRows(openBackupFile(file), {
    begin: ({ table, columns }) => tables.push({ name: table, columns, rows: [] }),
    row: (line) => tables.at(-1)?.rows.push(JSON.parse(line)),
    end: () => undefined,
  });
  assertCodeIsCurrent(`The backup of ${account} of ${at}`, migrations, migrationsFolder);
  return { account, at, tables };
}

/** Restores a backup into memory with current migrations and checks it, to prove that it's usable. */
export async function testRestore(file: string, migrationsFolder: string): Promise<RestoreResult> {
  const db = createMigratedDatabase(migrationsFolder);
  try {
    const copy = toSyncDatabase(db);
    return await restoreBackupIntoScratch(copy, openBackupFile(file), dropTriggers(copy));
  } finally {
    db.close();
  }
}

/** Maximum length of the settings, which are one row. */
const SETTINGS_CHARACTERS = 40_000;

/** Throws if a numbered database went back to a moment before the account had it. */
export async function assertDatabaseBelongsToAccount(db: D1Database, account: string): Promise<void> {
  const owner = await readDatabaseOwner(db);
  if (owner?.account === account) return;
  throw new Error(
    `At that moment the database had ${owner?.account ?? "no company"}, not ${account}. Undo with the bookmark that Time Travel printed.`,
  );
}

/** Throws a readable error if the account has data. */
export async function assertEmptyAccount(db: D1Database): Promise<void> {
  if (await db.prepare("SELECT 1 AS found FROM settings").first())
    throw new Error("the account has data: restore into an empty one (npm run account -- add <name> --empty)");
}

/**
 * Returns a backup with its secrets encrypted for another account name, and the numbers of those secrets and of those
 * that no key opens.
 */
export async function reencryptBackup(
  backup: BackupFile,
  from: AccountSecrets,
  to: string,
): Promise<{ readonly backup: BackupFile; readonly moved: number; readonly lost: number }> {
  let [moved, lost] = [0, 0];
  const reencrypt = async (sealed: string) => {
    const secret = await decryptSecret(from, sealed).catch(() => undefined);
    if (secret === undefined) lost += 1;
    else moved += 1;
    return secret === undefined ? sealed : encryptSecret(from.masterKey, to, secret);
  };
  const tables: RestoredTable[] = [];
  for (const table of backup.tables) {
    const isSealed = table.columns.map((column) => /(^|_)sealed$/.test(column));
    const reencryptRow = (row: readonly StoredValue[]) =>
      Promise.all(row.map((value, at) => (isSealed[at] && typeof value === "string" ? reencrypt(value) : value)));
    const rows: StoredValue[][] = [];
    if (isSealed.includes(true)) for (const row of table.rows) rows.push(await reencryptRow(row));
    tables.push(isSealed.includes(true) ? { ...table, rows } : table);
  }
  return { backup: { ...backup, tables }, moved, lost };
}

/**
 * Restores a backup into an account without settings. Triggers are removed within each batch, because the backup already
 * contains their effects. The settings are written after all else, so that a killed restore can be repeated and an
 * incomplete account is never in use.
 *
 * @param prepare changes the restored rows before the account is in use
 */
export async function restoreIntoAccount(
  db: D1Database,
  backup: BackupFile,
  progress: ReportProgress,
  prepare: () => Promise<void> = async () => undefined,
): Promise<void> {
  await assertEmptyAccount(db);
  // Backups list referencing tables before referenced ones. Restoring needs the reverse order.
  const ordered = backup.tables.filter(({ name }) => !DERIVED_TABLES.has(name) && name !== "settings").toReversed();
  const totals = new Map(ordered.map(({ name, rows }) => [name, rows.length]));
  await restoreTables(
    db,
    ordered.map(({ name, columns, rows }) => ({ name, columns, pages: [rows] })),
    { progress: (table, rows) => progress(table, rows, totals.get(table) ?? rows) },
  );
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(db);
  // Fill the search index in one batch, so that a search never finds only some of the records.
  await db.batch([
    ...dropTriggers,
    ...createFillSearchBlocksStatements().map((sql) => db.prepare(sql)),
    ...recreateTriggers,
  ]);
  await prepare();
  const settings = backup.tables.filter(({ name }) => name === "settings");
  await db.batch([
    ...dropTriggers,
    ...settings.flatMap((table) =>
      [...splitRowsIntoJson(table.rows, SETTINGS_CHARACTERS)].map((text) => createInsertStatement(db, table, text)),
    ),
    ...recreateTriggers,
  ]);
}

/**
 * Returns notes about photos and signatures of a backup. They're in buckets by account name and not part of it. Empty
 * if there are none or the account name is unchanged.
 */
export function formatPhotoCopyInstructions(
  { account, tables }: BackupFile,
  into: string,
  buckets: { readonly copies: string; readonly files: string },
): readonly string[] {
  const names = ["check_in_files", "customer_files", "catalogue_photos"];
  const count = tables.reduce((sum, { name, rows }) => sum + (names.includes(name) ? rows.length : 0), 0);
  if (count === 0 || account === into) return [];
  return [
    `${count} photos, signatures and files are not there yet: they lie with ${account}. Bring them before it is served:`,
    `rclone copy --immutable r2:${buckets.copies}/photos/${account} r2:${buckets.files}/t/${into}`,
  ];
}

/** Lists the scheduled jobs of an account, as a warning for a restore next to the original account. */
export async function listOutgoingJobs(db: D1Database): Promise<readonly string[]> {
  const row = await db
    .prepare(`SELECT (SELECT count(*) FROM webhooks WHERE active = 1) AS webhooks,
      tax_records_iva = 'verifactu' OR tax_records_igic = 'verifactu' OR tax_records_ipsi = 'verifactu' AS records,
      ses_mode = 'ses' AS ministry_reports FROM settings`)
    .first<Record<"webhooks" | "records" | "ministry_reports", number>>();
  return [
    "mails its customers",
    ...(row?.webhooks ? [`tells ${row.webhooks} webhooks`] : []),
    ...(row?.records ? ["sends records to the tax agency"] : []),
    ...(row?.ministry_reports ? ["sends reports to the ministry"] : []),
  ];
}
