import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, createSaleBody, PAYER, sellRentalAtDesk } from "#support/office.ts";
import {
  bookOnWebsite,
  createRedsysNotice,
  enableGateways,
  type IntentRow,
  parseForms,
  sendGatewayNotice,
  startPayment,
  submitForm,
} from "#support/payments.ts";
import { addAgentAndManager, callApi, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { readRedsysParameters } from "#worker/gateways/redsys.ts";

// Operations of selling that arrive twice, late, out of order, with an outdated version or without the right. Each is
// rejected with its code and changes nothing.

const db = env.TENANT_ACME;
const SITE = "http://acme.localhost:8787";
type Body = Readonly<Record<string, unknown>>;
type User = "boss" | "manager" | "agent" | "desk" | "stranger";
const tokens: Record<User, string> = { boss: "", manager: "", agent: "", desk: "", stranger: "" };

beforeEach(async () => {
  await enableGateways(await setUpCompany());
  const { agent, manager } = await addAgentAndManager();
  await db.batch([
    db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      SELECT 6, kind, 'stranger', 'stranger@example.com', 'Sara Stranger', password_hash, 'manager', 0, 1, 1 FROM users WHERE id = 3`),
    db.prepare("INSERT INTO user_branches VALUES (6, 'ISLE')"),
    db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
  ]);
  await openTestTenant(env).freshSnapshot();
  const boss = await createToken("boss");
  Object.assign(tokens, { agent, manager, boss, desk: await createToken("desk") });
  tokens.stranger = await createToken("stranger");
});

const send = (user: User, method: string, path: string, body?: object, key?: string) =>
  callOffice(method, path, { token: tokens[user], ...(body && { body }), ...(key !== undefined && { key }) });

async function read<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
  return response.json<T>();
}

const sell = async (changes: Body = {}) =>
  (await sellRentalAtDesk(tokens.manager, { status: "confirmed", ...changes })).reservation;
const toPath = (id: number, more = "") => `/reservations/${id}${more}`;
const TEN = { kind: "percentage", value: "10.00", reason: "Regular customer" };
const quoteBody = (changes: Body = {}) => ({ ...createSaleBody(changes), valid_until: `${getBookableDay(2)}T18:00` });
const quote = async (changes: Body = {}) =>
  (
    await read<{ quote: { id: number; version: number; link: string } }>(
      send("agent", "POST", "/quotes", quoteBody(changes)),
    )
  ).quote;
const accept = (link: string, body: object = {}) =>
  requestWorker(link.replace(/^https?:\/\/[^/]+/, SITE).concat("/accept"), {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
const expireQuotes = () => db.prepare("UPDATE quotes SET valid_until = 1000, version = version + 1").run();
const createCustomer = async (body: object) =>
  (await read<{ customer: { id: number; version: number } }>(send("boss", "POST", "/customers", body))).customer;
const link = async (id: number, body: object = { purpose: "payment" }) =>
  (await read<{ payment_link: { id: number; url: string } }>(send("boss", "POST", toPath(id, "/payment-links"), body)))
    .payment_link;
async function readOrder(url: string): Promise<Pick<IntentRow, "order_reference" | "amount_cents">> {
  const [form] = (await parseForms(await submitForm(url, { payment_method_id: "tpvA256" }))).forms;
  const fields = readRedsysParameters(form?.fields["Ds_MerchantParameters"] ?? "") ?? {};
  return { order_reference: fields["DS_MERCHANT_ORDER"] ?? "", amount_cents: Number(fields["DS_MERCHANT_AMOUNT"]) };
}
async function hold(isAuthorised = true): Promise<number> {
  const { id } = await sell();
  const { hold: requested, payment_link: page } = await read<{ hold: { id: number }; payment_link: { url: string } }>(
    send("boss", "POST", toPath(id, "/holds"), { amount: "100.00" }),
  );
  if (isAuthorised)
    await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(page.url), { Ds_TransactionType: "1" }));
  return requested.id;
}
const CAPTURE = { amount: "10.00", reason: "Damaged mirror" };
const invoice = async (id: number, more: object = {}) =>
  (
    await read<{ invoices: readonly { id: number }[] }>(
      callApi("POST", `/booking/${id}/documents`, {
        token: tokens.boss,
        body: { request_id: crypto.randomUUID(), ...more },
      }),
    )
  ).invoices[0]?.id ?? 0;
const payer = () => createCustomer(PAYER);
const collect = (user: User, customer: number, ids: readonly number[]) =>
  send(user, "POST", "/documents/collective", { customer_id: customer, reservation_ids: ids });
const cash = { payment_method_id: "cash" };
const mark = (id: number, user: User = "boss") =>
  send(user, "PATCH", `/customers/${id}`, { expected_version: 1, do_not_rent: { reason: "Unpaid" } });
async function sellOut(changes: Body = {}): Promise<void> {
  for (;;) if ((await send("manager", "POST", "/reservations", createSaleBody(changes))).status !== 201) return;
}

const TABLES = [
  ...["bookings", "booking_lines", "booking_extras", "booking_billing", "booking_history", "accepted_shortages"],
  ...[
    "stock_allocations",
    "quotes",
    "payment_links",
    "payment_intents",
    "payment_holds",
    "charges",
    "charge_allocations",
  ],
  ...["documents", "document_items", "customers", "outgoing_mails", "booking_mails", "notes", "office_tasks"],
];

/** Reads all rows that an operation of selling may change. */
async function readAll(): Promise<unknown> {
  const answers = await db.batch(TABLES.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  return Object.fromEntries(answers.map(({ results }, index) => [TABLES[index], results]));
}

type Attempt = () => Promise<Response>;
type Case = readonly [
  operation: string,
  mistake: string,
  status: number,
  code: string,
  prepare: () => Promise<Attempt>,
];

const CASES: readonly Case[] = [
  [
    "a discount",
    "another version",
    409,
    "changed_meanwhile",
    async () => {
      const { id } = await sell();
      return () => send("agent", "PATCH", toPath(id), { expected_version: 9, discount: TEN });
    },
  ],
  [
    "a discount",
    "more than an agent may give",
    403,
    "discount_limit",
    async () => {
      const { id, version } = await sell();
      return () => send("agent", "PATCH", toPath(id), { expected_version: version, discount: { ...TEN, value: "50" } });
    },
  ],
  [
    "a discount",
    "too small a right",
    403,
    "permission_denied",
    async () => {
      const { id, version } = await sell();
      return () => send("desk", "PATCH", toPath(id), { expected_version: version, discount: TEN });
    },
  ],
  [
    "a discount",
    "a cancelled reservation",
    409,
    "action_not_allowed",
    async () => {
      const { id, version } = await sell();
      await send("manager", "POST", toPath(id, "/cancel"), { expected_version: version, reason: "Ill" });
      return () => send("agent", "PATCH", toPath(id), { expected_version: version + 1, discount: TEN });
    },
  ],
  [
    "a discount",
    "another branch's reservation",
    404,
    "reservation_not_found",
    async () => {
      const { id, version } = await sell();
      return () => send("stranger", "PATCH", toPath(id), { expected_version: version, discount: TEN });
    },
  ],
  [
    "a quote",
    "too small a right",
    403,
    "permission_denied",
    async () => () => send("desk", "POST", "/quotes", quoteBody()),
  ],
  [
    "a quote",
    "a customer who is marked",
    403,
    "do_not_rent",
    async () => {
      const { id } = await createCustomer({ name: "Eva", surname: "Sol" });
      await mark(id);
      return () => send("agent", "POST", "/quotes", quoteBody({ customer: { id } }));
    },
  ],
  [
    "a quote",
    "an expiry in the past",
    400,
    "invalid_input",
    async () => () => send("agent", "POST", "/quotes", { ...quoteBody(), valid_until: "2020-01-01T10:00" }),
  ],
  [
    "a quote's change",
    "another version",
    409,
    "changed_meanwhile",
    async () => {
      const { id } = await quote();
      return () => send("agent", "PATCH", `/quotes/${id}`, { expected_version: 9, notes: "New" });
    },
  ],
  [
    "a quote's change",
    "an accepted quote",
    409,
    "quote_closed",
    async () => {
      const { id, link: page, version } = await quote();
      await accept(page);
      return () => send("agent", "PATCH", `/quotes/${id}`, { expected_version: version + 1, notes: "New" });
    },
  ],
  [
    "a quote's sending",
    "an expired quote",
    409,
    "quote_expired",
    async () => {
      const { id } = await quote();
      await expireQuotes();
      return () => send("agent", "POST", `/quotes/${id}/send`, {});
    },
  ],
  [
    "a quote's sending",
    "another branch's quote",
    404,
    "quote_not_found",
    async () => {
      const { id } = await quote();
      return () => send("stranger", "POST", `/quotes/${id}/send`, {});
    },
  ],
  [
    "an acceptance",
    "an expired link",
    409,
    "quote_expired",
    async () => {
      const { link: page } = await quote();
      await expireQuotes();
      return () => accept(page);
    },
  ],
  [
    "an acceptance",
    "another version",
    409,
    "changed_meanwhile",
    async () => {
      const { link: page } = await quote();
      return () => accept(page, { version: 9 });
    },
  ],
  [
    "an acceptance",
    "a declined quote",
    409,
    "quote_closed",
    async () => {
      const { id, link: page } = await quote();
      await send("agent", "POST", `/quotes/${id}/decline`, { reason: "Too late" });
      return () => accept(page);
    },
  ],
  [
    "an acceptance",
    "an unknown link",
    404,
    "quote_not_found",
    async () => () => accept(`${SITE}/quote/${"0".repeat(32)}`),
  ],
  [
    "a decline",
    "an accepted quote",
    409,
    "quote_closed",
    async () => {
      const { id, link: page } = await quote();
      await accept(page);
      return () => send("agent", "POST", `/quotes/${id}/decline`, { reason: "Late" });
    },
  ],
  [
    "a payment link",
    "another branch's reservation",
    404,
    "reservation_not_found",
    async () => {
      const { id } = await sell();
      return () => send("stranger", "POST", toPath(id, "/payment-links"), { purpose: "payment" });
    },
  ],
  [
    "a payment link",
    "an expiry in the past",
    400,
    "invalid_input",
    async () => {
      const { id } = await sell();
      const body = { purpose: "payment", expires_at: "2020-01-01T10:00" };
      return () => send("boss", "POST", toPath(id, "/payment-links"), body);
    },
  ],
  [
    "a payment link",
    "a paid reservation",
    409,
    "nothing_due",
    async () => {
      const { id } = await sell();
      const { url } = await link(id);
      await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(url)));
      return () => send("boss", "POST", toPath(id, "/payment-links"), { purpose: "payment" });
    },
  ],
  [
    "a payment link's end",
    "a paid link",
    409,
    "payment_link_used",
    async () => {
      const { id } = await sell();
      const page = await link(id);
      await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(page.url)));
      return () => send("boss", "DELETE", `/payment-links/${page.id}`);
    },
  ],
  [
    "a hold",
    "another branch's reservation",
    404,
    "reservation_not_found",
    async () => {
      const { id } = await sell();
      return () => send("stranger", "POST", toPath(id, "/holds"), { amount: "10.00" });
    },
  ],
  [
    "a capture",
    "a hold that isn't authorised",
    409,
    "hold_not_authorised",
    async () => {
      const id = await hold(false);
      return () => send("boss", "POST", `/holds/${id}/capture`, CAPTURE);
    },
  ],
  [
    "a capture",
    "a hold that lapsed",
    409,
    "hold_not_authorised",
    async () => {
      const id = await hold();
      await db.prepare("UPDATE payment_holds SET expires_at = 1000").run();
      return () => send("boss", "POST", `/holds/${id}/capture`, CAPTURE);
    },
  ],
  [
    "a capture",
    "more than is held",
    409,
    "more_than_held",
    async () => {
      const id = await hold();
      return () => send("boss", "POST", `/holds/${id}/capture`, { ...CAPTURE, amount: "100.01" });
    },
  ],
  [
    "a capture",
    "no reason",
    400,
    "invalid_input",
    async () => {
      const id = await hold();
      return () => send("boss", "POST", `/holds/${id}/capture`, { amount: "10.00" });
    },
  ],
  [
    "a capture",
    "another branch's hold",
    404,
    "hold_not_found",
    async () => {
      const id = await hold();
      return () => send("stranger", "POST", `/holds/${id}/capture`, CAPTURE);
    },
  ],
  [
    "a release",
    "a hold that lapsed",
    409,
    "hold_not_authorised",
    async () => {
      const id = await hold();
      await db.prepare("UPDATE payment_holds SET expires_at = 1000").run();
      return () => send("boss", "POST", `/holds/${id}/release`);
    },
  ],
  [
    "a payer",
    "an unknown customer",
    400,
    "invalid_input",
    async () => {
      const { id, version } = await sell();
      return () => send("manager", "PATCH", toPath(id), { expected_version: version, billing_customer_id: 99_999 });
    },
  ],
  [
    "a collective invoice",
    "an invoiced reservation",
    409,
    "already_invoiced",
    async () => {
      const { id: customer } = await payer();
      const { id } = await sell({ billing_customer_id: customer });
      await invoice(id);
      return () => collect("boss", customer, [id]);
    },
  ],
  [
    "a collective invoice",
    "another payer's reservation",
    409,
    "other_payer",
    async () => {
      const { id: customer } = await payer();
      const { id } = await sell();
      return () => collect("boss", customer, [id]);
    },
  ],
  [
    "a collective invoice",
    "an incomplete customer",
    409,
    "customer_incomplete",
    async () => {
      const { id: customer } = await createCustomer({ name: "Sin Datos SL", customer_type: "legal_entity" });
      const { id } = await sell({ billing_customer_id: customer });
      return () => collect("boss", customer, [id]);
    },
  ],
  [
    "a collective invoice",
    "too small a right",
    403,
    "permission_denied",
    async () => {
      const { id: customer } = await payer();
      const { id } = await sell({ billing_customer_id: customer });
      return () => collect("desk", customer, [id]);
    },
  ],
  [
    "a collective invoice",
    "another branch's reservation",
    404,
    "reservation_not_found",
    async () => {
      const { id: customer } = await payer();
      const { id } = await sell({ billing_customer_id: customer });
      await db.prepare("UPDATE customers SET branch_code = 'ISLE' WHERE id = ?").bind(customer).run();
      return () => collect("stranger", customer, [id]);
    },
  ],
  [
    "an invoice's payment",
    "a paid invoice",
    409,
    "more_than_due",
    async () => {
      const id = await invoice((await sell()).id);
      await send("boss", "POST", `/documents/${id}/charges`, cash);
      return () => send("boss", "POST", `/documents/${id}/charges`, { ...cash, amount: "1.00" });
    },
  ],
  [
    "an invoice's payment",
    "a draft",
    409,
    "document_is_draft",
    async () => {
      const id = await invoice((await sell()).id, { issued: false });
      return () => send("boss", "POST", `/documents/${id}/charges`, cash);
    },
  ],
  [
    "an invoice's payment",
    "another branch's invoice",
    404,
    "document_not_found",
    async () => {
      const id = await invoice((await sell()).id);
      return () => send("stranger", "POST", `/documents/${id}/charges`, cash);
    },
  ],
  [
    "a delivery",
    "a check that blocks",
    409,
    "handover_blocked",
    async () => {
      await db.prepare(`UPDATE settings SET handover_checks = '{"payment":"block"}'`).run();
      await openTestTenant(env).freshSnapshot();
      const { id, version } = await sell();
      await send("boss", "POST", toPath(id, "/assign"), { expected_version: version, reference: "A-1" });
      return () =>
        send("agent", "POST", toPath(id, "/deliver"), {
          ...{ expected_version: version + 1, reference: "A-1", kilometres: 1000, fuel_eighths: 8 },
        });
    },
  ],
  [
    "a sale beyond the stock",
    "no manager",
    409,
    "sold_out",
    async () => {
      await sellOut();
      return () => send("agent", "POST", "/reservations", createSaleBody());
    },
  ],
  [
    "a sale beyond the stock",
    "too small a right",
    403,
    "permission_denied",
    async () => {
      await sellOut();
      return () =>
        send("agent", "POST", "/reservations", createSaleBody({ accept_shortage: true, reason: "Repaired soon" }));
    },
  ],
  [
    "a sale beyond the stock",
    "no reason",
    400,
    "invalid_input",
    async () => {
      await sellOut();
      return () => send("manager", "POST", "/reservations", createSaleBody({ accept_shortage: true }));
    },
  ],
  [
    "a customer",
    "another's document",
    409,
    "possible_duplicate",
    async () => {
      await createCustomer({ name: "Eva", surname: "Sol", document_id: "12345678Z" });
      return () => send("agent", "POST", "/customers", { name: "Iva", surname: "Sal", document_id: "12345678-z" });
    },
  ],
  [
    "a mark",
    "too small a right",
    403,
    "permission_denied",
    async () => {
      const { id } = await createCustomer({ name: "Eva", surname: "Sol" });
      return () => mark(id, "agent");
    },
  ],
  [
    "a mark",
    "another version",
    409,
    "changed_meanwhile",
    async () => {
      const { id } = await createCustomer({ name: "Eva", surname: "Sol" });
      await send("boss", "PATCH", `/customers/${id}`, { expected_version: 1, surname: "Mas" });
      return () => mark(id);
    },
  ],
  [
    "a reservation",
    "a customer who is marked",
    409,
    "do_not_rent",
    async () => {
      const { id } = await createCustomer({ name: "Eva", surname: "Sol" });
      await mark(id);
      return () => send("manager", "POST", "/reservations", createSaleBody({ customer: { id } }));
    },
  ],
  [
    "a message",
    "another branch's reservation",
    404,
    "reservation_not_found",
    async () => {
      const { id } = await sell();
      return () => send("stranger", "POST", toPath(id, "/messages"), { template: "thank_you" });
    },
  ],
  [
    "a task",
    "another version",
    409,
    "changed_meanwhile",
    async () => {
      const { id } = await sell();
      const { task } = await read<{ task: { id: number } }>(
        send("agent", "POST", toPath(id, "/tasks"), { text: "Call" }),
      );
      return () => send("agent", "PATCH", `/tasks/${task.id}`, { done: true, expected_version: 9 });
    },
  ],
];

// Proves "office.md: the vehicles of a contract": operations of selling with another version, a small right, an expired
//   quote, a lapsed hold, a marked customer or of another branch
test.each(CASES)("rejects %s for %s with %i %s, and changes nothing", async (_, __, status, code, prepare) => {
  const attempt = await prepare();
  const before = await readAll();
  const answer = await attempt();
  const body = await answer.json<{ code: string }>();
  expect([answer.status, body.code]).toEqual([status, code]);
  expect(await readAll()).toEqual(before);
});

type Repeatable = readonly [
  operation: string,
  status: number,
  prepare: () => Promise<(key: string) => Promise<Response>>,
];

const REPEATED: readonly Repeatable[] = [
  [
    "a discount",
    200,
    async () => {
      const { id, version } = await sell();
      return (key) => send("agent", "PATCH", toPath(id), { expected_version: version, discount: TEN }, key);
    },
  ],
  ["a quote", 201, async () => (key) => send("agent", "POST", "/quotes", quoteBody(), key)],
  [
    "a quote's sending",
    200,
    async () => {
      const { id } = await quote();
      return (key) => send("agent", "POST", `/quotes/${id}/send`, {}, key);
    },
  ],
  [
    "a duplicate of a quote",
    201,
    async () => {
      const { id } = await quote();
      return (key) =>
        send("agent", "POST", `/quotes/${id}/duplicate`, { valid_until: `${getBookableDay(2)}T18:00` }, key);
    },
  ],
  [
    "a payment link",
    201,
    async () => {
      const { id } = await sell();
      return (key) => send("boss", "POST", toPath(id, "/payment-links"), { purpose: "payment" }, key);
    },
  ],
  [
    "a hold",
    201,
    async () => {
      const { id } = await sell();
      return (key) => send("boss", "POST", toPath(id, "/holds"), { amount: "10.00" }, key);
    },
  ],
  [
    "a collective invoice",
    201,
    async () => {
      const { id: customer } = await payer();
      const { id } = await sell({ billing_customer_id: customer });
      const body = { customer_id: customer, reservation_ids: [id] };
      return (key) => send("boss", "POST", "/documents/collective", body, key);
    },
  ],
  [
    "an invoice's payment",
    201,
    async () => {
      const id = await invoice((await sell()).id);
      return (key) => send("boss", "POST", `/documents/${id}/charges`, { ...cash, amount: "1.00" }, key);
    },
  ],
  [
    "a sale beyond the stock",
    201,
    async () => {
      await sellOut();
      const body = createSaleBody({ accept_shortage: true, reason: "Repaired soon" });
      return (key) => send("manager", "POST", "/reservations", body, key);
    },
  ],
  ["a customer", 201, async () => (key) => send("agent", "POST", "/customers", { name: "Eva", surname: "Sol" }, key)],
  [
    "a message",
    201,
    async () => {
      const { id } = await sell();
      return (key) => send("agent", "POST", toPath(id, "/messages"), { template: "thank_you" }, key);
    },
  ],
  [
    "a note",
    201,
    async () => {
      const { id } = await sell();
      return (key) => send("agent", "POST", toPath(id, "/notes"), { text: "Called" }, key);
    },
  ],
];

// Proves "office.md: the vehicles of a contract": operations of selling twice with one key
test.each(REPEATED)(
  "performs %s once for two requests with one key, and answers both with %i",
  async (_, status, prepare) => {
    const attempt = await prepare();
    const key = crypto.randomUUID();
    const first = await attempt(key);
    expect(first.status).toBe(status);
    const after = await readAll();
    const second = await attempt(key);
    expect([second.status, await second.json()]).toEqual([status, await first.json()]);
    expect(await readAll()).toEqual(after);
  },
);

describe("a marked customer", () => {
  // Proves "office.md: the vehicles of a contract": a paid website reservation of a marked customer stays pending
  test("leaves a website's reservation of a marked customer pending, even if it is paid", async () => {
    await db.batch([
      db.prepare("UPDATE settings SET automatic_confirmation = 1"),
      db.prepare("UPDATE customers SET do_not_rent_reason = 'Unpaid' WHERE id = 1"),
    ]);
    await openTestTenant(env).freshSnapshot();
    const booked = await bookOnWebsite("A", { customer_email: "ana@example.com" });
    await sendGatewayNotice("tpvA256", createRedsysNotice(await startPayment(booked, "tpvA256", "total")));
    expect((await db.prepare("SELECT status, total_paid_cents > 0 AS paid FROM bookings").all()).results).toEqual([
      { status: "pending_confirmation", paid: 1 },
    ]);
    const { data } = await read<{ data: readonly { kind: string }[] }>(send("agent", "GET", "/attention"));
    expect(data.map(({ kind }) => kind)).toContain("do_not_rent");
  });

  // Proves "office.md: the vehicles of a contract": an accepted quote of a customer marked since stays pending
  test("leaves the reservation of an accepted quote pending if its customer was marked in between", async () => {
    const { id } = await createCustomer({ name: "Eva", surname: "Sol", email: "eva@example.com" });
    const { link: page } = await quote({ customer: { id } });
    await mark(id);
    expect((await accept(page)).status).toBeLessThan(300);
    expect((await db.prepare("SELECT status FROM bookings").all()).results).toEqual([
      { status: "pending_confirmation" },
    ]);
    const { data } = await read<{ data: readonly { kind: string }[] }>(send("agent", "GET", "/attention"));
    expect(data.map(({ kind }) => kind)).toContain("do_not_rent");
  });
});
