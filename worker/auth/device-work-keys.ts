import { decodeBase64 } from "./bytes.ts";

const KEY_BITS = 256;
const encoder = new TextEncoder();

/**
 * Derives the key that encrypts a user's pending work on devices, 32 bytes in base64. Uses HKDF with the account's
 * secret and the user's id. Stays the same after password, name and session changes, and doesn't reveal other users'
 * keys.
 */
export async function deriveDeviceWorkKey(secret: string, userId: number): Promise<string> {
  const material = await crypto.subtle.importKey("raw", decodeBase64(secret), "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(`work-seal/${userId}`);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, KEY_BITS));
  return btoa(String.fromCharCode(...bytes));
}

/** Creates an account's secret for `deriveDeviceWorkKey`: 32 random bytes in base64. */
export function createDeviceWorkSecret(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}
