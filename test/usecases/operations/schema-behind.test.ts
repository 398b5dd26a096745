import { applyD1Migrations, createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { createAgencyReservationBody, createAvailabilityPath, getBookableDay } from "#support/agency.ts";
import { insertCheckInRental, PICKUP_DAY } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, PASSWORD } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import { createCheckout, createSearch } from "#support/website.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import worker from "#worker/entry/office.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

// Accounts are migrated in waves before new code is deployed. If a migration failed, the new code runs on the old
// schema. It must respond as before, or report that the account is being updated, but never wrongly or partially.
const bindings = { ...env, TENANT_ACME: env.BEHIND } as Cloudflare.Env;
const SITE = "http://acme.localhost:8787";

beforeAll(async () => {
  await insertTransferCatalogue(await setUpCompany());
  await addTestUsers();
  await insertCheckInRental();
  await bookTransfer();
  await applyD1Migrations(env.BEHIND, env.MIGRATIONS.slice(0, -1));
  await copyInto(env.BEHIND);
});

/** Copies acme's data to a database as far as its columns exist, without derived search blocks. */
async function copyInto(behind: D1Database): Promise<void> {
  const tables = await behind
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name NOT IN ('d1_migrations', 'search_blocks')
      AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'virtual')`)
    .all<{ name: string }>();
  const triggers = await behind
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>();
  const inserts: D1PreparedStatement[] = [];
  for (const { name } of tables.results) {
    const columns = (
      await behind.prepare(`SELECT name FROM pragma_table_xinfo('${name}') WHERE hidden = 0`).all<{ name: string }>()
    ).results.map((column) => column.name);
    const { results } = await env.TENANT_ACME.prepare(`SELECT ${columns.join(", ")} FROM ${name}`).all();
    inserts.push(behind.prepare(`DELETE FROM ${name}`));
    for (const row of results) {
      const values = columns.map(() => "?").join(", ");
      inserts.push(
        behind
          .prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${values})`)
          .bind(...columns.map((column) => row[column] ?? null)),
      );
    }
  }
  await behind.batch([
    behind.prepare("PRAGMA defer_foreign_keys = on"),
    ...triggers.results.map(({ name }) => behind.prepare(`DROP TRIGGER ${name}`)),
    ...inserts,
    ...triggers.results.map(({ sql }) => behind.prepare(sql)),
  ]);
}

async function ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = new Request(SITE + path, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(text !== undefined && { body: text }),
  });
  const answer = await worker.fetch(request, bindings, createExecutionContext());
  return { status: answer.status, headers: answer.headers, json: await answer.json<Record<string, never>>() };
}

async function asPartner(method: string, path: string, body?: unknown, key = "agency") {
  const text = body === undefined ? "" : JSON.stringify(body);
  return ask(method, path, body, { Authorization: `${key}:${await signPathAndQuery(`${key}-secret`, path, text)}` });
}

type CallResult = Awaited<ReturnType<typeof ask>>;

/** Whether the response is as before. The only alternative is that the account is being updated. */
function isServed({ status, headers, json }: CallResult): boolean {
  if (status === 200) return true;
  expect([status, json, headers.get("Retry-After")]).toMatchObject([503, expect.anything(), expect.any(String)]);
  expect(JSON.stringify(json)).toContain("being updated");
  return false;
}

const bookingsThere = () => env.BEHIND.prepare("SELECT count(*) AS n FROM bookings").first<number>("n");

describe("an account with a pending migration", () => {
  test("serves an agency's search and booking, or returns 503 with Retry-After, while a migration is pending", async () => {
    const before = await bookingsThere();
    // A partner with earlier search results can book even while searches are unavailable.
    isServed(await asPartner("GET", `/api/booking/ota${createAvailabilityPath()}`));
    const booked = isServed(await asPartner("POST", "/api/booking/ota/booking", createAgencyReservationBody()));
    expect(await bookingsThere()).toBe(Number(before) + (booked ? 1 : 0));
  });

  test("serves a website's search and checkout, or returns 503 with Retry-After, while a migration is pending", async () => {
    const before = await bookingsThere();
    const cart = await ask("POST", "/api/booking/frontend/shopping-cart?include_products=true", createSearch());
    if (isServed(cart)) {
      const { shopping_cart } = cart.json as unknown as { shopping_cart: { free_access_id: string } };
      const base = `/api/booking/frontend/shopping-cart/${shopping_cart.free_access_id}`;
      expect((await ask("POST", `${base}/set-product`, { product: "A" })).status).toBe(200);
      const checkoutAnswer = isServed(await ask("POST", `${base}/checkout`, createCheckout()));
      expect(await bookingsThere()).toBe(Number(before) + (checkoutAnswer ? 1 : 0));
    }
  });

  test("shows staff day and fleet, and serves lists before a pending migration is applied", async () => {
    const login = await ask("POST", "/api/v1/login", { username: "desk", password: PASSWORD });
    const token = { Authorization: login.headers.get("Authorization") ?? "" };
    if (isServed(login)) {
      const path = `/api/v1/booking/deliveries-collections?date=${PICKUP_DAY}&rental_location_code=AIR`;
      isServed(await ask("GET", path, undefined, token));
      isServed(await ask("GET", "/api/booking-items-search?rental_storage_id=1", undefined, token));
      isServed(await ask("GET", `/api/v1/booking/transfer-trips?date=${getBookableDay(0)}`, undefined, token));
      isServed(await ask("GET", "/api/v1/office/reservations?q=garc", undefined, token));
    }
    isServed(await asPartner("GET", "/api/v1/integration/reservations", undefined, "erp"));
  });

  test("cancels unpaid reservations after their time limit by the cron job before a pending migration is applied", async () => {
    const lastStatus = env.BEHIND.prepare("SELECT status FROM bookings ORDER BY id DESC LIMIT 1");
    await env.BEHIND.prepare(
      "UPDATE bookings SET status = 'pending_confirmation', expires_at = 1000 WHERE id = (SELECT max(id) FROM bookings)",
    ).run();
    expect(await lastStatus.first("status")).toBe("pending_confirmation");
    await runScheduledJobs(bindings, Date.now());
    expect(await lastStatus.first("status")).toBe("cancelled");
  });
});
