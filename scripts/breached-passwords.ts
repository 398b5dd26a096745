import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { createPasswordFilter, normalizeForFilter } from "#domain/access/password-filter.ts";
import { MIN_PASSWORD_LENGTH } from "#domain/access/password-length.ts";
import { PROJECT_ROOT } from "./processes.ts";

const FILE = "worker/domain/access/breached-passwords.ts";
/** Number of most common passwords. Each adds less than two bytes to the compressed Worker. */
const MAX_PASSWORDS = 8000;

/** Returns breached passwords that satisfy the minimum length, most common first. */
export function listBreachedPasswords(): readonly string[] {
  const list = dictionary["passwords-common"] as readonly string[];
  const long = list.map(normalizeForFilter).filter((password) => [...password].length >= MIN_PASSWORD_LENGTH);
  return [...new Set(long)].slice(0, MAX_PASSWORDS);
}

/** Returns the source of breached-passwords.ts: a filter that contains only hashes of the breached passwords. */
export function formatPasswordFilterModule(): string {
  const passwords = listBreachedPasswords();
  const text = createPasswordFilter(passwords);
  const lines = text.match(/.{1,100}/g) ?? [];
  return `// Made by npm run generate from @zxcvbn-ts/language-common: ${passwords.length} passwords of known breaches.

/** See password-filter.ts. */
export const BREACHED_PASSWORD_FILTER =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`;
}

if (process.argv[1] === import.meta.filename) await writeFile(join(PROJECT_ROOT, FILE), formatPasswordFilterModule());
