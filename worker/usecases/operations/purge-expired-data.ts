import { deleteCheckInFileRow, listUnusedCheckInFiles } from "#worker/store/operations/copied-files.ts";
import { deleteExpiredData, RETENTION_TASKS } from "#worker/store/operations/retention.ts";
import { claimExpiredDataPurge, saveDatabaseSize } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getCheckInFilePath } from "#worker/usecases/check-in/files.ts";
import { deleteErasedPeopleFiles } from "#worker/usecases/privacy/erase-person.ts";

/**
 * Deletes expired data, a limited number per kind, and records the database size. Returns the number of deleted rows.
 * An error in one kind doesn't affect the others.
 */
export async function purgeExpiredDataIfDue(tenant: Tenant, since: number, now: number): Promise<number> {
  if (!(await claimExpiredDataPurge(tenant.db, since, now))) return 0;
  const purges = [
    { kind: "files", purge: () => purgeFiles(tenant, now) },
    { kind: "erased_files", purge: () => deleteErasedPeopleFiles(tenant) },
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
