import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
  SECOND_AGENCY,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { sendSignedGetRequest } from "#support/partner.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import { deleteExpiredData, RETENTION_TASKS } from "#worker/store/operations/retention.ts";
import { countRejectedRequest, type RejectedRequest } from "#worker/usecases/access/count-rejected-request.ts";

const db = env.TENANT_ACME;
const BOOKING = "POST /api/booking/ota/booking";
const HOUR = 3_600_000;
let boss = "";

// The more calls an isolate rejects per hour, the later it writes them. Use another hour than other test files.
const inAnotherHour = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });

beforeAll(async () => {
  inAnotherHour();
  // Pending writes are deleted with their company.
  await setUpCompany();
  await countRejectedRequest(openTestTenant(env), CALL, Date.now());
  vi.useRealTimers();
});

beforeEach(async () => {
  inAnotherHour();
  await setUpCompany();
  await addTestUsers();
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

afterEach(() => void vi.useRealTimers());

type Entry = Readonly<Record<string, unknown>> & { readonly count: number; readonly last_at: string };
interface Page {
  readonly data: readonly Entry[];
  readonly total: number;
  readonly calls: number;
  readonly next: string | null;
  readonly partners: readonly { readonly partner: string; readonly partner_name: string }[];
  readonly operations: readonly string[];
}

const list = async (query = "") =>
  (await callOffice("GET", `/rejected-requests${query}`, { token: boss })).json<Page>();

/** Returns the stored rows once a number of calls is counted, which happens after their responses. */
function afterCalls(calls: number, query = ""): Promise<Page> {
  return vi.waitFor(
    async () => {
      const page = await list(query);
      expect(page.calls).toBe(calls);
      return page;
    },
    { timeout: 5000, interval: 20 },
  );
}

// Proves "security, privacy and operation": Rejected requests are counted by key, operation, reason and day
test("records an agency's rejected requests by operation, reason and field, with the last message and ID", async () => {
  const duplicateReservation = createAgencyReservationBody({ agency_reservation_id: "R-1" });
  expect((await postAsAgency("/booking", duplicateReservation)).status).toBe(200);
  const reused = await postAsAgency(
    "/booking",
    createAgencyReservationBody({ agency_reservation_id: "R-1", customer_name: "Zacarias" }),
  );
  await afterCalls(1);
  const nowhere = createAgencyReservationBody({ pickup_place: 999 });
  await postAsAgency("/booking", nowhere);
  await afterCalls(2);
  const last = await postAsAgency("/booking", nowhere);
  await afterCalls(3);
  await postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "NONE", quantity: 1 }] }));
  await afterCalls(4);
  await postAsAgency("/booking", createAgencyReservationBody({ date_from: "2020-01-01" }));
  await afterCalls(5);
  await postAsAgency(
    "/booking",
    createAgencyReservationBody({ date_from: getBookableDay(0), date_to: getBookableDay(-1) }),
  );
  await postAsAgency("/booking", createAgencyReservationBody({ date_from: "2020-01-02" }));
  const { data, total, partners, operations, next } = await afterCalls(7);
  expect([total, next]).toEqual([5, null]);
  expect(data.slice(2).map(({ operation, code, field, count }) => [operation, code, field, count])).toEqual([
    [BOOKING, "invalid_input", "reservation.products", 1],
    [BOOKING, "invalid_input", "reservation.pickup_place", 2],
    [BOOKING, "reference_taken", null, 1],
  ]);
  expect(data[3]).toMatchObject({
    kind: "partner",
    agency_id: 1,
    last_message: "reservation.pickup_place: there is no pickup place 999",
    last_request_id: last.headers.get("X-Request-Id"),
  });
  expect(data[4]?.["last_request_id"]).toBe(reused.headers.get("X-Request-Id"));
  expect(partners).toHaveLength(1);
  expect(operations).toEqual([BOOKING]);
});

// Proves "security, privacy and operation": Successful calls cost nothing and aren't counted
test("records no successful calls, searches without availability or server errors as rejected requests", async () => {
  expect((await getAsAgency(createAvailabilityPath())).status).toBe(200);
  await db.prepare("UPDATE vehicles SET active = 0").run();
  await openTestTenant(env).freshSnapshot();
  expect((await getAsAgency(createAvailabilityPath())).status).toBe(200);
  const signature = await signPathAndQuery("agency-secret", `/api/booking/ota${createAvailabilityPath()}`, undefined);
  const TENANT_ACME = addFaults(db, Array(9).fill("before"));
  const down = await requestWorker(
    `http://acme.localhost:8787/api/booking/ota${createAvailabilityPath()}`,
    { headers: { Authorization: `agency:${signature}` } },
    { ...env, TENANT_ACME },
  );
  expect(down.status).toBe(503);
  expect((await getAsAgency("/location-list?pickup-place-id=999")).status).toBe(400);
  const { data } = await afterCalls(1);
  expect(data.map(({ operation }) => operation)).toEqual(["GET /api/booking/ota/location-list"]);
});

test("answers a rejected request without an additional database call", async () => {
  const answer = await getAsAgency("/location-list?pickup-place-id=999");
  expect(answer.headers.get("Server-Timing")).toMatch(/calls=0 /);
  await afterCalls(1);
});

test("records caller, operation and reason of rejected requests by partners, without the scope and by websites", async () => {
  await sendSignedGetRequest("/api/v1/integration/reservations?page=-1");
  await sendSignedGetRequest("/api/v1/integration/reservations", { apiKey: "agency", secret: "agency-secret" });
  const cart = "http://acme.localhost:8787/api/booking/frontend/shopping-cart";
  const body = JSON.stringify({ date_from: "2020-01-01" });
  const headers = { "Content-Type": "application/json" };
  await db.prepare("INSERT INTO engine_keys (api_key, name, created_at) VALUES ('shop-key', 'The shop', 1)").run();
  await openTestTenant(env).freshSnapshot();
  await requestWorker(`${cart}?api_key=shop-key`, { method: "POST", headers, body });
  await requestWorker(cart, { method: "POST", headers, body });
  const { data } = await afterCalls(3);
  const outside = data.find(({ code }) => code === "out_of_scope");
  expect(outside).toMatchObject({
    field: "scope",
    last_message: "This API key lacks the scope integration",
  });
  const callRecords = data.map(({ kind, agency_id, operation, code }) => [kind, agency_id, operation, code]);
  expect(callRecords).toEqual(
    expect.arrayContaining([
      ["partner", null, "GET /api/v1/integration/reservations", "invalid_input"],
      ["partner", 1, "GET /api/v1/integration/reservations", "out_of_scope"],
      ["website", null, "POST /api/booking/frontend/shopping-cart", "invalid_input"],
    ]),
  );
});

test("records the OpenTravel message name of a rejected request", async () => {
  const core = '<VehRetResRQCore><UniqueID Type="15" ID="NONE"/></VehRetResRQCore>';
  const body = `<OTA_VehRetResRQ xmlns="http://www.opentravel.org/OTA/2003/05">${core}</OTA_VehRetResRQ>`;
  const Authorization = `agency:${await signPathAndQuery("agency-secret", "/api/ota", body)}`;
  const headers = { "Content-Type": "application/xml", Authorization };
  await requestWorker("http://acme.localhost:8787/api/ota", { method: "POST", headers, body });
  const { data } = await afterCalls(1);
  expect(data).toMatchObject([{ operation: "OTA_VehRetResRQ", code: "booking_not_found", agency_id: 1 }]);
});

// Proves "security, privacy and operation": Wrong signatures and disabled keys count for the named key
test("records a call with a wrong signature or a disabled key for that key, and with an unknown key name for none", async () => {
  await getAsAgency(createAvailabilityPath(), { secret: "of-yesterday" });
  await afterCalls(1);
  await db.prepare("UPDATE partner_keys SET active = 0 WHERE api_key = 'agency'").run();
  await openTestTenant(env).freshSnapshot();
  await getAsAgency(createAvailabilityPath());
  await getAsAgency(createAvailabilityPath(), { apiKey: "somebody", secret: "else" });
  const { data } = await afterCalls(2);
  expect(data.map(({ code, agency_id }) => [code, agency_id])).toEqual([
    ["key_switched_off", 1],
    ["bad_signature", 1],
  ]);
});

test("records a website's call with a disabled key for that key, and with an unknown key for none", async () => {
  await db.batch([
    db.prepare("UPDATE settings SET engine_requires_api_key = 1"),
    db.prepare("INSERT INTO engine_keys (api_key, name, active, created_at) VALUES ('shop-key', 'The shop', 0, 1)"),
  ]);
  await openTestTenant(env).freshSnapshot();
  for (const key of ["shop-key", "somebody"]) {
    const path = `http://acme.localhost:8787/api/booking/frontend/products?api_key=${key}`;
    expect(await (await requestWorker(path)).json()).toMatchObject({ code: "bad_api_key" });
  }
  const { data } = await afterCalls(1);
  expect(data).toMatchObject([{ kind: "website", code: "key_switched_off" }]);
});

// Proves "security, privacy and operation": A call from a network outside the key's is shown to the company as such
test("shows the company, but not the caller, that a call was rejected because of its network", async () => {
  await db.prepare("UPDATE partner_keys SET networks = '[\"203.0.113.0/24\"]' WHERE api_key = 'agency'").run();
  await openTestTenant(env).freshSnapshot();
  const answer = await getAsAgency(createAvailabilityPath());
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain("network");
  expect((await getAsAgency(createAvailabilityPath(), { secret: "of-yesterday" })).status).toBe(401);
  const { data } = await afterCalls(2);
  expect(data.map(({ code }) => code).sort()).toEqual(["bad_signature", "other_network"]);
});

// Proves "security, privacy and operation": Rejected requests are stored without body, secret or personal data
test("stores no body, secret or invented name of a rejected request, and keys only as hashes", async () => {
  await postAsAgency(
    "/booking",
    createAgencyReservationBody({ customer_name: "Zacarias", customer_email: "zacarias", products: "Zacarias" }),
  );
  await getAsAgency("/availability?zacarias@example.com=1&zacarias@example.com=2");
  await postAsAgency("/booking", '{"reservation": "zacarias@example.com"');
  await getAsAgency("/nowhere");
  await afterCalls(4);
  const { results } = await db.prepare("SELECT * FROM rejected_requests").all();
  expect(JSON.stringify(results)).not.toMatch(/zacarias|agency-secret|"agency"/i);
  expect(results.map(({ key_hash }) => String(key_hash).length)).toEqual([64, 64, 64, 64]);
});

test("filters rejected requests by partner, agency, operation, reason and day in pages, for managers only", async () => {
  await getAsAgency("/location-list?pickup-place-id=999");
  await getAsAgency("/location-list?pickup-place-id=x", SECOND_AGENCY);
  await postAsAgency("/booking", createAgencyReservationBody({ date_from: "2020-01-01" }), SECOND_AGENCY);
  const { partners, data } = await afterCalls(3);
  const second = data.find(({ agency_id }) => agency_id === 2)?.["partner"];
  expect(partners).toHaveLength(2);
  expect((await list(`?partner=${second}`)).total).toBe(2);
  expect((await list("?agency_id=1")).total).toBe(1);
  expect((await list(`?operation=${encodeURIComponent(BOOKING)}`)).total).toBe(1);
  const today = String(data[0]?.["day"]);
  expect((await list(`?date_from=${today}&date_to=${today}`)).total).toBe(3);
  expect((await list(`?date_from=${getBookableDay(0)}`)).total).toBe(0);
  const first = await list("?page_size=2");
  const rest = await list(`?page_size=2&after=${first.next}`);
  expect([first.data.length, rest.data.length, rest.next]).toEqual([2, 1, null]);
  for (const query of ["?partner=agency", "?agency_id=x", "?date_from=2026-02-30", "?page_size=0", "?nothing=1"])
    expect((await callOffice("GET", `/rejected-requests${query}`, { token: boss })).status, query).toBe(400);
  const desk = await callOffice("GET", "/rejected-requests", { token: await createToken("desk") });
  expect(desk.status).toBe(403);
  expect(await desk.json()).toMatchObject({ code: "permission_denied" });
  expect((await callOffice("GET", "/rejected-requests")).status).toBe(401);
});

test("hides one account's rejected requests from another account", async () => {
  await setUpCompany("globex");
  await openTestTenant(env, "globex").freshSnapshot();
  await getAsAgency("/location-list?pickup-place-id=999", { account: "globex" });
  await vi.waitFor(async () =>
    expect(await env.TENANT_GLOBEX.prepare("SELECT sum(count) AS n FROM rejected_requests").first("n")).toBe(1),
  );
  expect((await list()).data).toEqual([]);
});

const CALL: RejectedRequest = {
  caller: { kind: "partner", apiKey: "agency" },
  operation: BOOKING,
  answered: { code: "sold_out", message: "Product A is not available any more for this period" },
  requestId: "r",
};

/** Counts the writes of an account's isolate, with a controllable delay. */
function createFlood(account: string) {
  const tenant = openTestTenant(env, account);
  let batches = 0;
  const client = new Proxy(tenant.db.$client, {
    get: (target, name) => {
      if (name === "batch") batches += 1;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const db = new Proxy(tenant.db, { get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)) });
  const own = new Proxy(tenant, { get: (target, name) => (name === "db" ? db : Reflect.get(target, name)) });
  const pauses: number[] = [];
  const pendingWrite = Promise.withResolvers<void>();
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    if (milliseconds > 0) await pendingWrite.promise;
  };
  return { own, pause, pauses, goOn: () => pendingWrite.resolve(), batches: () => batches };
}

// Proves "security, privacy and operation": A flood of refusals is few writes, and counted whole
test("writes the first of 10,000 rejections immediately, the rest in batches, and counts all", async () => {
  const flood = createFlood("acme");
  const now = Date.UTC(2026, 10, 26, 12);
  for (let call = 0; call < 40; call++)
    await Promise.race([countRejectedRequest(flood.own, CALL, now, flood.pause), tick()]);
  const all = Array.from({ length: 9_960 }, () => countRejectedRequest(flood.own, CALL, now + 5, flood.pause));
  await tick();
  flood.goOn();
  await Promise.all(all);
  const { data } = await afterCalls(10_000);
  expect(data).toHaveLength(1);
  expect(flood.batches()).toBeLessThan(36);
  expect(flood.pauses.filter((pause) => pause > 0)).not.toEqual([]);
  // After a quiet minute, a partner's next attempt is stored immediately.
  await countRejectedRequest(flood.own, CALL, now + 60_000, flood.pause);
  expect(flood.pauses.at(-1)).toBe(0);
  await afterCalls(10_001);
});

const tick = () => new Promise((done) => setTimeout(done, 30));

test("limits a partner's records of rejected requests with ever new reasons, and still records other partners", async () => {
  const flood = createFlood("acme");
  const now = Date.UTC(2026, 10, 27, 12);
  const createCall = (at: number) => ({ ...CALL, answered: { code: `c${at}`, message: "x" } });
  for (let at = 0; at < 3; at++) {
    const calls = Array.from({ length: 150 }, (_, value) => createCall(150 * at + value));
    await Promise.all(
      calls.map((call) => countRejectedRequest(flood.own, call, now + at * 60_000, async () => tick())),
    );
  }
  const other = { ...CALL, caller: { kind: "partner", apiKey: "second" } } as const;
  await countRejectedRequest(flood.own, other, now + 240_000, async () => tick());
  const rows = await db
    .prepare("SELECT key_name, count(*) AS n FROM rejected_requests GROUP BY key_hash ORDER BY n DESC")
    .all<{ n: number }>();
  expect(rows.results.map(({ n }) => n)[0]).toBeLessThan(400);
  expect(rows.results).toHaveLength(2);
});

// Proves "security, privacy and operation": Floods don't hide a partner's refusals
test("counts a partner's rejected requests despite a flood of calls under unknown key names", async () => {
  const flood = createFlood("acme");
  const now = Date.UTC(2026, 10, 28, 12);
  const createPartnerCall = (apiKey: string): RejectedRequest => ({ ...CALL, caller: { kind: "partner", apiKey } });
  const wait = async () => tick();
  const calls = Array.from({ length: 500 }, (_, at) =>
    countRejectedRequest(flood.own, createPartnerCall(`nobody-${at}`), now, wait),
  );
  await Promise.all([...calls, countRejectedRequest(flood.own, CALL, now, wait)]);
  const { results } = await db.prepare("SELECT key_name, count FROM rejected_requests").all();
  expect(results).toHaveLength(1);
});

// Proves "security, privacy and operation": Rejected requests are kept ninety days, by the account's clock
test("counts rejected requests by day in the account's time zone, and deletes them after 90 days", async () => {
  await db.prepare("UPDATE settings SET timezone = 'Europe/Madrid'").run();
  const tenant = openTestTenant(env);
  await tenant.freshSnapshot();
  const at = Date.parse("2026-11-25T23:30:00Z");
  await countRejectedRequest(tenant, CALL, at, async () => undefined);
  await countRejectedRequest(tenant, CALL, at - 3_600_000, async () => undefined);
  const days = async () =>
    (await db.prepare("SELECT day FROM rejected_requests ORDER BY day").all<{ day: string }>()).results.map(
      (row) => row.day,
    );
  expect(await days()).toEqual(["2026-11-25", "2026-11-26"]);
  const retention = RETENTION_TASKS.find(({ kind }) => kind === "rejected_requests");
  expect(retention?.days).toBe(90);
  if (retention) await deleteExpiredData(tenant.db, retention, Date.parse("2027-02-24T02:00:00Z"));
  expect(await days()).toEqual(["2026-11-26"]);
});
