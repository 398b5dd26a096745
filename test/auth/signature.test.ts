import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { PartnerKey } from "#domain/access/credentials.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { findKeyOnlyPartnerKey, findSigningPartnerKey, signPathAndQuery } from "#worker/auth/signature.ts";
import { account, masterKey } from "./account.ts";

const PATH = "/api/booking/ota/location-list?customer-language=es";
const BODY = '{"reservation":{"agency_reservation_id":"A-1"}}';
const NOW = Date.UTC(2026, 5, 1);

async function createPartnerKey(changes: Partial<PartnerKey> = {}): Promise<PartnerKey> {
  return {
    apiKey: "agency",
    encryptedSecret: await encryptSecret(masterKey, account.name, "s3cr3t"),
    previousEncryptedSecret: undefined,
    previousValidUntil: undefined,
    agency: undefined,
    scopes: { ota: true, integration: false, analytics: false },
    keyOnly: false,
    signatures: "v1",
    publicKey: undefined,
    networks: [],
    ...changes,
  };
}

interface Sent {
  readonly path?: string;
  readonly body?: string;
  readonly authorization?: string | undefined;
  readonly now?: number;
}

/** Returns the name of the key that signed the request. */
async function identifySigner(keys: readonly PartnerKey[], { path = PATH, body = "", authorization, now = NOW }: Sent) {
  const bytes = Uint8Array.from(Buffer.from(body)).buffer;
  const byName = new Map(keys.map((key) => [key.apiKey, key]));
  return (await findSigningPartnerKey({ pathAndQuery: path, body: bytes, authorization }, byName, account, now))
    ?.apiKey;
}

describe("the signer of a request", () => {
  test("accepts the signatures published in the documentation, in upper or lower case hex", async () => {
    const key = await createPartnerKey();
    const createHeaders = (signature: string, signedRequest: Sent = {}) =>
      identifySigner([key], { ...signedRequest, authorization: `agency:${signature}` });
    expect(await createHeaders("8c7fa225132b5f7f81e64a588dfa48845ac62ff4")).toBe("agency");
    expect(await createHeaders("8C7FA225132B5F7F81E64A588DFA48845AC62FF4")).toBe("agency");
    const cancel = { path: "/api/booking/ota/cancel-booking", body: BODY };
    expect(await createHeaders("7484420fed9680e120ffa2cd8741e634ae69e881", cancel)).toBe("agency");
  });

  test("rejects a changed byte in the signed data or the signature", async () => {
    const key = await createPartnerKey();
    const fullUrl = PATH + BODY;
    const signature = await signPathAndQuery("s3cr3t", PATH, BODY);
    const letters = fc.integer({ min: 0, max: fullUrl.length - 1 });
    await fc.assert(
      fc.asyncProperty(letters, fc.integer({ min: 33, max: 126 }), async (at, code) => {
        const changed = fullUrl.slice(0, at) + String.fromCharCode(code) + fullUrl.slice(at + 1);
        fc.pre(changed !== fullUrl);
        const signedRequest = { path: changed.slice(0, PATH.length), body: changed.slice(PATH.length) };
        expect(await identifySigner([key], { ...signedRequest, authorization: `agency:${signature}` })).toBeUndefined();
      }),
    );
    for (let at = 0; at < signature.length; at++) {
      const other = signature.slice(0, at) + (signature[at] === "0" ? "1" : "0") + signature.slice(at + 1);
      expect(await identifySigner([key], { body: BODY, authorization: `agency:${other}` })).toBeUndefined();
    }
  });

  test.each([
    ["no header", undefined],
    ["a key alone", "agency"],
    ["an unknown key", "nobody:8c7fa225132b5f7f81e64a588dfa48845ac62ff4"],
    ["a short key", "ag:8c7fa225132b5f7f81e64a588dfa48845ac62ff4"],
    ["a short signature", "agency:8c7fa225132b5f7f81e64a588dfa48845ac62f"],
    ["a signature that is too long", "agency:8c7fa225132b5f7f81e64a588dfa48845ac62ff4 "],
    ["a character before the key", " agency:8c7fa225132b5f7f81e64a588dfa48845ac62ff4"],
    ["a signature that isn't hexadecimal", `agency:${"g".repeat(40)}`],
  ])("identifies no signer of a request that sends %s", async (_, authorization) => {
    expect(await identifySigner([await createPartnerKey()], { authorization })).toBeUndefined();
  });

  test("does the same work for known and unknown keys", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify");
    const keys = [await createPartnerKey()];
    for (const name of ["agency", "nobody", ""]) {
      verify.mockClear();
      await identifySigner(keys, { authorization: `${name}:${"0".repeat(40)}` });
      expect(verify).toHaveBeenCalledTimes(1);
    }
    verify.mockRestore();
  });

  test("decrypts a partner key's secret once for repeated requests", async () => {
    const key = await createPartnerKey();
    const authorization = `agency:${await signPathAndQuery("s3cr3t", PATH)}`;
    await identifySigner([key], { authorization });
    const decrypt = vi.spyOn(crypto.subtle, "decrypt");
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    expect(await identifySigner([key], { authorization })).toBe("agency");
    expect([decrypt.mock.calls, importKey.mock.calls]).toEqual([[], []]);
    vi.restoreAllMocks();
  });

  test("rejects a request of an unknown key that is signed with the placeholder secret", async () => {
    const authorization = `nobody:${await signPathAndQuery("secret of nobody", PATH)}`;
    expect(await identifySigner([await createPartnerKey()], { authorization })).toBeUndefined();
  });

  test("accepts a signature over a path with special characters, signed either literally or percent-encoded", async () => {
    const key = await createPartnerKey();
    const typedPath = `/list?a='"<>é€&b=1`;
    const encodedPath = "/list?a=%27%22%3C%3E%C3%A9%E2%82%AC&b=1";
    for (const text of [typedPath, encodedPath]) {
      const authorization = `agency:${await signPathAndQuery("s3cr3t", text)}`;
      expect(await identifySigner([key], { path: encodedPath, authorization })).toBe("agency");
    }
    const authorization = `agency:${await signPathAndQuery("s3cr3t", "/list?a=%")}`;
    expect(await identifySigner([key], { path: "/list?a=%E2%82", authorization })).toBeUndefined();
    const broken = `agency:${await signPathAndQuery("s3cr3t", "/list?a=%E2%82")}`;
    expect(await identifySigner([key], { path: "/list?a=%E2%82", authorization: broken })).toBe("agency");
  });

  test("accepts the previous secret until its rotation ends, and the new one", async () => {
    const rotated = await createPartnerKey({
      apiKey: "rotated",
      encryptedSecret: await encryptSecret(masterKey, account.name, "new secret"),
      previousEncryptedSecret: await encryptSecret(masterKey, account.name, "old secret"),
      previousValidUntil: NOW,
    });
    const createHeaders = async (secret: string, now: number, key = rotated) =>
      identifySigner([key], { authorization: `rotated:${await signPathAndQuery(secret, PATH)}`, now });
    expect(await createHeaders("new secret", NOW + 1)).toBe("rotated");
    expect(await createHeaders("old secret", NOW - 1)).toBe("rotated");
    expect(await createHeaders("old secret", NOW)).toBeUndefined();
    expect(await createHeaders("old secret", NOW, { ...rotated, previousValidUntil: undefined })).toBe("rotated");
  });

  test("rejects signatures with a secret encrypted for another account, or with an empty secret instead", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const foreign = await createPartnerKey({ encryptedSecret: await encryptSecret(masterKey, "globex", "s3cr3t") });
    for (const secret of ["s3cr3t", "secret of nobody", "undefined"]) {
      const authorization = `agency:${await signPathAndQuery(secret, PATH)}`;
      expect(await identifySigner([foreign], { authorization })).toBeUndefined();
    }
    expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toEqual({
      level: "error",
      account: "acme",
      operation: "decrypt_secret",
      defect: "no key decrypts it",
    });
    log.mockRestore();
  });

  test("verifies signatures of more keys than the cache holds", async () => {
    const keys = await Promise.all(
      Array.from({ length: 502 }, async (_, index) =>
        createPartnerKey({
          apiKey: `key-${index}`,
          encryptedSecret: await encryptSecret(masterKey, account.name, `secret ${index}`),
        }),
      ),
    );
    for (const index of [...keys.keys(), 0, 501]) {
      const authorization = `key-${index}:${await signPathAndQuery(`secret ${index}`, PATH)}`;
      expect(await identifySigner(keys, { authorization })).toBe(`key-${index}`);
    }
  });
});

test("accepts a key without a signature only if the key's settings allow it", async () => {
  const keys = new Map([
    ["agency", await createPartnerKey()],
    ["open", await createPartnerKey({ apiKey: "open", keyOnly: true })],
  ]);
  expect(findKeyOnlyPartnerKey("open", keys)?.apiKey).toBe("open");
  for (const authorization of ["agency", "open:", "", undefined])
    expect(findKeyOnlyPartnerKey(authorization, keys)).toBeUndefined();
});
