import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { createCart } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

let db: D1Database;

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
});

/** Sends a signed-in customer's checkout: all form fields, empty. */
async function checkout(token: string, body: Readonly<Record<string, unknown>> = {}): Promise<Response> {
  const empty = { customer_name: "", customer_surname: "", customer_email: "", customer_phone: "" };
  return requestWorker(
    `http://acme.localhost:8787/api/booking/frontend/shopping-cart/${await createCart("A")}/checkout`,
    {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=utf-8", Authorization: token },
      body: JSON.stringify({ ...empty, payment: "none", ...body }),
    },
  );
}

// Proves "booking-engine-vehicles.md: existing websites": Empty strings mean absent; a logged-in checkout sends them
// Proves "customer-access.md: operations": A signed-in customer's data fills the cart's checkout
test("fills the checkout with a signed-in customer's data, and links the booking to the customer", async () => {
  const token = await createToken("ana");
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
  const listed = await callApi("GET", "/web-customer/renting-reservations", { token });
  expect(await listed.json()).toMatchObject({ data: [{ free_access_id: answer.free_access_id }] });
});

test("prefers the checkout's data over the stored customer data", async () => {
  const response = await checkout(await createToken("ana"), { customer_email: "work@example.com" });
  expect(await response.json()).toMatchObject({ customer_name: "Ana", customer_email: "work@example.com" });
});

test("rejects a checkout without customer data if the token is invalid or a staff token", async () => {
  for (const token of [await createToken("desk"), "not-a-token"]) {
    expect((await checkout(token)).status).toBe(400);
  }
});

// Proves "booking-engine-vehicles.md: existing websites": create_customer_account
test("creates the customer account requested with a booking, and lists the booking in it", async () => {
  const account = { create_customer_account: "true", account_password: "New-Customer-1!" };
  const response = await checkout("", {
    customer_name: "Eva",
    customer_surname: "Gil",
    customer_email: "eva@example.com",
    ...account,
  });
  expect(response.status).toBe(200);
  const login = await callApi("POST", "/login", { body: { username: "eva@example.com", password: "New-Customer-1!" } });
  const token = login.headers.get("Authorization") ?? "";
  const listed = await callApi("GET", "/web-customer/renting-reservations", { token });
  expect((await listed.json<{ data: unknown[] }>()).data).toHaveLength(1);
});

test("creates and links no customer account for an existing email, and keeps the booking", async () => {
  const account = { create_customer_account: "true", account_password: "New-Customer-1!" };
  const response = await checkout("", {
    customer_name: "Eve",
    customer_surname: "Il",
    customer_email: "ana@example.com",
    ...account,
  });
  expect(response.status).toBe(200);
  const { results } = await db
    .prepare(
      `SELECT customers.full_name, (SELECT count(*) FROM users WHERE users.customer_id = customers.id) AS users
      FROM bookings JOIN customers ON customers.id = bookings.customer_id`,
    )
    .all();
  expect(results).toEqual([{ full_name: "Eve Il", users: 0 }]);
});

test.each([
  ["weak", "must have at least 8 characters"],
  ["password", "is a password that attackers try first"],
  [undefined, "is required for an account"],
  ["pass word ".repeat(13), "must have at most 128 characters"],
  ["pass word ".repeat(30), "must have at most 128 characters"],
])(
  "rejects a checkout that requests a customer account with the password %s, with the reason, and books nothing",
  async (password, reason) => {
    const response = await checkout("", {
      customer_name: "Eva",
      customer_surname: "Gil",
      customer_email: "eva@example.com",
      create_customer_account: "true",
      account_password: password,
    });
    expect(response.status).toBe(400);
    expect((await response.json<{ error: string }>()).error).toBe(`account_password: ${reason}`);
    expect(await db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(0);
  },
);

// Proves "rules.md: the life of a contract": Another customer's booking is as if it were not there
test("answers not found for another customer's booking, whichever of its data the caller knows", async () => {
  const token = await createToken("ana");
  const ownBooking = await (await checkout(token)).json<{ free_access_id: string }>();
  const other = { customer_name: "Eva", customer_surname: "Gil", customer_email: "eva@example.com" };
  expect((await checkout("", other)).status).toBe(200);
  const storedBooking = await db
    .prepare("SELECT id, free_access_id FROM bookings WHERE customer_email = 'eva@example.com'")
    .first<{ id: number; free_access_id: string }>();
  await db
    .prepare(`INSERT INTO charges (id, uid, payment_type, source_doc, booking_id, amount_cents, currency, payment_method_id, date, branch_code, created_at, last_update)
      SELECT 77, 'theirs', 'charge', 'order', id, 100, 'EUR', 'cash', 1, branch_code, 1, 1 FROM bookings WHERE id = ?`)
    .bind(storedBooking?.id)
    .run();
  const listed = await (await callApi("GET", "/web-customer/renting-reservations", { token })).text();
  expect(listed).toContain(ownBooking.free_access_id);
  expect(listed).not.toContain(storedBooking?.free_access_id);
  const answers = async (id: unknown) =>
    Promise.all([
      callApi("POST", `/web-customer/reservations/${id}/cancel`, { token, body: {} }),
      callApi("POST", `/web-customer/reservations/${id}/change`, { token, body: { time_from: "11:00" } }),
      callApi("POST", `/web-customer/reservations/${id}/quote`, { token, body: { move: "cancel" } }),
      callApi("GET", `/web-customer/reservations/${id}/contract.pdf`, { token }),
    ]).then((all) => Promise.all(all.map(async (response) => [response.status, await response.text()])));
  expect(await answers(storedBooking?.id)).toEqual(await answers(999_999));
  // Customers also can't get documents of others through their own booking.
  const document = await callApi("GET", `/web-customer/reservations/${ownBooking.free_access_id}/charges/77.pdf`, {
    token,
  });
  const none = await callApi("GET", `/web-customer/reservations/${ownBooking.free_access_id}/charges/78.pdf`, {
    token,
  });
  expect([document.status, await document.text()]).toEqual([none.status, await none.text()]);
  for (const path of [`/office/reservations/${storedBooking?.id}`, `/booking/${storedBooking?.id}/documents`])
    expect([401, 403]).toContain((await callApi("GET", path, { token })).status);
});
