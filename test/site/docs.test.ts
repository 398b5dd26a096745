import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

beforeEach(async () => {
  await setUpCompany();
});

test("serves the API documentation on each account's host, with a strict content security policy", async () => {
  const page = await requestWorker("http://acme.localhost:8787/docs/start/agency/");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<title>Quick start: an agency · Interfaces</title>");
  expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self'; style-src 'self';");
  const redirectResponse = await requestWorker("http://acme.localhost:8787/docs", { redirect: "manual" });
  expect([redirectResponse.status, redirectResponse.headers.get("Location")]).toEqual([308, "/docs/"]);
  expect((await requestWorker("http://nobody.localhost:8787/docs/")).status).toBe(404);
});

test("returns a 404 page with the menu to browsers, and no page to programs", async () => {
  const ask = (headers: Record<string, string>) =>
    requestWorker("http://acme.localhost:8787/docs/webhooks-of-old", { headers });
  const page = await ask({ Accept: "text/html,application/xhtml+xml" });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self'; style-src 'self';");
  const text = await page.text();
  expect(text).toContain("<title>No such page · Interfaces</title>");
  expect(text).toContain('href="/docs/guides/webhooks/"');
  expect(await (await ask({ Accept: "application/json" })).text()).not.toContain("<title>");
});

test("serves the OpenAPI documents next to the pages", async () => {
  const document = await (await requestWorker("http://acme.localhost:8787/docs/openapi/payments.json")).json();
  expect(document).toMatchObject({ openapi: "3.1.0", paths: { "/reserva/pagar": {} } });
});

test("shows a demo account's own credentials in the local documentation, and no other account's", async () => {
  const answer = await requestWorker("http://globex.localhost:8787/docs/account.json");
  const globex = demoAccounts.find(({ account }) => account === "globex");
  expect(await answer.json()).toEqual({ demo: { partnerKeys: globex?.partnerKeys, users: globex?.users } });
});
