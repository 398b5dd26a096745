import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createDeliveryMessage, insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { bookOnWebsite, createRedsysNotice, enableGateways, startPayment } from "#support/payments.ts";
import { addTestUsers, createToken, PASSWORD } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

/** Wraps a database to fail every write as if storage were full. */
function createFullDatabase(binding: D1Database): D1Database {
  const writes = new WeakSet<object>();
  const bound = (statement: D1PreparedStatement, isWrite: boolean): D1PreparedStatement => {
    if (isWrite) writes.add(statement);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: unknown[]) => bound(bind(...values), isWrite);
    return statement;
  };
  return {
    prepare: (query: string) => bound(binding.prepare(query), !/^\s*(select|with)/i.test(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      if (statements.some((statement) => writes.has(statement)))
        throw new Error("D1_ERROR: database or disk is full: SQLITE_FULL");
      return binding.batch(statements);
    },
  } as unknown as D1Database;
}

const fullDatabaseEnv = { ...env, TENANT_ACME: createFullDatabase(env.TENANT_ACME) } as Cloudflare.Env;

beforeEach(async () => {
  const company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
});

const ask = (path: string, init: RequestInit, bindings = fullDatabaseEnv) =>
  requestWorker(`http://acme.localhost:8787${path}`, { method: "POST", ...init }, bindings);
const JSON_TYPE = { "Content-Type": "application/json" };

async function expectFull(response: Response): Promise<void> {
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "600"]);
  expect(await response.json()).toMatchObject({ code: "storage_full" });
}

// Proves "security.md": A64
test("returns the database-full error to a user who signs in", async () => {
  await expectFull(
    await ask("/api/v1/login", { headers: JSON_TYPE, body: JSON.stringify({ username: "boss", password: PASSWORD }) }),
  );
});

// Proves "security, privacy and operation": A full database answers 503 storage_full and loses nothing
// Proves "security.md": A65
test("asks the gateway to resend a payment notification if the database is full, and records it later", async () => {
  const intent = await startPayment(await bookOnWebsite(), "tpvA256", "total");
  const notice = {
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(createRedsysNotice(intent)).toString(),
  };
  const path = "/charge-processed/tpvA256";
  expect((await ask(path, notice)).status).toBe(503);
  expect((await ask(path, notice, env)).status).toBe(200);
  expect(await env.TENANT_ACME.prepare("SELECT total_paid_cents > 0 AS paid FROM bookings").first("paid")).toBe(1);
});

test("keeps a device's operations queued if the database is full", async () => {
  await insertCheckInRental();
  const headers = { ...JSON_TYPE, Authorization: await createToken("desk") };
  const work = { headers, body: JSON.stringify(createDeliveryMessage()) };
  await expectFull(await ask("/api/v1/booking/check-in-operations", work));
  const workResponse = await ask("/api/v1/booking/check-in-operations", work, env);
  expect(await workResponse.json()).toMatchObject({ results: [{ state: "applied" }] });
});
