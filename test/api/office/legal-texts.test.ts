import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { checkOutCart, createCart, getAsWebsite, parseJson } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

const SITE = "http://acme.localhost:8787";
let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

const TERMS = { document: "terms", language: "en", text: "## Fuel\nReturn it full.\n\n<b>Smoking</b> is not allowed." };
const PRIVACY = { document: "privacy", language: "de", url: "https://example.com/datenschutz" };

async function send(method: string, path: string, body?: object) {
  const response = await callOffice(method, path, { token: boss, ...(body && { body }) });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>() };
}
const create = async (body: object) => {
  const answer = await send("POST", "/legal-texts", body);
  await openTestTenant(env).freshSnapshot();
  return answer;
};
const settings = async (lang: string) => parseJson(await getAsWebsite(`/settings?lang=${lang}`));
const open = (path: string, headers: Record<string, string> = {}) =>
  requestWorker(`${SITE}${path}`, { headers: { Accept: "text/html", ...headers }, redirect: "manual" });

async function readAccepted() {
  const id = await env.TENANT_ACME.prepare("SELECT max(id) AS id FROM bookings").first("id");
  const { body } = await send("GET", `/reservations/${id}`);
  return body["accepted_terms"] as { readonly version: string; readonly at: string } | null;
}

describe("legal texts", () => {
  test("returns legal texts with their version to websites, in the visitor's language", async () => {
    expect(await settings("en")).toMatchObject({ terms_url: null, privacy_url: null, terms_version: null });
    expect((await create(TERMS)).status).toBe(201);
    expect((await create(PRIVACY)).status).toBe(201);
    expect(await settings("en")).toMatchObject({
      ...{ terms_url: expect.stringContaining("/terms?lang=en"), privacy_url: PRIVACY.url },
      ...{ terms_version: "1.1+2.1", terms_acceptance: "checkbox" },
    });
    const changed = await send("PATCH", "/legal-texts/1", { expected_version: 1, text: "Shorter." });
    expect(changed.status).toBe(200);
    await openTestTenant(env).freshSnapshot();
    expect((await settings("en"))["terms_version"]).toBe("1.2+2.1");
  });

  test("shows a legal text on its own page or redirects to its URL, and links both from the company's page", async () => {
    expect((await open("/terms")).status).toBe(404);
    await create(TERMS);
    await create(PRIVACY);
    const page = await open("/terms?lang=fr");
    const text = await page.text();
    expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain("<h2>Fuel</h2><p>Return it full.</p><p>&lt;b&gt;Smoking&lt;/b&gt; is not allowed.</p>");
    expect(text).toContain("Conditions générales");
    const privacy = await open("/privacy?lang=de");
    expect([privacy.status, privacy.headers.get("Location")]).toEqual([302, PRIVACY.url]);
    const start = await (await open("/?lang=it")).text();
    expect(start).toContain('<a href="/terms?lang=it">Condizioni generali</a>');
    expect(start).toContain('<a href="/privacy?lang=it">Informativa sulla privacy</a>');
  });

  test("stores the accepted version of the legal texts with the booking, and the time of acceptance", async () => {
    await create(TERMS);
    const before = Date.now();
    expect((await checkOutCart(await createCart("A"), { accepted_terms: "1.1" })).status).toBe(200);
    const accepted = await readAccepted();
    expect(accepted?.version).toBe("1.1");
    expect(Math.abs(Date.parse(accepted?.at ?? "") - before)).toBeLessThan(60_000);
  });

  test("requires no acceptance of legal texts from websites that don't support it", async () => {
    await create(TERMS);
    expect((await checkOutCart(await createCart("A"))).status).toBe(200);
    expect(await readAccepted()).toBeNull();
  });

  test("rejects the acceptance of an unknown version, and books nothing", async () => {
    await create(TERMS);
    const answer = await checkOutCart(await createCart("A"), { accepted_terms: "1.2" });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("accepted_terms")]);
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(0);
  });

  test.each([
    ["text", { ...TERMS, text: null }],
    ["text", { ...TERMS, url: "https://example.com" }],
    ["text", { ...TERMS, text: "x".repeat(60_001) }],
    ["url", { ...PRIVACY, url: "javascript:alert(1)" }],
    ["language", { ...TERMS, language: "ru" }],
    ["document", { ...TERMS, document: "cookies" }],
  ])("names the wrong field %s of a legal text", async (field, body) => {
    const answer = await create(body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(`"${field}"`)]);
  });

  test("allows one legal text for each document and language", async () => {
    const again = { ...TERMS, text: "Another text." };
    const texts = [TERMS, { ...TERMS, language: "de" }, { ...TERMS, document: "privacy" }, again];
    const statuses: number[] = [];
    for (const text of texts) statuses.push((await create(text)).status);
    expect(statuses).toEqual([201, 201, 201, 409]);
  });
});
