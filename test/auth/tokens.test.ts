import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { deriveAccountKey } from "#worker/auth/account-keys.ts";
import { issueSessionToken, readSessionToken, type SessionToken } from "#worker/auth/tokens.ts";
import { account, masterKey, otherMasterKey } from "./account.ts";

const NOW = Date.UTC(2026, 5, 1, 10);
const staff: SessionToken = {
  sessionId: "session-1",
  userId: 7,
  role: "manager",
  branches: ["PMI"],
  issuedAt: NOW,
  expiresAt: NOW + 60_000,
  generation: 2,
};

const claims = { sub: "7", jti: "session-1", role: "manager", iat: NOW / 1000, exp: NOW / 1000 + 60 };
const header = { alg: "HS256", typ: "session+jwt", kid: "2" };
const ownClaims = { iss: "acme", aud: "acme" };
const omitClaim = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries({ ...ownClaims, ...claims }).filter(([claim]) => claim !== name));

async function forgeToken(payload: JWTPayload, changes: Partial<typeof header> = {}): Promise<string> {
  const key = await deriveAccountKey(account, "token/2");
  const hash = changes.alg ?? header.alg;
  const bytes = hash === "HS256" ? key : new Uint8Array(64);
  return new SignJWT(payload).setProtectedHeader({ ...header, ...changes }).sign(bytes);
}

describe("a token", () => {
  test("returns a token's content, with and without Bearer", async () => {
    const text = await issueSessionToken(account, staff);
    for (const authorization of [text, `Bearer ${text}`, `bearer  ${text} `])
      expect(await readSessionToken(account, authorization, NOW)).toEqual(staff);
  });

  test("stores no branches in the token of a customer", async () => {
    const text = await issueSessionToken(account, { ...staff, role: "customer" });
    expect(await readSessionToken(account, text, NOW)).toEqual({ ...staff, role: "customer", branches: [] });
    expect(atob(text.split(".")[1] ?? "")).not.toContain("branches");
  });

  test("stores a token's times in seconds, and accepts it until it expires", async () => {
    const text = await issueSessionToken(account, { ...staff, issuedAt: NOW + 999, expiresAt: NOW + 60_999 });
    expect(await readSessionToken(account, text, NOW + 59_999)).toEqual(staff);
    expect(await readSessionToken(account, text, NOW + 60_000)).toBeUndefined();
  });

  // Proves "security.md": V14
  // Proves "customer-access.md: tokens and limits": Each account has a key: its tokens are invalid elsewhere
  test("accepts a token only for its account and master key, and under the previous master key during a change", async () => {
    const text = await issueSessionToken(account, staff);
    expect(await readSessionToken({ ...account, name: "globex" }, text, NOW)).toBeUndefined();
    expect(await readSessionToken({ ...account, masterKey: otherMasterKey }, text, NOW)).toBeUndefined();
    const changing = { ...account, masterKey: otherMasterKey, secondMasterKey: masterKey };
    expect(await readSessionToken(changing, text, NOW)).toEqual(staff);
  });

  test.each([
    ["a missing header", undefined],
    ["an empty header", ""],
    ["Bearer without a token", "Bearer "],
    ["Bearer with malformed text", "Bearer abc.def"],
  ])("reads no token from %s", async (_, authorization) => {
    expect(await readSessionToken(account, authorization, NOW)).toBeUndefined();
  });

  test("accepts a signed token with all required claims", async () => {
    expect((await readSessionToken(account, await forgeToken({ ...ownClaims, ...claims }), NOW))?.userId).toBe(7);
  });

  test("reads no token of an Authorization scheme other than Bearer", async () => {
    const text = await issueSessionToken(account, staff);
    for (const authorization of [`Basic ${text}`, `x Bearer ${text}`])
      expect(await readSessionToken(account, authorization, NOW)).toBeUndefined();
  });

  test("throws an error if the master key is invalid, instead of reporting a wrong token", async () => {
    const text = await issueSessionToken(account, staff);
    await expect(readSessionToken({ ...account, masterKey: "no base64!" }, text, NOW)).rejects.toThrow();
  });

  test.each<[string, JWTPayload, Partial<typeof header>]>([
    ["for another audience", { ...ownClaims, ...claims, aud: "globex" }, {}],
    ["of another issuer", { ...ownClaims, ...claims, iss: "globex" }, {}],
    ["without an issuer", omitClaim("iss"), {}],
    ["of another type", { ...ownClaims, ...claims }, { typ: "reset+jwt" }],
    ["of another algorithm", { ...ownClaims, ...claims }, { alg: "HS512" }],
    ["of generation 0", { ...ownClaims, ...claims }, { kid: "0" }],
    ["of generation 02", { ...ownClaims, ...claims }, { kid: "02" }],
    ["of a generation with ten digits", { ...ownClaims, ...claims }, { kid: "1234567890" }],
    ["of a generation with a space", { ...ownClaims, ...claims }, { kid: "2 2" }],
    ["of a generation with a letter", { ...ownClaims, ...claims }, { kid: "2x" }],
    ["of another generation", { ...ownClaims, ...claims }, { kid: "3" }],
    ["without a user", omitClaim("sub"), {}],
    ["without a session", omitClaim("jti"), {}],
    ["without an issue time", omitClaim("iat"), {}],
    ["without an expiry", omitClaim("exp"), {}],
    ["without a role", omitClaim("role"), {}],
  ])("rejects a signed token %s", async (_, payload, changes) => {
    expect(await readSessionToken(account, await forgeToken(payload, changes), NOW)).toBeUndefined();
  });

  // Proves "security.md": V13
  test("rejects an unsigned token with correct claims", async () => {
    const unsigned = new UnsecuredJWT({ ...ownClaims, ...claims }).encode();
    expect(await readSessionToken(account, unsigned, NOW)).toBeUndefined();
  });
});
