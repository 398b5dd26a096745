import type { Client } from "../api/client.ts";
import { type CachedRow, type Database, type DeviceDatabase, isQuotaExceeded } from "./db.ts";
import { decryptWithSessionKey, encryptWithSessionKey } from "./session-encryption.ts";

/** A list as last returned by the server. */
export interface CachedList<T> {
  readonly data: T;
  readonly fetchedAt: number;
}

export async function findCachedList<T>(database: Database, key: string): Promise<CachedList<T> | undefined> {
  return decryptCachedList<T>(database, await database.use((db) => db.get("cache", key)));
}

/** Decrypts a cached list. Returns undefined if nothing is cached or the encryption key is gone. */
export async function decryptCachedList<T>(
  database: Database,
  cached: CachedRow | undefined,
): Promise<CachedList<T> | undefined> {
  const data = cached?.sealed && (await decryptWithSessionKey(database, cached.sealed));
  return cached && data !== undefined ? { data: data as T, fetchedAt: cached.fetched_at } : undefined;
}

/** Inputs for requesting a cached list again: database, client, clock and signed-in user. */
export interface CacheRefreshDeps {
  readonly database: Database;
  readonly client: Client;
  readonly now: () => number;
  /** The signed-in user, or undefined. */
  readonly username: () => string | undefined;
}

// Per database and list, the number of the latest answered request or local change.
const newest = new WeakMap<Database, Map<string, number>>();
let lastRequestNumber = 0;

const getLatestRequests = (database: Database): Map<string, number> => {
  const known = newest.get(database) ?? new Map<string, number>();
  newest.set(database, known);
  return known;
};

/** Invalidates a list that this device has changed, so that pending responses are ignored. */
export function ignorePendingListResponses(database: Database, key: string): void {
  getLatestRequests(database).set(key, ++lastRequestNumber);
}

/**
 * Requests a list, with its ETag if cached. Returns undefined if the server is unreachable or newer data arrived before
 * this response was stored. The cached list then remains.
 */
export async function refreshCachedList<T>(
  deps: CacheRefreshDeps,
  key: string,
  path: string,
): Promise<CachedList<T> | undefined> {
  const { database } = deps;
  const cached = await database.use((db) => db.get("cache", key));
  const question: CachedRequest = { key, path, sequenceNumber: ++lastRequestNumber };
  const response = await ask<T>(deps, question, cached);
  return isOutdated(database, question) ? undefined : response;
}

interface CachedRequest {
  readonly key: string;
  readonly path: string;
  /** Sequence number of the request. */
  readonly sequenceNumber: number;
}

const isOutdated = (database: Database, { key, sequenceNumber }: CachedRequest) =>
  (getLatestRequests(database).get(key) ?? 0) > sequenceNumber;

async function ask<T>(
  deps: CacheRefreshDeps,
  question: CachedRequest,
  cached?: CachedRow,
): Promise<CachedList<T> | undefined> {
  const { database, client, now, username } = deps;
  const { key, path, sequenceNumber } = question;
  const asker = username();
  const answer = await client.call<T>("GET", path, { etag: cached?.etag ?? undefined });
  // The user has signed out. Their data must not be stored on this device.
  if (asker === undefined || asker !== username()) return undefined;
  if (isOutdated(database, question)) return undefined;
  const fetchedAt = now();
  if (answer.kind === "unchanged" && cached) return renewFetchTime<T>(deps, question, cached);
  if (answer.kind !== "ok" || typeof answer.value !== "object") return undefined;
  getLatestRequests(database).set(key, sequenceNumber);
  const sealed = await encryptWithSessionKey(database, answer.value);
  if (sealed && asker === username()) await keep(database, { key, etag: answer.etag, fetched_at: fetchedAt, sealed });
  return { data: answer.value, fetchedAt };
}

/** Stores a list. If storage is full, the old list stays in storage, and the screen still shows the new one. */
async function keep(database: Database, response: CachedRow): Promise<void> {
  try {
    await database.use((db) => db.put("cache", response));
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
  }
}

/**
 * Decrypts the cached list only after a 304, so that slow devices don't decrypt it in vain if the server is
 * unreachable.
 */
async function renewFetchTime<T>(
  deps: CacheRefreshDeps,
  question: CachedRequest,
  cached: CachedRow,
): Promise<CachedList<T> | undefined> {
  const { database, now, username } = deps;
  const asker = username();
  const cachedList = await decryptCachedList<T>(database, cached);
  if (asker !== username()) return undefined;
  const fetched_at = now();
  if (cachedList) {
    await keep(database, { ...cached, fetched_at });
    return { data: cachedList.data, fetchedAt: fetched_at };
  }
  // The encryption key is gone, so request the full list again.
  await database.use((db) => db.delete("cache", cached.key));
  return ask<T>(deps, question);
}

/** Stores values that the user typed, encrypted like server data. Deletes them if undefined. */
export async function saveTypedValues(
  database: Database,
  key: string,
  typedValues: unknown,
  now: number,
): Promise<void> {
  const sealed = typedValues === undefined ? undefined : await encryptWithSessionKey(database, typedValues);
  await database.use(async (db) => {
    if (sealed) await db.put("cache", { key, etag: null, fetched_at: now, sealed });
    else await db.delete("cache", key);
  });
}

/** Whether a cached entry is about one booking or walk-in and was fetched before `oldest`. */
async function isOutdatedEntry(
  db: DeviceDatabase,
  key: string,
  kind: string | undefined,
  oldest: number,
): Promise<boolean> {
  if (kind !== "extras" && kind !== "work" && kind !== "walk-in") return false;
  return ((await db.get("cache", key))?.fetched_at ?? 0) < oldest;
}

/** Deletes cached days before `oldestKeptDate`, because they contain customers' personal data. */
export async function deleteCachedDaysBefore(database: Database, oldestKeptDate: string): Promise<void> {
  await database.use(async (db) => {
    for (const key of await db.getAllKeys("cache")) {
      const [kind, date = ""] = key.split("|");
      const isOld =
        kind === "day" || kind === "transfers"
          ? date < oldestKeptDate
          : await isOutdatedEntry(db, key, kind, Date.parse(oldestKeptDate));
      if (isOld) await db.delete("cache", key);
    }
  });
}
