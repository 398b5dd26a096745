import { forgetFile, listUnusedFiles } from "#worker/store/operations/copied-files.ts";
import { deletePast, RETENTION } from "#worker/store/operations/retention.ts";
import { leaseSweep, saveSize } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { filePath } from "#worker/usecases/check-in/files.ts";

/**
 * Deletes what is past its time, some of each kind, and notes how large the database is; answers how many rows went.
 * The trouble of one kind is not the others'.
 */
export async function sweep(tenant: Tenant, since: number, now: number): Promise<number> {
  if (!(await leaseSweep(tenant.db, since, now))) return 0;
  let count = await sweepFiles(tenant, now);
  for (const kept of RETENTION) {
    try {
      count += await deletePast(tenant.db, kept, now);
    } catch (error) {
      const defect = error instanceof Error ? error.name : "unknown";
      const line = { level: "error", account: tenant.name, operation: "sweep", kind: kept.kind, defect };
      console.log(JSON.stringify(line));
    }
  }
  await saveSize(tenant.db, tenant.meter.sizeBytes);
  return count;
}

// The object first: what the database speaks of may be missing for a moment, what it does not speak of would stay for
// ever.
async function sweepFiles(tenant: Tenant, now: number): Promise<number> {
  const unused = await listUnusedFiles(tenant.db, now);
  for (const name of unused) {
    await tenant.files.delete(filePath(name));
    await tenant.copies?.photos.delete(filePath(name));
    await forgetFile(tenant.db, name);
  }
  return unused.length;
}
