import { env } from "cloudflare:workers";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, callApi, createToken, login } from "#support/test-users.ts";
import { deriveAccountKey } from "#worker/auth/account-keys.ts";
import { issueSessionToken, type SessionToken } from "#worker/auth/tokens.ts";
import { findAuthenticatedCustomer, findAuthenticatedUser } from "#worker/usecases/office/find-signed-in.ts";

let db: D1Database;

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
});

const ACME = { name: "acme", masterKey: env.MASTER_KEY };
const DAY = 86_400_000;

/** Creates a session and its token data without a slow sign-in. */
async function createStoredSession(changes: Partial<SessionToken> = {}): Promise<SessionToken> {
  const now = Date.now();
  const token: SessionToken = {
    sessionId: crypto.randomUUID(),
    userId: 1,
    role: "customer",
    branches: [],
    issuedAt: now,
    expiresAt: now + 30 * DAY,
    generation: 1,
    ...changes,
  };
  await db
    .prepare("INSERT INTO user_sessions (id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)")
    .bind(token.sessionId, token.userId, token.issuedAt, token.expiresAt)
    .run();
  return token;
}

async function issueToken(changes: Partial<SessionToken> = {}): Promise<string> {
  return issueSessionToken(ACME, await createStoredSession(changes));
}

function toPayload({ userId, sessionId, role }: SessionToken) {
  const now = Math.floor(Date.now() / 1000);
  return { role, iss: "acme", aud: "acme", sub: String(userId), jti: sessionId, iat: now, exp: now + 3600 };
}

async function signedBy(key: CryptoKey, payload: object, header: object = {}): Promise<string> {
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: "HS256", typ: "session+jwt", kid: "1", ...header })
    .sign(key);
}

async function rotate(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await db
      .prepare(
        "INSERT INTO token_keys (id, generation) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET generation = generation + 1",
      )
      .run();
  }
}

/** All kinds of tokens, and the user that each authenticates, if any. */
const KINDS: Readonly<
  Record<string, { readonly make: () => Promise<string | undefined>; readonly is: "customer" | "staff" | "nobody" }>
> = {
  "no token": { make: async () => undefined, is: "nobody" },
  "an empty token": { make: async () => "", is: "nobody" },
  "no token after Bearer": { make: async () => "Bearer ", is: "nobody" },
  "a text that is no token": { make: async () => "abc.def.ghi", is: "nobody" },
  "a customer's token": { make: () => issueToken(), is: "customer" },
  "a customer's token after Bearer": { make: async () => `Bearer ${await issueToken()}`, is: "customer" },
  "a token of staff": { make: () => issueToken({ userId: 2, role: "operator" }), is: "staff" },
  "a token of another account": {
    make: async () => issueSessionToken({ ...ACME, name: "globex" }, await createStoredSession()),
    is: "nobody",
  },
  "a token of another account with the names changed": {
    make: async () =>
      signedBy(await deriveAccountKey({ ...ACME, name: "globex" }, "token/1"), toPayload(await createStoredSession())),
    is: "nobody",
  },
  "a token for another audience": {
    make: async () =>
      signedBy(await deriveAccountKey(ACME, "token/1"), { ...toPayload(await createStoredSession()), aud: "globex" }),
    is: "nobody",
  },
  "an expired token": {
    make: () => issueToken({ issuedAt: Date.now() - 31 * DAY, expiresAt: Date.now() - DAY }),
    is: "nobody",
  },
  "a token of a revoked session": {
    make: async () => {
      const session = await createStoredSession();
      await db.prepare("UPDATE user_sessions SET revoked_at = 1 WHERE id = ?").bind(session.sessionId).run();
      return issueSessionToken(ACME, session);
    },
    is: "nobody",
  },
  "a token of a session that is not there": {
    make: async () => issueSessionToken(ACME, { ...(await createStoredSession()), sessionId: crypto.randomUUID() }),
    is: "nobody",
  },
  "a token of a disabled user": {
    make: async () => {
      await db.prepare("UPDATE users SET active = 0 WHERE id = 1").run();
      return issueToken();
    },
    is: "nobody",
  },
  "a token from before the password changed": {
    make: async () => {
      const token = await issueToken({ issuedAt: Date.now() - 5000 });
      await db
        .prepare("UPDATE users SET tokens_valid_from = ? WHERE id = 1")
        .bind(Date.now() - 1000)
        .run();
      return token;
    },
    is: "nobody",
  },
  "an unsigned token (alg none)": {
    make: async () => new UnsecuredJWT(toPayload(await createStoredSession())).encode(),
    is: "nobody",
  },
  "a token with the algorithm taken away": {
    make: async () => {
      const [, payload] = (await issueToken()).split(".");
      return `${btoa('{"alg":"none","typ":"session+jwt","kid":"1"}').replaceAll("=", "")}.${payload}.`;
    },
    is: "nobody",
  },
  "a token with a changed claim": {
    make: async () => {
      const [header, payload, signature] = (await issueToken()).split(".");
      const claims = { ...JSON.parse(atob(payload ?? "")), sub: "2", role: "administrator" };
      return `${header}.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.${signature}`;
    },
    is: "nobody",
  },
  "a token of one user over another's session": {
    make: async () => issueSessionToken(ACME, { ...(await createStoredSession({ userId: 2 })), userId: 1 }),
    is: "nobody",
  },
  "a JWT of another type": {
    make: async () =>
      signedBy(await deriveAccountKey(ACME, "token/1"), toPayload(await createStoredSession()), { typ: "JWT" }),
    is: "nobody",
  },
  "a token with a stronger algorithm": {
    make: async () => {
      const key = new Uint8Array(64);
      return new SignJWT(toPayload(await createStoredSession()))
        .setProtectedHeader({ alg: "HS512", typ: "session+jwt", kid: "1" })
        .sign(key);
    },
    is: "nobody",
  },
  "a token that names no key": {
    make: async () =>
      signedBy(await deriveAccountKey(ACME, "token/1"), toPayload(await createStoredSession()), { kid: "one" }),
    is: "nobody",
  },
  "a token signed with the previous key": {
    make: async () => {
      const token = await issueToken();
      await rotate(1);
      return token;
    },
    is: "customer",
  },
  "a token signed with the key before the previous one": {
    make: async () => {
      const token = await issueToken();
      await rotate(2);
      return token;
    },
    is: "nobody",
  },
  "a token signed with a key to come": { make: () => issueToken({ generation: 2 }), is: "nobody" },
};

const ANSWERS = {
  logout: { customer: 200, staff: 200, nobody: 401 },
  rentals: { customer: 200, staff: 403, nobody: 401 },
  open: { customer: 200, staff: 200, nobody: 200 },
} as const;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly answers: (typeof ANSWERS)[keyof typeof ANSWERS];
}

/** All routes with permitted users. Those without credentials ignore tokens. */
const ROUTES: readonly Route[] = [
  { method: "DELETE", path: "/logout", answers: ANSWERS.logout },
  { method: "GET", path: "/web-customer/renting-reservations", answers: ANSWERS.rentals },
  { method: "POST", path: "/web-customer/check-user-email", body: { username: "ana" }, answers: ANSWERS.open },
  { method: "POST", path: "/web-customer/password-forgotten", body: { username: "ana" }, answers: ANSWERS.open },
  {
    method: "POST",
    path: "/web-customer/change-password",
    body: { password: "Brand-new-1!", password_forgotten_hash: "none" },
    answers: ANSWERS.open,
  },
  {
    method: "POST",
    path: "/login",
    body: { username: "ana", password: "Wrong-pass-1!" },
    answers: ANSWERS.open,
  },
  {
    method: "POST",
    path: "/signup/customer",
    body: { name: "Eva", email: "eva@example.com", password: "Brand-new-1!" },
    answers: ANSWERS.open,
  },
];

// Proves "customer-access.md: operations": The JWT is used on requests that require an authenticated customer
describe("every route with every kind of token", () => {
  // Proves "customer-access.md: tokens and limits": Accepted with and without Bearer
  // Proves "customer-access.md: tokens and limits": Signed with the previous key: fine; with the one before: not
  // Proves "customer-access.md: tokens and limits": Another account's, expired, revoked, unsigned, changed: all refused
  //   alike
  test.each(Object.entries(KINDS))(
    "answers each route by the permissions of the caller: %s",
    async (_, { make, is }) => {
      const token = await make();
      // Signing out ends the token's session, so it comes last.
      for (const { method, path, body, answers } of ROUTES.toReversed()) {
        const response = await callApi(method, path, { token, ...(body && { body }) });
        expect([path, response.status]).toEqual([path, answers[is]]);
        if (response.status === 401) {
          expect(await response.json()).toEqual({
            error: "Missing, invalid or expired token. Sign in again",
            code: "not_signed_in",
          });
        }
      }
    },
  );
});

// Proves "security.md": V10
test.each([
  ["staff", "operator", 2, 16 * 3_600_000],
  ["a customer", "customer", 1, 90 * DAY],
] as const)(
  "rejects even a new token if the session of %s exceeds its maximum duration",
  async (_, role, userId, longestMs) => {
    const now = Date.now();
    const callAt = async (createdAt: number) => {
      const session = await createStoredSession({ role, userId, expiresAt: now + DAY });
      await db.prepare("UPDATE user_sessions SET created_at = ? WHERE id = ?").bind(createdAt, session.sessionId).run();
      return (await callApi("GET", "/sessions", { token: await issueSessionToken(ACME, session) })).status;
    };
    expect([await callAt(now - longestMs + 60_000), await callAt(now - longestMs)]).toEqual([200, 401]);
  },
);

test("rejects another account's token even if a session has the same ID", async () => {
  await setUpCompany("globex");
  const globex = await addTestUsers("globex");
  const session = await createStoredSession();
  await globex
    .prepare("INSERT INTO user_sessions (id, user_id, created_at, expires_at) VALUES (?, 1, ?, ?)")
    .bind(session.sessionId, session.issuedAt, session.expiresAt)
    .run();
  const token = await issueSessionToken(ACME, session);
  const path = "/web-customer/renting-reservations";
  expect((await callApi("GET", path, { token })).status).toBe(200);
  expect((await callApi("GET", path, { token, account: "globex" })).status).toBe(401);
});

describe("after a rotation of the token key", () => {
  // Proves "customer-access.md: tokens and limits": A login after a rotation signs with the new key
  test("signs new tokens with the new key, and renews a token with it after half of its lifetime", async () => {
    await rotate(1);
    const renewed = await callApi("GET", "/web-customer/renting-reservations", {
      token: await issueToken({ issuedAt: Date.now() - 16 * DAY, expiresAt: Date.now() + 14 * DAY }),
    });
    for (const token of [await createToken("ana"), renewed.headers.get("Authorization") ?? ""]) {
      expect(JSON.parse(atob(token.split(".")[0] ?? ""))).toMatchObject({ kid: "2" });
      await expect(findAuthenticatedUser(openTestTenant(env), token, Date.now())).resolves.toBeDefined();
    }
  });
});

describe("a fresh token", () => {
  const path = "/web-customer/renting-reservations";

  // Proves "customer-access.md: tokens and limits": A fresh token when more than half has gone
  test("returns a fresh token for the same session after half of the old token's lifetime", async () => {
    const session = await createStoredSession({ issuedAt: Date.now() - 16 * DAY, expiresAt: Date.now() + 14 * DAY });
    const response = await callApi("GET", path, { token: await issueSessionToken(ACME, session) });
    const fresh = response.headers.get("Authorization") ?? "";
    const claims = decodeJwt(fresh);
    expect(claims).toMatchObject({ sub: "1", jti: session.sessionId });
    expect((claims.exp ?? 0) * 1000).toBeGreaterThan(Date.now() + 29 * DAY);
    expect((await callApi("DELETE", "/logout", { token: fresh })).status).toBe(200);
    expect((await callApi("GET", path, { token: await issueSessionToken(ACME, session) })).status).toBe(401);
  });

  // Proves "customer-access.md: tokens and limits": Responses with a new token aren't cached
  test.each(["/booking/delivery-collection-app-settings", "/office/attention", "/sessions"])(
    "prevents caching of a token that %s returns, so the next user can't receive it",
    async (read) => {
      const hours = 3_600_000;
      const now = Date.now();
      const boss = { userId: 3, role: "administrator", branches: "all" } as const;
      const token = await issueToken({ ...boss, issuedAt: now - 8 * hours, expiresAt: now + 6 * hours });
      const answer = await callApi("GET", read, { token });
      expect([answer.status, answer.headers.has("Authorization")]).toEqual([200, true]);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    },
  );

  test("returns no fresh token in the first half of the old token's lifetime", async () => {
    const token = await issueToken({ issuedAt: Date.now() - 14 * DAY, expiresAt: Date.now() + 16 * DAY });
    expect((await callApi("GET", path, { token })).headers.has("Authorization")).toBe(false);
  });

  // Proves "customer-access.md: tokens and limits": Staff stay signed in through hours without a network
  test("keeps staff signed in beyond the first shift", async () => {
    const now = Date.now();
    const token = await issueToken({ userId: 2, role: "operator", expiresAt: now + 14 * 3_600_000 });
    const later = await findAuthenticatedUser(openTestTenant(env), token, now + 8 * 3_600_000);
    expect(later?.signedIn).toMatchObject({ role: "operator", branches: ["AIR"] });
    const muchLater = await findAuthenticatedUser(openTestTenant(env), later?.freshToken, now + 15 * 3_600_000);
    expect(muchLater?.signedIn.userId).toBe(2);
    expect(await findAuthenticatedUser(openTestTenant(env), token, now + 15 * 3_600_000)).toBeUndefined();
    // A session ends 16 hours after sign-in, regardless of use.
    expect(
      await findAuthenticatedUser(
        openTestTenant(env),
        muchLater?.freshToken ?? later?.freshToken,
        now + 17 * 3_600_000,
      ),
    ).toBeUndefined();
  });
});

describe("token holder", () => {
  test("verifies a token with one database call, and makes none without a token", async () => {
    const tenant = openTestTenant(env);
    const bearer = await findAuthenticatedUser(tenant, `Bearer ${await issueToken()}`, Date.now());
    expect(tenant.meter.calls).toBe(1);
    expect(bearer?.signedIn.customer).toEqual({
      id: 1,
      name: "Ana",
      surname: "Ruiz",
      email: "ana@example.com",
      phonePrefix: "34",
      phone: "600111222",
      documentId: "X123",
      isVerified: true,
      discountBasisPoints: 0,
    });
    await findAuthenticatedUser(tenant, undefined, Date.now());
    await findAuthenticatedUser(tenant, "agency:0123456789", Date.now());
    expect(tenant.meter.calls).toBe(1);
  });

  test("finds the signed-in customer of a website booking only for a customer's token, not for a staff token", async () => {
    const staff = await issueToken({ userId: 2, role: "operator" });
    expect(await findAuthenticatedCustomer(openTestTenant(env), staff, Date.now())).toBeUndefined();
    expect(await findAuthenticatedCustomer(openTestTenant(env), undefined, Date.now())).toBeUndefined();
    expect(await findAuthenticatedCustomer(openTestTenant(env), await issueToken(), Date.now())).toMatchObject({
      id: 1,
    });
  });

  // Proves "security.md": V12
  test("reads the user's rights from the database, not from the token", async () => {
    const token = await issueToken({ userId: 2, role: "operator" });
    await db.batch([
      db.prepare("UPDATE users SET role = 'manager' WHERE id = 2"),
      db.prepare("UPDATE user_branches SET branch_code = 'TOWN' WHERE user_id = 2"),
    ]);
    const bearer = await findAuthenticatedUser(openTestTenant(env), token, Date.now());
    expect(bearer?.signedIn).toMatchObject({ role: "manager", branches: ["TOWN"] });
  });
});

// Proves "customer-access.md: tokens and limits": Disabling a user revokes, even while a password is checked
test("creates no session for a user who was disabled during the password check", async () => {
  const racing = {
    prepare: (query: string) => env.TENANT_ACME.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.TENANT_ACME.batch(statements);
      await db.prepare("UPDATE users SET active = 0 WHERE id = 1").run();
      return results;
    },
  } as unknown as D1Database;
  const response = await login("ana", undefined, { env: { ...env, TENANT_ACME: racing } });
  expect(await response.json()).toEqual({ connected: false });
  expect(await db.prepare("SELECT count(*) AS n FROM user_sessions").first()).toEqual({ n: 0 });
});
