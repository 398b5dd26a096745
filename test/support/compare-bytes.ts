import { expect } from "vitest";

// Vitest compares bytes one by one as properties of objects, which takes seconds for a photo.

function hasSameBytes(one: unknown, other: unknown): boolean | undefined {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined;
  if (one.constructor !== other.constructor) return undefined;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

// Test files of a process share it.
const shared = globalThis as { areBytesCompared?: true };
if (!shared.areBytesCompared) {
  expect.addEqualityTesters([hasSameBytes]);
  shared.areBytesCompared = true;
}
