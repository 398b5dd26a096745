// Bloom filter as text. Each letter has six bits, so that bits can be read without unpacking.

export const FILTER_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HASHES = 11;

/** Normalizes a password for comparison with breached ones. Ignores case. */
export function normalizeForFilter(password: string): string {
  return password.normalize("NFKC").toLowerCase();
}

/** Returns the filter bits of a password, for a filter of this size. */
export function getPasswordBitPositions(password: string, filterSizeBits: number): readonly number[] {
  const first = fnv(password, 2_166_136_261);
  const second = fnv(password, 3_735_928_559) | 1;
  return Array.from({ length: HASHES }, (_, index) => ((first + Math.imul(index, second)) >>> 0) % filterSizeBits);
}

/** Whether a filter contains a password. Has a small rate of false positives. */
export function isInPasswordFilter(filter: string, password: string): boolean {
  return getPasswordBitPositions(normalizeForFilter(password), filter.length * 6).every((bit) => {
    const value = FILTER_ALPHABET.indexOf(filter.charAt(Math.floor(bit / 6)));
    return ((value >> (bit % 6)) & 1) === 1;
  });
}

function fnv(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2_246_822_519);
  return (hash ^ (hash >>> 13)) >>> 0;
}
