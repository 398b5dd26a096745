import { yieldDuringLargeFile } from "./pause.ts";

/** The object store didn't answer or failed. The operation can be retried. */
export class FileStoreUnavailableError extends Error {
  override readonly name = "FileStoreUnavailable";
}

async function wrapStoreErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new FileStoreUnavailableError("object store", { cause });
  }
}

/** Objects of this account by path. Other accounts' objects can't be addressed. */
export interface FileStore {
  /**
   * Creates the object once. Returns false for an existing object, which stays unchanged. The store verifies `sha256`
   * (hex).
   */
  put(
    path: string,
    bytes: ArrayBuffer | ArrayBufferView,
    about: { readonly sha256: string; readonly contentType: string },
  ): Promise<boolean>;
  has(path: string): Promise<boolean>;
  /** Writes an object of any length in parts. An aborted upload leaves nothing. */
  putStream(path: string, stream: ReadableStream<Uint8Array>, contentType: string): Promise<void>;
  get(path: string): Promise<ReadableStream | undefined>;
  /** Opens an object with its content type. */
  open(path: string): Promise<Pick<R2ObjectBody, "arrayBuffer" | "body" | "httpMetadata"> | null>;
  /** Deletes the objects that exist, at most a thousand. */
  delete(paths: string | readonly string[]): Promise<void>;
  /** Lists the paths with this prefix, in order. */
  list(start: string): Promise<readonly string[]>;
  /** Lists the objects after a path, in order, at most a thousand. */
  listPage(after: string): Promise<StoredFilePage>;
}

/** Page of the objects of an account. */
export interface StoredFilePage {
  readonly files: readonly { readonly path: string; readonly uploadedAt: number }[];
  readonly hasMore: boolean;
}

/** Opens the objects of one account in the shared bucket. */
export function openAccountFiles(bucket: R2Bucket, account: string): FileStore {
  return openObjects(bucket, (path) => `t/${account}/${path}`);
}

/**
 * Backups of an account in the backup bucket. Object names start with their kind, so that a lifecycle rule for old rows
 * can't reach photos.
 */
export interface BackupBucket {
  readonly rows: FileStore;
  readonly photos: FileStore;
  /** Weekly exports in the format of `npm run import`. */
  readonly exports: FileStore;
  /** Ids of erased persons, to erase again after a restore. */
  readonly erasures: FileStore;
  /** Erasures of the account that provided this account's restored backup. */
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
  const toPath = (key: string) => key.slice(toObjectKey("").length);
  const open: FileStore["open"] = (path) => wrapStoreErrors(bucket.get(toObjectKey(path)));
  return {
    put: async (path, bytes, { sha256, contentType }) => {
      const options = { sha256, httpMetadata: { contentType }, onlyIf: { etagDoesNotMatch: "*" } };
      return (await wrapStoreErrors(putObject(bucket, toObjectKey(path), bytes, options))) !== null;
    },
    putStream: (path, stream, contentType) => uploadInParts(bucket, toObjectKey(path), stream, contentType),
    has: async (path) => (await wrapStoreErrors(bucket.head(toObjectKey(path)))) !== null,
    open,
    get: async (path) => (await open(path))?.body,
    delete: (paths) => wrapStoreErrors(bucket.delete([paths].flat().map(toObjectKey))),
    list: async (start) => {
      const paths: string[] = [];
      let page: R2Objects | undefined;
      do {
        // A page can be empty although more follow, so the last path isn't enough to continue.
        page = await bucket.list({ prefix: toObjectKey(start), ...(page?.truncated && { cursor: page.cursor }) });
        paths.push(...page.objects.map(({ key }) => toPath(key)));
      } while (page.truncated);
      return paths;
    },
    listPage: async (after) => {
      const page = await bucket.list({ prefix: toObjectKey(""), startAfter: toObjectKey(after) });
      return {
        files: page.objects.map(({ key, uploaded }) => ({ path: toPath(key), uploadedAt: +uploaded })),
        hasMore: page.truncated,
      };
    },
  };
}

/** Longer objects are sent in pieces, because ten megabytes block the thread of a local store for 80 ms. */
const MAX_BYTES_SENT_AT_ONCE = 1_000_000;
const PIECE_BYTES = 128 * 1024;

async function putObject(
  bucket: R2Bucket,
  key: string,
  bytes: ArrayBuffer | ArrayBufferView,
  options: R2PutOptions & { readonly onlyIf: R2Conditional },
): Promise<R2Object | null> {
  if (bytes.byteLength <= MAX_BYTES_SENT_AT_ONCE) return bucket.put(key, bytes, options);
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const writer = writable.getWriter();
  const upload = sendInPieces(writer, bytes);
  // The bucket doesn't read the bytes if the object already exists, so sending the pieces may fail.
  upload.catch(() => undefined);
  try {
    return await bucket.put(key, readable, options);
  } finally {
    void writer.abort().catch(() => undefined);
  }
}

async function sendInPieces(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  bytes: ArrayBuffer | ArrayBufferView,
): Promise<void> {
  const all = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  for (let at = 0; at < all.length; at += PIECE_BYTES) {
    await writer.write(all.subarray(at, at + PIECE_BYTES));
    await yieldDuringLargeFile();
  }
  await writer.close();
}

// All parts except the last have the same length, at least 5 MiB.
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
