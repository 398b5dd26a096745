import type { Client } from "../api/client.ts";
import { type Cached, type Database, type Db, isQuotaExceeded } from "./db.ts";
import { seal, unseal } from "./seal.ts";

/** A list as it was when the server last told it. */
export interface CachedList<T> {
  readonly data: T;
  readonly fetchedAt: number;
}

export async function findCachedList<T>(database: Database, key: string): Promise<CachedList<T> | undefined> {
  return decryptCachedList<T>(database, await database.use((db) => db.get("cache", key)));
}

/** Undefined where there is none, or the key that it was sealed with is gone. */
export async function decryptCachedList<T>(
  database: Database,
  cached: Cached | undefined,
): Promise<CachedList<T> | undefined> {
  const data = cached?.sealed && (await unseal(database, cached.sealed));
  return cached && data !== undefined ? { data: data as T, fetchedAt: cached.fetched_at } : undefined;
}

export interface Renewing {
  readonly database: Database;
  readonly client: Client;
  readonly now: () => number;
  /** Who is signed in; undefined: nobody. */
  readonly owner: () => string | undefined;
}

// Of each phone's lists which question was answered last, or that one has changed since: in the order of asking.
const newest = new WeakMap<Database, Map<string, number>>();
let lastRequestNumber = 0;

const getLatestRequests = (database: Database): Map<string, number> => {
  const known = newest.get(database) ?? new Map<string, number>();
  newest.set(database, known);
  return known;
};

/** This phone has changed what a list tells: an answer that is on its way is of before. */
export function invalidateList(database: Database, key: string): void {
  getLatestRequests(database).set(key, ++lastRequestNumber);
}

/**
 * Asks the server for a list, by its ETag where one is kept. Undefined: it could not be asked, or something newer
 * is known by the time that its answer is opened and kept; what is kept stays.
 */
export async function renew<T>(deps: Renewing, key: string, path: string): Promise<CachedList<T> | undefined> {
  const { database } = deps;
  const cached = await database.use((db) => db.get("cache", key));
  const question: Question = { key, path, asked: ++lastRequestNumber };
  const response = await ask<T>(deps, question, cached);
  return isOutdated(database, question) ? undefined : response;
}

interface Question {
  readonly key: string;
  readonly path: string;
  /** Its place in the order of asking. */
  readonly asked: number;
}

const isOutdated = (database: Database, { key, asked }: Question) =>
  (getLatestRequests(database).get(key) ?? 0) > asked;

async function ask<T>(deps: Renewing, question: Question, cached?: Cached): Promise<CachedList<T> | undefined> {
  const { database, client, now, owner } = deps;
  const { key, path, asked } = question;
  const asker = owner();
  const answer = await client.call<T>("GET", path, { etag: cached?.etag ?? undefined });
  // Whoever asked has left: what was told to them is nothing for this phone any more.
  if (asker === undefined || asker !== owner()) return undefined;
  if (isOutdated(database, question)) return undefined;
  const fetchedAt = now();
  if (answer.kind === "unchanged" && cached) return unchanged<T>(deps, question, cached);
  if (answer.kind !== "ok" || typeof answer.value !== "object") return undefined;
  getLatestRequests(database).set(key, asked);
  const sealed = await seal(database, answer.value);
  if (sealed && asker === owner()) await keep(database, { key, etag: answer.etag, fetched_at: fetchedAt, sealed });
  return { data: answer.value, fetchedAt };
}

/** What a phone has no room for is shown all the same: it goes on keeping what it could. */
async function keep(database: Database, response: Cached): Promise<void> {
  try {
    await database.use((db) => db.put("cache", response));
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
  }
}

/** Only now it is opened: a server that cannot be asked costs a slow phone nothing. */
async function unchanged<T>(deps: Renewing, question: Question, cached: Cached): Promise<CachedList<T> | undefined> {
  const { database, now, owner } = deps;
  const asker = owner();
  const cachedList = await decryptCachedList<T>(database, cached);
  if (asker !== owner()) return undefined;
  const fetched_at = now();
  if (cachedList) {
    await keep(database, { ...cached, fetched_at });
    return { data: cachedList.data, fetchedAt: fetched_at };
  }
  // Sealed with a key that is gone: told anew.
  await database.use((db) => db.delete("cache", cached.key));
  return ask<T>(deps, question);
}

/** Keeps what was typed on this phone, sealed as what the server told is; undefined: it is kept no more. */
export async function keepTyped(database: Database, key: string, typed: unknown, now: number): Promise<void> {
  const sealed = typed === undefined ? undefined : await seal(database, typed);
  await database.use(async (db) => {
    if (sealed) await db.put("cache", { key, etag: null, fetched_at: now, sealed });
    else await db.delete("cache", key);
  });
}

/** What was told of single bookings, or typed for one, goes by its age. */
async function isOutdatedEntry(db: Db, key: string, kind: string | undefined, oldest: number): Promise<boolean> {
  if (kind !== "extras" && kind !== "work" && kind !== "walk-in") return false;
  return ((await db.get("cache", key))?.fetched_at ?? 0) < oldest;
}

/** Days before `oldest` are of no use any more: they hold what people told the company about themselves. */
export async function deleteOldDays(database: Database, oldest: string): Promise<void> {
  await database.use(async (db) => {
    for (const key of await db.getAllKeys("cache")) {
      const [kind, date = ""] = key.split("|");
      const isOld =
        kind === "day" || kind === "transfers"
          ? date < oldest
          : await isOutdatedEntry(db, key, kind, Date.parse(oldest));
      if (isOld) await db.delete("cache", key);
    }
  });
}
