import type { Database } from "./db.ts";
import { type KeptPin, recall, remember } from "./meta.ts";

const ROUNDS = 200_000;
const MOST_WRONG = 5;

export const isPin = (text: string): boolean => /^\d{4,12}$/.test(text);

/** Keeps what a PIN can be recognised by, not the PIN. */
export async function savePin(database: Database, author: string, pin: string): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  await remember(database, "pin", { author, salt, hash: await hashOf(pin, salt), wrong: 0 });
}

/** The PIN of who is signed in; one of somebody else is none. */
export async function findPin(database: Database, author: string | undefined): Promise<KeptPin | undefined> {
  const kept = await recall(database, "pin");
  return kept?.author === author ? kept : undefined;
}

/** `over`: too often wrong, whoever started the app in between. A try counts before it is looked at. */
export async function tryPin(database: Database, author: string, pin: string): Promise<"right" | "wrong" | "over"> {
  const kept = await findPin(database, author);
  if (!kept || kept.wrong >= MOST_WRONG) return "over";
  const wrong = kept.wrong + 1;
  await remember(database, "pin", { ...kept, wrong });
  if ((await hashOf(pin, kept.salt)) !== kept.hash) return wrong >= MOST_WRONG ? "over" : "wrong";
  await remember(database, "pin", { ...kept, wrong: 0 });
  return "right";
}

async function hashOf(pin: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(pin), "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS }, key, 256);
  return Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
