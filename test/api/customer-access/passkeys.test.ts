import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { type Authenticator, createAuthenticator } from "#support/authenticator.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD } from "#support/test-users.ts";

const db = env.TENANT_ACME;
let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
});

const post = (path: string, body?: unknown, bearer = token) =>
  callApi("POST", `/second-factor${path}`, { token: bearer, body });
const challenge = async (bearer = token) =>
  (await post("/passkeys/challenge", undefined, bearer)).json<{ challenge: string; rp_id: string; ids: string[] }>();

async function add(authenticator: Authenticator, name = "Laptop", changes = {}) {
  const created = await authenticator.create(await challenge(), changes);
  return post("/passkeys", { name, ...created });
}

async function signInWith(passkey?: unknown) {
  const body = { username: "boss", password: PASSWORD, ...(passkey !== undefined && { passkey }) };
  const response = await callApi("POST", "/login", { body });
  return { answer: await response.json<Record<string, unknown>>(), token: response.headers.get("Authorization") ?? "" };
}

async function question() {
  const { answer } = await signInWith();
  return answer["passkey"] as { challenge: string; rp_id: string; ids: string[] };
}

const ageSession = () => db.prepare("UPDATE user_sessions SET second_factor_at = second_factor_at - 960000").run();
const prove = async (passkey: unknown) => (await post("/prove", { passkey })).json();

// Proves "security, privacy and operation": Second factor: a passkey is added, listed, asked for, and good once for
//   each challenge
test.each([-7, -8, -257] as const)(
  "adds and lists a passkey of algorithm %d, requires it at the next sign-in, and accepts it once per challenge",
  async (algorithm) => {
    const authenticator = await createAuthenticator(algorithm);
    const added = await (await add(authenticator)).json<{ recovery_codes: string[] }>();
    expect(new Set(added.recovery_codes).size).toBe(10);
    expect(await (await callApi("GET", "/second-factor/passkeys", { token })).json()).toEqual({
      passkeys: [{ id: authenticator.id, name: "Laptop", created_at: expect.any(String), last_used_at: null }],
      authenticator: false,
      recovery_codes_left: 10,
    });
    const passkeyQuestion = await question();
    expect(passkeyQuestion).toMatchObject({ rp_id: "acme.localhost", ids: [authenticator.id] });
    const signed = await authenticator.get(passkeyQuestion);
    expect((await signInWith(signed)).answer).toMatchObject({ connected: true });
    expect((await signInWith(signed)).answer).toMatchObject({ connected: false, second_factor: "wrong" });
    expect(await (await login("boss", "Wrong-pass-1!")).json()).toEqual({ connected: false });
  },
);

// Proves "security, privacy and operation": Second factor: a passkey proves it; removing one needs a proof within 15
//   minutes
test("accepts a passkey as a new second-factor proof, and lets the user remove it after a recent proof", async () => {
  const authenticator = await createAuthenticator();
  await add(authenticator);
  const end = () => callOffice("POST", "/sessions/nobodys/end", { token, body: {} });
  const remove = () => callApi("DELETE", `/second-factor/passkeys/${authenticator.id}`, { token });
  expect((await end()).status).toBe(200);
  await ageSession();
  expect(await (await end()).json()).toMatchObject({ code: "second_factor_stale" });
  expect((await remove()).status).toBe(403);
  expect((await add(await createAuthenticator(), "Phone")).status).toBe(403);
  expect((await post("")).status).toBe(403);
  expect(await prove(await authenticator.get(await challenge()))).toEqual({ proved: true });
  expect((await end()).status).toBe(200);
  expect(await (await add(await createAuthenticator(), "Phone")).json()).toEqual({ recovery_codes: [] });
  expect(await (await remove()).json()).toEqual({ removed: true });
  expect((await remove()).status).toBe(404);
  expect((await question()).ids).toHaveLength(1);
});

// Proves "security, privacy and operation": Second factor: a passkey is bound to its host, verifies the user, and isn't
//   a copy
// Proves "security.md": A24
test("rejects passkey signatures of other origins, purposes or keys, of copied passkeys, and altered ones", async () => {
  const authenticator = await createAuthenticator();
  for (const changes of [
    { origin: "https://acme.localhost.evil.example" },
    { host: "evil.example" },
    { type: "webauthn.get" },
    { flags: 0x01 },
  ])
    expect((await add(authenticator, "Laptop", changes)).status, JSON.stringify(changes)).toBe(400);
  expect((await add(authenticator)).status).toBe(200);
  expect((await add(authenticator)).status).toBe(409);
  expect(await prove(await authenticator.get(await challenge(), { count: 7 }))).toEqual({ proved: true });
  for (const changes of [
    { origin: "http://globex.localhost:8787", count: 8 },
    { host: "globex.localhost", count: 8 },
    { type: "webauthn.create", count: 8 },
    { flags: 0x01, count: 8 },
    { count: 7 },
  ])
    expect(await prove(await authenticator.get(await challenge(), changes)), JSON.stringify(changes)).toEqual({
      proved: false,
    });
  const stranger = await createAuthenticator();
  const forged = { ...(await stranger.get(await challenge(), { count: 8 })), id: authenticator.id };
  expect(await prove(forged)).toEqual({ proved: false });
  expect(await prove(await authenticator.get(await challenge(), { count: 8 }))).toEqual({ proved: true });
  expect((await post("/prove", { passkey: { id: "a b", response: {} } })).status).toBe(400);
  expect((await post("/prove", {})).status).toBe(400);
});

// Proves "security, privacy and operation": Second factor: a challenge is good once, for five minutes
// Proves "security.md": A25
test("accepts a passkey challenge only from its user and only for a few minutes", async () => {
  const authenticator = await createAuthenticator();
  await add(authenticator);
  const otherChallenge = await challenge(await createToken("desk"));
  expect(await prove(await authenticator.get(otherChallenge))).toEqual({ proved: false });
  const passkeyQuestion = await challenge();
  await db.prepare("UPDATE passkey_challenges SET expires_at = 1").run();
  expect(await prove(await authenticator.get(passkeyQuestion))).toEqual({ proved: false });
  expect((await post("/passkeys/challenge", undefined, await createToken("ana"))).status).toBe(403);
});

// Proves "security, privacy and operation": Second factor: the first passkey comes with recovery codes
test("accepts a recovery code once after a lost passkey, and deletes the codes with the user's last factor", async () => {
  const authenticator = await createAuthenticator();
  const { recovery_codes: codes } = await (await add(authenticator)).json<{ recovery_codes: string[] }>();
  const byCode = (code?: string) =>
    callApi("POST", "/login", { body: { username: "boss", password: PASSWORD, code } }).then((answer) => answer.json());
  expect(await byCode(codes[0])).toMatchObject({ connected: true });
  expect(await byCode(codes[0])).toMatchObject({ second_factor: "wrong" });
  expect((await callApi("DELETE", `/second-factor/passkeys/${authenticator.id}`, { token })).status).toBe(200);
  expect(await db.prepare("SELECT count(*) AS n FROM recovery_codes").first("n")).toBe(0);
  expect((await signInWith()).answer).toMatchObject({ connected: true });
});

// Proves "security, privacy and operation": Second factor: ten proofs in a quarter of an hour for each person
// Proves "security.md": A29
test("limits second-factor guesses in an open session per user, even from different networks", async () => {
  await add(await createAuthenticator());
  const guess = (attempt: number) =>
    callApi("POST", "/second-factor/prove", {
      token,
      body: { code: "000000" },
      headers: { "CF-Connecting-IP": `198.51.100.${attempt}` },
    });
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 11; attempt++) statuses.push((await guess(attempt)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});
