import { beforeEach, expect, test } from "vitest";
import { aCompany } from "#support/company.ts";
import { call, tokenOf, withPeople } from "#support/people.ts";
import { aCart } from "#support/website.ts";
import { request } from "#support/worker.ts";

let db: D1Database;

beforeEach(async () => {
  await aCompany();
  db = await withPeople();
});

/** What a website sends when somebody is signed in: every field of the form, empty. */
async function checkout(token: string, body: Readonly<Record<string, unknown>> = {}): Promise<Response> {
  const empty = { customer_name: "", customer_surname: "", customer_email: "", customer_phone: "" };
  return request(`http://acme.localhost:8787/api/booking/frontend/shopping-cart/${await aCart("A")}/checkout`, {
    method: "POST",
    headers: { "Content-Type": "application/json; charset=utf-8", Authorization: token },
    body: JSON.stringify({ ...empty, payment: "none", ...body }),
  });
}

test("a signed-in customer's data fills the checkout, and the booking is the customer's own", async () => {
  const token = await tokenOf("ana");
  const response = await checkout(token, { driver_name: "Luis", driver_surname: "Gil" });
  expect(response.status).toBe(200);
  const answer = await response.json<{ free_access_id: string }>();
  expect(answer).toMatchObject({ customer_name: "Ana", customer_surname: "Ruiz", customer_email: "ana@example.com" });
  const row = await db
    .prepare("SELECT customer_id, customer_phone_prefix, customer_phone, customer_document_id FROM bookings")
    .first();
  expect(row).toEqual({
    customer_id: 1,
    customer_phone_prefix: "34",
    customer_phone: "600111222",
    customer_document_id: "X123",
  });
  const listed = await call("GET", "/web-customer/renting-reservations", { token });
  expect(await listed.json()).toMatchObject({ data: [{ free_access_id: answer.free_access_id }] });
});

test("what the checkout says counts before what is known of the customer", async () => {
  const response = await checkout(await tokenOf("ana"), { customer_email: "work@example.com" });
  expect(await response.json()).toMatchObject({ customer_name: "Ana", customer_email: "work@example.com" });
});

test("a token of staff, or one that is not good, fills nothing", async () => {
  for (const token of [await tokenOf("desk"), "not-a-token"]) {
    expect((await checkout(token)).status).toBe(400);
  }
});
