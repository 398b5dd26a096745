import { deleteCheckInFileRow, listUnusedCheckInFiles } from "#worker/store/operations/copied-files.ts";
import { listFilesWithoutRow } from "#worker/store/operations/files-without-row.ts";
import { deleteExpiredData, RETENTION_TASKS } from "#worker/store/operations/retention.ts";
import {
  claimExpiredDataPurge,
  type FileSweepPosition,
  saveDatabaseSize,
  saveFileSweepPosition,
} from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getCheckInFilePath } from "#worker/usecases/check-in/files.ts";
import { deleteErasedPeopleFiles } from "#worker/usecases/privacy/erase-person.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";

/**
 * Deletes expired data, a limited number per kind, and records the database size. Returns the number of deleted rows.
 * An error in one kind doesn't affect the others.
 */
export async function purgeExpiredDataIfDue(tenant: Tenant, since: number, now: number): Promise<number> {
  const sweep = await claimExpiredDataPurge(tenant.db, since, now);
  if (!sweep) return 0;
  const purges = [
    { kind: "files", purge: () => purgeFiles(tenant, now) },
    { kind: "erased_files", purge: () => deleteErasedPeopleFiles(tenant) },
    { kind: "files_without_row", purge: () => sweepFiles(tenant, sweep, now) },
    ...RETENTION_TASKS.map((task) => ({ kind: task.kind, purge: () => deleteExpiredData(tenant.db, task, now) })),
  ];
  let count = 0;
  for (const { kind, purge } of purges) {
    try {
      count += (await purge()) ?? 0;
    } catch (error) {
      const defect = error instanceof Error ? error.name : "unknown";
      const line = { level: "error", account: tenant.name, operation: "purge_expired_data", kind, defect };
      console.log(JSON.stringify(line));
    }
  }
  await saveDatabaseSize(tenant.db, tenant.meter.sizeBytes);
  return count;
}

// Delete the object first. A row without its object is temporary, but an object without its row would stay permanently.
async function purgeFiles(tenant: Tenant, now: number): Promise<number> {
  const unused = await listUnusedCheckInFiles(tenant.db, now);
  for (const name of unused) {
    await tenant.files.delete(getCheckInFilePath(name));
    await tenant.copies?.photos.delete(getCheckInFilePath(name));
    await deleteCheckInFileRow(tenant.db, name);
  }
  return unused.length;
}

const DAY = 24 * 3_600_000;
/** Each takes five calls, and an invocation has a thousand for all accounts. The next night deletes the others. */
const MAX_SWEPT_FILES = 30;

/**
 * Deletes objects without a row that are older than a day: an upload writes the object first, and its row may fail.
 * Compares one page of at most a thousand objects a night. An error repeats the page the next night.
 */
async function sweepFiles(
  { db, files, copies }: Tenant,
  { after, from }: FileSweepPosition,
  now: number,
): Promise<number> {
  if (now < from) return 0;
  const page = await files.listPage(after ?? "");
  const old = page.files.filter(({ uploadedAt }) => uploadedAt < now - DAY).map(({ path }) => path);
  const unused = old.length === 0 ? [] : await listFilesWithoutRow(db, old);
  const deleted = unused.slice(0, MAX_SWEPT_FILES);
  for (const path of deleted) await deleteUnlessNamed({ db, files, copies }, path);
  const isPageDone = deleted.length === unused.length;
  const next = page.hasMore ? (page.files.at(-1)?.path ?? after) : null;
  if (isPageDone && next !== after) await saveFileSweepPosition(db, next);
  return deleted.length;
}

// Deletes an object, and writes it again if an upload named it in the meantime. An upload whose row comes after this
// check finds the object missing and writes it again itself (`putUpload`).
async function deleteUnlessNamed(
  { db, files, copies }: Pick<Tenant, "db" | "files" | "copies">,
  path: string,
): Promise<void> {
  const stored = await files.open(path);
  const bytes = stored && new Uint8Array(await stored.arrayBuffer());
  await copies?.photos.delete(path);
  await files.delete(path);
  if (!bytes || (await listFilesWithoutRow(db, [path])).length > 0) return;
  const contentType = stored.httpMetadata?.contentType ?? "application/octet-stream";
  const about = { sha256: await hashBytesSha256(bytes), contentType };
  await files.put(path, bytes, about);
  await copies?.photos.put(path, bytes, about);
}
