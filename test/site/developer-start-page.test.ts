import { expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import { pickDemoRentalDates } from "#worker/development/developer-start-page.ts";

test("shows demo accounts, credentials and signed example calls on the base domain in development", async () => {
  await setUpCompany();
  const response = await requestWorker("http://localhost:8787/");
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
  for (const account of ["acme", "globex"])
    for (const way of ["checkin", "office", "docs", "demo"])
      expect(page).toContain(`href="http://${account}.localhost:8787/${way}/`);
  const calls = [...page.matchAll(/Authorization: ([\w-]+:[0-9a-f]{40})&#39; &#39;([^&]+(?:&amp;[^&]+)*)&#39;/g)];
  expect(calls.length).toBeGreaterThanOrEqual(2);
});

test.each([
  ["a month before a Friday", "2026-10-21", "2026-11-24"],
  ["a month before a Sunday", "2026-10-23", "2026-11-24"],
  ["whose Friday would be Christmas", "2026-11-16", "2027-01-05"],
  ["whose Tuesday would be Christmas", "2029-11-23", "2030-01-08"],
])("requests three days when every demo company is open: %s", (_, today, tuesday) => {
  expect(pickDemoRentalDates(Date.parse(today)).from).toBe(tuesday);
});
