import { scryptSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DUMMY_PASSWORD_HASH, hashPassword, matchesPasswordHash, needsPasswordRehash } from "#worker/auth/passwords.ts";

/** Creates a hash of another strength with Node. */
function weakHash(password: string, { ln = 10, r = 8, p = 1, bytes = 32 } = {}): string {
  const salt = Buffer.from("some salt of ours");
  const hash = scryptSync(password, salt, bytes, { N: 2 ** ln, r, p, maxmem: 2 ** 30 });
  return `scrypt$ln=${ln},r=${r},p=${p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

describe("a password", () => {
  // Proves "security.md": V8
  test("verifies a password by its hash, which differs each time", async () => {
    const hash = await hashPassword("Secret-1");
    expect(hash).toMatch(/^scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(await matchesPasswordHash("Secret-1", hash)).toBe(true);
    expect(await matchesPasswordHash("secret-1", hash)).toBe(false);
    expect(needsPasswordRehash(hash)).toBe(false);
    expect(await hashPassword("Secret-1")).not.toBe(hash);
  });

  test("verifies a password in any Unicode composition", async () => {
    const stored = weakHash("caf\u00e9");
    expect(await matchesPasswordHash("cafe\u0301", stored)).toBe(true);
  });

  test("verifies a password with the strength stored in its hash, then requests a rehash", async () => {
    for (const strength of [{ ln: 9 }, { ln: 11, r: 2 }, { r: 4 }, { p: 2 }]) {
      const stored = weakHash("Secret-1", strength);
      expect(await matchesPasswordHash("Secret-1", stored)).toBe(true);
      expect(await matchesPasswordHash("Secret-2", stored)).toBe(false);
      expect(needsPasswordRehash(stored)).toBe(true);
    }
  });

  test.each([
    ["is empty", ""],
    ["is of another algorithm", weakHash("Secret-1").replace("scrypt", "bcrypt")],
    ["is preceded by a character", `x${weakHash("Secret-1")}`],
    ["is followed by a part", `${weakHash("Secret-1")}$x`],
    ["has no salt", weakHash("Secret-1").replace(/\$[^$]+(?=\$[^$]+$)/, "$")],
    ["requires more work than the platform does", weakHash("Secret-1", { ln: 17, r: 2 })],
    ["has another length", weakHash("Secret-1", { bytes: 31 })],
  ])("accepts no password if the stored hash %s", async (_, stored) => {
    expect(await matchesPasswordHash("Secret-1", stored)).toBe(false);
  });

  test("does the same work for an unknown user's password, and never succeeds", async () => {
    expect(DUMMY_PASSWORD_HASH).toMatch(/^scrypt\$ln=15,r=8,p=3\$A{22}==\$A{43}=$/);
    expect(await matchesPasswordHash("", DUMMY_PASSWORD_HASH)).toBe(false);
    expect(needsPasswordRehash(DUMMY_PASSWORD_HASH)).toBe(false);
  });
});
