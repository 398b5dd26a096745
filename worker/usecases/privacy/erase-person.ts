import { isContractClosed } from "#domain/bookings/closed-contracts.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import type { Query } from "#worker/store/database.ts";
import {
  deleteErasureFileRows,
  type ErasureData,
  erasePersonStatements,
  filterIdsCreatedBefore,
  findPersonToErase,
  listErasureFiles,
  listLastErasures,
  type PersonToErase,
  readErasureDecisionData,
} from "#worker/store/privacy/erasure.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { BackupBucket, FileStore } from "#worker/tenancy/file-store.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";

/** Record of an erasure, without the person's identity. */
interface Erasing {
  readonly customerId: number;
  /** Time of the erasure, epoch ms. */
  readonly at: number;
  readonly actor: string;
  readonly reason: string;
}

/** Lists the open contracts that prevent an erasure. */
export function listContractsBlockingErasure(
  contracts: ErasureData[1],
  { settings }: Pick<Catalogue, "settings">,
  now: number,
): ErasureData[1] {
  const { date, time } = toCivilNow(settings.timezone, now);
  const civil = toCivilMinute(date, time);
  return contracts.filter((contract) => {
    const ending = { ...contract, dateTo: contract.dateTo as CivilDate, timeTo: contract.timeTo as TimeText };
    return !isContractClosed(ending, civil);
  });
}

/** Returns the statements that erase a person. `deleteErasedPeopleFiles` deletes their objects afterwards. */
export async function createErasureStatements(
  tenant: Tenant,
  person: PersonToErase,
  [, , [counted], mails]: ErasureData,
  erasing: Erasing,
): Promise<readonly Query[]> {
  const { db, copies } = tenant;
  const { emails: addresses = "[]", ...kept } = counted ?? {};
  const emails = JSON.parse(addresses) as readonly string[];
  const mailIds = await mailsTo(tenant, mails, emails);
  return erasePersonStatements(db, person, {
    ...erasing,
    retainedData: { ...kept, backups: copies !== undefined },
    mailIds,
    emails,
  });
}

/**
 * Deletes the objects of erased people. Called after each erasure, and by the cron job for objects whose
 * deletion failed. The database keeps an object's path until the object is deleted.
 */
export async function deleteErasedPeopleFiles({ db, files, copies }: Tenant): Promise<void> {
  const erased = await listErasureFiles(db);
  for (const file of erased) {
    // A path that ends with a slash names a folder.
    const paths = file.path.endsWith("/") ? await files.list(file.path) : file.path;
    if (paths.length > 0) await files.delete(paths);
    await copies?.photos.delete(file.path);
  }
  await deleteErasureFileRows(db, erased);
}

// Returns the pending mails to a person. A mail that can't be opened has no known recipient and soon expires.
async function mailsTo(
  tenant: Tenant,
  mails: readonly { readonly id: number; readonly sealed: string }[],
  emails: readonly string[],
): Promise<readonly number[]> {
  const opened = await Promise.all(
    mails.map(async ({ id, sealed }) => ({ id, text: await tryDecryptSecret(tenant, sealed) })),
  );
  return opened.flatMap(({ id, text }) => {
    const { recipient } = Object(text === undefined ? {} : JSON.parse(text)) as { readonly recipient?: string };
    return recipient !== undefined && emails.includes(recipient.toLowerCase()) ? [id] : [];
  });
}

/**
 * Records an erasure next to the backups, which contain the person until they expire. It contains ids only, stored
 * under the customer and the time.
 */
export async function saveErasureRecord(
  tenant: Tenant,
  { customerId, at }: Erasing,
  person: PersonToErase,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ at: new Date(at).toISOString(), ...person }));
  const sha256 = await hashBytesSha256(bytes);
  await tenant.copies?.erasures.put(getRecordPath(customerId, at), bytes, { sha256, contentType: "application/json" });
}

const getRecordPath = (customerId: number, at: number) => `${customerId}-${at}.json`;

/**
 * Deletes the record of an erasure that failed, so that no cron run repeats it. It stays if the database contains the
 * erasure, because only the answer was lost. Logs an error, so that the caller answers with the cause of the failure.
 */
export async function deleteFailedErasureRecord(
  { copies, db, name }: Tenant,
  customerId: number,
  at: number,
): Promise<void> {
  try {
    if (!copies || ((await listLastErasures(db)).get(customerId) ?? 0) >= at) return;
    await copies.erasures.delete(getRecordPath(customerId, at));
  } catch (error) {
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", account: name, operation: "delete_unused_erasure_record", defect }));
  }
}

/** Persons erased per run. Each takes several object store calls, and an invocation has a thousand calls. */
export const ERASURE_BATCH_SIZE = 20;

/**
 * Repeats erasures that a restored database lacks: those recorded next to the backups but not in the database. Skips
 * ids that now belong to a different person. A person with a newer open contract stays until it ends. Returns the
 * number of erased persons.
 */
export async function reapplyErasuresAfterRestore(tenant: Tenant, now: number): Promise<number> {
  const { copies, db } = tenant;
  if (!copies) return 0;
  const [noted, erased] = [await listNoted(copies), await listLastErasures(db)];
  const { catalogue } = await tenant.snapshot();
  let count = 0;
  for (const { store, path, customerId, at } of noted.filter(
    (notedErasure) => (erased.get(notedErasure.customerId) ?? 0) < notedErasure.at,
  )) {
    if (count === ERASURE_BATCH_SIZE) break;
    const noted = await filterIdsCreatedBefore(db, await readNoted(store, path), at);
    const linkedIds = await findPersonToErase(db, noted.customerIds);
    const bookingIds = [...new Set([...noted.bookingIds, ...linkedIds.bookingIds])];
    const person = { customerIds: linkedIds.customerIds, bookingIds };
    const erasableData = await readErasureDecisionData(db, person, now);
    if (listContractsBlockingErasure(erasableData[1], catalogue, now).some(({ createdAt }) => createdAt > at)) continue;
    const erasing = { customerId, at: now, actor: "restore", reason: "reapplied_after_restore" };
    const [first, ...others] = await createErasureStatements(tenant, person, erasableData, erasing);
    if (first) await db.batch([first, ...others]);
    await deleteErasedPeopleFiles(tenant);
    count += 1;
  }
  return count;
}

interface NotedErasure {
  readonly store: FileStore;
  readonly path: string;
  readonly customerId: number;
  readonly at: number;
}

// Lists the account's own erasures and, up to the restore, those of the account that provided the backup.
async function listNoted({ erasures, erasuresOf }: BackupBucket): Promise<readonly NotedErasure[]> {
  const unappliedErasures: NotedErasure[] = [];
  const stores = [{ store: erasures, until: Infinity }];
  for (const { store, until } of stores) {
    const paths = await store.list("");
    const noted = paths.flatMap((path) => {
      const [, customerId, at] = /^(\d+)-(\d+)\.json$/.exec(path) ?? [];
      return customerId ? [{ store, path, customerId: Number(customerId), at: Number(at) }] : [];
    });
    const origins = paths.flatMap((path) => {
      const [, origin, at] = /^from-(.+)-(\d+)\.json$/.exec(path) ?? [];
      return origin ? [{ store: erasuresOf(origin), until: Number(at) }] : [];
    });
    unappliedErasures.push(...noted.filter(({ at }) => at <= until));
    stores.push(...origins.filter((origin) => origin.until < until));
  }
  return unappliedErasures;
}

async function readNoted(store: FileStore, path: string): Promise<PersonToErase> {
  return new Response(await store.get(path)).json<PersonToErase>();
}
