import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  createRedsysNotice,
  enableGateways,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD_HASH } from "#support/test-users.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import worker from "#worker/entry/office.ts";
import { countSecretsByKey } from "#worker/usecases/operations/reencrypt-secrets.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

const SITE = "http://acme.localhost:8787";
const OLD = env.MASTER_KEY;
const NEW = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));

type Keys = readonly [inUse: string, second?: string];

/** Steps of docs/production.md. Each deployment is gradual, so adjacent ones serve simultaneously. */
const BEFORE: Keys = [OLD];
const BOTH_KNOWN: Keys = [OLD, NEW];
const CHANGED: Keys = [NEW, OLD];
const AFTER: Keys = [NEW];

const mails: { text: string }[] = [];
let isPostOfficeOpen = true;
const postOffice = {
  send: async (mail: { text: string }) => {
    if (!isPostOfficeOpen) throw new Error("closed");
    mails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;

function createBindings([inUse, second]: Keys): Cloudflare.Env {
  const keys = { MASTER_KEY: inUse, PREVIOUS_MASTER_KEY: second };
  return { ...env, MAIL: postOffice, ...keys } as Cloudflare.Env;
}

let company: TestCompany;
let counter = 0;
let free: string[];

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
  mails.length = 0;
  isPostOfficeOpen = true;
  free = ["A", "A", "A", "B"];
});

/**
 * Sends a partner's signed search with a separate key, because decrypted keys are cached and would hide a secret that
 * can't be decrypted.
 */
async function signedSearch(keys: Keys, apiKey: string): Promise<number> {
  const path = `/api/booking/ota/location-list?n=${counter++}`;
  const headers = { Authorization: `${apiKey}:${await signPathAndQuery("partner-secret", path)}` };
  const answer = await worker.fetch(
    new Request(SITE + path, { headers }),
    createBindings(keys),
    createExecutionContext(),
  );
  return answer.status;
}

async function insertPartnerKey(sealedUnder: string): Promise<string> {
  const apiKey = `partner-${counter++}`;
  await company.db
    .prepare(`INSERT INTO partner_keys (api_key, name, secret_sealed, agency_id, scope_ota, scope_integration, scope_analytics, created_at)
      VALUES (?, 'Partner', ?, (SELECT min(id) FROM agencies), 1, 0, 0, 1)`)
    .bind(apiKey, await encryptSecret(sealedUnder, "acme", "partner-secret"))
    .run();
  await openTestTenant(env).freshSnapshot();
  return apiKey;
}

async function signedIn(keys: Keys, token: string | undefined): Promise<number> {
  return (await callApi("GET", "/web-customer/renting-reservations", { token, env: createBindings(keys) })).status;
}

async function signIn(keys: Keys): Promise<string> {
  const answer = await login("ana", undefined, { env: createBindings(keys) });
  expect(answer.status).toBe(200);
  return answer.headers.get("Authorization") ?? "";
}

async function requestResetLink(keys: Keys): Promise<string> {
  mails.length = 0;
  await callApi("POST", "/web-customer/password-forgotten", { body: { username: "ana" }, env: createBindings(keys) });
  return /\?id=([^\s&]+)/.exec(mails[0]?.text ?? "")?.[1] ?? "";
}

async function useLink(keys: Keys, link: string): Promise<unknown> {
  const body = { password: "Brand-new-1!", password_forgotten_hash: link };
  const answer = await callApi("POST", "/web-customer/change-password", { body, env: createBindings(keys) });
  await company.db.prepare("UPDATE users SET password_hash = ? WHERE id = 1").bind(PASSWORD_HASH).run();
  return answer.json();
}

/** Creates a notification of each of two gateways. */
async function createNotices() {
  const booking = await bookOnWebsite(free.pop());
  return {
    tpvA256: createRedsysNotice(await startPayment(booking)),
    tpvB: createCecabankNotice(await startPayment(booking, "tpvB")),
  };
}

async function payWithNotices(
  keys: Keys,
  gatewayNotices: Awaited<ReturnType<typeof createNotices>>,
): Promise<readonly unknown[]> {
  const send = async (method: string, fields: Readonly<Record<string, string>>) => {
    const init = { method: "POST", body: new URLSearchParams(fields) };
    const request = new Request(`${SITE}/charge-processed/${method}`, init);
    return worker.fetch(request, createBindings(keys), createExecutionContext());
  };
  const redsys = await send("tpvA256", gatewayNotices.tpvA256);
  const cecabank = await send("tpvB", gatewayNotices.tpvB);
  return [redsys.status, await cecabank.text()];
}

const counts = ([masterKey, secondMasterKey]: Keys) =>
  countSecretsByKey(openTestTenant(env).db, { name: "acme", masterKey, secondMasterKey });

describe("while the master key is changed, with two deployments serving at once at every step", () => {
  test.each([
    ["the next key is added", BEFORE, BOTH_KNOWN],
    ["the keys are swapped", BOTH_KNOWN, CHANGED],
  ] as const)(
    "accepts API keys, tokens, reset links and payments of both deployments in each while %s",
    async (_step, before, after) => {
      const serving = [before, after];
      for (const keys of serving) {
        const apiKey = await insertPartnerKey(keys[0]);
        for (const other of serving) {
          const token = await signIn(keys);
          const link = await requestResetLink(keys);
          expect(await signedSearch(other, apiKey)).toBe(200);
          expect(await signedIn(other, token)).toBe(200);
          expect(await payWithNotices(other, await createNotices())).toEqual([200, "$*$OKY$*$"]);
          expect(await useLink(other, link)).toBe(true);
        }
      }
    },
  );

  // Proves "security.md": V16
  test("re-encrypts all secrets with the new master key by the cron job, so that the old key isn't needed", async () => {
    const apiKey = await insertPartnerKey(OLD);
    const toCome = await createNotices();
    await company.db
      .prepare("UPDATE partner_keys SET previous_secret_sealed = ? WHERE api_key = ?")
      .bind(await encryptSecret(OLD, "acme", "partner-secret"), apiKey)
      .run();
    isPostOfficeOpen = false;
    await requestResetLink(CHANGED);
    await company.db
      .prepare("UPDATE outgoing_mails SET sealed = ?")
      .bind(await encryptSecret(OLD, "acme", MAIL))
      .run();
    const all = await counts([OLD]);
    expect(all).toMatchObject({ second: 0, unknown: 0 });
    expect(all.current).toBeGreaterThanOrEqual(8);

    await runScheduledJobs(createBindings(CHANGED), Date.now());
    expect(await counts(AFTER)).toEqual(all);

    await openTestTenant(env).freshSnapshot();
    expect(await signedSearch(AFTER, apiKey)).toBe(200);
    expect(await payWithNotices(AFTER, toCome)).toEqual([200, "$*$OKY$*$"]);
    expect(await signedIn(AFTER, await signIn(CHANGED))).toBe(200);
    isPostOfficeOpen = true;
    await runScheduledJobs(createBindings(AFTER), Date.now() + 120_000);
    expect(mails.map(({ text }) => text)).toEqual(["waited"]);
  });

  test("keeps secrets that change during the re-encryption, and leaves those unchanged that no key decrypts", async () => {
    const undecryptableKey = await insertPartnerKey(btoa(String.fromCharCode(...new Uint8Array(32).fill(9))));
    const getEncryptedSecret = (apiKey: string) =>
      company.db
        .prepare("SELECT secret_sealed FROM partner_keys WHERE api_key = ?")
        .bind(apiKey)
        .first("secret_sealed");
    const before = await getEncryptedSecret(undecryptableKey);
    const rotated = await encryptSecret(NEW, "acme", "rotated");
    const racing = {
      ...env.TENANT_ACME,
      prepare: (query: string) => env.TENANT_ACME.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        const answers = await env.TENANT_ACME.batch(statements);
        await env.TENANT_ACME.prepare("UPDATE partner_keys SET secret_sealed = ? WHERE api_key = 'agency'")
          .bind(rotated)
          .run();
        return answers;
      },
    } as unknown as D1Database;
    await runScheduledJobs({ ...createBindings(CHANGED), TENANT_ACME: racing }, Date.now());
    expect(await getEncryptedSecret("agency")).toBe(rotated);
    expect(await getEncryptedSecret(undecryptableKey)).toBe(before);
    expect(await counts(CHANGED)).toMatchObject({ second: 0, unknown: 1 });
  });

  test("encrypts and signs only with the first of two master keys", async () => {
    const token = await signIn(CHANGED);
    expect(await signedIn([NEW], token)).toBe(200);
    expect(await signedIn([OLD], token)).toBe(401);
    await expect(
      decryptSecret({ name: "acme", masterKey: OLD }, await encryptSecret(NEW, "acme", "x")),
    ).rejects.toThrow("another key");
  });
});

test("rejects tokens and partners if the master key is replaced in one step", async () => {
  const apiKey = await insertPartnerKey(OLD);
  expect(await signedIn(AFTER, await createToken("ana"))).toBe(401);
  expect(await signedSearch(AFTER, apiKey)).not.toBe(200);
});

const MAIL = JSON.stringify({ recipient: "ana@example.com", company: "C", subject: "S", text: "waited", html: "" });
