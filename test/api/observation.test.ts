import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createAgencyReservationBody, createAvailabilityPath, getAsAgency, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { checkOutCart, createCart } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { wrapDatabase } from "#support/wrapped-bindings.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import worker from "#worker/entry/office.ts";

let logged: string[] = [];

beforeEach(async () => {
  await setUpCompany();
  await getAsAgency(createAvailabilityPath());
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    logged.push(line);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Requests availability from an account with a database failing with this message. */
async function getWithFailing(message: string): Promise<Response> {
  const failing = {
    prepare: (query: string) => env.TENANT_ACME.prepare(query),
    batch: () => Promise.reject(new Error(message)),
  } as unknown as D1Database;
  const path = `/api/booking/ota${createAvailabilityPath()}`;
  const request = new Request(`http://acme.localhost${path}`, {
    headers: { Authorization: `agency:${await signPathAndQuery("agency-secret", path)}` },
  });
  return worker.fetch(request, { ...env, TENANT_ACME: failing }, createExecutionContext());
}

describe("a failure of the database", () => {
  const secret = "D1_ERROR: near SELECT secret_sealed FROM partner_keys: SQLITE_ERROR";

  // Proves "rules.md and conventions.md: the agency interface": No stack, SQL or secret reaches a client or a log
  // Proves "security.md": V23
  test("answers an unexpected error with the request id and no details", async () => {
    const response = await getWithFailing(secret);
    expect(response.status).toBe(500);
    const requestId = response.headers.get("X-Request-Id");
    expect(await response.json()).toEqual({
      success: false,
      errors: { message: `Internal error. Request ID: ${requestId}` },
    });
    expect(logged.join()).toContain(String(requestId));
    expect(logged.join()).not.toContain("secret_sealed");
  });

  // Proves "rules.md and conventions.md: the agency interface": 503 with Retry-After when the database sheds load
  test.each(["D1 DB is overloaded. Too many requests queued.", "D1_ERROR: Network connection lost."])(
    "answers 503 with Retry-After if the database is overloaded: %s",
    async (message) => {
      const response = await getWithFailing(message);
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("2");
      expect(await response.json()).toMatchObject({ success: false });
    },
  );
});

// Proves "security.md": V19
test("logs no query, body, key, signature or personal data", async () => {
  const person = {
    customer_name: "Anastasia",
    customer_email: "anastasia@example.com",
    customer_phone_number: "699112233",
  };
  const body = createAgencyReservationBody({ ...person, agency_reservation_id: "REF-4711" });
  await postAsAgency("/booking", body);
  await getAsAgency("/booking?agency-reservation-id=REF-4711");
  await postAsAgency("/booking", body, { secret: "wrong-secret" });
  expect(logged).toHaveLength(3);
  for (const line of logged) {
    expect(JSON.parse(line)).toMatchObject({
      request: expect.any(String),
      account: "acme",
      status: expect.any(Number),
    });
    expect(line).not.toMatch(/anastasia|699112233|REF-4711|agency-reservation-id|agency-secret|[0-9a-f]{40}/i);
  }
  expect(JSON.parse(logged[0] ?? "")).toMatchObject({
    method: "POST",
    route: "/api/booking/ota/booking",
    status: 200,
    d1Calls: 1,
  });
});

// Proves "security.md": V19
test("logs no password, name, token or address of a sign-in, a website, the office, a payment or an unknown path", async () => {
  await addTestUsers();
  const token = await createToken("boss");
  logged = [];
  const person = { name: "Anastasia", surname: "Secretova", email: "anastasia@example.com" };
  const headers = { "CF-Connecting-IP": "203.0.113.77", "User-Agent": "Anastasias phone" };
  const search = new URLSearchParams({ username: "anastasia", password: "Hidden-pass-1!" });
  const cart = await createCart();
  const answers = [
    await callApi("POST", `/login?${search}`, { headers }),
    await callApi("POST", "/login", {
      body: { username: "anastasia@example.com", password: "Hidden-pass-1!" },
      headers,
    }),
    await callApi("POST", "/signup/customer", { body: { ...person, password: "Hidden-pass-2026!" }, headers }),
    await callApi("POST", "/web-customer/password-forgotten", { body: { username: "anastasia@example.com" }, headers }),
    await callApi("POST", "/web-customer/verify-email", { body: { verification: "Anastasia-link" }, headers }),
    await callOffice("POST", "/customers", { token, body: person }),
    await callOffice("GET", "/customers?q=Anastasia", { token }),
    await checkOutCart(cart, { customer_name: "Anastasia", customer_email: "anastasia@example.com" }),
    await requestWorker("http://acme.localhost:8787/charge-processed/tpvA256", { method: "POST", body: "Anastasia" }),
    await requestWorker("http://acme.localhost:8787/anastasia/secretova?anastasia=1"),
    await requestWorker(`http://acme.localhost:8787/quote/${"a".repeat(32)}?anastasia`),
  ];
  expect(logged.length).toBeGreaterThanOrEqual(answers.length);
  for (const line of logged) expect(line).not.toMatch(/anastasia|secretova|hidden-pass|203\.0\.113|a{32}/i);
  for (const secret of [token, cart]) expect(logged.join()).not.toContain(secret);
});

// Proves "security.md": V23
test.each([
  "/api/booking/frontend/products/A/occupation?from=2030-01-01&to=2030-01-09&firstday=2030-01-01",
  "/api/booking-transfer/frontend/origin-points",
  "/api/v1/office/customers",
  "/api/v1/sessions",
  "/api/v1/booking/deliveries-collections?date=2030-01-01",
  `/quote/${"a".repeat(32)}`,
  `/pay/${"a".repeat(32)}`,
  `/reserva/payment-gateway-return/ok?payment=${"a".repeat(32)}`,
  "/",
])("answers a failure of the database at %s without its details", async (path) => {
  await addTestUsers();
  const token = await createToken("boss");
  const secret = "D1_ERROR: near SELECT secret_sealed FROM partner_keys: SQLITE_ERROR";
  const fail = () => Promise.reject(new Error(secret));
  const failing = wrapDatabase(env.TENANT_ACME, fail);
  const request = new Request(`http://acme.localhost:8787${path}`, { headers: { Authorization: token } });
  const answer = await worker.fetch(request, { ...env, TENANT_ACME: failing }, createExecutionContext());
  const text = await answer.text();
  expect([path, answer.status < 500 || text.includes(answer.headers.get("X-Request-Id") ?? "-")]).toEqual([path, true]);
  expect(text + logged.join()).not.toMatch(/secret_sealed|SQLITE|partner_keys/);
});

test("returns the database cost in the Server-Timing header unless the header is turned off", async () => {
  expect((await getAsAgency(createAvailabilityPath())).headers.get("Server-Timing")).toMatch(
    /^d1;desc="calls=1 rows_read=\d+ rows_written=0 objects=0 depth=1";dur=/,
  );
  const path = `/api/booking/ota${createAvailabilityPath()}`;
  const request = new Request(`http://acme.localhost${path}`, {
    headers: { Authorization: `agency:${await signPathAndQuery("agency-secret", path)}` },
  });
  const response = await worker.fetch(request, { ...env, SERVER_TIMING: "off" }, createExecutionContext());
  expect(response.status).toBe(200);
  expect(response.headers.has("Server-Timing")).toBe(false);
});

test("writes one Analytics Engine point per request if a dataset is bound, without address, query or person", async () => {
  const points: AnalyticsEngineDataPoint[] = [];
  const dataset = { writeDataPoint: (point: AnalyticsEngineDataPoint) => points.push(point) };
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://acme.localhost${path}`, { headers });
    const bindings = { ...env, REQUESTS: dataset as unknown as AnalyticsEngineDataset };
    return worker.fetch(request, bindings, createExecutionContext());
  };
  const path = `/api/booking/ota${createAvailabilityPath()}`;
  await ask(path, {
    Authorization: `agency:${await signPathAndQuery("agency-secret", path)}`,
    "CF-Connecting-IP": "203.0.113.9",
  });
  await ask("/api/booking/ota/location-list?customer=ana@example.com");
  expect(points).toHaveLength(2);
  const milliseconds = expect.any(Number);
  expect(points[0]).toMatchObject({
    indexes: ["acme"],
    blobs: ["acme", "GET", "/api/booking/ota/availability", "200"],
    doubles: [milliseconds, 1, milliseconds, 1],
  });
  expect(points[1]).toMatchObject({ blobs: ["acme", "GET", "/api/booking/ota/location-list", "401"] });
  expect(JSON.stringify(points)).not.toMatch(/203\.0\.113|ana@/);
});

test("logs and counts one of twenty successful requests with a weight, and every failure and rejected sign-in", async () => {
  const points: AnalyticsEngineDataPoint[] = [];
  const dataset = { writeDataPoint: (point: AnalyticsEngineDataPoint) => points.push(point) };
  const bindings = { ...env, REQUEST_SAMPLE: "20", REQUESTS: dataset as unknown as AnalyticsEngineDataset };
  let id = 0;
  vi.spyOn(crypto, "randomUUID").mockImplementation(
    () => `${(id++).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
  );
  const ask = (path: string) =>
    worker.fetch(new Request(`http://acme.localhost${path}`), bindings as typeof env, createExecutionContext());
  for (let count = 0; count < 40; count++) expect((await ask("/healthz")).status).toBe(200);
  expect(logged.map((line) => JSON.parse(line).sample)).toEqual([20, 20]);
  logged = [];
  for (let count = 0; count < 5; count++) expect((await ask("/api/booking/ota/location-list")).status).toBe(401);
  expect(logged.map((line) => JSON.parse(line).sample)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const weights = points.map(({ doubles }) => doubles?.[3]);
  expect(weights).toEqual([20, 20, 1, 1, 1, 1, 1]);
});
