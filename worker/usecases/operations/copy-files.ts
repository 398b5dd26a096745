import { createHash } from "node:crypto";
import { listStoredFilesAddedAfter } from "#worker/store/operations/copied-files.ts";
import { readFilesCopiedUntil, saveFilesCopiedUntil } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Files copied per run. Each takes two object store calls, and an invocation has a thousand calls for all accounts. */
const COPY_BATCH_SIZE = 30;

/**
 * Copies new photos, signatures, files of customers and catalogue photos into the backup bucket. Returns their number.
 * Files with the same timestamp may be copied again, which is harmless.
 */
export async function copyFilesToBackup(tenant: Tenant): Promise<number> {
  const { copies } = tenant;
  if (!copies) return 0;
  const files = await listStoredFilesAddedAfter(tenant.db, await readFilesCopiedUntil(tenant.db), COPY_BATCH_SIZE);
  for (const { path, contentType } of files) {
    const file = await tenant.files.get(path);
    if (!file) continue;
    // A file has at most 10 MB. Its name isn't the hash of the stored bytes, so the hash is calculated here.
    const bytes = new Uint8Array(await new Response(file).arrayBuffer());
    await copies.photos.put(path, bytes, { sha256: createHash("sha256").update(bytes).digest("hex"), contentType });
  }
  const last = files.at(-1)?.uploadedAt;
  if (last === undefined) return 0;
  // A file with the same timestamp may be on the next page.
  const isLastPage = files.length < COPY_BATCH_SIZE || files[0]?.uploadedAt === last;
  await saveFilesCopiedUntil(tenant.db, isLastPage ? last : last - 1);
  return files.length;
}
