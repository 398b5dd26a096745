import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { runWithinOneClockMinute } from "#support/time-limit.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

const ENGINE = "http://acme.localhost:8787/api/booking/frontend";

beforeEach(async () => {
  await setUpCompany();
});

describe("a partner's key", () => {
  // Proves "conventions.md: limits, caching and problem details": `RateLimit`, `RateLimit-Policy`
  test("returns a key's rate limit and the remaining quota", () =>
    runWithinOneClockMinute(async () => {
      const first = await getAsAgency("/location-list");
      expect(first.headers.get("RateLimit-Policy")).toBe('"key";q=120000;w=60');
      const getRemaining = (answer: Response) =>
        Number(/^"key";r=(\d+);t=\d+$/.exec(answer.headers.get("RateLimit") ?? "")?.[1]);
      const remaining = getRemaining(first);
      expect(getRemaining(await getAsAgency("/location-list"))).toBe(remaining - 1);
    }));

  // Proves "conventions.md: limits, caching and problem details": 429 beyond the limit, each key its own
  test("rejects calls beyond the key's limit until its minute ends, but not other keys' calls", () =>
    runWithinOneClockMinute(async () => {
      const path = "/api/booking/ota/location-list";
      const ask = async (apiKey: string, secret: string, quota: string) =>
        requestWorker(
          `http://acme.localhost:8787${path}`,
          { headers: { Authorization: `${apiKey}:${await signPathAndQuery(secret, path)}` } },
          { ...env, PARTNER_REQUESTS_PER_MINUTE: quota },
        );
      const refused = await ask("agency", "agency-secret", "1");
      const again = refused.status === 429 ? refused : await ask("agency", "agency-secret", "1");
      expect(again.status).toBe(429);
      expect(Number(again.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(again.headers.get("RateLimit")).toContain('"key";r=0;t=');
      expect(await again.json()).toMatchObject({ success: false, errors: { message: expect.any(String) } });
      expect((await ask("second", "second-secret", "1000")).status).toBe(200);
    }));
});

test("accepts an absent or empty body, also as a stream, if all its members are optional", async () => {
  await addTestUsers();
  const token = await createToken("boss");
  const createEmptyStream = () => new ReadableStream({ start: (controller) => controller.close() });
  const holds = "http://acme.localhost:8787/api/v1/office/reservations/999/holds";
  const bodies: readonly RequestInit[] = [
    {},
    { body: createEmptyStream() },
    { body: "", headers: { "Content-Type": "application/json" } },
    { body: createEmptyStream(), headers: { "Content-Type": "text/plain" } },
  ];
  for (const { body, headers } of bodies) {
    const answer = await requestWorker(holds, {
      method: "POST",
      headers: { ...headers, Authorization: token, "Idempotency-Key": crypto.randomUUID() },
      ...(body != null && { body }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "reservation_not_found" }]);
  }
});

// A server that responds before reading the body closes the connection and loses the next request on it.
describe("an unsolicited body", () => {
  const TRANSFERS = "http://acme.localhost:8787/api/booking-transfer/frontend";

  test.each([
    ["a request to an unknown path", "POST", `${ENGINE}/nothing`, 404],
    ["a request by an unsupported method", "PUT", "http://acme.localhost:8787/api/booking/ota/booking", 405],
    ["a request to an unknown account", "POST", "http://nobody.localhost:8787/api/v1/login", 404],
    ["a request to the base domain", "POST", "http://localhost:8787/healthz", 404],
    ["an unauthenticated request", "POST", "http://acme.localhost:8787/api/v1/office/reservations", 401],
    ["an operation by POST that only reads", "POST", `${TRANSFERS}/reservation/${"0".repeat(32)}`, 404],
  ])(
    "reads a body that no route uses to its end, so that the connection stays open: %s",
    async (_, method, url, status) => {
      let isRead = false;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("{}")),
        pull: (controller) => {
          isRead = true;
          controller.close();
        },
      });
      const answer = await requestWorker(url, { method, body, headers: { "Content-Type": "application/json" } });
      expect([answer.status, isRead]).toEqual([status, true]);
    },
  );

  test("answers an unknown path without waiting for the end of an endless body", async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
    expect((await requestWorker(`${ENGINE}/nothing`, { method: "POST", body })).status).toBe(404);
  });
});

// The network compresses responses by Accept-Encoding. The Worker must allow this and never compress itself.
describe("accepted response encodings", () => {
  const encodingHeaders = [
    "gzip",
    "br, gzip;q=0.5",
    "zstd",
    "identity",
    "identity;q=0, *;q=0",
    "*",
    "",
    "nonsense;;q=x,",
  ];

  // Proves "conventions.md: limits, caching and problem details": `Accept-Encoding`
  test.each([
    ["a website's read", `${ENGINE}/products`, 200],
    ["a refusal", `${ENGINE}/products/NONE`, 404],
    ["a page", "http://acme.localhost:8787/healthz", 200],
  ])("returns identical uncompressed bytes for %s, and allows compression in transit", async (_, url, status) => {
    const plain = await requestWorker(url);
    const text = await plain.text();
    for (const encodings of encodingHeaders) {
      const answer = await requestWorker(url, { headers: { "Accept-Encoding": encodings } });
      expect([answer.status, answer.headers.get("Content-Encoding")]).toEqual([status, null]);
      expect(await answer.text()).toBe(text);
      // Compression retains a weak ETag, and must be skipped with no-transform.
      expect(answer.headers.get("ETag")).toBe(plain.headers.get("ETag"));
      expect(answer.headers.get("Cache-Control") ?? "").not.toContain("no-transform");
    }
  });

  test("returns 304 for the ETag of a compressed copy, whatever encodings the client accepts", async () => {
    const packed = await requestWorker(`${ENGINE}/products`, { headers: { "Accept-Encoding": "br" } });
    const tag = packed.headers.get("ETag") ?? "";
    expect(tag).toMatch(/^W\//);
    for (const encodings of encodingHeaders) {
      const headers = { "If-None-Match": tag, "Accept-Encoding": encodings };
      expect((await requestWorker(`${ENGINE}/products`, { headers })).status).toBe(304);
    }
  });
});

describe("rarely changing data", () => {
  // Proves "conventions.md: limits, caching and problem details": `ETag`, `If-None-Match`
  test.each([
    "/products",
    "/products/A",
    "/extras/SEAT",
    "/pickup-places",
    "/return-places",
    "/families",
    "/rental-locations",
  ])(
    "answers 304 to the path %s if the caller's copy is current, and returns the data after a change",
    async (path) => {
      const first = await requestWorker(ENGINE + path);
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^W\/"[0-9a-f]+"$/);
      expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
      const again = await requestWorker(ENGINE + path, { headers: { "If-None-Match": tag } });
      expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", tag]);
      await env.TENANT_ACME.batch([
        env.TENANT_ACME.prepare("UPDATE categories SET name = 'Otro', seats = 7 WHERE code = 'A'"),
        env.TENANT_ACME.prepare("DELETE FROM translations"),
        env.TENANT_ACME.prepare("UPDATE extras SET name = 'Otra' WHERE code = 'SEAT'"),
        env.TENANT_ACME.prepare("UPDATE pickup_places SET name = name || ' 2'"),
        env.TENANT_ACME.prepare("UPDATE branches SET name = name || ' 2'"),
        env.TENANT_ACME.prepare("INSERT INTO families (id, code, name) VALUES (7, 'NEW', 'New')"),
      ]);
      await openTestTenant(env).freshSnapshot();
      const changed = await requestWorker(ENGINE + path, { headers: { "If-None-Match": tag } });
      expect(changed.status).toBe(200);
      expect(changed.headers.get("ETag")).not.toBe(tag);
    },
  );

  // Proves "conventions.md: limits, caching and problem details": `Cache-Control`
  test("allows public caching of form options for an hour and no caching of live data", async () => {
    expect((await requestWorker(`${ENGINE}/document-types`)).headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect((await requestWorker(`${ENGINE}/settings`)).headers.get("Cache-Control")).toBe("no-store");
    expect((await getAsAgency("/location-list")).headers.get("ETag")).toMatch(/^W\//);
    expect((await requestWorker(`${ENGINE}/products/NONE`)).headers.get("ETag")).toBeNull();
  });
});

test("treats an idempotency key without quotes as the same key", async () => {
  await addTestUsers();
  const token = await createToken("boss");
  const make = async (key: string) => {
    const headers = { Authorization: token, "Content-Type": "application/json", "Idempotency-Key": key };
    const body = JSON.stringify({ url: "https://erp.example.com/hook" });
    const answer = await requestWorker("http://acme.localhost:8787/api/v1/office/webhooks", {
      method: "POST",
      headers,
      body,
    });
    return [answer.status, (await answer.json<{ webhook?: { id: number } }>()).webhook?.id];
  };
  const created = await make('"one of ours"');
  expect(created).toEqual([201, expect.any(Number)]);
  expect(await make("one of ours")).toEqual(created);
  expect((await make('"another"'))[1]).not.toBe(created[1]);
});

describe("the office's errors", () => {
  // Proves "conventions.md: limits, caching and problem details": Problem details for who accepts them
  test("returns problem details to clients that accept them, and the standard envelope to all others", async () => {
    await addTestUsers();
    const token = await createToken("boss");
    const ask = (accept: string) =>
      requestWorker("http://acme.localhost:8787/api/v1/office/webhooks", {
        method: "POST",
        headers: {
          Authorization: token,
          "Content-Type": "application/json",
          "Idempotency-Key": '"manners"',
          Accept: accept,
        },
        body: JSON.stringify({ url: "nonsense" }),
      });
    const problem = await ask("application/problem+json, application/json");
    expect(problem.headers.get("Content-Type")).toBe("application/problem+json");
    expect(await problem.json()).toMatchObject({
      type: "/docs/errors#invalid_input",
      title: "Invalid input",
      detail: expect.stringContaining("url:"),
      status: 400,
      instance: `urn:uuid:${problem.headers.get("X-Request-Id")}`,
      code: "invalid_input",
      errors: [{ field: "url" }],
    });
    const readType = async (accept: string) => (await ask(accept)).headers.get("Content-Type");
    expect(await readType("Application/Problem+JSON; q=0.5")).toBe("application/problem+json");
    expect(await readType("application/json, application/problem+json;q=0")).toContain("application/json");
    const plain = await ask("*/*");
    expect(await plain.json()).toMatchObject({ error: expect.any(String), detail: [{ field: "url" }] });
    expect((await callOffice("GET", "/webhooks", { token })).headers.get("Content-Type")).toContain("application/json");
  });
});
