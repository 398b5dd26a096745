import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { makeExpiredDataPurgeDue, saveBackupCheck } from "#worker/store/operations/upkeep.ts";
import { JURISDICTIONS, type Jurisdiction } from "#worker/tenancy/bindings.ts";
import { listAccounts, usesDirectory } from "./accounts/directory.ts";
import { fetchBackup as fetchOperatorBackup, requireOperatorAccess, sendRestoreOrigin } from "./accounts/operator.ts";
import { readMasterKey, readPreviousMasterKey, withDatabase } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { findLastBackup, getLocalBackupPath, listBackupDays } from "./data/last-backup.ts";
import {
  advanceInvoiceSeries,
  formatRestoreReport,
  listActiveKeysUsersAndWebhooks,
  listLastNumbersBySeries,
  parseLastInvoiceNumbers,
  reconcileWithLaterBackup,
  resetAfterRestore,
} from "./data/point-in-time-restore.ts";
import { showProgress } from "./data/progress.ts";
import {
  assertDatabaseBelongsToAccount,
  assertEmptyAccount,
  type BackupFile,
  formatPhotoCopyInstructions,
  listOutgoingJobs,
  readBackupFile,
  reencryptBackup,
  restoreIntoAccount,
  testRestore,
} from "./data/restore.ts";
import { findBucketForJurisdiction, findRegionBucket } from "./deployment/configuration.ts";
import { withTemporaryFolder, writeAtomically } from "./files.ts";
import { createWranglerCommand, PROJECT_ROOT, runOrThrow } from "./processes.ts";
import { reportFailure } from "./steps.ts";
import {
  type ConfiguredAccount,
  readWranglerConfig,
  toOfficeEnvironment,
  type WranglerConfig,
} from "./wrangler-toml.ts";

// npm run restore -- <account> [--date 2026-11-20 | --file backup.ndjson.gz] test: restores into memory and checks it;
// without a date or file, the latest of three nights
// npm run restore -- <account> --into <empty account> into an account created by npm run account -- add <name> --empty
// npm run restore -- <account> --went-back after Time Travel: prevents duplicate ids and numbers
// --later <backup> with both: a backup made before going back, with everything issued and revoked since
// --last-numbers A-26=123,B-26=40 with both: the last issued invoice number of each serie
// --remote --env <environment of wrangler.toml>; it needs the variable OPERATOR_KEY (docs/production.md)

const { values, positionals, target } = readCommandLine(
  ["date", "file", "into", "later", "last-numbers"],
  ["went-back"],
  { most: 1 },
);
const [name = ""] = positionals;

const USAGE = `Say: npm run restore -- <account> [--date yyyy-mm-dd | --file <backup>] [--into <fresh account>]
or, after a Time Travel: npm run restore -- <account> --went-back [--later <backup>] [--last-numbers A-26=123]`;

function readBucketConfig(): WranglerConfig {
  const { isRemote, environment } = target;
  return readWranglerConfig(isRemote && environment ? toOfficeEnvironment(environment) : undefined);
}

function getBucketName(binding: "BACKUPS" | "FILES", jurisdiction?: Jurisdiction): string {
  const bucket = findRegionBucket(readBucketConfig(), binding, jurisdiction)?.bucket_name;
  if (!bucket)
    throw new Error(`wrangler.toml binds no bucket as ${binding}${jurisdiction ? ` in ${jurisdiction}` : ""}`);
  return bucket;
}

/** Downloads or uploads an object of the backup bucket. */
async function copyObject(way: "get" | "put", path: string, file: string, jurisdiction?: Jurisdiction): Promise<void> {
  const { isRemote, stateDir } = target;
  const where = isRemote ? ["--remote"] : ["--local", "--persist-to", stateDir];
  const place = jurisdiction ? ["--jurisdiction", jurisdiction] : [];
  const object = `${getBucketName("BACKUPS", jurisdiction)}/${path}`;
  await runOrThrow(...createWranglerCommand("r2", "object", way, object, "--file", file, ...where, ...place));
}

/** Returns an account that exists. The name alone doesn't show whether the directory has it. */
async function findExistingAccount(account: string): Promise<ConfiguredAccount | undefined> {
  return (await listAccounts(target)).find((item) => item.name === account);
}

/** Reads the specified or latest backup and restores it into memory. */
async function fetchBackup(): Promise<BackupFile> {
  if (values.file) return examine(resolve(values.file));
  const days = listBackupDays(values.date, Date.now());
  return withTemporaryFolder("restore", async (folder) => {
    const file = await findLastBackup(days, async (day) => {
      const localBackup = getLocalBackupPath(target, name, `${day}.ndjson.gz`);
      if (existsSync(localBackup)) return localBackup;
      const fetched = join(folder, "backup.ndjson.gz");
      if (target.isRemote) await download(day, fetched);
      else await copyObject("get", `rows/${name}/${day}.ndjson.gz`, fetched);
      return fetched;
    });
    if (file === undefined) throw new Error(await formatMissingBackup(days));
    return examine(file);
  });
}

// Downloads the backup of a day. The Worker doesn't serve removed accounts, so wrangler downloads theirs, of any size.
async function download(day: string, file: string): Promise<void> {
  if (!(await findExistingAccount(name))) return downloadRemoved(day, file);
  const stream = await fetchOperatorBackup(requireOperatorAccess(target.operator), name, day);
  if (!stream) throw new Error("key does not exist");
  await writeAtomically(file, stream);
}

// The region of a removed account isn't stored, so this tries the bucket of each.
async function downloadRemoved(day: string, file: string): Promise<void> {
  const found = JURISDICTIONS.filter((jurisdiction) =>
    findBucketForJurisdiction(readBucketConfig(), "BACKUPS", jurisdiction),
  );
  const regions = [undefined, ...found];
  for (const [index, region] of regions.entries()) {
    try {
      return await copyObject("get", `rows/${name}/${day}.ndjson.gz`, file, region);
    } catch (error) {
      const isMissing = error instanceof Error && error.message.includes("key does not exist");
      if (!isMissing || index === regions.length - 1) throw error;
    }
  }
}

async function formatMissingBackup(days: readonly string[]): Promise<string> {
  const missing = `There is no backup of ${name} of ${days.join(", ")}.`;
  // A removed account still has its backups.
  return (await findExistingAccount(name))
    ? `${missing} npm run backup -- ${name} makes one now, --date names another day.`
    : `${missing} There is no account "${name}"; --date names the day of a backup that it left.`;
}

async function examine(file: string): Promise<BackupFile> {
  const backup = await readBackupFile(file);
  console.log(`${backup.account} of ${backup.at}: ${backup.tables.length} tables`);
  const { rows, isWhole, brokenReferences } = await testRestore(file, join(PROJECT_ROOT, "migrations"));
  const outcomeText = isWhole ? "every table whole" : "tables that are not whole";
  console.log(`restored into memory: ${rows} rows, ${outcomeText}, ${brokenReferences} broken references`);
  if (!isWhole || brokenReferences > 0) throw new Error("the backup is not whole");
  return backup;
}

/** Stores the origin account next to the backups, so that customers erased there later are erased here too. */
async function noteOrigin(origin: string, into: string): Promise<void> {
  if (origin === into) return;
  if (target.isRemote) return sendRestoreOrigin(requireOperatorAccess(target.operator), into, origin);
  await withTemporaryFolder("restore", async (folder) => {
    const file = join(folder, "from.json");
    await writeFile(file, JSON.stringify({ account: origin }));
    await copyObject("put", `erasures/${into}/from-${origin}-${Date.now()}.json`, file);
  });
}

/** Reads the backup made before going back, if specified. */
async function readLater(account: string): Promise<BackupFile | undefined> {
  if (values.later === undefined) return undefined;
  const later = await readBackupFile(resolve(values.later));
  if (later.account !== account) throw new Error(`--later: ${values.later} is of ${later.account}, not of ${account}`);
  return later;
}

/** Prevents duplicate ids and numbers, and repeats later erasures. Reports losses, revocations and manual steps. */
async function goOn(db: D1Database, later: BackupFile | undefined): Promise<void> {
  const lastNumbersFile = values["last-numbers"];
  if (lastNumbersFile !== undefined) await advanceInvoiceSeries(db, parseLastInvoiceNumbers(lastNumbersFile));
  await resetAfterRestore(db, Date.now());
  await makeExpiredDataPurgeDue(openDatabase(db, createUsageMeter()), Date.now());
  const losses = later && (await reconcileWithLaterBackup(db, later, Date.now()));
  console.log(
    formatRestoreReport(losses, {
      series: await listLastNumbersBySeries(db),
      open: await listActiveKeysUsersAndWebhooks(db),
    }).join("\n"),
  );
}

async function wentBack(): Promise<void> {
  const account = requireNamedAccount(name, target, USAGE);
  if (target.isRemote) requireOperatorAccess(target.operator);
  const later = await readLater(account.name);
  const scheduledJobs = await withDatabase(account, target, async (db) => {
    if (usesDirectory(target)) await assertDatabaseBelongsToAccount(db, account.name);
    await goOn(db, later);
    return listOutgoingJobs(db);
  });
  console.log(`Pending jobs are pending again: ${account.name} ${scheduledJobs.join(", ")}. Some may run twice.`);
  console.log("The cron job repeats later erasures within five minutes.");
}

async function restore(): Promise<void> {
  const backup = await fetchBackup();
  const source = await findExistingAccount(name);
  // Administrators see when a backup was last tested.
  if (source)
    await withDatabase(source, target, (db) => saveBackupCheck(openDatabase(db, createUsageMeter()), Date.now()));
  if (!values.into) return;
  const account = await findExistingAccount(values.into);
  if (!account)
    throw new Error(`There is no account "${values.into}": npm run account -- add ${values.into} --empty adds it.`);
  if (target.isRemote) requireOperatorAccess(target.operator);
  await restoreInto(account, backup);
}

async function restoreInto(account: ConfiguredAccount, backup: BackupFile): Promise<void> {
  const later = await readLater(backup.account);
  const from = {
    name: backup.account,
    masterKey: await readMasterKey(target),
    secondMasterKey: readPreviousMasterKey(),
  };
  // Check this before recording the origin. Otherwise its erasures would affect customers of this account.
  await withDatabase(account, target, assertEmptyAccount);
  await noteOrigin(backup.account, account.name);
  const { backup: ownBackup, moved, lost } = await reencryptBackup(backup, from, account.name);
  const scheduledJobs = await withDatabase(account, target, async (db) => {
    await restoreIntoAccount(db, ownBackup, showProgress, () => goOn(db, later));
    return listOutgoingJobs(db);
  });
  console.log(`${account.name} contains the backup of ${backup.account}; ${moved} secrets are encrypted for it.`);
  const original = backup.account === account.name ? account : await findExistingAccount(backup.account);
  const buckets = {
    copies: getBucketName("BACKUPS", (original ?? account).jurisdiction),
    files: getBucketName("FILES", account.jurisdiction),
  };
  for (const line of formatPhotoCopyInstructions(backup, account.name, buckets)) console.log(line);
  console.log("The cron job repeats erasures made after that backup within five minutes.");
  if (original && original !== account) warnOfBoth(original, account, scheduledJobs);
  if (lost > 0) console.log(`${lost} secrets were encrypted with another master key: give those keys new ones.`);
}

function warnOfBoth(original: ConfiguredAccount, copy: ConfiguredAccount, scheduledJobs: readonly string[]): void {
  const command = usesDirectory(target)
    ? `npm run cells -- pause ${copy.name}`
    : `npm run account -- remove ${copy.name} --yes`;
  console.log(
    `${original.name} is served, too. From now on each of them ${scheduledJobs.join(", ")}: take out of service the one that is not to
(${command}, or ${original.name}).`,
  );
}

try {
  if (!name) throw new Error(USAGE);
  if (values["went-back"] && values.into) throw new Error("--went-back and --into can't be combined.");
  await (values["went-back"] ? wentBack() : restore());
} catch (error) {
  reportFailure(error);
}
