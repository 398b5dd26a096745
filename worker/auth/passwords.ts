import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { CURRENT_SCRYPT_PARAMETERS, type ScryptParameters } from "./password-cost.ts";

const MAX_LOG2_COST = 16;
const HASH_BYTES = 32;

/** Hash that matches no password. Comparing against it takes the same time as against a user's hash. */
export const DUMMY_PASSWORD_HASH = `scrypt$ln=${CURRENT_SCRYPT_PARAMETERS.ln},r=${CURRENT_SCRYPT_PARAMETERS.r},p=${CURRENT_SCRYPT_PARAMETERS.p}$${Buffer.alloc(16).toString("base64")}$${Buffer.alloc(HASH_BYTES).toString("base64")}`;

/** Hashes a password as `scrypt$ln=15,r=8,p=3$salt$hash`, both parts in base64. Takes about 0.2 s of CPU. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, CURRENT_SCRYPT_PARAMETERS);
  return `scrypt$ln=${CURRENT_SCRYPT_PARAMETERS.ln},r=${CURRENT_SCRYPT_PARAMETERS.r},p=${CURRENT_SCRYPT_PARAMETERS.p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/**
 * Whether the password matches the hash, using the parameters stored with it. A text that isn't a hash matches none and
 * causes the same work.
 */
export async function matchesPasswordHash(password: string, storedHash: string): Promise<boolean> {
  const match = /^scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(storedHash);
  const [, ln = "", r = "", p = "", salt = "", hash = ""] = match ?? [];
  if (!match || Number(ln) > MAX_LOG2_COST) {
    if (storedHash !== DUMMY_PASSWORD_HASH) await matchesPasswordHash(password, DUMMY_PASSWORD_HASH);
    return false;
  }
  const expected = Buffer.from(hash, "base64");
  const derived = await derive(password, Buffer.from(salt, "base64"), { ln: Number(ln), r: Number(r), p: Number(p) });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** Whether a stored hash has weaker parameters than the current ones and should be replaced at the next sign-in. */
export function needsPasswordRehash(storedHash: string): boolean {
  return !storedHash.startsWith(
    `scrypt$ln=${CURRENT_SCRYPT_PARAMETERS.ln},r=${CURRENT_SCRYPT_PARAMETERS.r},p=${CURRENT_SCRYPT_PARAMETERS.p}$`,
  );
}

function derive(password: string, salt: Buffer, { ln, r, p }: ScryptParameters): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
  return new Promise((resolve, reject) => {
    scrypt(Buffer.from(password.normalize("NFKC"), "utf8"), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
