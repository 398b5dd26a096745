import { type Database, isQuotaExceeded } from "./db.ts";

const MEGABYTE = 1024 * 1024;
const WARN_BELOW = 200 * MEGABYTE;
const STOP_BELOW = 50 * MEGABYTE;

export interface StorageSpace {
  readonly freeBytes: number;
  readonly usedBytes: number;
  /** The system has promised not to clear it by itself. */
  readonly isPersistent: boolean;
  /** `scarce`: a warning. `full`: no more photos; fields are still kept. */
  readonly state: "enough" | "scarce" | "full";
}

/** Asks the system to keep the app's data; it may refuse. */
export async function openStorage(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}

// Makes room for work by forgetting the fleet and extras, which the server can tell again, and pictures that have
// arrived.
async function freeStorage(database: Database): Promise<void> {
  await database.use(async (db) => {
    for (const key of await db.getAllKeys("cache")) if (/^(fleet|extras)\|/.test(key)) await db.delete("cache", key);
  });
  await deleteUploadedFiles(database);
}

async function deleteUploadedFiles(database: Database): Promise<void> {
  await database.use(async (db) => {
    for (const file of await db.getAll("files")) if (file.arrived) await db.delete("contents", file.key);
  });
}

/** Whether a photo can be kept, in the place of pictures that have arrived where the phone is too full for it. */
export async function hasSpaceForPhoto(database: Database): Promise<boolean> {
  if ((await checkStorage(database)).state !== "full") return true;
  await deleteUploadedFiles(database);
  return (await checkStorage(database)).state !== "full";
}

/** Writes once more with less on the phone, where it is too full. */
export async function retryWithLessData<T>(database: Database, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    await freeStorage(database);
    return write();
  }
}

/** Looked at before each photo: a shot that cannot be kept must not be taken. */
export async function checkStorage(database: Database): Promise<StorageSpace> {
  const isFull = !(await canWrite(database));
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const isPersistent = (await navigator.storage?.persisted?.()) ?? false;
  const freeBytes = quota - usage;
  return { freeBytes, usedBytes: usage, isPersistent, state: isFull ? "full" : classifyFreeSpace(freeBytes) };
}

/** As large as a photo that is kept. */
const PROBE_BYTES = 512 * 1024;

// What browsers estimate may be far from what the disk takes: only a write says.
async function canWrite(database: Database): Promise<boolean> {
  const key = "probe";
  try {
    await database.write(["contents"], (transaction) =>
      transaction.objectStore("contents").put({ key, bytes: new ArrayBuffer(PROBE_BYTES) }),
    );
    return true;
  } catch (error) {
    if (isQuotaExceeded(error)) return false;
    throw error;
  } finally {
    await database.use((db) => db.delete("contents", key)).catch(() => undefined);
  }
}

export function classifyFreeSpace(freeBytes: number): StorageSpace["state"] {
  if (freeBytes < STOP_BELOW) return "full";
  return freeBytes < WARN_BELOW ? "scarce" : "enough";
}
