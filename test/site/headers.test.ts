import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import { renderOperatorPage } from "#worker/router/operator-page.ts";

beforeAll(async () => {
  await setUpCompany();
});

const PAGES = [
  ...["/checkin/", "/office/", "/docs/", "/demo/"],
  ...["/change-password", "/verify-email", "/dev/mailbox", "/", "/terms", "/privacy", "/no-such-page"],
  ...[`/quote/${"a".repeat(32)}`, `/pay/${"a".repeat(32)}`, "/reserva/payment-gateway-return/ok", "/reserva/pagar"],
];
const ANSWERS = ["/healthz", "/api/booking/frontend/products", "/api/v1/nothing"];

// Proves "security.md": V4
// Proves "security.md": V17
test.each(PAGES)("sends the page %s with all protective headers", async (path) => {
  const page = await requestWorker(`https://acme.localhost${path}`, { headers: { Accept: "text/html" } });
  expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
  await expectProtected(page);
});

test("includes all protective headers in the operator's page itself, even if the Worker adds none", async () => {
  await expectProtected(renderOperatorPage());
});

async function expectProtected(page: Response): Promise<void> {
  const { headers } = page;
  expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get("Referrer-Policy")).toMatch(/^(no-referrer|same-origin|strict-origin)$/);
  if (!headers.get("Content-Type")?.startsWith("text/html")) return;
  expect(await page.text()).toMatch(/<title>[^<]+<\/title>/);
  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  expect(headers.get("Permissions-Policy")).toContain("geolocation=()");
}

test.each(ANSWERS)(
  "sends the response %s with HSTS, without referrer and with a policy that allows no content",
  async (path) => {
    const { headers } = await requestWorker(`https://acme.localhost${path}`);
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  },
);

test("sends no header that requires HTTPS over plain HTTP on a developer's machine", async () => {
  expect((await requestWorker("http://acme.localhost:8787/healthz")).headers.has("Strict-Transport-Security")).toBe(
    false,
  );
  expect((await requestWorker("https://nobody.localhost/", {}, env)).headers.has("Strict-Transport-Security")).toBe(
    true,
  );
});

test.each(["/analytics", "/analytics/", "/analytics/?year=2030"])(
  "redirects the former path %s to the office's reports",
  async (path) => {
    const answer = await requestWorker(`https://acme.localhost${path}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([308, "/office/#/reports"]);
  },
);
