import { toHex } from "#worker/auth/bytes.ts";

/** Returns the SHA-256 of the content in hex, independent of the order of members. */
export async function fingerprint(content: unknown): Promise<string> {
  const text = JSON.stringify(content, (_, value: unknown) => (isPlainObject(value) ? sortedByName(value) : value));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortedByName(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
