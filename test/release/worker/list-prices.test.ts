import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { createRedsysNotice, enableGateways, sendGatewayNotice, startPayment } from "#support/payments.ts";
import { readPdfText } from "#support/pdf-text.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { createCheckout, createSearch, getAsWebsite, parseJson, sendAsWebsite, toFormDate } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { bookingMailDataQuery } from "#worker/store/operations/booking-mails.ts";
import { createBookingMailContent } from "#worker/usecases/operations/booking-mails.ts";

// A visitor books at the price of the list.

beforeAll(async () => {
  const company = await setUpCompany();
  const { db } = company;
  await enableGateways(company);
  await db.batch([
    db.prepare(
      "INSERT INTO offers (name, discount_type, value, category_code, minimum_days) VALUES ('Week', 'percentage', 777, 'B', 7)",
    ),
    db.prepare("INSERT INTO one_way_fees (pickup_place_id, return_place_id, price_cents) VALUES (1, 2, 9050)"),
    db.prepare("UPDATE pickup_places SET price_cents = 1500 WHERE id = 2"),
  ]);
  await addTestUsers();
  await db
    .prepare(
      "UPDATE customers SET discount_basis_points = 1234 WHERE id = (SELECT customer_id FROM users WHERE username = 'ana')",
    )
    .run();
  await openTestTenant(env).freshSnapshot();
  token = await createToken("ana");
});

let token = "";
const SITE = "http://acme.localhost:8787";
/** Bookings of a run, each with its mail, payment and contract. A release makes more. */
const MAX_BOOKINGS = inject("isThorough") ? 8 : 3;
const HOURS = ["05:30", "10:00", "12:30", "21:00", "23:30"];

interface Product {
  readonly code: string;
  readonly availability: boolean;
  readonly price: string;
  readonly base_price: string;
  readonly total_cost: string;
  /** Total less the own discount of a signed-in customer. Absent for other visitors. */
  readonly discounted_total_cost?: string;
  readonly fees: readonly { readonly code: string; readonly amount: string }[];
}

/** Headers of a visitor, who is the customer with the own discount if signed in. */
const asVisitor = (isSignedIn: boolean) => ({ headers: isSignedIn ? { Authorization: token } : {} });
const search = (changes: Readonly<Record<string, unknown>>, isSignedIn = false) =>
  sendAsWebsite("POST", "/shopping-cart", createSearch(changes), asVisitor(isSignedIn));
const getTotal = (product: Product) => product.discounted_total_cost ?? product.total_cost;

/** Chooses a product of a cart, and expects the list's total. */
async function expectSameTotal(cart: string, product: Product, isSignedIn: boolean): Promise<void> {
  const choice = { product: product.code };
  const answer = await sendAsWebsite("POST", `/shopping-cart/${cart}/set-product`, choice, asVisitor(isSignedIn));
  expect((await parseJson(answer)).shopping_cart.total_cost).toBe(getTotal(product));
}

/** Expects a list's totals to add up and to stay when chosen. Returns the last product chosen. */
async function expectSameTotals(
  cart: string,
  listed: readonly Product[],
  isSignedIn: boolean,
): Promise<Product | undefined> {
  expect(listed.map(addUp)).toEqual(listed.map((product) => product.total_cost));
  const available = listed.filter(({ availability }) => availability);
  for (const product of available) await expectSameTotal(cart, product, isSignedIn);
  return available.at(-1);
}

/** Books a cart and pays all. Returns the totals of each step, or undefined if it was refused. */
async function book(cart: string, isSignedIn: boolean): Promise<Readonly<Record<string, string>> | undefined> {
  const customer = createCheckout({ customer_language: "en" });
  const placed = await sendAsWebsite("POST", `/shopping-cart/${cart}/checkout?lang=en`, customer, {
    ...asVisitor(isSignedIn),
    encoded: false,
  });
  if (placed.status !== 200) return undefined;
  const id: string = (await parseJson(placed)).free_access_id;
  const { booking } = await parseJson(await getAsWebsite(`/booking/${id}`));
  const intent = await startPayment(id, "tpvA256", "total");
  await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
  const paid = (await parseJson(await getAsWebsite(`/booking/${id}`))).booking;
  return {
    booking: booking.total_cost,
    pending: booking.total_pending,
    payment: (intent.amount_cents / 100).toFixed(2),
    paid: paid.total_paid,
    ...(await readWrittenTotals(id)),
  };
}

/** Returns the totals in the mail and in the contract's PDF. */
async function readWrittenTotals(freeAccessId: string) {
  const tenant = openTestTenant(env);
  const [row] = await bookingMailDataQuery(tenant.db, { freeAccessId });
  if (!row) throw new Error(`Missing booking: ${freeAccessId}`);
  const { catalogue } = await tenant.snapshot();
  const facts = createBookingMailContent(catalogue, row.mailed, "en", Date.now());
  const contract = await requestWorker(`${SITE}/api/v1/web-customer/reservations/${freeAccessId}/contract.pdf`);
  const text = (await readPdfText(new Uint8Array(await contract.arrayBuffer()))).join("\n");
  const printed = /^Total\n\D*([\d.,]+)/im.exec(text)?.[1] ?? text;
  const plain = (amount: string) => amount.replaceAll(/[^\d.]/g, "");
  return { mail: plain(facts.total), mailPaid: plain(facts.paid), contract: plain(printed) };
}

/** Returns the kinds of discounts in a list. */
function nameDiscounts(listed: readonly Product[], code: string): readonly string[] {
  const isReduced = listed.some(({ price, base_price: basePrice }) => price !== basePrice);
  const hasOwn = listed.some(({ discounted_total_cost: total }) => total !== undefined);
  return [isReduced ? code || "offer" : "none", ...(hasOwn ? ["own"] : [])];
}

const addUp = ({ price, fees }: Product) =>
  fees.reduce((sum, { amount }) => sum + Number(amount), Number(price)).toFixed(2);

test("shows the total of the product list in every later step, the mail, the payment and the contract, for any search", async () => {
  let bookings = 0;
  const codes = new Set<string>();
  const discounts = new Set<string>();
  const searches = fc.record({
    days: fc.integer({ min: 1, max: 12 }),
    from: fc.integer({ min: 0, max: 200 }),
    pickup: fc.constantFrom("1", "2"),
    back: fc.constantFrom("1", "2"),
    leaves: fc.constantFrom(...HOURS),
    returns: fc.constantFrom(...HOURS),
    age: fc.constantFrom("", "2"),
    code: fc.constantFrom("", "WELCOME10"),
    isSignedIn: fc.boolean(),
  });
  const check = fc.asyncProperty(searches, async ({ isSignedIn, ...wanted }) => {
    const { days, from, pickup, back, leaves, returns, age, code } = wanted;
    const changes = {
      ...{ date_from: toFormDate(from), date_to: toFormDate(from + days), time_from: leaves, time_to: returns },
      ...{ pickup_place: pickup, return_place: back, driver_age_rule: age, promotion_code: code },
    };
    const answer = await search(changes, isSignedIn);
    if (answer.status !== 200) return;
    const { shopping_cart: cart, products } = await parseJson(answer);
    const listed: readonly Product[] = products;
    for (const name of nameDiscounts(listed, code)) discounts.add(name);
    for (const { code } of listed.flatMap(({ fees }) => fees)) codes.add(code);
    const last = await expectSameTotals(cart.free_access_id, listed, isSignedIn);
    const booked = last && bookings < MAX_BOOKINGS ? await book(cart.free_access_id, isSignedIn) : undefined;
    if (booked === undefined) return;
    expect(new Set(Object.values(booked))).toEqual(new Set([last && getTotal(last)]));
    bookings += 1;
  });
  await fc.assert(check, { numRuns: 60 });
  expect([...discounts].sort()).toEqual(["WELCOME10", "none", "offer", "own"]);
  expect(bookings).toBeGreaterThan(0);
  expect([...codes].sort()).toEqual(["driver_age", "pickup_place", "return_place", "time_from", "time_to"]);
});

test("returns a cart's included kilometres and the end of its free cancellation", async () => {
  const db = env.TENANT_ACME;
  const dates = { date_from: toFormDate(40), date_to: toFormDate(43), time_from: "10:00" };
  const find = async () => parseJson(await search(dates));
  const before = await find();
  expect(before.shopping_cart.free_cancellation_until).toBe(`${before.shopping_cart.date_from}T10:00`);
  expect(before.products[0].kilometres_per_day).toBeNull();
  const term =
    "INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value) VALUES ('cancellation', ?, 'percentage', 5000)";
  await db.batch([db.prepare(term).bind(48), db.prepare("UPDATE categories SET kilometres_per_day = 250")]);
  await openTestTenant(env).freshSnapshot();
  const after = await find();
  expect(after.shopping_cart.free_cancellation_until).toBe(`${dayBefore(after.shopping_cart.date_from, 2)}T10:00`);
  expect(after.products[0].kilometres_per_day).toBe(250);
  await db
    .prepare(term)
    .bind(24 * 365)
    .run();
  await openTestTenant(env).freshSnapshot();
  expect((await find()).shopping_cart.free_cancellation_until).toBeNull();
});

const dayBefore = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
