import { fromBase64 } from "./bytes.ts";

const KEY_BITS = 256;
const encoder = new TextEncoder();

/**
 * The key that a user's waiting work is sealed with on phones, 32 bytes in base64: by HKDF from the account's secret
 * and the user's number, so that it outlives passwords, names and sessions, and tells nothing about another's.
 */
export async function workSealKey(secret: string, userId: number): Promise<string> {
  const material = await crypto.subtle.importKey("raw", fromBase64(secret), "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(`work-seal/${userId}`);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, KEY_BITS));
  return btoa(String.fromCharCode(...bytes));
}

/** A new secret of an account for `workSealKey`: 32 random bytes in base64. */
export function newSealSecret(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}
