import { toHex } from "#domain/bytes.ts";
import type { Database } from "./db.ts";
import { readDeviceState, type StoredPin, saveDeviceState } from "./stored-metadata.ts";

const ROUNDS = 200_000;
const MAX_WRONG_ATTEMPTS = 5;

export const isPin = (text: string): boolean => /^\d{4,12}$/.test(text);

/** Stores data to verify a PIN, not the PIN itself. */
export async function savePin(database: Database, author: string, pin: string): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  await saveDeviceState(database, "pin", { author, salt, hash: await hashPin(pin, salt), wrong: 0 });
}

/** Returns the PIN data of the signed-in user, ignoring those of other users. */
export async function findPin(database: Database, author: string | undefined): Promise<StoredPin | undefined> {
  const storedPin = await readDeviceState(database, "pin");
  return storedPin?.author === author ? storedPin : undefined;
}

/**
 * Checks a PIN. Returns `over` after too many wrong attempts, even across restarts. An attempt counts before it's
 * checked.
 */
export async function verifyPin(database: Database, author: string, pin: string): Promise<"right" | "wrong" | "over"> {
  const storedPin = await findPin(database, author);
  if (!storedPin || storedPin.wrong >= MAX_WRONG_ATTEMPTS) return "over";
  const wrongAttempts = storedPin.wrong + 1;
  await saveDeviceState(database, "pin", { ...storedPin, wrong: wrongAttempts });
  if ((await hashPin(pin, storedPin.salt)) !== storedPin.hash)
    return wrongAttempts >= MAX_WRONG_ATTEMPTS ? "over" : "wrong";
  await saveDeviceState(database, "pin", { ...storedPin, wrong: 0 });
  return "right";
}

async function hashPin(pin: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(pin), "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS }, key, 256);
  return toHex(new Uint8Array(bits));
}
