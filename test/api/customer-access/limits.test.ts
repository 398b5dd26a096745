import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, callApi, login, PASSWORD } from "#support/test-users.ts";
import { computeKeyedHash } from "#worker/auth/account-keys.ts";
import { signIn } from "#worker/usecases/access/sign-in.ts";

const QUARTER = 15 * 60_000;
let db: D1Database;

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
  await openTestTenant(env).freshSnapshot();
});

/** Inserts failed attempts for a name without the slow password checks. */
async function withFailures(subject: string, count: number, windowEndsAt = Date.now() + QUARTER): Promise<void> {
  await db
    .prepare("INSERT INTO access_attempts (action, subject, count, window_ends_at) VALUES ('login', ?, ?, ?)")
    .bind(subject, count, windowEndsAt)
    .run();
}

async function expectTooMany(response: Response, sentence: string) {
  expect(response.status).toBe(429);
  const wait = Number(response.headers.get("Retry-After"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(900);
  expect(await response.json()).toEqual({ error: sentence, code: "too_many_attempts" });
}

const SPANISH = "Demasiados intentos; inténtelo de nuevo más tarde.";
const ENGLISH = "Too many attempts; please try again later.";

describe("ten failed logins in 15 minutes", () => {
  // Proves "customer-access.md: tokens and limits": Ten failures in 15 minutes: 429 with Retry-After, known or not
  test.each(["ana", "nobody@example.com"])(
    "answers 429 to further logins of %s, even with the right password",
    async (name) => {
      for (let failure = 0; failure < 10; failure++) {
        expect(await (await login(name, "Wrong-pass-1!")).json()).toEqual({ connected: false });
      }
      await expectTooMany(await login(name, PASSWORD), SPANISH);
    },
  );

  test("counts failed logins by user name and failed logins by email of the same user together", async () => {
    await withFailures("user:1", 9);
    await login("ana", "Wrong-pass-1!");
    await expectTooMany(await login("ana@example.com"), SPANISH);
  });

  // Proves "customer-access.md: tokens and limits": The limit is hard: many at once are still ten
  test("allows only ten of many simultaneous failed logins", async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => login("ana", "Wrong-pass-1!")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test("locks out no other user after ten failed logins of one user", async () => {
    await withFailures("user:1", 10);
    expect(await (await login("desk")).json()).toMatchObject({ connected: true });
  });

  test("ignores and deletes failures after 15 minutes", async () => {
    await withFailures("user:1", 10);
    await withFailures("name:somebody", 10);
    const credentials = {
      username: "ana",
      password: PASSWORD,
      address: undefined,
      passkeyScope: { origin: "", host: "" },
    };
    const at = (now: number) => signIn(openTestTenant(env), credentials, { now, sessionId: crypto.randomUUID() });
    expect(await at(Date.now() + QUARTER - 5000)).toMatchObject({ ok: false, error: { kind: "tooManyAttempts" } });
    expect(await at(Date.now() + QUARTER + 5000)).toMatchObject({ ok: true });
    expect(await db.prepare("SELECT count(*) AS n FROM access_attempts").first()).toEqual({ n: 0 });
  });

  test("resets the count after a successful login", async () => {
    await withFailures("user:1", 9);
    expect(await (await login("ana")).json()).toMatchObject({ connected: true });
    for (let failure = 0; failure < 3; failure++) await login("ana", "Wrong-pass-1!");
    expect(await (await login("ana")).json()).toMatchObject({ connected: true });
  });
});

describe("endpoints that reveal whether a person exists or send mails", () => {
  // Proves "customer-access.md: tokens and limits": check-user-email and password-forgotten are limited
  test.each([
    ["/web-customer/check-user-email", 10],
    ["/web-customer/password-forgotten", 5],
  ])("limits requests to %s for each user name, whether that user exists or not", async (path, allowed) => {
    for (const username of ["ana", "nobody"]) {
      for (let time = 0; time < allowed; time++) {
        expect((await callApi("POST", path, { body: { username } })).status).toBe(200);
      }
      await expectTooMany(await callApi("POST", `${path}?lang=en`, { body: { username } }), ENGLISH);
    }
  });

  // Proves "customer-access.md: tokens and limits": Limits by address: the database behind it
  test("limits calls per IP address by a count in the database, even if the runtime's rate limiter allows them", async () => {
    const unlimited = { limit: async () => ({ success: true }) } as RateLimit;
    const check = (name: number, address: string) =>
      callApi("POST", "/web-customer/check-user-email?lang=en", {
        body: { username: `name${name}` },
        headers: { "CF-Connecting-IP": address },
        env: { ...env, IP_RATE_LIMITER: unlimited },
      });
    for (let name = 0; name < 30; name++) expect((await check(name, "203.0.113.7")).status).toBe(200);
    await expectTooMany(await check(31, "203.0.113.7"), ENGLISH);
    expect((await check(32, "203.0.113.8")).status).toBe(200);
  });

  test("counts all IPv6 addresses of a network together", async () => {
    const requestedPaths: string[] = [];
    const limit = {
      limit: async ({ key }: { key: string }) => ({ success: requestedPaths.push(key) > 0 }),
    } as RateLimit;
    for (const address of ["2001:db8:0:1::1", "2001:DB8::1:ffff:0:0:1", "2001:0db8:0000:0001:0000:0000:0000:0009"]) {
      await callApi("POST", "/web-customer/check-user-email", {
        body: { username: "ana" },
        headers: { "CF-Connecting-IP": address },
        env: { ...env, IP_RATE_LIMITER: limit },
      });
    }
    expect(requestedPaths[0]).toBe("acme/check/2001:db8:0:1");
    expect(requestedPaths[1]).toBe("acme/check/2001:db8:0:1");
    expect(requestedPaths[2]).toBe("acme/check/2001:db8:0:1");
  });

  // Proves "customer-access.md: tokens and limits": Limits by address: the binding first
  test.each([
    ["/login", { username: "ana", password: PASSWORD }],
    ["/signup/customer", { name: "Eva", email: "eva@example.com", password: PASSWORD }],
    ["/web-customer/check-user-email", { username: "ana" }],
    ["/web-customer/password-forgotten", { username: "ana" }],
    ["/web-customer/change-password", { password: PASSWORD, password_forgotten_hash: "x" }],
  ])("rejects %s by the runtime's rate limiter with 429, before any database call", async (path, body) => {
    const closed = { limit: async () => ({ success: false }) } as RateLimit;
    const response = await callApi("POST", path, {
      body,
      headers: { "CF-Connecting-IP": "203.0.113.9" },
      env: { ...env, IP_RATE_LIMITER: closed },
    });
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(response.headers.get("Server-Timing")).toContain("calls=0");
  });

  test.each([
    ["login", "/login", { username: "ana", password: PASSWORD }],
    ["sign_up", "/signup/customer", { name: "Eva", email: "eva@example.com", password: PASSWORD }],
    ["forgotten", "/web-customer/password-forgotten", { username: "ana" }],
    ["change", "/web-customer/change-password", { password: PASSWORD, password_forgotten_hash: "x" }],
  ])("rejects the action %s from an IP address with too many attempts", async (action, path, body) => {
    const hash = await computeKeyedHash({ name: "acme", masterKey: env.MASTER_KEY }, "attempts", "203.0.113.50");
    await db
      .prepare("INSERT INTO access_attempts (action, subject, count, window_ends_at) VALUES (?, ?, 100, ?)")
      .bind(action, `address:${hash}`, Date.now() + QUARTER)
      .run();
    const headers = { "CF-Connecting-IP": "203.0.113.50" };
    await expectTooMany(await callApi("POST", `${path}?lang=en`, { body, headers }), ENGLISH);
  });

  test("allows 30 calls per IP address and minute by the runtime's rate limit binding", async () => {
    const requestedPaths = await Promise.all(
      Array.from({ length: 40 }, (_, name) =>
        callApi("POST", "/web-customer/check-user-email", {
          body: { username: `other${name}` },
          headers: { "CF-Connecting-IP": "198.51.100.20" },
        }),
      ),
    );
    expect(requestedPaths.filter(({ status }) => status === 200)).toHaveLength(30);
  });

  test("stores only keyed hashes of addresses and unknown names", async () => {
    await callApi("POST", "/web-customer/check-user-email", {
      body: { username: "nobody@example.com" },
      headers: { "CF-Connecting-IP": "198.51.100.77" },
    });
    const { results } = await db.prepare("SELECT subject FROM access_attempts").all<{ subject: string }>();
    const subjects = results.map(({ subject }) => subject).sort();
    expect(subjects).toEqual([
      expect.stringMatching(/^address:[\w-]{43}$/),
      expect.stringMatching(/^everywhere:name:[\w-]{43}$/),
      expect.stringMatching(/^name:[\w-]{43}@[\w-]{43}$/),
    ]);
  });
});

describe("log entries", () => {
  const logged: string[] = [];

  beforeEach(() => {
    logged.length = 0;
    vi.spyOn(console, "log").mockImplementation((line: string) => logged.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  // Proves "customer-access.md: tokens and limits": The query string, passwords, tokens and persons never reach a log
  test("writes no password, token, link, name or address of a person to the log", async () => {
    const query = `?username=ana@example.com&password=${encodeURIComponent(PASSWORD)}`;
    const headers = { "CF-Connecting-IP": "198.51.100.99" };
    const token = (await callApi("POST", `/login${query}`, { headers })).headers.get("Authorization") ?? "";
    await login("ana", "Wrong-pass-1!");
    await callApi("GET", "/web-customer/renting-reservations", { token });
    await callApi("POST", "/web-customer/password-forgotten", { body: { username: "ana" } });
    const mail = await db.prepare("SELECT text FROM development_mails").first<{ text: string }>();
    const link = /id=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "none";
    await callApi("POST", "/web-customer/change-password", {
      body: { password: "Brand-new-1!", password_forgotten_hash: link },
    });
    await callApi("POST", "/signup/customer", {
      body: { name: "Ana", surname: "Ruiz", email: "ana@example.com", password: "Brand-new-1!" },
    });
    await callApi("DELETE", "/logout", { token });
    expect(logged).toHaveLength(7);
    for (const line of logged) {
      expect(line).not.toMatch(/ana|ruiz|example|pass-1|brand-new|198\.51|ey[\w-]{10}|password=/i);
      expect(line).not.toContain(link);
      expect(line).not.toContain(token.split(".")[2]);
    }
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({ route: "/api/v1/login", status: 200, d1Calls: 2 });
  });
});
