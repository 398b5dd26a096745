import { hashBytesSha256 } from "./hash-bytes.ts";

/** Returns the SHA-256 of the content in hex, independent of the order of members. */
export async function computeFingerprint(content: unknown): Promise<string> {
  const text = JSON.stringify(content, (_, value: unknown) => (isPlainObject(value) ? sortedByName(value) : value));
  return hashBytesSha256(new TextEncoder().encode(text));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortedByName(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
