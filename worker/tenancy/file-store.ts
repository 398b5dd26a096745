/** The object store did not answer, or could not do what it was asked: worth trying again. */
export class FileStoreUnavailable extends Error {
  override readonly name = "FileStoreUnavailable";
}

async function wrapStoreErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new FileStoreUnavailable("the object store failed", { cause });
  }
}

/** This account's objects by their path; nobody else's can be named. */
export interface FileStore {
  /**
   * Creates the object, once: the same path again keeps what is there. `sha256` in hex is checked by the store itself.
   */
  put(
    path: string,
    bytes: ArrayBuffer | ArrayBufferView,
    about: { readonly sha256: string; readonly contentType: string },
  ): Promise<void>;
  has(path: string): Promise<boolean>;
  /** Writes an object of whatever length, part by part; one that breaks off leaves nothing. */
  putStream(path: string, stream: ReadableStream<Uint8Array>, contentType: string): Promise<void>;
  get(path: string): Promise<ReadableStream | undefined>;
  /** Again is the same. */
  delete(path: string): Promise<void>;
  /** The paths that begin so, in their order. */
  list(start: string): Promise<readonly string[]>;
}

/** The objects of one account in the bucket of all. */
export function openFiles(bucket: R2Bucket, account: string): FileStore {
  return openObjects(bucket, (path) => `t/${account}/${path}`);
}

/**
 * An account's copies in the bucket of copies: what kind they are comes first in their names, so that a rule of the
 * bucket about old rows can reach no photo.
 */
export interface BackupBucket {
  readonly rows: FileStore;
  readonly photos: FileStore;
  /** What travels, once a week, as `npm run import` takes it in. */
  readonly exports: FileStore;
  /** Whose data was erased, by their ids: what a restored copy has to erase again. */
  readonly erasures: FileStore;
  /** The same of an account whose backup this one was restored from. */
  erasuresOf(account: string): FileStore;
}

export function openBackupBucket(bucket: R2Bucket, account: string): BackupBucket {
  return {
    rows: openObjects(bucket, (path) => `rows/${account}/${path}`),
    photos: openObjects(bucket, (path) => `photos/${account}/${path}`),
    exports: openObjects(bucket, (path) => `exports/${account}/${path}`),
    erasures: openErasures(bucket, account),
    erasuresOf: (origin) => openErasures(bucket, origin),
  };
}

function openErasures(bucket: R2Bucket, account: string): FileStore {
  return openObjects(bucket, (path) => `erasures/${account}/${path}`);
}

function openObjects(bucket: R2Bucket, toObjectKey: (path: string) => string): FileStore {
  return {
    put: async (path, bytes, { sha256, contentType }) => {
      const options = { sha256, httpMetadata: { contentType }, onlyIf: { etagDoesNotMatch: "*" } };
      await wrapStoreErrors(bucket.put(toObjectKey(path), bytes, options));
    },
    putStream: async (path, stream, contentType) => {
      await uploadInParts(bucket, toObjectKey(path), stream, contentType);
    },
    has: async (path) => (await wrapStoreErrors(bucket.head(toObjectKey(path)))) !== null,
    get: async (path) => (await wrapStoreErrors(bucket.get(toObjectKey(path))))?.body,
    delete: (path) => wrapStoreErrors(bucket.delete(toObjectKey(path))),
    list: async (start) => {
      const paths: string[] = [];
      let page = await bucket.list({ prefix: toObjectKey(start) });
      for (;;) {
        paths.push(...page.objects.map(({ key }) => key.slice(toObjectKey("").length)));
        if (!page.truncated) return paths;
        page = await bucket.list({ prefix: toObjectKey(start), cursor: page.cursor });
      }
    },
  };
}

// All parts but the last are of one length, at least 5 MiB.
const PART_BYTES = 8 * 1024 * 1024;

async function uploadInParts(
  bucket: R2Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<void> {
  const upload = await bucket.createMultipartUpload(key, { httpMetadata: { contentType } });
  const parts: R2UploadedPart[] = [];
  try {
    let part: Uint8Array | undefined;
    let filled = 0;
    for await (const chunk of stream) {
      for (let consumedBytes = 0; consumedBytes < chunk.length; ) {
        const some = chunk.subarray(consumedBytes, consumedBytes + PART_BYTES - filled);
        part ??= new Uint8Array(PART_BYTES);
        part.set(some, filled);
        filled += some.length;
        consumedBytes += some.length;
        if (filled < PART_BYTES) continue;
        parts.push(await upload.uploadPart(parts.length + 1, part));
        part = undefined;
        filled = 0;
      }
    }
    if (filled > 0 || parts.length === 0) {
      parts.push(await upload.uploadPart(parts.length + 1, part?.subarray(0, filled) ?? new Uint8Array()));
    }
    await upload.complete(parts);
  } catch (error) {
    await upload.abort();
    throw error;
  }
}
