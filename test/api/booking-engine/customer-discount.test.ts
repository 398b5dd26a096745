import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice, type ReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { createCheckout, createSearch } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

const ENGINE = "http://acme.localhost:8787/api/booking/frontend";
const REDUCED = {
  total_cost: "86.00",
  item_cost: "81.00",
  discount: {
    kind: "percentage",
    value: "10.00",
    amount: "9.00",
    item_amount: "9.00",
    extras_amount: "0.00",
    list_total: "95.00",
  },
};
const FULL = { total_cost: "95.00", item_cost: "90.00", discount: null };

interface Sums {
  readonly free_access_id: string;
}

let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare(
    "UPDATE customers SET discount_basis_points = 1000 WHERE id = (SELECT customer_id FROM users WHERE username = 'ana')",
  ).run();
  token = await createToken("ana");
});

const send = async <T>(method: string, path: string, { body, as }: { body?: object; as?: string | undefined }) => {
  const answer = await requestWorker(`${ENGINE}${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(as !== undefined && { Authorization: as }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json<T>();
};

/** Creates a cart with a small car, as a visitor with a token. */
async function choose(as?: string): Promise<Sums> {
  const { shopping_cart: created } = await send<{ shopping_cart: Sums }>("POST", "/shopping-cart", {
    body: createSearch(),
    as,
  });
  const path = `/shopping-cart/${created.free_access_id}/set-product`;
  const chosen = await send<{ shopping_cart: Sums }>("POST", path, { body: { product: "A" }, as });
  return chosen.shopping_cart;
}

const read = async ({ free_access_id: id }: Sums, as?: string) =>
  (await send<{ shopping_cart: Sums }>("GET", `/shopping-cart/${id}`, { as })).shopping_cart;
const book = async ({ free_access_id: id }: Sums, as?: string) => {
  const booked = await send<{ free_access_id: string }>("POST", `/shopping-cart/${id}/checkout`, {
    body: createCheckout(),
    as,
  });
  return (await send<{ booking: Sums & { id: number } }>("GET", `/booking/${booked.free_access_id}`, {})).booking;
};

// Proves "office.md": discount_percent of a signed-in customer on the website
test("applies a signed-in customer's discount to cart and reservation, and shows staff that it is the customer's", async () => {
  const cart = await choose(token);
  expect(cart).toMatchObject(REDUCED);
  expect(await read(cart, token)).toMatchObject(REDUCED);
  const booking = await book(cart, token);
  expect(booking).toMatchObject(REDUCED);
  const staff = await createToken("boss");
  const { reservation } = await (
    await callOffice("GET", `/reservations/${booking.id}`, { token: staff })
  ).json<ReservationAnswer>();
  expect(reservation).toMatchObject({
    total_cost: "86.00",
    list_total_cost: "95.00",
    discount: { amount: "9.00", by: "customer" },
  });
});

test("returns a signed-in customer's discount with the list of products, before one is chosen", async () => {
  const cart = { body: createSearch(), as: token };
  const listed = await send<{ shopping_cart: object }>("POST", "/shopping-cart?include_products=true", cart);
  expect(listed.shopping_cart).toMatchObject({ discount: { kind: "percentage", value: "10.00" } });
  const visitor = await send<{ shopping_cart: object }>("POST", "/shopping-cart?include_products=true", {
    body: createSearch(),
  });
  expect(visitor.shopping_cart).toMatchObject({ discount: null });
});

test.each([1, 333, 1250, 9999, 10_000])(
  "lists each product at the total that cart and reservation have with a customer's discount of %i basis points",
  async (basisPoints) => {
    await env.TENANT_ACME.prepare("UPDATE customers SET discount_basis_points = ? WHERE discount_basis_points > 0")
      .bind(basisPoints)
      .run();
    type Listed = {
      shopping_cart: Sums;
      products: readonly { code: string; availability: boolean; discounted_total_cost?: string }[];
    };
    const path = "/shopping-cart?include_products=true";
    const { shopping_cart: cart, products } = await send<Listed>("POST", path, { body: createSearch(), as: token });
    const offered = products.filter(({ availability }) => availability);
    expect(offered.length).toBeGreaterThan(1);
    for (const { code, discounted_total_cost: total_cost } of offered) {
      await send("POST", `/shopping-cart/${cart.free_access_id}/set-product`, { body: { product: code }, as: token });
      expect(await read(cart, token)).toMatchObject({ total_cost });
    }
    expect(await book(cart, token)).toMatchObject({ total_cost: offered.at(-1)?.discounted_total_cost });
    const visitor = await send<Listed>("POST", path, { body: createSearch() });
    expect(visitor.products.filter((product) => "discounted_total_cost" in product)).toEqual([]);
  },
);

// Proves "office.md": discount_percent: not for visitors who aren't signed in
test("gives no discount to visitors who aren't signed in, not even in a signed-in customer's cart", async () => {
  expect(await choose()).toMatchObject(FULL);
  const cart = await choose(token);
  expect(await read(cart)).toMatchObject(FULL);
  expect(await read(cart, "Bearer nonsense")).toMatchObject(FULL);
  expect(await book(cart)).toMatchObject(FULL);
});

// Proves "office.md": discount on the website's reservation, without reason and author
test("replaces a customer's discount by one that staff give, without showing the customer its reason or author", async () => {
  const booking = await book(await choose(token), token);
  const staff = await createToken("boss");
  const changed = await callOffice("PATCH", `/reservations/${booking.id}`, {
    token: staff,
    body: { expected_version: 1, discount: { kind: "amount", value: "20.00", reason: "Complaint" } },
  });
  expect(changed.status).toBe(200);
  const bookingDetail = await send<{ booking: Sums }>("GET", `/booking/${booking.free_access_id}`, {});
  expect(bookingDetail.booking).toMatchObject({
    total_cost: "75.00",
    discount: { kind: "amount", value: "20.00", amount: "20.00", list_total: "95.00" },
  });
  expect(JSON.stringify(bookingDetail)).not.toMatch(/Complaint|staff:|Bea Boss/);
});
