import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  postAsAgency,
  readBookingAsAgency,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import worker from "#worker/entry/office.ts";
import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";

const FORGED_HOSTS = [
  ["X-Forwarded-Host", "globex.localhost"],
  ["X-Forwarded-Host", "evil.example"],
  ["Forwarded", "host=evil.example;proto=https"],
  ["X-Original-Host", "globex.localhost"],
  ["X-Forwarded-Server", "evil.example"],
  ["X-Original-URL", "http://evil.example/"],
  ["X-Rewrite-URL", "/evil"],
  ["Origin", "https://evil.example"],
  ["Referer", "https://evil.example/page"],
] as const;
const PLACES = "/api/booking/ota/location-list";

beforeAll(async () => {
  await setUpCompany("acme");
  await setUpCompany("globex");
  await addTestUsers();
});

async function placesAt(url: string): Promise<Response> {
  return requestWorker(url + PLACES, {
    headers: { Authorization: `agency:${await signPathAndQuery("agency-secret", PLACES)}` },
  });
}

test("opens each account's own database for alternating requests, and the new one once a binding changed", () => {
  const opened: string[] = [];
  const noteUse = (name: string) =>
    ({ prepare: () => opened.push(name), batch: () => undefined }) as unknown as D1Database;
  const bindings = { ...env, TENANT_ACME: noteUse("acme"), TENANT_GLOBEX: noteUse("globex") };
  const moved = { ...bindings, TENANT_ACME: noteUse("acme after a move") };
  const open = (environment: Cloudflare.Env, account: string) =>
    openTestTenant(environment, account).db.$client.prepare("SELECT 1");
  for (const account of ["acme", "globex", "acme", "globex"]) open(bindings, account);
  open(moved, "acme");
  expect(opened).toEqual(["acme", "globex", "acme", "globex", "acme after a move"]);
});

// Proves "conventions.md": Each account is served at its own base address, a subdomain unique to it
describe("an account is served at one label below the base domain", () => {
  test.each(["http://acme.localhost", "http://acme.localhost:8787", "http://ACME.LocalHost", "http://acme.localhost."])(
    "serves an account at one label below the base domain: %s",
    async (url) => {
      expect((await placesAt(url)).status).toBe(200);
    },
  );

  // Proves "rules.md and conventions.md: the agency interface": Anything but one label below the base domain is 404
  //   Unknown account
  // Proves "security.md": V5
  test.each([
    "http://nobody.localhost",
    "http://a.acme.localhost",
    "http://acme.localhost.evil.example",
    "http://acme.example",
    "http://acmelocalhost",
    "http://127.0.0.1:8787",
    "http://acme_.localhost",
    "http://-acme.localhost",
    "http://1acme.localhost",
    "http://a.localhost",
    "http://constructor.localhost",
    "http://tenant-acme.localhost",
    `http://${"a".repeat(60)}.localhost`,
  ])("returns 404 for the URL %s, which names no account", async (url) => {
    const response = await placesAt(url);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "Unknown account" });
  });

  // Proves "security.md": A59
  test("ignores forwarding headers that name another host", async () => {
    const response = await requestWorker(`http://nobody.localhost${PLACES}`, {
      headers: { "X-Forwarded-Host": "acme.localhost", Forwarded: "host=acme.localhost" },
    });
    expect(response.status).toBe(404);
  });

  // Proves "security.md": A59
  test.each(FORGED_HOSTS)(
    "answers for the host of the URL and links to it, whatever the header %s contains",
    async (name, value) => {
      const headers = { "Content-Type": "application/json", [name]: value };
      const body = JSON.stringify({ username: "ana" });
      await env.TENANT_ACME.prepare("DELETE FROM access_attempts").run();
      const path = "/api/v1/web-customer/password-forgotten";
      const context = createExecutionContext();
      const request = new Request(`http://acme.localhost:8787${path}`, { method: "POST", headers, body });
      expect((await worker.fetch(request, env, context)).status).toBe(200);
      await waitOnExecutionContext(context);
      const mail = await env.TENANT_ACME.prepare(
        "SELECT text FROM development_mails ORDER BY id DESC LIMIT 1",
      ).first<string>("text");
      expect(mail?.match(/https?:\/\/[^/\s]+/g)?.map((origin) => new URL(origin).host)).toEqual([
        "acme.localhost:8787",
      ]);
      expect(await env.TENANT_GLOBEX.prepare("SELECT count(*) AS n FROM development_mails").first("n")).toBe(0);
      const page = await (
        await requestWorker("http://acme.localhost:8787/sitemap.xml", { headers: { [name]: value } })
      ).text();
      expect(page).not.toMatch(/globex|evil/);
    },
  );
});

test("ignores a Worker variable whose name only looks like an account's binding", () => {
  const dressed = { ...env, TENANT_FAKE: "text" } as unknown as Cloudflare.Env;
  expect(resolveHostByBindings(dressed, "http://fake.localhost/", 0).kind).toBe("unknown");
});

// Proves "security.md": A58
test("hides an account's bookings from another account with the same key and reference", async () => {
  const body = createAgencyReservationBody();
  const reference = String(body.reservation["agency_reservation_id"]);
  expect((await postAsAgency("/booking", body)).status).toBe(200);
  expect((await readBookingAsAgency(reference)).status).toBe(200);
  expect((await readBookingAsAgency(reference, { account: "globex" })).status).toBe(404);
  expect(
    (
      await postAsAgency(
        "/cancel-booking",
        { reservation: { agency_reservation_id: reference } },
        { account: "globex" },
      )
    ).status,
  ).toBe(404);
  expect(await env.TENANT_GLOBEX.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(0);
});

test("answers 503 with Retry-After for an account without settings", async () => {
  await env.TENANT_GLOBEX.prepare("DELETE FROM settings").run();
  const path =
    "/availability?date-from=2099-01-01&time-from=10:00&pickup-place=1&date-to=2099-01-02&time-to=10:00&return-place=1";
  const response = await getAsAgency(path, { account: "globex" });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
});

describe("every answer", () => {
  // Proves "rules.md and conventions.md: the agency interface": Every response carries X-Request-Id
  test.each([
    "http://acme.localhost/healthz",
    "http://localhost/healthz",
    "http://nobody.localhost/",
    "http://acme.localhost/nothing",
  ])("sends with the response to %s a request ID and headers against content sniffing and caching", async (url) => {
    const response = await requestWorker(url);
    expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  // Proves "rules.md and conventions.md: the agency interface": Every response carries Date
  // Proves "check-in.md": 9b
  test("includes the server time in every response, so a device can calculate its clock offset", async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    for (const path of ["healthz", "nothing", "api/v1/booking/delivery-collection-app-settings"]) {
      const serverTime = Date.parse((await requestWorker(`http://acme.localhost/${path}`)).headers.get("Date") ?? "");
      expect(serverTime, path).toBeGreaterThanOrEqual(before);
      expect(serverTime, path).toBeLessThanOrEqual(Date.now());
    }
  });

  test("answers an unknown URL in the error format of its interface", async () => {
    const response = await requestWorker("http://acme.localhost/nothing");
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "Not found: no such endpoint", code: "unknown_path" });
  });
});

test("answers the health check on the base domain and on each account", async () => {
  for (const host of ["localhost", "acme.localhost"]) {
    expect(await (await requestWorker(`http://${host}/healthz`)).json()).toEqual({ status: "ok" });
  }
});

// Proves "security.md": A60
test("answers identical requests of two accounts at the same time from their own caches", async () => {
  await setUpCompany("globex");
  await env.TENANT_GLOBEX.prepare("UPDATE categories SET name = 'Only Globex'").run();
  await env.TENANT_GLOBEX.prepare("UPDATE vehicles SET category_code = 'C', branch_group_id = 1").run();
  await openTestTenant(env, "globex").freshSnapshot();
  const remembering = { ...env, SEARCH_CACHE: "on" };
  const search = `/api/booking/ota${createAvailabilityPath()}`;
  const authorization = `agency:${await signPathAndQuery("agency-secret", search)}`;
  for (let round = 0; round < 3; round++)
    for (const path of [search, "/api/booking/frontend/settings", "/sitemap.xml", "/"]) {
      const ask = async (account: string) => {
        const headers = { Authorization: authorization };
        return (await requestWorker(`http://${account}.localhost:8787${path}`, { headers }, remembering)).text();
      };
      const [acme = "", globex = ""] = await Promise.all([ask("acme"), ask("globex")]);
      expect([path, /globex/i.test(acme), /acme/i.test(globex)]).toEqual([path, false, false]);
      if (path === search) expect([isOffered(acme, "A"), isOffered(globex, "A")]).toEqual([true, false]);
    }
});

function isOffered(answer: string, category: string): boolean {
  const { products } = JSON.parse(answer).response as {
    readonly products: readonly { readonly code: string; readonly available: boolean }[];
  };
  return products.some(({ code, available }) => code === category && available);
}
