import { createHash } from "node:crypto";
import type { FaultyNetwork } from "./faults.ts";

/** Objects of a bucket by key. */
export type BucketObjects = Map<string, Uint8Array<ArrayBuffer>>;

/** Provides an in-memory object store to one Worker. */
export function createBucketBinding(objects: BucketObjects, faults: FaultyNetwork): R2Bucket {
  const through = <T>(act: () => T) => faults.call("r2", act);
  const toBytes = (value: ArrayBuffer | ArrayBufferView | undefined) => {
    if (!value) return new Uint8Array();
    return new Uint8Array(
      ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value,
    ).slice();
  };
  const putObject = (key: string, value: ArrayBuffer, options: { readonly sha256?: string } = {}) => {
    const bytes = toBytes(value);
    return through(() => {
      const hash = createHash("sha256").update(bytes).digest("hex");
      if (options.sha256 !== undefined && options.sha256 !== hash)
        throw new Error("put: the hash does not match (10037)");
      if (!objects.has(key)) objects.set(key, bytes);
      return {};
    });
  };
  const createMultipartUpload = (key: string) => {
    const parts = new Map<number, Uint8Array>();
    return through(() => ({
      uploadPart: (number: number, value: Uint8Array<ArrayBuffer> | undefined) => {
        const bytes = toBytes(value);
        return through(() => {
          parts.set(number, bytes);
          return { partNumber: number };
        });
      },
      complete: (expectedParts: readonly { readonly partNumber: number }[]) =>
        through(() => {
          const all = expectedParts.map(({ partNumber }) => parts.get(partNumber) ?? new Uint8Array());
          objects.set(key, new Uint8Array(Buffer.concat(all)));
          return {};
        }),
      abort: () => through(() => parts.clear()),
    }));
  };
  return {
    put: putObject,
    createMultipartUpload,
    get: (key: string) =>
      through(() => {
        const bytes = objects.get(key);
        return bytes ? { body: new Blob([bytes]).stream() } : null;
      }),
    head: (key: string) => through(() => (objects.has(key) ? { key } : null)),
    delete: (key: string) => through(() => void objects.delete(key)),
    list: ({ prefix }: { readonly prefix: string }) =>
      through(() => ({
        objects: [...objects.keys()]
          .filter((key) => key.startsWith(prefix))
          .sort()
          .map((key) => ({ key })),
      })),
  } as unknown as R2Bucket;
}
