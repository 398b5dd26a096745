import { expect, test } from "vitest";
import { aCompany } from "#support/company.ts";
import { request } from "#support/worker.ts";

test("the base domain shows a newcomer the accounts, their credentials and calls that are signed", async () => {
  await aCompany();
  const response = await request("http://localhost:8787/");
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const page = await response.text();
  for (const text of [
    "acme-agency-secret",
    "staff@acme.test",
    "Globex".toLowerCase(),
    "http://acme.localhost:8787",
    "/dev/mailbox",
  ]) {
    expect(page).toContain(text);
  }
  const calls = [...page.matchAll(/Authorization: ([\w-]+:[0-9a-f]{40})&#39; &#39;([^&]+(?:&amp;[^&]+)*)&#39;/g)];
  expect(calls.length).toBeGreaterThanOrEqual(2);
});
