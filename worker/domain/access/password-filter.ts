// Filter as text: sorted hashes of passwords, each as its difference from the one before. Two letters are a digit.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Largest digit. It means that the difference continues in the next digit, which is added to it. */
const MAX_DIGIT = ALPHABET.length ** 2 - 1;
/** Bits of a hash. One in two thousand other passwords has a hash in a filter of 8,000 passwords. */
const HASH_BITS = 24;

// Values of the letters by character code. An array is fast enough for the thousands of letters of a check.
const LETTER_VALUES = new Uint8Array(128);
for (const [value, letter] of [...ALPHABET].entries()) LETTER_VALUES[letter.charCodeAt(0)] = value;

/** Normalizes a password for comparison with breached ones. Ignores case. */
export function normalizeForFilter(password: string): string {
  return password.normalize("NFKC").toLowerCase();
}

/** Creates the filter of passwords. */
export function createPasswordFilter(passwords: readonly string[]): string {
  let previous = 0;
  const digits = [...new Set(passwords.map(hashPassword))]
    .sort((hash, other) => hash - other)
    .flatMap((hash) => {
      const difference = hash - previous;
      previous = hash;
      const fullDigits = Array.from({ length: Math.floor(difference / MAX_DIGIT) }, () => MAX_DIGIT);
      return [...fullDigits, difference % MAX_DIGIT];
    });
  const toLetters = (digit: number) =>
    ALPHABET.charAt(Math.floor(digit / ALPHABET.length)) + ALPHABET.charAt(digit % ALPHABET.length);
  return digits.map(toLetters).join("");
}

/** Whether a filter contains a password. Has a small rate of false positives. */
export function isInPasswordFilter(filter: string, password: string): boolean {
  const searched = hashPassword(password);
  let hash = 0;
  for (let at = 0; at < filter.length && hash <= searched; at += 2) {
    const digit = readLetterValue(filter, at) * ALPHABET.length + readLetterValue(filter, at + 1);
    hash += digit;
    if (digit < MAX_DIGIT && hash === searched) return true;
  }
  return false;
}

function readLetterValue(filter: string, at: number): number {
  return LETTER_VALUES[filter.charCodeAt(at)] ?? 0;
}

// FNV-1a with mixed bits.
function hashPassword(password: string): number {
  const text = normalizeForFilter(password);
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2_246_822_519);
  return ((hash ^ (hash >>> 13)) >>> 0) >>> (32 - HASH_BITS);
}
