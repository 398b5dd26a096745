import { type Database, isQuotaExceeded } from "./db.ts";

const MEGABYTE = 1024 * 1024;
const WARN_BELOW = 200 * MEGABYTE;
const STOP_BELOW = 50 * MEGABYTE;

export interface DeviceStorageSpace {
  readonly freeBytes: number;
  readonly usedBytes: number;
  /** Whether the system promised not to clear the data automatically. */
  readonly isPersistent: boolean;
  /** `scarce`: show a warning. `full`: no more photos, but fields are still saved. */
  readonly state: "enough" | "scarce" | "full";
}

/** Requests persistent storage from the system, which may refuse. */
export async function requestPersistentStorage(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}

// Frees storage by deleting fleet and extras, which can be fetched again, and uploaded pictures.
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

/** Whether a photo can be stored, if necessary after deleting uploaded pictures. */
export async function hasSpaceForPhoto(database: Database): Promise<boolean> {
  if ((await readStorageSpace(database)).state !== "full") return true;
  await deleteUploadedFiles(database);
  return (await readStorageSpace(database)).state !== "full";
}

/** Frees storage and retries a write if storage is full. */
export async function retryAfterFreeingStorage<T>(database: Database, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    await freeStorage(database);
    return write();
  }
}

/** Checks the storage before each photo, so that no photo is taken that can't be saved. */
export async function readStorageSpace(database: Database): Promise<DeviceStorageSpace> {
  const isFull = !(await canWrite(database));
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const isPersistent = (await navigator.storage?.persisted?.()) ?? false;
  const freeBytes = quota - usage;
  return { freeBytes, usedBytes: usage, isPersistent, state: isFull ? "full" : classifyFreeSpace(freeBytes) };
}

/** Size of a stored photo. */
const PROBE_BYTES = 512 * 1024;

// Whether a photo can be stored. Browser estimates are unreliable, so this writes a test entry.
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

function classifyFreeSpace(freeBytes: number): DeviceStorageSpace["state"] {
  if (freeBytes < STOP_BELOW) return "full";
  return freeBytes < WARN_BELOW ? "scarce" : "enough";
}
