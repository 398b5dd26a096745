import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { aCompany } from "#support/company.ts";
import { aTenant } from "#support/databases.ts";
import { aCheckout, aSearch, formDay, parseJson, read, send } from "#support/website.ts";

// A visitor books at the price of the list.

beforeAll(async () => {
  const { db } = await aCompany();
  await db.batch([
    db.prepare("INSERT INTO one_way_fees (pickup_place_id, return_place_id, price_cents) VALUES (1, 2, 9050)"),
    db.prepare("UPDATE pickup_places SET price_cents = 1500 WHERE id = 2"),
  ]);
  await aTenant(env).freshSnapshot();
});

const HOURS = ["05:30", "10:00", "12:30", "21:00", "23:30"];

interface Product {
  readonly code: string;
  readonly availability: boolean;
  readonly price: string;
  readonly total_cost: string;
  readonly fees: readonly { readonly code: string; readonly amount: string }[];
}

const search = (changes: Readonly<Record<string, unknown>>) => send("POST", "/shopping-cart", aSearch(changes));

/** Chooses a product of a cart, and expects the list's total. */
async function expectSameTotal(cart: string, product: Product): Promise<void> {
  const answer = await send("POST", `/shopping-cart/${cart}/set-product`, { product: product.code });
  expect((await parseJson(answer)).shopping_cart.total_cost).toBe(product.total_cost);
}

/** Books a cart. Returns the total of the booking, or undefined if it was refused. */
async function book(cart: string): Promise<string | undefined> {
  const placed = await send("POST", `/shopping-cart/${cart}/checkout?lang=en`, aCheckout(), { encoded: false });
  if (placed.status !== 200) return undefined;
  const { booking } = await parseJson(await read(`/booking/${(await parseJson(placed)).free_access_id}`));
  expect(booking.total_pending).toBe(booking.total_cost);
  return booking.total_cost;
}

const addUp = ({ price, fees }: Product) =>
  fees.reduce((sum, { amount }) => sum + Number(amount), Number(price)).toFixed(2);

test("shows the total of the product list in every later step, for any search", async () => {
  let bookings = 0;
  const codes = new Set<string>();
  const searches = fc.record({
    days: fc.integer({ min: 1, max: 12 }),
    from: fc.integer({ min: 0, max: 200 }),
    pickup: fc.constantFrom("1", "2"),
    back: fc.constantFrom("1", "2"),
    leaves: fc.constantFrom(...HOURS),
    returns: fc.constantFrom(...HOURS),
    age: fc.constantFrom("", "2"),
  });
  const check = fc.asyncProperty(searches, async ({ days, from, pickup, back, leaves, returns, age }) => {
    const answer = await search({
      ...{ date_from: formDay(from), date_to: formDay(from + days), time_from: leaves, time_to: returns },
      ...{ pickup_place: pickup, return_place: back, driver_age_rule: age },
    });
    if (answer.status !== 200) return;
    const { shopping_cart: cart, products } = await parseJson(answer);
    const listed: readonly Product[] = products;
    for (const { code } of listed.flatMap(({ fees }) => fees)) codes.add(code);
    expect(listed.map(addUp)).toEqual(listed.map((product) => product.total_cost));
    const available = listed.filter(({ availability }) => availability);
    for (const product of available) await expectSameTotal(cart.free_access_id, product);
    const last = available.at(-1);
    const booked = last && bookings < 8 ? await book(cart.free_access_id) : undefined;
    if (booked === undefined) return;
    expect(booked).toBe(last?.total_cost);
    bookings += 1;
  });
  await fc.assert(check, { numRuns: 60 });
  expect(bookings).toBeGreaterThan(0);
  expect([...codes].sort()).toEqual(["driver_age", "pickup_place", "return_place", "time_from", "time_to"]);
});

test("returns a cart's included kilometres and the end of its free cancellation", async () => {
  const db = env.TENANT_ACME;
  const dates = { date_from: formDay(40), date_to: formDay(43), time_from: "10:00" };
  const find = async () => parseJson(await search(dates));
  const before = await find();
  expect(before.shopping_cart.free_cancellation_until).toBe(`${before.shopping_cart.date_from}T10:00`);
  expect(before.products[0].kilometres_per_day).toBeNull();
  const term =
    "INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value) VALUES ('cancellation', ?, 'percentage', 5000)";
  await db.batch([db.prepare(term).bind(48), db.prepare("UPDATE categories SET kilometres_per_day = 250")]);
  await aTenant(env).freshSnapshot();
  const after = await find();
  expect(after.shopping_cart.free_cancellation_until).toBe(`${dayBefore(after.shopping_cart.date_from, 2)}T10:00`);
  expect(after.products[0].kilometres_per_day).toBe(250);
  await db
    .prepare(term)
    .bind(24 * 365)
    .run();
  await aTenant(env).freshSnapshot();
  expect((await find()).shopping_cart.free_cancellation_until).toBeNull();
});

const dayBefore = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
