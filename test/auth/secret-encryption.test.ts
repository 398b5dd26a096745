import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  computeKeyedHash,
  computeKeyedHashes,
  createRandomSecret,
  listMasterKeyVariants,
} from "#worker/auth/account-keys.ts";
import {
  decryptSecret,
  encryptSecret,
  reencryptSecretWithCurrentKey,
  tryDecryptSecret,
} from "#worker/auth/secret-encryption.ts";
import { account, masterKey, otherMasterKey } from "./account.ts";

const changing = { ...account, masterKey: otherMasterKey, secondMasterKey: masterKey };

describe("an encrypted secret", () => {
  test("decrypts a secret for its account with any content, and never encrypts it to the same bytes twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (secret) => {
        const sealed = await encryptSecret(masterKey, account.name, secret);
        expect(await decryptSecret(account, sealed)).toBe(secret);
        expect(await encryptSecret(masterKey, account.name, secret)).not.toBe(sealed);
      }),
      { numRuns: 30 },
    );
  });

  // Proves "security.md": V15
  test("decrypts a secret for no other account or key, nor with a changed or missing byte", async () => {
    const sealed = await encryptSecret(masterKey, account.name, "a secret");
    const message = "a secret of globex is encrypted with another key";
    await expect(decryptSecret({ ...account, name: "globex" }, sealed)).rejects.toThrow(message);
    await expect(decryptSecret({ ...account, masterKey: otherMasterKey }, sealed)).rejects.toThrow(
      "encrypted with another key",
    );
    const bytes = Buffer.from(sealed, "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await expect(decryptSecret(account, changed.toString("base64"))).rejects.toThrow("encrypted with another key");
    }
    await expect(decryptSecret(account, bytes.subarray(0, 5).toString("base64"))).rejects.toThrow(
      "encrypted with another key",
    );
  });

  test("decrypts a secret during a master key change, and re-encrypts it once with the current key", async () => {
    const sealed = await encryptSecret(masterKey, account.name, "a secret");
    expect(await decryptSecret(changing, sealed)).toBe("a secret");
    const reencrypted = await reencryptSecretWithCurrentKey(changing, sealed);
    expect(await decryptSecret({ ...account, masterKey: otherMasterKey }, String(reencrypted))).toBe("a secret");
    expect(await reencryptSecretWithCurrentKey(changing, String(reencrypted))).toBeUndefined();
    await expect(reencryptSecretWithCurrentKey({ ...account, masterKey: otherMasterKey }, sealed)).rejects.toThrow(
      "encrypted with another key",
    );
  });

  test("returns undefined and logs an error without the secret if no key decrypts it", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await tryDecryptSecret(account, await encryptSecret(masterKey, "globex", "a secret"))).toBeUndefined();
    expect(log.mock.calls).toEqual([
      ['{"level":"error","account":"acme","operation":"decrypt_secret","defect":"no key decrypts it"}'],
    ]);
    log.mockRestore();
    expect(await tryDecryptSecret(account, await encryptSecret(masterKey, account.name, "a secret"))).toBe("a secret");
  });

  test("throws an error if the master key is invalid, instead of reporting a wrong secret", async () => {
    const sealed = await encryptSecret(masterKey, account.name, "a secret");
    await expect(decryptSecret({ ...account, masterKey: btoa("short") }, sealed)).rejects.not.toThrow("another key");
  });
});

describe("the hash of a content", () => {
  test("calculates the same keyed hash only for the same content, account, purpose and key", async () => {
    const hash = await computeKeyedHash(account, "mail", "ana@example.com");
    expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await computeKeyedHash(account, "mail", "ana@example.com")).toBe(hash);
    const others = await Promise.all([
      computeKeyedHash({ ...account, name: "globex" }, "mail", "ana@example.com"),
      computeKeyedHash({ ...account, masterKey: otherMasterKey }, "mail", "ana@example.com"),
      computeKeyedHash(account, "phone", "ana@example.com"),
      computeKeyedHash(account, "mail", "eva@example.com"),
    ]);
    expect(new Set([hash, ...others]).size).toBe(5);
  });

  test("hashes with each accepted key, the current one first", async () => {
    const [first, second] = listMasterKeyVariants(changing);
    expect([first, second]).toEqual([{ ...account, masterKey: otherMasterKey }, account]);
    expect(await computeKeyedHashes(changing, "mail", "x")).toEqual([
      await computeKeyedHash({ ...account, masterKey: otherMasterKey }, "mail", "x"),
      await computeKeyedHash(account, "mail", "x"),
    ]);
    expect(await computeKeyedHashes(account, "mail", "x")).toHaveLength(1);
  });
});

test("creates a different secret of 43 URL-safe characters each time", () => {
  const secrets = new Set(Array.from({ length: 1000 }, createRandomSecret));
  expect(secrets.size).toBe(1000);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
});
