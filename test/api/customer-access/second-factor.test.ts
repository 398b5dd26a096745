import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD } from "#support/test-users.ts";

const db = env.TENANT_ACME;
const STEP = 30_000;
let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
});

const post = (path: string, body?: unknown, bearer = token) => callApi("POST", path, { token: bearer, body });
const createCode = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function signInWith(code?: string, username = "boss") {
  const response = await callApi("POST", "/login", { body: { username, password: PASSWORD, ...(code && { code }) } });
  return { answer: await response.json<Record<string, unknown>>(), token: response.headers.get("Authorization") ?? "" };
}

/** Adds a second factor to the administrator. Returns its secret and recovery codes. */
async function withFactor() {
  const setup = await (await post("/second-factor")).json<{ secret: string; uri: string }>();
  const confirmed = await post("/second-factor/confirm", { code: createCode(setup.secret, Date.now() - STEP) });
  if (confirmed.status !== 200) throw new Error(await confirmed.text());
  const { recovery_codes: codes } = await confirmed.json<{ recovery_codes: readonly string[] }>();
  return { ...setup, codes };
}

/** Moves the session's second-factor time into the past. */
const agedBy = (minutes: number) =>
  db.prepare(`UPDATE user_sessions SET second_factor_at = second_factor_at - ${minutes * 60_000}`).run();

// Proves "security, privacy and operation": Second factor: begun, confirmed, asked for
// Proves "security.md": A22
test("sets up a second factor, confirms it by a code, and requires it at the next sign-in", async () => {
  const { uri, secret, codes } = await withFactor();
  expect(uri).toMatch(/^otpauth:\/\/totp\/Test%20Rentals:Bea%20Boss\?/);
  expect(new Set(codes).size).toBe(10);
  expect((await signInWith()).answer).toEqual({ connected: false, second_factor: "required" });
  expect((await signInWith("000000")).answer).toEqual({ connected: false, second_factor: "wrong" });
  expect((await signInWith(createCode(secret, Date.now() - 10 * STEP))).answer).toMatchObject({
    second_factor: "wrong",
  });
  expect((await signInWith(createCode(secret))).answer).toMatchObject({ connected: true });
  const stored = await db
    .prepare("SELECT group_concat(sealed) AS all_of_it FROM second_factors")
    .first<string>("all_of_it");
  expect(stored).not.toContain(secret);
  expect((await post("/second-factor")).status).toBe(409);
});

// Proves "security, privacy and operation": Second factor: each code is good once
// Proves "security.md": A22
// Proves "security, privacy and operation": Added and failed second factors and used recovery codes are recorded
test("accepts a code or recovery code once, and a wrong password never reveals the second factor", async () => {
  const { secret, codes } = await withFactor();
  const code = createCode(secret);
  const answers = await Promise.all(Array.from({ length: 4 }, () => signInWith(code)));
  expect(answers.filter(({ answer }) => answer["connected"] === true)).toHaveLength(1);
  expect((await signInWith(codes[0]?.toUpperCase())).answer).toMatchObject({ connected: true });
  expect((await signInWith(codes[0])).answer).toMatchObject({ second_factor: "wrong" });
  expect(await (await login("boss", "Wrong-pass-1!")).json()).toEqual({ connected: false });
  const { data } = await (
    await callOffice("GET", "/security-events", { token: (await signInWith(codes[1])).token })
  ).json<{
    data: { kind: string }[];
  }>();
  const kinds = data.map(({ kind }) => kind);
  for (const kind of ["second_factor_added", "second_factor_failed", "recovery_code_used"])
    expect(kinds).toContain(kind);
});

test("renews recovery codes after a recent second-factor proof and invalidates the old ones", async () => {
  const none = await post("/second-factor/recovery-codes");
  expect([none.status, await none.text()]).toEqual([409, expect.stringContaining("no_second_factor")]);
  const { codes: old, secret } = await withFactor();
  expect((await signInWith(old[0])).answer).toMatchObject({ connected: true });
  const countRecoveryCodes = async () => {
    const listed = await callApi("GET", "/second-factor/passkeys", { token });
    return (await listed.json<{ recovery_codes_left: number }>()).recovery_codes_left;
  };
  expect(await countRecoveryCodes()).toBe(9);
  await agedBy(16);
  const stale = await post("/second-factor/recovery-codes");
  expect([stale.status, await stale.text()]).toEqual([403, expect.stringContaining("second_factor")]);
  expect(await countRecoveryCodes()).toBe(9);
  expect(await (await post("/second-factor/prove", { code: createCode(secret) })).json()).toEqual({ proved: true });
  const renewed = await post("/second-factor/recovery-codes");
  const { recovery_codes: codes } = await renewed.json<{ recovery_codes: readonly string[] }>();
  expect(new Set(codes).size).toBe(10);
  expect(await countRecoveryCodes()).toBe(10);
  expect((await signInWith(old[1])).answer).toMatchObject({ second_factor: "wrong" });
  expect((await signInWith(codes[0])).answer).toMatchObject({ connected: true });
  const { data } = await (await callOffice("GET", "/security-events", { token })).json<{ data: { kind: string }[] }>();
  expect(data.map(({ kind }) => kind)).toContain("recovery_codes_renewed");
});

// Proves "security, privacy and operation": Second factor: money given back and administrators' writes need one proved
//   within 15 minutes
// Proves "security.md": A26
test("requires a recent second-factor proof for refunds and for ending other users' sessions", async () => {
  const { secret } = await withFactor();
  await insertContracts([{ id: 7, status: "done" }]);
  const charge = (kind: string, amount: string, id: string) =>
    post("/booking/7/charges", { request_id: `request-${id}`, kind, amount, payment_method_id: "cash" });
  expect((await charge("charge", "50.00", "pay")).status).toBe(200);
  await agedBy(16);
  expect((await charge("charge", "1.00", "pay-2")).status).toBe(200);
  const refused = await charge("payment", "5.00", "back");
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "second_factor_stale" }]);
  const refund = () =>
    callOffice("POST", "/reservations/7/refund", { token, body: { amount: "5.00", reason: "Late" } });
  expect(await (await refund()).json()).toMatchObject({ code: "second_factor_stale" });
  const ended = () => callOffice("POST", "/sessions/nobodys/end", { token, body: {} });
  expect(await (await ended()).json()).toMatchObject({ code: "second_factor_stale" });
  expect(await (await post("/second-factor/prove", { code: "000000" })).json()).toEqual({ proved: false });
  expect(await (await post("/second-factor/prove", { code: createCode(secret) })).json()).toEqual({ proved: true });
  expect((await charge("payment", "5.00", "back")).status).toBe(200);
  expect((await ended()).status).toBe(200);
});

// Proves "office.md": All writes of administrators need a recent second factor
test("requires a recent second-factor proof for administrators' settings", async () => {
  const { secret } = await withFactor();
  await agedBy(16);
  const protectedRequests = [
    () => callOffice("POST", "/engine-keys", { token, body: { api_key: "late", name: "Late" } }),
    () => callOffice("PATCH", "/settings", { token, body: { expected_version: 1, grace_minutes: 90 } }),
  ];
  for (const ask of protectedRequests)
    expect(await (await ask()).json()).toMatchObject({ code: "second_factor_stale" });
  // Data that managers maintain isn't sensitive.
  expect((await callOffice("POST", "/seasons", { token, body: { name: "Late", periods: [] } })).status).toBe(201);
  expect(await (await post("/second-factor/prove", { code: createCode(secret) })).json()).toEqual({ proved: true });
  for (const ask of protectedRequests) expect([200, 201]).toContain((await ask()).status);
});

// Proves "security, privacy and operation": Second factor: an account asks it of a role and those above
// Proves "security.md": V9
test("allows a user without a second factor only to set it up if the account requires it for the role", async () => {
  await db.prepare("UPDATE settings SET second_factor_from = 'manager'").run();
  const desk = await createToken("desk");
  expect((await callOffice("GET", "/attention", { token: desk })).status).toBe(200);
  const shut = await callOffice("GET", "/attention", { token });
  expect([shut.status, await shut.json()]).toMatchObject([403, { code: "second_factor_missing" }]);
  expect(await (await callApi("GET", "/booking/7/documents", { token })).json()).toMatchObject({
    code: "second_factor_missing",
  });
  expect((await callApi("GET", "/sessions", { token })).status).toBe(200);
  const { secret } = await withFactor();
  expect((await callOffice("GET", "/attention", { token })).status).toBe(200);
  const later = await signInWith(createCode(secret));
  expect((await callOffice("GET", "/attention", { token: later.token })).status).toBe(200);
});

// Proves "security, privacy and operation": A removed second factor is recorded
test("lets an administrator with a recent proof restore access after a lost factor", async () => {
  await withFactor();
  await db.prepare("UPDATE users SET role = 'administrator' WHERE username = 'desk'").run();
  const other = await createToken("desk");
  const readUserId = (name: string) =>
    db.prepare("SELECT id FROM users WHERE username = ?").bind(name).first<number>("id");
  const affectedUserId = await readUserId("boss");
  const resetFactors = (id: number | null, bearer: string, key: string) =>
    callOffice("POST", `/users/${id}/forget-factors`, { token: bearer, key });
  const { answer } = await signInWith();
  expect(answer).toEqual({ connected: false, second_factor: "required" });
  await db.prepare("UPDATE users SET role = 'manager' WHERE username = 'desk'").run();
  expect((await resetFactors(affectedUserId, other, "early")).status).toBe(403);
  await db.prepare("UPDATE users SET role = 'administrator' WHERE username = 'desk'").run();
  const customer = await db.prepare("SELECT id FROM users WHERE kind = 'customer'").first<number>("id");
  for (const unknown of [customer, 999]) expect((await resetFactors(unknown, other, `no ${unknown}`)).status).toBe(404);
  // Repeating the same key returns the earlier result and doesn't remove factors set up since.
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await (await resetFactors(affectedUserId, other, "lost")).json()).toEqual({ forgotten: 1 });
  expect((await callOffice("GET", "/attention", { token })).status).toBe(401);
  expect((await signInWith()).answer).toMatchObject({ connected: true });
  expect(await (await resetFactors(affectedUserId, other, "again")).json()).toEqual({ forgotten: 0 });
  const countRecoveryCodes =
    "SELECT (SELECT count(*) FROM second_factors) + (SELECT count(*) FROM recovery_codes) AS of_it";
  expect(await db.prepare(countRecoveryCodes).first("of_it")).toBe(0);
  const listed = await callOffice("GET", "/security-events", { token: other });
  const { data } = await listed.json<{ data: { kind: string; user_id: number; detail: object }[] }>();
  expect(data.filter(({ kind }) => kind === "second_factor_removed")).toHaveLength(1);
  const by = await readUserId("desk");
  expect(data).toContainEqual(
    expect.objectContaining({ kind: "sessions_ended", user_id: affectedUserId, detail: { by } }),
  );
});

test("rejects removing a user's second factor if the administrator's own proof isn't recent", async () => {
  await withFactor();
  await agedBy(16);
  const refused = await callOffice("POST", "/users/1/forget-factors", { token });
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "second_factor_stale" }]);
});

test("removes a second factor by one of its codes, and counts wrong codes", async () => {
  const { secret, codes } = await withFactor();
  expect(await (await post("/second-factor/remove", { code: "000000" })).json()).toEqual({ proved: false });
  expect(await (await post("/second-factor/remove", { code: createCode(secret) })).json()).toEqual({ proved: true });
  expect((await signInWith()).answer).toMatchObject({ connected: true });
  expect(await db.prepare("SELECT count(*) AS n FROM recovery_codes").first("n")).toBe(0);
  expect(codes).toHaveLength(10);
  const ana = await createToken("ana");
  expect((await post("/second-factor", undefined, ana)).status).toBe(403);
  expect((await post("/second-factor/confirm", { code: "123456" })).status).toBe(400);
});

test("locks a user out after ten wrong second-factor codes, as after wrong passwords", async () => {
  await withFactor();
  const answers = [];
  for (let time = 0; time < 12; time++)
    answers.push(
      (await callApi("POST", "/login", { body: { username: "boss", password: PASSWORD, code: "000000" } })).status,
    );
  expect(answers.slice(-2)).toEqual([429, 429]);
});

// Proves "security, privacy and operation": Second factor: ten at sign-in, except where the person has signed in before
// Proves "security.md": A23
test("locks out second-factor guesses from many networks, but not the user on known networks", async () => {
  const { secret } = await withFactor();
  const from = (network: string, code: string) =>
    callApi("POST", "/login", {
      body: { username: "boss", password: PASSWORD, code },
      headers: { "CF-Connecting-IP": network },
    });
  expect(await (await from("192.0.2.1", createCode(secret))).json()).toMatchObject({ connected: true });
  const answers = [];
  for (let time = 1; time <= 11; time++) answers.push((await from(`203.0.113.${time}`, "000000")).status);
  expect(answers).toEqual([...Array(10).fill(200), 429]);
  const next = createCode(secret, Date.now() + STEP);
  expect((await from("203.0.113.99", next)).status).toBe(429);
  const kinds = await db.prepare("SELECT kind FROM security_events").all<{ kind: string }>();
  expect(kinds.results.map(({ kind }) => kind)).toContain("locked_out");
  // The lockout doesn't prevent proving a second factor in an existing session either.
  expect(await (await post("/second-factor/prove", { code: "000000" })).json()).toEqual({ proved: false });
  expect(await (await from("192.0.2.1", next)).json()).toMatchObject({ connected: true });
});
