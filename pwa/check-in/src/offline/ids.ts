import { toHex } from "#domain/bytes.ts";

/** Creates a lower-case UUID v7. It starts with the time, so that ids sort by time. */
export function createUuidV7(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const moment = BigInt(now);
  for (let index = 0; index < 6; index++) bytes[index] = Number((moment >> BigInt(8 * (5 - index))) & 0xffn);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the SHA-256 of a file, which is the file's name. */
export async function hashSha256(bytes: ArrayBuffer): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
