import { toHex } from "#domain/bytes.ts";

/** Returns an unguessable id: 128 random bits as 32 hex digits, the format that existing clients expect. */
export function createFreeAccessId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
