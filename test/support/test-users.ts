import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getMaxSessionIdleMs } from "#domain/access/sessions.ts";
import { clearCachedSnapshot, openTestTenant } from "#support/databases.ts";
import { issueSessionToken, type SessionToken } from "#worker/auth/tokens.ts";
import worker from "#worker/entry/office.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";

export const PASSWORD = "Right-pass-1!";
/** Hash of PASSWORD with minimal cost, which the Worker also uses in tests. */
export const PASSWORD_HASH =
  "scrypt$ln=4,r=1,p=1$YSBzYWx0IG9mIHNpeHRlZQ==$uvA5UnARqUKZ5IjG3eFKB9DQjmrQ33xs9+e985nZJ9g=";

const CREATED = 1_700_000_000_000;

/**
 * Adds a customer, staff of one branch and an administrator to a test company, all with PASSWORD. The first guest
 * becomes the customer.
 */
export async function addTestUsers(account: "acme" | "globex" = "acme"): Promise<D1Database> {
  const db = account === "acme" ? env.TENANT_ACME : env.TENANT_GLOBEX;
  await db.batch([
    db.prepare(`INSERT INTO customers (id, name, surname, email, phone_number_prefix, phone_number, document_id, created_at, last_update)
      VALUES (1, 'Ana', 'Ruiz', 'ana@example.com', '34', '600111222', 'X123', ${CREATED}, ${CREATED})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, surname = excluded.surname, email = excluded.email,
        phone_number_prefix = excluded.phone_number_prefix, phone_number = excluded.phone_number, document_id = excluded.document_id,
        created_by_booking = 0`),
    db
      .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, created_at, last_update) VALUES
        (1, 'customer', 'ana', 'ana@example.com', 'Ana Ruiz', ?1, 'customer', 1, 0, 'en', ${CREATED}, ${CREATED}),
        (2, 'staff', 'desk', 'desk@example.com', 'Dora Desk', ?1, 'operator', NULL, 0, NULL, ${CREATED}, ${CREATED}),
        (3, 'staff', 'boss', 'boss@example.com', 'Bea Boss', ?1, 'administrator', NULL, 1, 'de', ${CREATED}, ${CREATED})`)
      .bind(PASSWORD_HASH),
    db.prepare("INSERT INTO user_branches VALUES (2, 'AIR')"),
    db.prepare("UPDATE settings SET engine_origins = '[\"https://shop.example\"]'"),
  ]);
  clearCachedSnapshot(account);
  return db;
}

/**
 * Adds `addTestUsers` and an agent and a manager of all branches. Returns the database and both tokens.
 */
export async function addAgentAndManager() {
  const db = await addTestUsers();
  await db
    .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update) VALUES
      (4, 'staff', 'agent', 'agent@example.com', 'Aina Agent', ?1, 'agent', 1, 1, 1),
      (5, 'staff', 'manager', 'manager@example.com', 'Max Manager', ?1, 'manager', 1, 1, 1)`)
    .bind(PASSWORD_HASH)
    .run();
  return { db, agent: await createToken("agent"), manager: await createToken("manager") };
}

interface Call {
  readonly account?: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly env?: Cloudflare.Env;
}

/** Mail binding that discards messages. The runtime's own prints them. */
const DROPPING = { send: async () => ({ messageId: "" }) } as SendEmail;

/** Calls the customer API and waits for the Worker's background work. */
export async function callApi(method: string, path: string, options: Call = {}): Promise<Response> {
  const { account = "acme", token, body, headers = {}, host = `${account}.localhost:8787` } = options;
  const request = new Request(`http://${host}/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: token }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const context = createExecutionContext();
  const response = await worker.fetch(request, options.env ?? { ...env, MAIL: DROPPING }, context);
  await waitOnExecutionContext(context);
  return response;
}

export function login(username: string, password: string = PASSWORD, options: Call = {}): Promise<Response> {
  return callApi("POST", "/login", { ...options, body: { username, password } });
}

interface SessionUser {
  readonly id: number;
  readonly role: SessionToken["role"];
  readonly all_branches: number;
}

/** Opens a session and returns its token in one database call, without the slow password check of `login`. */
export async function createToken(username: string, account: "acme" | "globex" = "acme"): Promise<string> {
  const tenant = openTestTenant(env, account);
  const db = account === "acme" ? env.TENANT_ACME : env.TENANT_GLOBEX;
  const sessionId = createFreeAccessId();
  const issuedAt = Date.now();
  const getExpiry = (role: SessionToken["role"]) => issuedAt + getMaxSessionIdleMs(role);
  const USER = "users WHERE ?1 IN (username, email)";
  const [found, branches, keys] = await db.batch<never>([
    db.prepare(`SELECT id, role, all_branches FROM ${USER}`).bind(username),
    db
      .prepare(`SELECT branch_code FROM user_branches WHERE user_id IN (SELECT id FROM ${USER}) ORDER BY branch_code`)
      .bind(username),
    db.prepare("SELECT generation FROM token_keys"),
    db
      .prepare(`INSERT INTO user_sessions (id, user_id, created_at, expires_at, last_used_at)
        SELECT ?2, id, ?3, CASE role WHEN 'customer' THEN ?4 ELSE ?5 END, ?3 FROM ${USER}`)
      .bind(username, sessionId, issuedAt, getExpiry("customer"), getExpiry("administrator")),
  ]);
  const [user] = (found?.results ?? []) as readonly SessionUser[];
  if (!user) throw new Error(`${account} has no user ${username}`);
  const codes = ((branches?.results ?? []) as readonly { branch_code: string }[]).map((row) => row.branch_code);
  const generation = ((keys?.results ?? []) as readonly { generation: number }[])[0]?.generation ?? 1;
  const { id: userId, role } = user;
  const expiresAt = getExpiry(role);
  const access = { role, branches: user.all_branches ? ("all" as const) : codes };
  return issueSessionToken(tenant, { sessionId, userId, ...access, issuedAt, expiresAt, generation });
}
