import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { requestPasswordReset, resetPasswordByLink } from "#worker/usecases/access/recover-password.ts";

const NEW_PASSWORD = "Brand-new-1!";
const FORGOTTEN_PATH = "/web-customer/password-forgotten";
const CHANGE = "/web-customer/change-password";

let db: D1Database;

interface SentMail {
  readonly from: { readonly name: string; readonly email: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
});

/** Captures the emails sent during a password reset. */
async function listMails(
  username: string,
  options: { readonly host?: string; readonly query?: string; readonly headers?: Record<string, string> } = {},
): Promise<SentMail[]> {
  const sentMails: SentMail[] = [];
  const mail = { send: async (message: SentMail) => sentMails.push(message) } as unknown as SendEmail;
  const { query = "", ...rest } = options;
  const response = await callApi("POST", `${FORGOTTEN_PATH}${query}`, {
    body: { username },
    env: { ...env, MAIL: mail },
    ...rest,
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toBe(true);
  return sentMails;
}

function linkIn(mail: SentMail | undefined): string {
  return /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
}

async function readResetId(username = "ana"): Promise<string> {
  const [mail] = await listMails(username);
  return new URL(linkIn(mail)).searchParams.get("id") ?? "";
}

function change(link: string, password = NEW_PASSWORD, query = ""): Promise<Response> {
  return callApi("POST", `${CHANGE}${query}`, { body: { password, password_forgotten_hash: link } });
}

describe("a forgotten password", () => {
  // Proves "customer-access.md: operations": POST password-forgotten: an e-mail with a link to reset the password
  test("sends a password reset mail as text and HTML to the user's own address, in the user's language", async () => {
    const [mail, ...others] = await listMails("ANA");
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      from: { name: "Test Rentals", email: env.MAIL_FROM },
      to: "ana@example.com",
      subject: "Test Rentals: new password",
    });
    expect(mail?.text).toContain("Hello Ana Ruiz,");
    expect(mail?.html).toContain('<html lang="en">');
    expect(mail?.html).toContain(linkIn(mail).replace("&", "&amp;"));
    expect((await listMails("boss"))[0]?.subject).toBe("Test Rentals: neues Passwort");
  });

  // Proves "customer-access.md: operations": lang: the language of what a person reads
  test("writes the reset mail in the request's language for a user without a language, else in the account's", async () => {
    expect((await listMails("desk", { query: "?lang=ca" }))[0]?.subject).toBe("Test Rentals: contrasenya nova");
    expect((await listMails("desk", { query: "?lang=sv" }))[0]?.subject).toBe("Test Rentals: nueva contraseña");
  });

  // Proves "customer-access.md: operations": POST password-forgotten: true whether or not there is such a user
  test("answers a password reset of an unknown or disabled user like any other, with as many database calls but no mail", async () => {
    await db.prepare("UPDATE users SET active = 0 WHERE id = 3").run();
    expect(await listMails("nobody@example.com")).toEqual([]);
    expect(await listMails("boss")).toEqual([]);
    expect(await db.prepare("SELECT count(*) AS n FROM password_resets").first()).toEqual({ n: 0 });
    const costs = [];
    for (const name of ["ana", "nobody"]) {
      const tenant = openTestTenant(env);
      await requestPasswordReset(tenant, name, { now: Date.now(), address: undefined, language: undefined });
      costs.push(tenant.meter.calls);
    }
    expect(costs).toEqual([2, 2]);
  });

  // Proves "customer-access.md: tokens and limits": Links lead to the account's configured address, never to the Host
  //   header's
  test("links a password reset mail to the company's own address, whatever the Host header contains", async () => {
    await db.prepare("UPDATE settings SET base_url = 'https://www.testrentals.example/'").run();
    await openTestTenant(env).freshSnapshot();
    const headers = { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
    for (const host of ["acme.localhost:8787", "acme.localhost:6666", "ACME.localhost."]) {
      const [mail] = await listMails("ana", { host, headers });
      expect(linkIn(mail)).toMatch(/^https:\/\/www\.testrentals\.example\/change-password\?id=[\w-]{43}&lang=en$/);
    }
    expect(
      (await callApi("POST", FORGOTTEN_PATH, { host: "acme.evil.example", body: { username: "ana" } })).status,
    ).toBe(404);
  });

  test("links a reset mail to the account's host on the platform if the company has no own host, without the request's port", async () => {
    const [mail] = await listMails("ana", { host: "acme.localhost:6666" });
    expect(linkIn(mail)).toMatch(/^http:\/\/acme\.localhost:8787\/change-password\?id=[\w-]{43}&lang=en$/);
  });

  // Proves "customer-access.md: tokens and limits": Only a hash of a link is kept
  test("stores only a hash of the password reset link in the database", async () => {
    const link = await readResetId();
    const { results } = await db.prepare("SELECT * FROM password_resets").all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(link);
  });

  test("returns true if the password reset mail can't be sent, and logs the error without the address", async () => {
    const logged: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => logged.push(line));
    const mail = { send: () => Promise.reject(new Error("no mail to ana@example.com")) } as unknown as SendEmail;
    const response = await callApi("POST", FORGOTTEN_PATH, { body: { username: "ana" }, env: { ...env, MAIL: mail } });
    vi.restoreAllMocks();
    expect(await response.json()).toBe(true);
    expect(logged.join()).toContain('"defect":"Error"');
    expect(logged.join()).not.toContain("example.com");
  });

  test.each([{}, { username: "" }, { username: 5 }, { username: "a".repeat(255) }])(
    "rejects the password reset request %j",
    async (body) => {
      expect((await callApi("POST", FORGOTTEN_PATH, { body })).status).toBe(400);
    },
  );
});

describe("a new password", () => {
  // Proves "customer-access.md: operations": POST change-password changes the password
  // Proves "customer-access.md: tokens and limits": A password change revokes
  test("replaces the old password and ends the user's session", async () => {
    const token = await createToken("ana");
    const response = await change(await readResetId());
    expect(response.status).toBe(200);
    expect(await response.json()).toBe(true);
    expect(await (await login("ana", PASSWORD)).json()).toEqual({ connected: false });
    expect(await (await login("ana", NEW_PASSWORD)).json()).toMatchObject({ connected: true });
    expect((await callApi("GET", "/web-customer/renting-reservations", { token })).status).toBe(401);
  });

  // Proves "customer-access.md: operations": POST change-password: false for a link that is used, unknown or expired
  test("accepts a password reset link once, and returns the same response for used, unknown and expired links", async () => {
    const used = await readResetId();
    const second = await readResetId();
    await change(used);
    const expired = await readResetId();
    await db.prepare("UPDATE password_resets SET expires_at = 1 WHERE used_at IS NULL").run();
    for (const link of [used, second, expired, "unknown"]) {
      const response = await change(link, "Other-pass-2!");
      expect(response.status).toBe(200);
      expect(await response.json()).toBe(false);
    }
    expect(await (await login("ana", NEW_PASSWORD)).json()).toMatchObject({ connected: true });
  });

  // Proves "customer-access.md: tokens and limits": Links work once
  test("accepts a password reset link once if it is sent many times at once", async () => {
    const link = await readResetId();
    const answers = await Promise.all(
      ["One-pass-1!", "Two-pass-2!", "Three-pass-3!"].map((password) => change(link, password)),
    );
    const responseBodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(responseBodies.filter(Boolean)).toHaveLength(1);
  });

  // Proves "customer-access.md: tokens and limits": Links live 30 minutes
  test("accepts a password reset link for 30 minutes", async () => {
    const link = await readResetId();
    const at = (minutes: number) => ({ now: Date.now() + minutes * 60_000, address: undefined });
    const late = await resetPasswordByLink(openTestTenant(env), { password: NEW_PASSWORD, link }, at(30.1));
    expect(late).toEqual({ ok: true, value: undefined });
    const inTime = await resetPasswordByLink(openTestTenant(env), { password: NEW_PASSWORD, link }, at(29));
    expect(inTime).toEqual({ ok: true, value: expect.any(Function) });
  });

  test("rejects a password reset link of another account", async () => {
    const link = await readResetId();
    await setUpCompany("globex");
    await addTestUsers("globex");
    const body = { password: NEW_PASSWORD, password_forgotten_hash: link };
    expect(await (await callApi("POST", CHANGE, { body, account: "globex" })).json()).toBe(false);
    expect(await (await login("ana", PASSWORD, { account: "globex" })).json()).toMatchObject({ connected: true });
  });

  test("rejects a new password of a user who was disabled in the meantime", async () => {
    const link = await readResetId();
    await db.prepare("UPDATE users SET active = 0 WHERE id = 1").run();
    expect(await (await change(link)).json()).toBe(false);
  });

  test.each([
    ["password", "UPDATE users SET password_hash = 'another' WHERE username = 'ana'"],
    ["address", "UPDATE users SET email = 'new@example.com' WHERE username = 'ana'"],
  ])("rejects an older link after the user got another %s", async (_, changedField) => {
    const link = await readResetId();
    await db.prepare(changedField).run();
    expect(await (await change(link)).json()).toBe(false);
    expect(await (await change(await readResetId())).json()).toBe(true);
  });

  test("rejects a password that breaks a rule in the user's language, and keeps the link valid", async () => {
    const link = await readResetId();
    const response = await change(link, "Short1!", "?lang=es");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "weak_password",
      detail: ["La contraseña debe tener 8 caracteres como mínimo."],
      problems: [{ field: "password", code: "too_short" }],
    });
    expect(await (await change(link)).json()).toBe(true);
  });

  test.each([
    { password: NEW_PASSWORD },
    { password: 12345678, password_forgotten_hash: "x" },
    { password: NEW_PASSWORD, password_forgotten_hash: "" },
    { password: NEW_PASSWORD, password_forgotten_hash: "x".repeat(201) },
  ])("rejects the new password request %j", async (body) => {
    expect((await callApi("POST", CHANGE, { body })).status).toBe(400);
  });
});

describe("the page of a password link", () => {
  const page = "http://acme.localhost:8787/change-password?id=secret-of-the-link";

  test("uses the visitor's language on the password page, and sends the link to no other site", async () => {
    const response = await requestWorker(page, { headers: { "Accept-Language": "gl, ca-ES;q=0.9, en" } });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('<html lang="ca">');
    expect(text).toContain("Contrasenya nova · Test Rentals");
    expect(text).not.toContain("secret-of-the-link");
    expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none';.*form-action 'none'/);
  });

  test("allows only the page's own script on the password page", async () => {
    const response = await requestWorker(page);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    const nonce = /script-src 'nonce-([^']+)'(?:;|$)/.exec(policy)?.[1];
    const text = await response.text();
    expect(text).toContain(`<script nonce="${nonce}">`);
    expect(text.match(/<script\b/g)).toHaveLength(1);
    const other = await requestWorker(page);
    expect(other.headers.get("Content-Security-Policy")).not.toContain(String(nonce));
  });
});

describe("the development mailbox", () => {
  // Proves "customer-access.md: tokens and limits": Every message can be read at /dev/mailbox on the base domain
  test("shows an account's mails in the development mailbox on the base domain, without HTML markup from names", async () => {
    await db.prepare("UPDATE users SET full_name = '<script>alert(1)</script>' WHERE id = 1").run();
    await callApi("POST", FORGOTTEN_PATH, { body: { username: "ana" }, env });
    const response = await requestWorker("http://localhost:8787/dev/mailbox");
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain("ana@example.com");
    expect(page).toMatch(/href="http:\/\/acme\.localhost:8787\/change-password\?id=[\w-]{43}&amp;lang=en"/);
    expect(page).not.toContain("<script>");
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  });

  test("returns 404 for the development mailbox on an account's site", async () => {
    expect((await requestWorker("http://acme.localhost:8787/dev/mailbox")).status).toBe(404);
  });
});
