import { toHex } from "#worker/auth/bytes.ts";

/** An id that nobody can guess: 128 random bits in 32 hex digits, the form existing clients know. */
export function newFreeAccessId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
