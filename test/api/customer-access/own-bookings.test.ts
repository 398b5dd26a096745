import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { aReservation, day, post } from "#support/agency.ts";
import { aCompany } from "#support/company.ts";
import { aTenant } from "#support/databases.ts";
import { withPeople } from "#support/people.ts";
import { aCheckout, aSearch } from "#support/website.ts";
import { request } from "#support/worker.ts";

const SITE = "http://acme.localhost:8787";
let id = "";

const send = (path: string, body: unknown) =>
  request(SITE + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const own = (step: string, body: unknown, of = id) => send(`/api/v1/web-customer/reservations/${of}/${step}`, body);

async function bought(): Promise<string> {
  const engine = "/api/booking/frontend/shopping-cart";
  const cart = await (await send(engine, aSearch())).json<{ shopping_cart: { free_access_id: string } }>();
  const base = `${engine}/${cart.shopping_cart.free_access_id}`;
  await send(`${base}/set-product`, { product: "A" });
  await send(`${base}/checkout`, aCheckout());
  const row = await env.TENANT_ACME.prepare("SELECT free_access_id AS id FROM bookings ORDER BY id DESC").first<{
    id: string;
  }>();
  return row?.id ?? "";
}

beforeEach(async () => {
  await aCompany();
  await withPeople();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 1"),
    env.TENANT_ACME.prepare(`INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value)
      VALUES ('cancellation', 10000, 'percentage', 1000)`),
  ]);
  await aTenant(env).freshSnapshot();
  id = await bought();
});

describe("a customer's own booking", () => {
  test("is changed at today's price, and says before what that costs", async () => {
    const quoted = await (await own("quote", { move: "change", extras: [{ code: "GPS" }] })).json<
      Record<string, string>
    >();
    expect(quoted).toMatchObject({ difference: "15.00" });
    const changed = await own("change", { extras: [{ code: "GPS" }], expected_version: 1 });
    expect([changed.status, await changed.json()]).toMatchObject([
      200,
      { booking: { version: 2, total_cost: quoted["new_total_cost"] } },
    ]);
    expect((await own("change", { extras: [], expected_version: 1 })).status).toBe(409);
    const wrong = await own("change", { date_to: "2020-01-01" });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { detail: [expect.stringContaining("date_to")] }]);
  });

  test("tells which extras it may have, in the visitor's words and for the days that are asked for", async () => {
    const offered = async (body: object, lang = "en") =>
      (await (await own(`quote?lang=${lang}`, { move: "change", ...body })).json<{ extras: unknown[] }>()).extras;
    const seat = { code: "SEAT", name: "Child seat", unit_price: "12.00", quantity: 0, max_quantity: 3 };
    expect(await offered({})).toEqual([
      seat,
      { code: "GPS", name: "Navegador", unit_price: "15.00", quantity: 0, max_quantity: 1 },
    ]);
    expect((await offered({ date_to: day(4) }, "es"))[0]).toEqual({
      ...seat,
      name: "Silla infantil",
      unit_price: "16.00",
    });
    await own("change", { extras: [{ code: "SEAT", quantity: 2 }] });
    await env.TENANT_ACME.prepare("UPDATE extras SET active = 0 WHERE code = 'SEAT'").run();
    await aTenant(env).freshSnapshot();
    // What is sold no more stays what was agreed.
    const kept = { ...seat, name: "Silla infantil", quantity: 2, max_quantity: 2 };
    expect(await offered({})).toEqual([expect.objectContaining({ code: "GPS" }), kept]);
    const both = await own("quote", { move: "change", extras: [{ code: "GPS" }, { code: "GPS" }] });
    expect([both.status, await both.json()]).toMatchObject([400, { detail: [expect.stringContaining("quantity")] }]);
  });

  test("is cancelled by the terms; what is sold out or over is refused", async () => {
    await env.TENANT_ACME.prepare("UPDATE bookings SET total_paid_cents = total_cents").run();
    const cancelled = await own("cancel", {});
    const answer = await cancelled.json<{
      booking: { status: string; total_cost: string };
      fee: string;
      to_refund: string;
    }>();
    expect([cancelled.status, answer]).toMatchObject([200, { booking: { status: "cancelled" }, fee: "9.50" }]);
    expect(answer.to_refund).toBe("85.50");
    const again = await own("cancel", {});
    expect([again.status, await again.json()]).toMatchObject([409, { code: "move_not_allowed" }]);
    const actor = await env.TENANT_ACME.prepare("SELECT actor FROM booking_history WHERE event = 'cancelled'").first(
      "actor",
    );
    expect(actor).toBe("visitor");
  });

  test("is nobody's who does not have its id, not an agency's, and not where the account does not allow it", async () => {
    expect((await own("cancel", {}, "0".repeat(32))).status).toBe(404);
    await post("/booking", aReservation({ date_from: day(20), date_to: day(22) }));
    const ofAgency = await env.TENANT_ACME.prepare(
      "SELECT free_access_id AS id FROM bookings WHERE agency_id = 1",
    ).first<{ id: string }>();
    expect((await own("cancel", {}, ofAgency?.id)).status).toBe(409);
    await env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 0").run();
    expect((await own("cancel", {})).status).toBe(403);
  });
});
