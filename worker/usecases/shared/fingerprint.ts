import { toHex } from "#worker/auth/bytes.ts";

/** The same text for the same content, whatever the order of its members: SHA-256 in hex. */
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
