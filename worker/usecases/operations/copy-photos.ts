import { listFilesAfter } from "#worker/store/operations/copied-files.ts";
import { readPhotosUntil, savePhotosUntil } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { filePath } from "#worker/usecases/check-in/files.ts";

/** Two calls of the object store each, of which an invocation has a thousand for all accounts. */
const COPY_BATCH_SIZE = 30;

/**
 * Copies photos and signatures that are new since the last time into the bucket of copies, under their own hash;
 * answers how many. Several of one moment are copied together or again: a file copied twice is the same file.
 */
export async function copyPhotos(tenant: Tenant): Promise<number> {
  const { copies } = tenant;
  if (!copies) return 0;
  const files = await listFilesAfter(tenant.db, await readPhotosUntil(tenant.db), COPY_BATCH_SIZE);
  for (const { bookingId, hash, contentType } of files) {
    const path = filePath({ bookingId, hash });
    const file = await tenant.files.get(path);
    // Of 10 MB at most; the store compares it with its hash.
    if (file) await copies.photos.put(path, await new Response(file).arrayBuffer(), { sha256: hash, contentType });
  }
  const last = files.at(-1)?.uploadedAt;
  if (last === undefined) return 0;
  // One that shares the last one's moment may be on the next page.
  const isLastPage = files.length < COPY_BATCH_SIZE || files[0]?.uploadedAt === last;
  await savePhotosUntil(tenant.db, isLastPage ? last : last - 1);
  return files.length;
}
