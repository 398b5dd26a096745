import type { EncryptionKeysRequest } from "#worker/api/check-in/operation-messages.ts";
import type { Client } from "../api/client.ts";
import type { Database } from "./db.ts";
import { saveDeviceState } from "./stored-metadata.ts";
import type { SealedWork, WorkKeySet } from "./work-keys.ts";

const CIPHER = "AES-GCM";
const IV_BYTES = 12;

interface Seals {
  readonly own: number;
  readonly data: readonly { readonly seal: number; readonly key: string }[];
}

/**
 * Fetches the encryption keys. Returns false if the server is unreachable. Work is stored unencrypted until they're
 * fetched.
 */
export async function fetchEncryptionKeys(
  database: Database,
  client: Client,
  author: string,
  seals: readonly number[],
): Promise<boolean> {
  const answer = await client.call<Seals, EncryptionKeysRequest>("POST", "/api/v1/booking/check-in-seals", {
    json: { seals },
  });
  if (answer.kind !== "ok" || !Array.isArray(answer.value?.data)) return false;
  const { own, data } = answer.value;
  const keys = new Map<number, CryptoKey>();
  for (const { seal, key } of data) keys.set(seal, await imported(key));
  database.ring = { author, own, keys };
  await saveDeviceState(database, "ring", database.ring);
  return true;
}

/** Loads the stored keys if they belong to the current session. */
export function loadEncryptionKeys(
  database: Database,
  author: string | undefined,
  storedKeys: WorkKeySet | undefined,
): void {
  if (storedKeys && storedKeys.author === author) database.ring = storedKeys;
}

/**
 * Deletes the stored keys. With `inMemory` false, the page keeps using the loaded ones, so that open work can be
 * finished.
 */
export async function deleteEncryptionKeys(
  database: Database,
  { inMemory }: { readonly inMemory: boolean },
): Promise<void> {
  if (inMemory) database.ring = undefined;
  await saveDeviceState(database, "ring", undefined);
}

function imported(key: string): Promise<CryptoKey> {
  const raw = Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0));
  return crypto.subtle.importKey("raw", raw, CIPHER, false, ["encrypt", "decrypt"]);
}

/** User who owns work, known by their user name or by the number of their encryption key. */
export interface WorkOwner {
  readonly author: string;
  readonly seal?: number | undefined;
}

interface OwnedRecord {
  readonly author: string;
  readonly sealed?: { readonly by: number };
}

/** Whether work belongs to a user, under any of their user names. */
export const isOwnedBy = (work: OwnedRecord, { author, seal }: WorkOwner): boolean =>
  work.author === author || (seal !== undefined && work.sealed?.by === seal);

/** Encrypts bytes for the author of the work. Returns undefined if their key isn't available. */
export async function encryptBytes(
  { ring }: Database,
  { author, seal }: WorkOwner,
  bytes: BufferSource,
): Promise<SealedWork | undefined> {
  const by = seal ?? (author === ring?.author ? ring.own : undefined);
  const key = by === undefined ? undefined : ring?.keys.get(by);
  if (by === undefined || !key) return undefined;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return { by, iv, bytes: await crypto.subtle.encrypt({ name: CIPHER, iv }, key, bytes) };
}

/** Decrypts bytes. Returns undefined if the key isn't available. */
export async function decryptBytes(
  { ring }: Database,
  { by, iv, bytes }: SealedWork,
): Promise<ArrayBuffer | undefined> {
  const key = ring?.keys.get(by);
  if (!key) return undefined;
  try {
    return await crypto.subtle.decrypt({ name: CIPHER, iv }, key, bytes);
  } catch {
    return undefined;
  }
}

export const encryptValue = (database: Database, owner: WorkOwner, value: unknown): Promise<SealedWork | undefined> =>
  encryptBytes(database, owner, new TextEncoder().encode(JSON.stringify(value)));

export async function decryptValue<T>(database: Database, sealed: SealedWork): Promise<T | undefined> {
  const bytes = await decryptBytes(database, sealed);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T);
}
