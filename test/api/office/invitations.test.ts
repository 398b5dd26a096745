import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";

let db: D1Database;
let boss = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
  [boss, desk] = [await createToken("boss"), await createToken("desk")];
});

interface SentMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const EVA = { username: "eva", email: "eva@example.com", full_name: "Eva Nova", role: "agent", all_branches: true };
const PASSWORD = "Brand-new-1!";

/** Sends an office request and captures its mails. */
async function send(path: string, body: object, key: string, token = boss) {
  const mails: SentMail[] = [];
  const mail = { send: async (message: SentMail) => mails.push(message) } as unknown as SendEmail;
  const response = await callApi("POST", `/office${path}`, {
    token,
    body,
    headers: { "Idempotency-Key": `"${key}"` },
    env: { ...env, MAIL: mail },
  });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>(), mails };
}

const getLink = (mail: SentMail | undefined) => new URL(/https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "http://none");
const choose = async (link: URL, password = PASSWORD) =>
  (
    await callApi("POST", "/web-customer/change-password", {
      body: { password, password_forgotten_hash: link.searchParams.get("id") },
    })
  ).json();
const signIn = async (password: string) =>
  (await callApi("POST", "/login", { body: { username: "eva", password } })).status;

test("invites a user without a password by mail, in their language, to choose one once", async () => {
  const { status, body, mails } = await send("/users", { ...EVA, language: "en" }, "invite");
  expect([status, mails.length]).toEqual([201, 1]);
  expect(JSON.stringify(body)).not.toContain("secret");
  const [mail] = mails;
  expect(mail).toMatchObject({ to: "eva@example.com", subject: "Test Rentals: your account" });
  expect(mail?.text).toContain("user name eva");
  expect(mail?.text).toMatch(/\/office\/$/m);
  expect(getLink(mail).pathname).toBe("/change-password");
  expect(await choose(getLink(mail))).toBe(true);
  expect(await choose(getLink(mail), "Another-new-1!")).toBe(false);
  expect(await signIn(PASSWORD)).toBe(200);
});

test("accepts a pasted email address, rejects an undeliverable one, and mails an international domain in ASCII", async () => {
  const refused = await send("/users", { ...EVA, email: "eva@127.0.0.1" }, "refused");
  expect(refused).toMatchObject({ status: 400, mails: [] });
  expect(JSON.stringify(refused.body)).toContain('"field":"email"');
  const { body, mails } = await send("/users", { ...EVA, email: "\u200eeva@España.es " }, "idn");
  expect(body["user"]).toMatchObject({ email: "eva@españa.es" });
  expect(mails).toMatchObject([{ to: "eva@xn--espaa-rta.es" }]);
});

test("sends no second invitation if the request is repeated, and none to a user with a password", async () => {
  expect((await send("/users", EVA, "invite")).mails).toHaveLength(1);
  expect(await send("/users", EVA, "invite")).toMatchObject({ status: 201, mails: [] });
  const own = { ...EVA, username: "own", email: "own@example.com", password: PASSWORD };
  expect(await send("/users", own, "own")).toMatchObject({ status: 201, mails: [] });
});

test("rejects an expired invitation link, and lets an administrator send another one", async () => {
  const { body, mails } = await send("/users", EVA, "invite");
  await db.prepare("UPDATE password_resets SET expires_at = 1").run();
  expect(await choose(getLink(mails[0]))).toBe(false);
  const { id } = body["user"] as { readonly id: number };
  expect((await send(`/users/${id}/invitation`, {}, "again", desk)).status).toBe(403);
  const again = await send(`/users/${id}/invitation`, {}, "again");
  expect([again.status, again.mails.length]).toEqual([200, 1]);
  expect(await choose(getLink(again.mails[0]))).toBe(true);
  expect((await send("/users/1/invitation", {}, "customer")).status).toBe(404);
});

test("stores neither the invitation link nor a known password", async () => {
  const { mails } = await send("/users", EVA, "invite");
  const secret = getLink(mails[0]).searchParams.get("id") ?? "none";
  const rows = await db.prepare("SELECT token_hash FROM password_resets").all<{ token_hash: string }>();
  expect(rows.results.map(({ token_hash }) => token_hash)).not.toContain(secret);
  const detail = await db.prepare("SELECT group_concat(detail) AS detail FROM office_history").first<string>("detail");
  expect(detail).not.toContain(secret);
  expect(await signIn("")).not.toBe(200);
});
