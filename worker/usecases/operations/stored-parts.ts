import type { FileStore } from "#worker/tenancy/file-store.ts";

/** Parts of a long copy stored in the bucket so far: start time (epoch ms) and number of parts. */
export interface StoredCopyParts {
  readonly at: number;
  readonly parts: number;
}

/** Returns the name of a copy's next part. */
export function createNextPartPath({ at, parts }: StoredCopyParts): string {
  return `${new Date(at).toISOString().slice(0, 10)}.${parts + 1}.part`;
}

/** Reads the bytes of several objects in sequence. A missing object causes an error. */
export async function* readObjectsInSequence(store: FileStore, paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    const part = await store.get(path);
    if (!part) throw new Error("a part of the copy is missing");
    for await (const chunk of part) yield chunk;
  }
}

/** Returns the paths of all parts so far, in order. */
export function listPartPaths({ at, parts }: StoredCopyParts): readonly string[] {
  return Array.from({ length: parts }, (_, before) => createNextPartPath({ at, parts: before }));
}

/** Deletes the parts. Safe to repeat. */
export async function deleteCopyParts(store: FileStore, storedParts: StoredCopyParts): Promise<void> {
  for (const path of listPartPaths(storedParts)) await store.delete(path);
}
