import { applyD1Migrations, createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { aReservation, availabilityPath, day } from "#support/agency.ts";
import { aRental, PICKUP_DAY } from "#support/check-in.ts";
import { aCompany } from "#support/company.ts";
import { PASSWORD, withPeople } from "#support/people.ts";
import { aTransfer, withTransfers } from "#support/transfers.ts";
import { aCheckout, aSearch } from "#support/website.ts";
import { sign } from "#worker/auth/signature.ts";
import worker from "#worker/index.ts";
import { runDueWork } from "#worker/usecases/operations/scheduled.ts";

// While many accounts are migrated, one wave after the other, the Worker serves those whose turn has not come: code
// goes out that works with the schema before its newest migration and after it.
const bindings = { ...env, TENANT_ACME: env.BEHIND } as Cloudflare.Env;
const SITE = "http://acme.localhost:8787";

beforeAll(async () => {
  await withTransfers(await aCompany());
  await withPeople();
  await aRental();
  await aTransfer();
  await applyD1Migrations(env.BEHIND, env.MIGRATIONS.slice(0, -1));
  await copyInto(env.BEHIND);
});

/** Gives a database what acme's has, as far as it has room for it. */
async function copyInto(behind: D1Database): Promise<void> {
  const tables = await behind
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'
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
  return ask(method, path, body, { Authorization: `${key}:${await sign(`${key}-secret`, path, text)}` });
}

describe("an account that waits for the newest migration is served:", () => {
  test("agencies search, book and read", async () => {
    const path = `/api/booking/ota${availabilityPath()}`;
    expect((await asPartner("GET", path)).status).toBe(200);
    const booked = await asPartner("POST", "/api/booking/ota/booking", aReservation());
    expect(booked.status).toBe(200);
  });

  test("websites search and check out", async () => {
    const cart = await ask("POST", "/api/booking/frontend/shopping-cart?include_products=true", aSearch());
    expect(cart.status).toBe(200);
    const id = String(
      (cart.json as unknown as { shopping_cart: { free_access_id: string } }).shopping_cart.free_access_id,
    );
    const base = `/api/booking/frontend/shopping-cart/${id}`;
    expect((await ask("POST", `${base}/set-product`, { product: "A" })).status).toBe(200);
    expect((await ask("POST", `${base}/checkout`, aCheckout())).status).toBe(200);
  });

  test("staff see their day and their fleet, accounting systems their lists, and the clock strikes", async () => {
    const login = await ask("POST", "/api/v1/login", { username: "desk", password: PASSWORD });
    const token = { Authorization: login.headers.get("Authorization") ?? "" };
    const path = `/api/v1/booking/deliveries-collections?date=${PICKUP_DAY}&rental_location_code=AIR`;
    expect((await ask("GET", path, undefined, token)).status).toBe(200);
    expect((await ask("GET", "/api/booking-items-search?rental_storage_id=1", undefined, token)).status).toBe(200);
    const trips = await ask("GET", `/api/v1/booking/transfer-trips?date=${day(0)}`, undefined, token);
    expect([trips.status, trips.json]).toMatchObject([200, { total: 1 }]);
    expect((await asPartner("GET", "/api/v1/integration/reservations", undefined, "erp")).status).toBe(200);
    await runDueWork(bindings, Date.now() + 86_400_000 * 3);
    const states = await env.BEHIND.prepare("SELECT count(*) AS n FROM bookings WHERE status = 'cancelled'").first("n");
    expect(states).toBe(2);
  });
});
