import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { readFirstRow } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, PAYER, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { capturePrintout, getPrintoutText } from "#support/printing.ts";
import { readStatusAndField } from "#support/refusals.ts";
import { addAgentAndManager, callApi, createToken } from "#support/test-users.ts";
import { createTransferSearchBody, insertTransferCatalogue } from "#support/transfers.ts";
import { createCheckout } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

type Body = Readonly<Record<string, unknown>>;

const ENGINE = "http://acme.localhost:8787/api/booking-transfer/frontend";
const TEN = { kind: "percentage", value: "10.00", reason: "Regular customer" };
const amount = (value: string) => ({ kind: "amount", value, reason: "Late car" });
const OUTWARD = { date: getBookableDay(0), time: "23:00", origin_point_id: 1, destination_point_id: 2 };
const EXTRAS = [{ code: "SIGN", quantity: 1 }];

const tokens = { agent: "", manager: "" };

beforeEach(async () => {
  const company = await setUpCompany();
  await insertTransferCatalogue(company);
  await env.TENANT_ACME.prepare("INSERT OR IGNORE INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
  Object.assign(tokens, await addAgentAndManager());
});

// A trip of 40.00 with a night supplement of 8.00, and a sign as an extra of 10.00.
const createTransferBody = (more: Body = {}, transfer: Body = {}) => ({
  transfer: { outward: OUTWARD, transfer_vehicle_id: 1, extras: EXTRAS, ...transfer },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  ...more,
});
const make = (more: Body = {}, token = tokens.agent, transfer: Body = {}) =>
  callOffice("POST", "/transfers", { token, body: createTransferBody(more, transfer) });
const create = (...input: Parameters<typeof make>) => readReservationAnswer(make(...input));
const change = ({ reservation: { id, version } }: ReservationAnswer, body: Body, token = tokens.agent) =>
  callOffice("PATCH", `/reservations/${id}`, { token, body: { expected_version: version, ...body } });
const toCents = (value: unknown) => Math.round(Number(value) * 100);

function expectSums({ reservation }: ReservationAnswer) {
  const parts = ["item_cost", "extras_cost", "supplement_1_cost"].map((name) => toCents(reservation[name]));
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(toCents(reservation["total_cost"]));
  const { amount: discountAmount } = (reservation["discount"] ?? { amount: "0" }) as { amount: string };
  expect(toCents(reservation["list_total_cost"]) - toCents(discountAmount)).toBe(toCents(reservation["total_cost"]));
}

describe("the discount of a transfer", () => {
  // Proves "rules.md: transfers": A transfer can have a discount on trips and extras, never on supplements
  test("discounts trips and extras of a new transfer and never its supplements, with list price and author", async () => {
    const discounted = await create({ discount: TEN });
    expect(discounted.reservation).toMatchObject({
      ...{ list_total_cost: "58.00", total_cost: "53.00", item_cost: "35.00", extras_cost: "10.00" },
      discount: { ...TEN, amount: "5.00", by: "Aina Agent" },
      transfer: { trips: [{ cost: "40.00" }], supplements: [{ cost: "8.00" }] },
    });
    expectSums(discounted);
    const free = await create({ discount: amount("5000") }, tokens.manager, {
      outward: { ...OUTWARD, date: getBookableDay(3) },
    });
    expect(free.reservation).toMatchObject({ total_cost: "8.00", item_cost: "0.00", extras_cost: "0.00" });
    expectSums(free);
  });

  test("quotes a discount at the selling price with the sums of its parts, and stores nothing", async () => {
    const body = createTransferBody({ discount: TEN });
    const quoted = await callOffice("POST", "/transfers/quote", { token: tokens.agent, body });
    expect(await quoted.json()).toMatchObject({
      available: true,
      quote: {
        ...{ list_total_cost: "58.00", total_cost: "53.00", item_cost: "35.00", supplements_cost: "8.00" },
        discount: { ...TEN, amount: "5.00" },
      },
    });
    const above = createTransferBody({ discount: { ...TEN, value: "10.01" } });
    const refused = await callOffice("POST", "/transfers/quote", { token: tokens.agent, body: above });
    expect(await refused.json()).toMatchObject({ available: false, reasons: [{ code: "discount_limit" }] });
    expect(await readFirstRow("SELECT count(*) AS n FROM bookings")).toEqual({ n: 0 });
  });

  // Proves "rules.md: transfers": Agents give discounts of transfers up to their limit
  test("limits agents' discounts of new and changed transfers, and doesn't limit managers", async () => {
    const half = { ...TEN, value: "50.00" };
    const refused = await make({ discount: half });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "discount_limit", params: { limit: "5.00" } },
    ]);
    const current = await create();
    expect(await readStatusAndField(await change(current, { discount: half }))).toEqual([403, "discount.value"]);
    const discounted = await readReservationAnswer(change(current, { discount: half }, tokens.manager));
    expect(discounted.reservation).toMatchObject({ total_cost: "33.00", discount: { by: "Max Manager" } });
    const later = await readReservationAnswer(change(discounted, { transfer: { outward: { time: "09:00" } } }));
    expect(later.reservation).toMatchObject({ total_cost: "25.00", discount: { by: "Max Manager" } });
  });

  test("recalculates a transfer's percentage discount after a change, keeps an amount, and removes either by null", async () => {
    const percent = await create({ discount: TEN });
    const back = { return: { date: getBookableDay(2), time: "09:00" } };
    const longer = await readReservationAnswer(change(percent, { transfer: back }));
    expect(longer.reservation).toMatchObject({ list_total_cost: "98.00", discount: { amount: "9.00" } });
    expectSums(longer);
    const fixed = await readReservationAnswer(change(longer, { discount: amount("3.33") }));
    expect(fixed.reservation).toMatchObject({ total_cost: "94.67", discount: { amount: "3.33" } });
    const shorter = await readReservationAnswer(change(fixed, { transfer: { return: null } }));
    expect(shorter.reservation).toMatchObject({ total_cost: "54.67", discount: { amount: "3.33" } });
    const removed = await readReservationAnswer(change(shorter, { discount: null }));
    expect(removed.reservation).toMatchObject({ total_cost: "58.00", list_total_cost: "58.00", discount: null });
  });

  test("quotes a changed discount of a transfer without storing it", async () => {
    const { reservation } = await create();
    const answer = await callOffice("POST", `/reservations/${reservation.id}/quote`, {
      token: tokens.agent,
      body: { move: "change", discount: TEN },
    });
    expect(await answer.json()).toMatchObject({
      ...{ allowed: true, difference: "-5.00" },
      transfer: { total_cost: "53.00", list_total_cost: "58.00", discount: { amount: "5.00" } },
    });
    expect(await readFirstRow("SELECT discount, total_cents FROM bookings")).toEqual({
      discount: null,
      total_cents: 5800,
    });
  });

  test("names the invalid field of a transfer's discount, and still refuses rental fields next to it", async () => {
    for (const [discount, field] of [
      [{ ...TEN, value: "100.01" }, "discount.value"],
      [{ ...amount("1.001") }, "discount.value"],
      [{ ...TEN, reason: undefined }, "discount.reason"],
    ] as const)
      expect(await readStatusAndField(await make({ discount }))).toEqual([400, field]);
    const current = await create();
    expect(await readStatusAndField(await change(current, { discount: TEN, quantity: 2 }))).toEqual([400, "transfer"]);
  });

  test("applies a customer's own discount at the desk unless staff give another or none", async () => {
    const body = { name: "Bea", surname: "Roig", email: "bea@example.com", discount_percent: "10.00" };
    const answer = await callOffice("POST", "/customers", { token: tokens.manager, body });
    const customer = { id: (await answer.json<{ customer: { id: number } }>()).customer.id };
    const own = await create({ customer });
    expect(own.reservation).toMatchObject({ total_cost: "53.00", discount: { by: "customer", reason: null } });
    const on = (date: string) => ({ outward: { ...OUTWARD, date } });
    const other = await create({ customer, discount: amount("1.00") }, tokens.agent, on(getBookableDay(3)));
    expect(other.reservation).toMatchObject({ total_cost: "57.00" });
    const none = await create({ customer, discount: null }, tokens.agent, on(getBookableDay(5)));
    expect(none.reservation).toMatchObject({ total_cost: "58.00", discount: null });
  });

  // Proves "rules.md: transfers": Invoice and mail of a transfer show its discount as a line
  test("shows a transfer's discount as a separate line on invoice and mail, and keeps the accounting balanced", async () => {
    await env.TENANT_ACME.prepare("UPDATE transfer_extras SET vat_basis_points = 2100 WHERE code = 'SIGN'").run();
    await openTestTenant(env).freshSnapshot();
    const created = await create({ discount: amount("45.00") }, tokens.manager);
    expect(created.reservation).toMatchObject({ item_cost: "0.00", extras_cost: "5.00", total_cost: "13.00" });
    const { id } = created.reservation;
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    const mail = await readFirstRow("SELECT text FROM development_mails WHERE recipient = 'ana@example.com'");
    expect(mail?.["text"]).toMatch(/Descuento: -45,00.*\nTotal: 13,00/);
    const invoiced = await callApi("POST", `/booking/${id}/documents`, {
      token: tokens.manager,
      body: { request_id: crypto.randomUUID() },
    });
    expect(invoiced.status).toBe(200);
    const discounts = await env.TENANT_ACME.prepare(
      "SELECT vat_basis_points AS vat, total_cents AS cents FROM document_items WHERE concept = 'Descuento' ORDER BY vat",
    ).all();
    expect(discounts.results).toEqual([
      { vat: 1000, cents: -4000 },
      { vat: 2100, cents: -500 },
    ]);
    expect(await readFirstRow("SELECT sum(total_cents) AS cents FROM documents")).toEqual({ cents: 1300 });
    const document = (await readFirstRow("SELECT max(id) AS id FROM documents"))?.["id"];
    const printed = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${document}.pdf`, tokens.manager));
    expect(printed).toContain("Descuento");
    // If the discount is raised after the invoice, the invoice is credited.
    const current = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: tokens.manager }));
    await readReservationAnswer(change(current, { discount: amount("50.00") }, tokens.manager));
    await callApi("POST", `/booking/${id}/documents`, {
      token: tokens.manager,
      body: { request_id: crypto.randomUUID() },
    });
    expect(await readFirstRow("SELECT sum(total_cents) AS cents FROM documents")).toEqual({ cents: 800 });
    expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  });
});

test("links to the payment of the discounted price, and invoices discounted transfers of a payer once", async () => {
  const token = tokens.manager;
  const created = await callOffice("POST", "/customers", { token, body: PAYER });
  const payer = (await created.json<{ customer: { id: number } }>()).customer.id;
  const transferOn = (date: string, more: Body) =>
    create({ billing_customer_id: payer, ...more }, token, { outward: { ...OUTWARD, date } });
  const transfers = [await transferOn(getBookableDay(0), { discount: TEN }), await transferOn(getBookableDay(2), {})];
  const reservation_ids = transfers.map(({ reservation }) => reservation.id);
  const link = await callOffice("POST", `/reservations/${reservation_ids[0]}/payment-links`, {
    token,
    body: { purpose: "payment" },
  });
  expect(await link.json()).toMatchObject({ payment_link: { amount: "53.00", status: "open" } });
  const collect = (path = "") =>
    callOffice("POST", `/documents/collective${path}`, { token, body: { customer_id: payer, reservation_ids } });
  expect(await (await collect("/quote")).json()).toMatchObject({ documents: [{ total: "111.00" }] });
  const issued = await collect();
  expect([issued.status, await issued.json()]).toMatchObject([
    201,
    { document: { total: "111.00", contracts: [{ total: "53.00" }, { total: "58.00" }] } },
  ]);
  expect(await readStatusAndField(await collect())).toEqual([409, "reservation_ids"]);
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
});

describe("a signed-in customer's discount on transfers", () => {
  const REDUCED = {
    ...{ item_cost: "36.00", extras_cost: "0.00", total_cost: "36.00" },
    discount: {
      ...{ kind: "percentage", value: "10.00", amount: "4.00", item_amount: "4.00", extras_amount: "0.00" },
      list_total: "40.00",
    },
  };
  const FULL = { item_cost: "40.00", total_cost: "40.00", discount: null };
  const send = async <T>(path: string, body: object | undefined, as?: string) => {
    const answer = await requestWorker(`${ENGINE}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "Content-Type": "application/json", ...(as !== undefined && { Authorization: as }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json<T>();
  };
  const choose = async (as?: string) => {
    type Answer = { shopping_cart: { free_access_id: string } };
    const { shopping_cart: cart } = await send<Answer>("/shopping-cart", createTransferSearchBody(), as);
    const path = `/shopping-cart/${cart.free_access_id}/set-product`;
    return (await send<Answer>(path, { product: "1" }, as)).shopping_cart;
  };
  const book = async (id: string, as?: string) => {
    const booked = await send<{ free_access_id: string }>(`/shopping-cart/${id}/checkout`, createCheckout(), as);
    return (await send<{ booking: Body }>(`/reservation/${booked.free_access_id}`, undefined)).booking;
  };

  beforeEach(async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE customers SET discount_basis_points = 1000 WHERE id = (SELECT customer_id FROM users WHERE username = 'ana')",
    ).run();
  });

  // Proves "rules.md: transfers": A signed-in customer gets the own discount on transfers
  test("applies a signed-in customer's discount equally to transfer cart, reservation and amount to pay", async () => {
    const token = await createToken("ana");
    const cart = await choose(token);
    expect(cart).toMatchObject(REDUCED);
    const booking = await book(cart.free_access_id, token);
    expect(booking).toMatchObject({ ...REDUCED, total_pending: "36.00" });
    const { reservation } = await readReservationAnswer(
      callOffice("GET", `/reservations/${String(booking["id"])}`, { token: tokens.manager }),
    );
    expect(reservation).toMatchObject({ total_cost: "36.00", discount: { amount: "4.00", by: "customer" } });
  });

  // Proves "rules.md: transfers": The list of transfers shows a signed-in customer's total
  test("lists each transfer vehicle at the discounted total of cart and reservation, with supplements in full", async () => {
    const token = await createToken("ana");
    type Listed = {
      shopping_cart: { free_access_id: string; total_cost: string };
      products: readonly { id: number; price: string; discounted_price?: string }[];
    };
    const search = createTransferSearchBody({ time: "23:00" });
    const { shopping_cart: cart, products } = await send<Listed>("/shopping-cart", search, token);
    expect(products).toMatchObject([
      { price: "48.00", discounted_price: "44.00" },
      { price: "180.00", discounted_price: "165.00" },
    ]);
    for (const { id, discounted_price: total_cost } of products) {
      const path = `/shopping-cart/${cart.free_access_id}/set-product`;
      const chosen = await send<Listed>(path, { product: String(id) }, token);
      expect(chosen.shopping_cart).toMatchObject({ total_cost });
    }
    expect(await book(cart.free_access_id, token)).toMatchObject({ total_cost: "165.00" });
    const visitor = await send<Listed>("/shopping-cart", search);
    expect(visitor.products.filter((product) => "discounted_price" in product)).toEqual([]);
  });

  test("gives no transfer discount to visitors who aren't signed in, not even in a customer's cart", async () => {
    expect(await choose()).toMatchObject(FULL);
    const cart = await choose(await createToken("ana"));
    expect(await book(cart.free_access_id)).toMatchObject(FULL);
  });
});
