import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { FILTER_ALPHABET, getPasswordBitPositions, normalizeForFilter } from "#domain/access/password-filter.ts";
import { MIN_PASSWORD_LENGTH } from "#domain/access/password-length.ts";
import { PROJECT_ROOT } from "./processes.ts";

const FILE = "worker/domain/access/breached-passwords.ts";
/** Filter bits per password. About one in two thousand safe passwords is wrongly rejected. */
const BITS_EACH = 16;

/** Number of most common passwords. Each adds two bytes to the Worker. */
const MAX_PASSWORDS = 8000;

/** Returns breached passwords that satisfy the minimum length, most common first. */
export function listBreachedPasswords(): readonly string[] {
  const list = dictionary["passwords-common"] as readonly string[];
  const long = list.map(normalizeForFilter).filter((password) => [...password].length >= MIN_PASSWORD_LENGTH);
  return [...new Set(long)].slice(0, MAX_PASSWORDS);
}

/** Returns the source of breached-passwords.ts: a filter that contains the breached passwords only as bits. */
export function formatPasswordFilterModule(): string {
  const passwords = listBreachedPasswords();
  const size = Math.ceil((passwords.length * BITS_EACH) / 6);
  const values = new Uint8Array(size);
  for (const password of passwords) {
    for (const bit of getPasswordBitPositions(password, size * 6))
      values[Math.floor(bit / 6)] = (values[Math.floor(bit / 6)] ?? 0) | (1 << (bit % 6));
  }
  const text = [...values].map((value) => FILTER_ALPHABET.charAt(value)).join("");
  const lines = text.match(/.{1,100}/g) ?? [];
  return `// Made by npm run generate from @zxcvbn-ts/language-common: ${passwords.length} passwords of known breaches.

/** See password-filter.ts. */
export const BREACHED_PASSWORD_FILTER =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`;
}

if (process.argv[1] === import.meta.filename) await writeFile(join(PROJECT_ROOT, FILE), formatPasswordFilterModule());
