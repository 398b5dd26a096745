import { toHex } from "#domain/bytes.ts";

/** Returns the SHA-256 of bytes in hex. */
export async function hashBytesSha256(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
