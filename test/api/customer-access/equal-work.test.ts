import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, PASSWORD } from "#support/test-users.ts";
import { checkOutCart, createCart } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { wrapDatabase } from "#support/wrapped-bindings.ts";
import { computeKeyedHash } from "#worker/auth/account-keys.ts";
import worker from "#worker/entry/office.ts";
import { PASSWORD_LINK_HASH_PURPOSE } from "#worker/usecases/access/recover-password.ts";

const DROPPING = { send: async () => ({ messageId: "" }) } as SendEmail;
let db: D1Database;

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
  await openTestTenant(env).freshSnapshot();
  await db.batch([
    db.prepare("UPDATE users SET active = 0 WHERE username = 'desk'"),
    db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (8, 'staff', 'erased', 'erased@example.com', 'Erased', '', 'agent', 1, 1, 1)`),
  ]);
});

/** Tables that requests write after their response. */
const AFTER_RESPONSE = /"(security_events|development_mails)"|FROM bookings|from "bookings"/;

/**
 * Sends a request and counts the work until its response: password hashes, keyed hashes and SQL statements. A
 * count is exact on a busy machine, a measured time isn't. Work after the response is held until the response
 * arrives, because the response must not wait for that work.
 */
async function measureWork(path: string, body: Readonly<Record<string, string | number>>) {
  const statements: string[] = [];
  const response = Promise.withResolvers<void>();
  const database = wrapDatabase(env.TENANT_ACME, async (sql, call) => {
    if (sql.some((text) => AFTER_RESPONSE.test(text))) await response.promise;
    else statements.push(...sql);
    return call();
  });
  const keyed = vi.spyOn(crypto.subtle, "sign");
  // The runtime's scrypt can't be observed. The password is normalized just before each of its hashes.
  const normalized = vi.spyOn(String.prototype, "normalize");
  const context = createExecutionContext();
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const bindings = { ...env, TENANT_ACME: database, MAIL: DROPPING };
  const answer = await worker.fetch(new Request(`http://acme.localhost:8787/api/v1${path}`, init), bindings, context);
  const isPasswordHash = ([form]: readonly unknown[], index: number) =>
    form === "NFKC" && String(normalized.mock.contexts[index]) === body["password"];
  const work = {
    status: answer.status,
    text: await answer.text(),
    passwordHashes: normalized.mock.calls.filter(isPasswordHash).length,
    keyedHashes: keyed.mock.calls.length,
    statements: [...statements],
  };
  vi.restoreAllMocks();
  response.resolve();
  await waitOnExecutionContext(context);
  return work;
}

const passwordOf = (username: string) => (username === "desk" ? PASSWORD : "Wrong-pass-1!");

// Proves "security.md": A76
test.each([
  ["an inactive user with the right password", "desk"],
  ["a user without a password", "erased"],
  ["a wrong password", "ana"],
])("does the same work to sign in for %s as for an unknown user", async (_, username) => {
  const unknown = await measureWork("/login", { username: "nobody", password: passwordOf(username) });
  expect([unknown.status, unknown.passwordHashes, unknown.statements.length > 0]).toEqual([200, 1, true]);
  expect(await measureWork("/login", { username, password: passwordOf(username) })).toEqual(unknown);
});

// Proves "security.md": A76
test.each([
  ["a customer", "ana"],
  ["staff", "boss@example.com"],
  ["an inactive user", "desk"],
])(
  "does the same work to send a password link to %s as to an unknown user, until the response",
  async (_, username) => {
    const unknown = await measureWork("/web-customer/password-forgotten", { username: "nobody" });
    expect([unknown.status, unknown.keyedHashes > 0, unknown.statements.length > 2]).toEqual([200, true, true]);
    expect(await measureWork("/web-customer/password-forgotten", { username })).toEqual(unknown);
  },
);

// Proves "security.md": A76
test("does the same work to mail a reservation's link whether the reservation exists or not", async () => {
  expect((await checkOutCart(await createCart(), { customer_email: "ana@example.com" })).status).toBe(200);
  const reservation = Number(await db.prepare("SELECT max(id) AS id FROM bookings").first("id"));
  const find = (email: string, id: number) => measureWork("/web-customer/find-booking", { number: id, email });
  const unknown = await find("nobody@example.com", 999_999);
  expect([unknown.status, unknown.statements.length > 0]).toEqual([200, true]);
  expect(await find("ana@example.com", reservation)).toEqual(unknown);
});

/** The rules for new passwords normalize it too. */
const CHECKS = 1;

// Proves "security.md": A76
test("hashes the password of a registration even if its email is already used, so that timing reveals nothing", async () => {
  const signUp = { name: "Eva", surname: "Gil", password: "Rental-pass-2026!" };
  const free = await measureWork("/signup/customer", { ...signUp, email: "eva@example.com" });
  const used = await measureWork("/signup/customer", { ...signUp, email: "ana@example.com" });
  expect([free.status, free.passwordHashes, used.status, used.passwordHashes]).toEqual([
    ...[200, CHECKS + 1],
    ...[409, CHECKS + 1],
  ]);
});

// Proves "security.md": A76
test("does the same work for a used, an expired and an unknown password link", async () => {
  const change = (link: string) =>
    measureWork("/web-customer/change-password", { password: "Rental-pass-2026!", password_forgotten_hash: link });
  const tenant = openTestTenant(env);
  const insertLink = async (link: string, usedAt: number | null, expiresAt: number) =>
    db
      .prepare("INSERT INTO password_resets (token_hash, user_id, expires_at, used_at) VALUES (?, 1, ?, ?)")
      .bind(await computeKeyedHash(tenant, PASSWORD_LINK_HASH_PURPOSE, link), expiresAt, usedAt)
      .run();
  await insertLink("used-link", 1, Date.now() + 60_000);
  await insertLink("expired-link", null, 1);
  const unknown = await change("unknown-link");
  expect([unknown.status, unknown.passwordHashes]).toEqual([200, CHECKS]);
  for (const link of ["used-link", "expired-link"]) expect([link, await change(link)]).toEqual([link, unknown]);
});

// Proves "security.md": A76
test("does the same work for a request with an unknown partner key as for one with a wrong signature", async () => {
  const read = async (key: string) => {
    const keyed = vi.spyOn(crypto.subtle, "sign");
    const verified = vi.spyOn(crypto.subtle, "verify");
    const headers = { Authorization: `${key}:${"0".repeat(40)}` };
    const url = "http://acme.localhost:8787/api/booking/ota/location-list?customer-language=en";
    const answer = await requestWorker(url, { headers });
    const work = [answer.status, await answer.text(), keyed.mock.calls.length, verified.mock.calls.length];
    vi.restoreAllMocks();
    return work;
  };
  await read("agency");
  expect((await read("agency"))[0]).toBe(401);
  expect(await read("nobody")).toEqual(await read("agency"));
});
