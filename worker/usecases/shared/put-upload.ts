import type { FileStore } from "#worker/tenancy/file-store.ts";

/**
 * Writes the object of an upload before its row, so that no row names a missing one. Returns what must follow the row:
 * it writes the object again if the nightly sweep deleted an old one of the same name in between.
 */
export async function putUpload(
  files: FileStore,
  ...upload: Parameters<FileStore["put"]>
): Promise<() => Promise<void>> {
  const isCreated = await files.put(...upload);
  return async () => {
    if (!isCreated && !(await files.has(upload[0]))) await files.put(...upload);
  };
}
