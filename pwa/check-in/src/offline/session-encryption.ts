import type { Database } from "./db.ts";
import type { EncryptedData } from "./items.ts";
import { readDeviceState, saveDeviceState } from "./stored-metadata.ts";

const CIPHER = "AES-GCM";
const IV_BYTES = 12;

/**
 * Creates a session key to encrypt server data. Scripts can't read it. Its deletion at the end of the session makes the
 * encrypted data unreadable.
 */
export async function createSessionEncryptionKey(database: Database): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, ["encrypt", "decrypt"]);
  await saveDeviceState(database, "key", key);
  database.key = key;
}

/** Deletes the key, so that data encrypted with it is unreadable. */
export function deleteSessionEncryptionKey(database: Database): Promise<void> {
  database.key = undefined;
  return saveDeviceState(database, "key", undefined);
}

async function loadSealKey(database: Database): Promise<CryptoKey | undefined> {
  database.key ??= await readDeviceState(database, "key");
  return database.key;
}

/** Encrypts a value. Returns undefined if there's no key, and then nothing may be stored. */
export async function encryptWithSessionKey(database: Database, value: unknown): Promise<EncryptedData | undefined> {
  const key = await loadSealKey(database);
  if (!key) return undefined;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder().encode(JSON.stringify(value));
  return { iv, bytes: await crypto.subtle.encrypt({ name: CIPHER, iv }, key, text) };
}

/** Decrypts a value. Returns undefined if its key is gone. */
export async function decryptWithSessionKey(database: Database, { iv, bytes }: EncryptedData): Promise<unknown> {
  const key = await loadSealKey(database);
  if (!key) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: CIPHER, iv }, key, bytes)));
  } catch {
    return undefined;
  }
}
