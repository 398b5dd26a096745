import type { FileStore } from "#worker/tenancy/file-store.ts";

/** What the turns of a long copy have left in the bucket so far: when it began (epoch ms), and how many parts. */
export interface StoredParts {
  readonly at: number;
  readonly parts: number;
}

/** The next part of a copy, beside what it becomes. */
export function nextPart({ at, parts }: StoredParts): string {
  return `${new Date(at).toISOString().slice(0, 10)}.${parts + 1}.part`;
}

/** The bytes of some objects, one behind the other; one that is missing ends it in an error. */
export async function* readObjects(store: FileStore, paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    const part = await store.get(path);
    if (!part) throw new Error("a part of the copy is missing");
    for await (const chunk of part) yield chunk;
  }
}

/** All parts so far, in their order. */
export function partPaths({ at, parts }: StoredParts): readonly string[] {
  return Array.from({ length: parts }, (_, before) => nextPart({ at, parts: before }));
}

/** Takes the parts away; again is the same. */
export async function deleteParts(store: FileStore, storedParts: StoredParts): Promise<void> {
  for (const path of partPaths(storedParts)) await store.delete(path);
}
