import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { readRefusal } from "#support/refusals.ts";
import { addTestUsers, createToken, PASSWORD_HASH } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

const tokens = { agent: "", manager: "", operator: "", administrator: "" };
let db: D1Database;

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
  await db
    .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update) VALUES
      (4, 'staff', 'agent', 'agent@example.com', 'Aina Agent', ?1, 'agent', 1, 1, 1),
      (5, 'staff', 'manager', 'manager@example.com', 'Max Manager', ?1, 'manager', 1, 1, 1),
      (7, 'staff', 'admin2', 'admin2@example.com', 'Ada Admin', ?1, 'administrator', 1, 1, 1),
      (6, 'staff', 'fielder', 'fielder@example.com', 'Olga Operator', ?1, 'operator', 1, 1, 1)`)
    .bind(PASSWORD_HASH)
    .run();
  tokens.agent = await createToken("agent");
  tokens.manager = await createToken("manager");
  tokens.administrator = await createToken("admin2");
  tokens.operator = await createToken("fielder");
});

interface QuoteAnswer {
  readonly quote: Readonly<Record<string, unknown>> & {
    readonly id: number;
    readonly version: number;
    readonly status: string;
    readonly number: string;
    readonly link: string;
    readonly total_cost: string;
  };
  readonly history: readonly Readonly<Record<string, unknown>>[];
}

const rental = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...{ date_from: getBookableDay(3), time_from: "10:00", date_to: getBookableDay(6), time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 1, category_code: "A" },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  ...changes,
});
const quoteBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...rental(),
  valid_until: `${getBookableDay(2)}T18:00`,
  ...changes,
});

async function read(answer: Promise<Response>): Promise<QuoteAnswer> {
  const response = await answer;
  if (response.status !== 200 && response.status !== 201)
    throw new Error(`${response.status} ${await response.text()}`);
  return response.json<QuoteAnswer>();
}

const create = (changes: Readonly<Record<string, unknown>> = {}, token = tokens.agent) =>
  read(callOffice("POST", "/quotes", { token, body: quoteBody(changes) }));
const act = (id: number, name: string, body: object, token = tokens.agent) =>
  callOffice("POST", `/quotes/${id}/${name}`, { token, body });
const show = (id: number) => read(callOffice("GET", `/quotes/${id}`, { token: tokens.agent }));

const bookings = async () => (await db.prepare("SELECT * FROM bookings").all<Record<string, unknown>>()).results;
const sell = (changes: Readonly<Record<string, unknown>> = {}) =>
  callOffice("POST", "/reservations", { token: tokens.agent, body: rental(changes) });
async function sellAll(changes: Readonly<Record<string, unknown>> = {}): Promise<number> {
  let saleCount = 0;
  while ((await sell(changes)).status === 201) saleCount += 1;
  return saleCount;
}

const openPage = (link: string, path = "", init: RequestInit = {}) =>
  requestWorker(link.replace(/^https?:\/\/[^/]+/, "http://acme.localhost:8787") + path, init);
const accept = (link: string, body: object = {}) =>
  openPage(link, "/accept", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });

describe("a quote", () => {
  // Proves "office.md: the vehicles of a contract": POST /quotes: 201 draft with number, link, total_cost, valid_until,
  //   version; without hold nothing is reserved
  test("creates a quote as a draft with number, link and the same price as a reservation, and reserves no stock", async () => {
    const { quote } = await create();
    const createdReservation = await (await sell()).json<{ reservation: { total_cost: string } }>();
    expect(quote).toMatchObject({
      number: expect.stringMatching(/^Q\d{4}-0001$/),
      status: "draft",
      version: 1,
      hold: false,
      total_cost: createdReservation.reservation.total_cost,
      link: expect.stringMatching(/\/quote\/[0-9a-f]{32}$/),
      valid_until: expect.stringContaining(`${getBookableDay(2)} 18:00`),
      reservation_id: null,
    });
    expect((await create()).quote.number).toMatch(/-0002$/);
    expect(await bookings()).toHaveLength(1);
    await create({ quantity: 1 });
    expect(await db.prepare("SELECT count(*) AS n FROM stock_allocations WHERE quote_id IS NOT NULL").first("n")).toBe(
      0,
    );
  });

  // Proves "office.md: the vehicles of a contract": quote: idempotency key, right and validity are checked
  test("creates a quote once per idempotency key, and requires a valid and future expiry", async () => {
    const body = quoteBody();
    const first = await read(callOffice("POST", "/quotes", { token: tokens.agent, key: "one", body }));
    const again = await read(callOffice("POST", "/quotes", { token: tokens.agent, key: "one", body }));
    expect(again.quote.id).toBe(first.quote.id);
    const other = callOffice("POST", "/quotes", { token: tokens.agent, key: "one", body: quoteBody({ hold: true }) });
    expect((await other).status).toBe(422);
    for (const [valid_until, code] of [
      ["2020-01-01T10:00", "moment_in_past"],
      ["tomorrow", "moment"],
      ["2026-02-30T10:00", "moment"],
      [undefined, "missing"],
    ]) {
      const answer = await callOffice("POST", "/quotes", { token: tokens.agent, body: quoteBody({ valid_until }) });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ detail: [{ field: "valid_until", code }] });
    }
    expect(await readRefusal(callOffice("POST", "/quotes", { token: tokens.operator, body }))).toEqual([
      403,
      "permission_denied",
    ]);
  });

  test("names an invalid expiry and an invalid rental of a quote at once", async () => {
    const body = quoteBody({ valid_until: "2020-01-01T10:00", date_to: "2020-01-02" });
    const answer = await callOffice("POST", "/quotes", { token: tokens.agent, body });
    const { detail } = await answer.json<{ detail: { field: string }[] }>();
    expect([answer.status, detail.map(({ field }) => field)]).toEqual([400, ["valid_until", expect.any(String)]]);
    expect(detail[1]?.field).not.toBe("valid_until");
  });

  // Proves "office.md: the vehicles of a contract": quote: its price is guaranteed; twice accepted is one reservation
  test("keeps a quote's price until acceptance, and creates one reservation at that price", async () => {
    const discounted = { discount: { kind: "percentage", value: "10.00", reason: "Fair" } };
    const { quote } = await create(discounted);
    await db.prepare("UPDATE tariff_brackets SET price_cents = price_cents * 2").run();
    expect(Number((await create(discounted)).quote.total_cost)).toBeGreaterThan(Number(quote.total_cost));
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(quote.link)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const storedBookings = await bookings();
    expect(storedBookings).toHaveLength(1);
    expect(storedBookings[0]).toMatchObject({ status: "confirmed", created_by: "staff", customer_name: "Ana" });
    const { quote: accepted, history } = await show(quote.id);
    expect(accepted).toMatchObject({
      status: "accepted",
      reservation_id: storedBookings[0]?.["id"],
      total_cost: quote.total_cost,
    });
    expect(history.map(({ move }) => move)).toEqual(["created", "accepted"]);
    const reservation = await callOffice("GET", `/reservations/${storedBookings[0]?.["id"]}`, { token: tokens.agent });
    expect(await reservation.json()).toMatchObject({
      reservation: { total_cost: quote.total_cost, discount: { value: "10.00", reason: "Fair" } },
      history: [{ move: "created", after: { discount: { kind: "percentage", value: "10.00", reason: "Fair" } } }],
    });
    expect(await readRefusal(act(quote.id, "decline", { reason: "Late" }))).toEqual([409, "quote_closed"]);
  });

  test("names the reason of a quote's manual price in the history of its reservation", async () => {
    const { quote } = await create({ price_override: { total_cost: "90.00", reason: "Friend" } }, tokens.manager);
    expect((await accept(quote.link)).status).toBe(200);
    const [booking] = await bookings();
    const answer = await callOffice("GET", `/reservations/${booking?.["id"]}`, { token: tokens.agent });
    expect(await answer.json()).toMatchObject({ history: [{ move: "created", reason: "Friend" }] });
  });

  // Proves "office.md: the vehicles of a contract": quote: hold reserves stock until the quote expires
  test("holds stock for a quote until it expires, is declined or changed", async () => {
    const free = await sellAll();
    await db.batch([db.prepare("UPDATE bookings SET status = 'cancelled'")]);
    const { quote } = await create({ hold: true, quantity: free });
    expect(await readRefusal(sell())).toEqual([409, "sold_out"]);
    expect(
      await readRefusal(callOffice("POST", "/quotes", { token: tokens.agent, body: quoteBody({ hold: true }) })),
    ).toEqual([409, "sold_out"]);
    const changed = await read(
      callOffice("PATCH", `/quotes/${quote.id}`, {
        token: tokens.agent,
        body: { expected_version: quote.version, quantity: free - 1 },
      }),
    );
    expect((await sell()).status).toBe(201);
    expect(await readRefusal(sell())).toEqual([409, "sold_out"]);
    await read(act(quote.id, "decline", { expected_version: changed.quote.version, reason: "Too dear" }));
    expect(await sellAll()).toBe(free - 1);
  });

  // Proves "office.md: the vehicles of a contract": quote: accepted while its own units are held
  test("accepts a quote that holds its vehicle although all others are sold", async () => {
    const { quote } = await create({ hold: true });
    await sellAll();
    expect((await accept(quote.link)).status).toBe(200);
    expect((await show(quote.id)).quote.status).toBe("accepted");
  });

  // Proves "office.md: the vehicles of a contract": quote: expired after valid_until
  test("releases a quote's units when it has expired", async () => {
    const free = await sellAll();
    await db.batch([db.prepare("UPDATE bookings SET status = 'cancelled'")]);
    const { quote } = await create({ hold: true, quantity: free });
    await db.prepare("UPDATE quotes SET valid_until = 1000, version = version + 1").run();
    expect((await show(quote.id)).quote.status).toBe("expired");
    expect((await sell()).status).toBe(201);
    expect(await readRefusal(accept(quote.link))).toEqual([409, "quote_expired"]);
  });

  // Proves "office.md: the vehicles of a contract": quote: 409 sold_out, said on the page, with an attention item
  test("rejects the acceptance of a quote if the vehicle is sold out, and adds a task", async () => {
    const { quote } = await create();
    await sellAll();
    expect(await readRefusal(accept(quote.link))).toEqual([409, "sold_out"]);
    const page = await openPage(quote.link, "/accept", { method: "POST", headers: { Accept: "text/html" } });
    expect(page.status).toBe(409);
    expect(await page.text()).toContain("ya no está disponible");
    const attention = await (await callOffice("GET", "/attention", { token: tokens.agent })).json<{
      data: { kind: string }[];
    }>();
    expect(attention.data.filter(({ kind }) => kind === "quote_sold_out")).toHaveLength(1);
    expect((await show(quote.id)).quote.status).toBe("draft");
    await read(act(quote.id, "decline", { reason: "Sold out" }));
    const after = await (await callOffice("GET", "/attention", { token: tokens.agent })).json<{
      data: { kind: string }[];
    }>();
    expect(after.data.filter(({ kind }) => kind === "quote_sold_out")).toHaveLength(0);
  });

  // Proves "office.md: the vehicles of a contract": PATCH /quotes/{id}: draft or sent, with expected_version
  test("changes a quote while it's open, with the version that was read", async () => {
    const { quote } = await create();
    const patch = (body: object) => callOffice("PATCH", `/quotes/${quote.id}`, { token: tokens.agent, body });
    const noted = await read(patch({ expected_version: 1, notes: "By ferry", customer: { phone: "+34600999888" } }));
    expect(noted.quote).toMatchObject({ version: 2, notes: "By ferry", total_cost: quote.total_cost });
    expect(noted.quote["customer"]).toMatchObject({ name: "Ana", phone: "+34600999888" });
    const stale = await patch({ expected_version: 1, quantity: 2 });
    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({ code: "changed_meanwhile", quote: { version: 2 } });
    const longer = await read(patch({ expected_version: 2, date_to: getBookableDay(8) }));
    expect(Number(longer.quote.total_cost)).toBeGreaterThan(Number(quote.total_cost));
    expect(
      (
        await openPage(quote.link, "/accept", {
          method: "POST",
          headers: { "Content-Type": "application/json", Accept: "application/json" },
          body: JSON.stringify({ version: 1 }),
        })
      ).status,
    ).toBe(409);
  });

  // Proves "office.md: the vehicles of a contract": POST /quotes/{id}/send: status sent, a mail with the PDF and the
  //   link
  test("sends a quote with PDF and link, in the customer's language", async () => {
    const { quote } = await create({ customer_language: "de", extras: [{ code: "GPS", quantity: 1 }] });
    const sentQuote = await read(act(quote.id, "send", {}));
    expect(sentQuote.quote).toMatchObject({ status: "sent", sent_to: "ana@example.com" });
    const mail = await db.prepare("SELECT * FROM development_mails").first<Record<string, string>>();
    expect(mail).toMatchObject({
      recipient: "ana@example.com",
      subject: expect.stringContaining(`Angebot ${quote.number}`),
    });
    expect(mail?.["text"]).toContain(quote.link);
    // Products with their prices, which add up to the total, and the deposit.
    const amounts = [
      ...["Kleinwagen: 90,00 €", "Navegador: 15,00 €", "Zuschläge: 5,00 €"],
      ...["Gesamt: 110,00 €", "Kaution: 400,00 €"],
    ];
    expect(mail?.["text"]?.replaceAll("\u00a0", " ")).toContain(`\n${amounts.join("\n")}\n`);
    const other = await read(act(quote.id, "send", { email: "boss@example.com" }));
    expect(other.quote["sent_to"]).toBe("boss@example.com");
    const pdf = await openPage(quote.link, "/quote.pdf");
    expect(pdf.headers.get("Content-Type")).toBe("application/pdf");
    const linked = await create({ customer: { name: "Win at evil.com", surname: "Sol", email: "eva@example.com" } });
    expect((await act(linked.quote.id, "send", {})).status).toBe(200);
    const last = await db
      .prepare("SELECT * FROM development_mails ORDER BY rowid DESC")
      .first<Record<string, string>>();
    expect(last?.["recipient"]).toBe("eva@example.com");
    expect(`${last?.["text"]} ${last?.["html"]}`).not.toContain("evil.com");
    const nameless = await create({ customer: { name: "Eva", surname: "Sol" } });
    const refused = await act(nameless.quote.id, "send", {});
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("email");
  });

  // Proves "office.md: the vehicles of a contract": GET /quotes by status and q, POST /quotes/{id}/duplicate and
  //   /decline
  test("lists quotes by status and text, and duplicates one as a new draft", async () => {
    const { quote } = await create();
    const eva = await create({ customer: { name: "Évà", surname: "Müller", email: "eva@example.com" } });
    await read(act(eva.quote.id, "decline", { reason: "No" }));
    const list = async (query: string) => {
      const answer = await callOffice("GET", `/quotes?${query}`, { token: tokens.agent });
      return (await answer.json<{ data: { id: number }[] }>()).data.map(({ id }) => id);
    };
    expect(await list("")).toEqual([eva.quote.id, quote.id]);
    expect(await list("status=declined")).toEqual([eva.quote.id]);
    expect(await list("status=draft")).toEqual([quote.id]);
    expect(await list("q=eva muller")).toEqual([eva.quote.id]);
    expect(await list(`q=${quote.number}`)).toEqual([quote.id]);
    expect((await callOffice("GET", "/quotes?status=lost", { token: tokens.agent })).status).toBe(400);
    const copy = await read(act(eva.quote.id, "duplicate", { valid_until: `${getBookableDay(2)}T20:00` }));
    expect(copy.quote).toMatchObject({ status: "draft", version: 1, total_cost: eva.quote.total_cost });
    expect(copy.quote.id).not.toBe(eva.quote.id);
    const withoutBody = await read(callOffice("POST", `/quotes/${quote.id}/duplicate`, { token: tokens.agent }));
    expect(withoutBody.quote).toMatchObject({ status: "draft", total_cost: quote.total_cost });
    const sent = await read(callOffice("POST", `/quotes/${withoutBody.quote.id}/send`, { token: tokens.agent }));
    expect(sent.quote).toMatchObject({ status: "sent", sent_to: "ana@example.com" });
    expect(await readRefusal(callOffice("GET", "/quotes/999", { token: tokens.agent }))).toEqual([
      404,
      "quote_not_found",
    ]);
  });

  // Proves "office.md: the vehicles of a contract": quotes of other branches are hidden
  test("hides quotes from staff of other branches", async () => {
    const { quote } = await create();
    await db.prepare("UPDATE users SET all_branches = 0 WHERE id = 5").run();
    expect((await callOffice("GET", `/quotes/${quote.id}`, { token: tokens.manager })).status).toBe(404);
    const listed = await callOffice("GET", "/quotes", { token: tokens.manager });
    expect(await listed.json()).toMatchObject({ data: [], total: 0 });
  });
});

const addCustomer = async (body: object) => {
  const answer = await callOffice("POST", "/customers", { token: tokens.manager, body });
  if (answer.status !== 201) throw new Error(await answer.text());
  return (await answer.json<{ customer: { id: number; version: number } }>()).customer;
};
const mark = (id: number) =>
  db.prepare("UPDATE customers SET do_not_rent_reason = 'Unpaid', version = version + 1 WHERE id = ?").bind(id).run();
const change = (id: number, body: object, token = tokens.agent) =>
  callOffice("PATCH", `/quotes/${id}`, { token, body: { expected_version: 1, ...body } });
const showReservation = async () => {
  const [booking] = await bookings();
  const answer = await callOffice("GET", `/reservations/${booking?.["id"]}`, { token: tokens.agent });
  return (await answer.json<{ reservation: Readonly<Record<string, unknown>> }>()).reservation;
};

describe("the people of a quote", () => {
  test("creates the reservation of a quote with its payer and monthly invoices", async () => {
    const payer = await addCustomer({ name: "Sol SA", customer_type: "legal_entity" });
    const other = await addCustomer({ name: "Mar SA", customer_type: "legal_entity" });
    const refused = await callOffice("POST", "/quotes", {
      token: tokens.agent,
      body: quoteBody({ billing_customer_id: 999 }),
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field: "billing_customer_id" }] }]);
    const { quote } = await create({ billing_customer_id: other.id, billing_period: "month" });
    expect(quote).toMatchObject({ billing_customer_id: other.id, billing_period: "month" });
    expect((await change(quote.id, { billing_customer_id: 999 })).status).toBe(400);
    const changed = await read(change(quote.id, { billing_customer_id: payer.id }));
    expect(changed.quote).toMatchObject({ billing_customer_id: payer.id, billing_period: "month" });
    expect(changed.quote.total_cost).toBe(quote.total_cost);
    expect((await accept(quote.link)).status).toBe(200);
    expect(await showReservation()).toMatchObject({ billing_customer_id: payer.id, billing_period: "month" });
  });

  test("creates the reservation of a quote with the customer into whom the payer was merged", async () => {
    const payer = await addCustomer({ name: "Pau", surname: "Mas", email: "pau@example.com" });
    const mergeTarget = await addCustomer({ name: "Pol", surname: "Mas", email: "pol@example.com" });
    const { quote } = await create({ billing_customer_id: payer.id });
    await db.prepare("UPDATE customers SET merged_into_id = ? WHERE id = ?").bind(mergeTarget.id, payer.id).run();
    expect((await accept(quote.link)).status).toBe(200);
    expect(await showReservation()).toMatchObject({ billing_customer_id: mergeTarget.id, billing_period: null });
  });

  // Proves "office.md: the vehicles of a contract": quote: accepted by a marked person under any identity, it stays
  //   pending
  test.each(["email", "document_id"] as const)(
    "leaves the reservation of a quote pending if the accepting person's %s is that of a marked customer",
    async (name) => {
      const identity = { email: "eva@example.com", document_id: "12345678Z" };
      const marked = await addCustomer({ name: "Eva", surname: "Sol", [name]: identity[name] });
      const { quote } = await create({ customer: { name: "Pia", surname: "Mas" } });
      await mark(marked.id);
      expect((await accept(quote.link, { [`customer_${name}`]: identity[name] })).status).toBe(200);
      expect(await bookings()).toMatchObject([{ status: "pending_confirmation" }]);
      const attention = await callOffice("GET", "/attention", { token: tokens.agent });
      const { data } = await attention.json<{ data: { kind: string }[] }>();
      expect(data.map(({ kind }) => kind)).toContain("do_not_rent");
    },
  );

  test("confirms the reservation of a marked customer's quote that a manager confirmed, not of one by an agent", async () => {
    const { id } = await addCustomer({ name: "Eva", surname: "Sol", email: "eva@example.com" });
    const early = await create({ customer: { id }, confirm_do_not_rent: true });
    await mark(id);
    const confirmed = await create({ customer: { id }, confirm_do_not_rent: true }, tokens.manager);
    for (const { quote } of [early, confirmed]) expect((await accept(quote.link)).status).toBe(200);
    expect((await bookings()).map(({ status }) => status)).toEqual(["pending_confirmation", "confirmed"]);
    expect(await readRefusal(act(confirmed.quote.id, "duplicate", {}))).toEqual([403, "do_not_rent"]);
  });

  test("asks a manager if a quote gets the email of a marked customer", async () => {
    const { quote } = await create({ customer: { name: "Pia", surname: "Mas" } });
    const { id } = await addCustomer({ name: "Eva", surname: "Sol", email: "eva@example.com" });
    await mark(id);
    const customer = { email: "EVA@example.com" };
    expect(await readRefusal(change(quote.id, { customer }))).toEqual([403, "do_not_rent"]);
    expect(await readRefusal(change(quote.id, { customer }, tokens.manager))).toEqual([409, "do_not_rent"]);
    const confirmed = { customer, confirm_do_not_rent: true, confirm_new: true };
    expect((await change(quote.id, confirmed, tokens.manager)).status).toBe(200);
    expect((await accept(quote.link)).status).toBe(200);
    expect(await bookings()).toMatchObject([{ status: "confirmed" }]);
  });

  test("refuses a quote or its change with another customer's email, unless the user confirms a new customer", async () => {
    const { id } = await addCustomer({ name: "Eva", surname: "Sol", email: "eva@example.com" });
    const customer = { name: "Pia", surname: "Mas", email: "eva@example.com" };
    const refused = await callOffice("POST", "/quotes", { token: tokens.agent, body: quoteBody({ customer }) });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "possible_duplicate", candidates: [{ id }] },
    ]);
    expect((await create({ customer, confirm_new: true })).quote["customer"]).toMatchObject({ id: null });
    expect((await create({ customer: { ...customer, name: "Eva", surname: "Sol" } })).quote["customer"]).toMatchObject({
      id,
    });
    const { quote } = await create({ customer: { name: "Pia", surname: "Mas" } });
    const email = { customer: { email: "eva@example.com" } };
    expect(await readRefusal(change(quote.id, email))).toEqual([409, "possible_duplicate"]);
    expect((await change(quote.id, { ...email, confirm_new: true })).status).toBe(200);
  });

  const LICENCE = {
    driver_date_of_birth: "1990-01-01",
    driver_driving_license_number: "B-1",
    driver_driving_license_date: "2010-01-01",
  };
  /** Adds a customer with one rental for each contract data. Returns the customer's id. */
  async function addReturningCustomer(...rentals: readonly object[]): Promise<number> {
    const { id } = await addCustomer({
      ...{ name: "Eva", surname: "Sol", email: "eva@example.com", document_id: "12345678Z" },
    });
    for (const [index, data] of rentals.entries()) {
      const dates = { date_from: getBookableDay(20 + index * 5), date_to: getBookableDay(22 + index * 5) };
      const sold = await (await sell({ customer: { id }, ...dates })).json<{ reservation: { id: number } }>();
      await db
        .prepare("UPDATE bookings SET contract_data = ?, version = version + 1 WHERE id = ?")
        .bind(JSON.stringify(data), sold.reservation.id)
        .run();
    }
    return id;
  }

  test("asks a returning customer for the licence if another person drove the last rental", async () => {
    const id = await addReturningCustomer({ ...LICENCE, driver_name: "Tom", driver_is_customer: "false" });
    const { quote } = await create({ customer: { id }, customer_language: "en" });
    expect(await (await openPage(quote.link)).text()).toContain("driver_driving_license_number");
    expect((await accept(quote.link, { driver_driving_license_number: "E-2" })).status).toBe(200);
    const booking = (await bookings()).at(-1);
    expect(JSON.parse(String(booking?.["contract_data"]))).toEqual({ driver_driving_license_number: "E-2" });
  });

  // Proves "office.md: the vehicles of a contract": quote: a returning customer isn't asked for what is known
  test("doesn't ask a returning customer for known data, and completes the reservation with it", async () => {
    const id = await addReturningCustomer(LICENCE, { customer_address_city: "Palma" });
    const { quote } = await create({ customer: { id }, customer_language: "en" });
    const page = await (await openPage(quote.link)).text();
    expect(page).not.toContain("driver_driving_license_number");
    expect(page).not.toContain("B-1");
    expect(page).toContain("customer_address_street");
    expect((await accept(quote.link, { customer_address_street: "Sol 1" })).status).toBe(200);
    const booking = (await bookings()).at(-1);
    expect(JSON.parse(String(booking?.["contract_data"]))).toEqual({ ...LICENCE, customer_address_street: "Sol 1" });
  });
});

describe("what a quote sells", () => {
  const removeNavigator = async () => {
    const id = await db.prepare("SELECT id FROM extras WHERE code = 'GPS'").first<number>("id");
    return callOffice("DELETE", `/extras/${id}`, { token: tokens.administrator });
  };

  test("keeps the extras of an open quote in the catalogue, so that it can be accepted", async () => {
    const { quote } = await create({ extras: [{ code: "GPS", quantity: 1 }] });
    const refused = await removeNavigator();
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "in_use", detail: [{ field: "quotes" }] },
    ]);
    expect((await accept(quote.link)).status).toBe(200);
  });

  test("removes an extra of a declined quote", async () => {
    const { quote } = await create({ extras: [{ code: "GPS", quantity: 1 }] });
    await read(act(quote.id, "decline", { reason: "Too dear" }));
    expect((await removeNavigator()).status).toBe(204);
  });

  test("lists a quote as expired after its pickup, as its page shows it", async () => {
    const { quote } = await create({ valid_until: `${getBookableDay(9)}T18:00` });
    await db.prepare("UPDATE quotes SET pickup_at = 1000, version = version + 1").run();
    expect((await show(quote.id)).quote).toMatchObject({ status: "expired", allowed: ["duplicate"] });
    const listed = await callOffice("GET", "/quotes?status=expired", { token: tokens.agent });
    expect(await listed.json()).toMatchObject({ data: [{ id: quote.id }] });
    expect(await readRefusal(act(quote.id, "send", {}))).toEqual([409, "quote_expired"]);
    expect(await readRefusal(accept(quote.link))).toEqual([409, "quote_expired"]);
  });

  test("accepts no overbooking in a quote", async () => {
    for (const extra of [{ accept_shortage: true }, { reason: "Regular customer" }]) {
      const answer = await callOffice("POST", "/quotes", { token: tokens.manager, body: quoteBody(extra) });
      expect(answer.status).toBe(400);
    }
  });
});

describe("the page of a quote", () => {
  // Proves "office.md: the vehicles of a contract": quote: its page shows the offer in the customer's language, asks
  //   for contract data and offers to pay
  test("shows a quote on its page in the customer's language, asks for missing data and offers payment", async () => {
    await db
      .prepare(`UPDATE settings SET payment_methods = '["tpvA256"]', payment_options = '["deposit","total"]'`)
      .run();
    const { quote } = await create({ customer_language: "en" });
    const page = await (await openPage(quote.link)).text();
    expect(page).toContain('lang="en"');
    expect(page).toContain(quote.number);
    expect(page).toContain('<button type="submit">Accept with obligation to pay</button>');
    expect(page).toMatch(/href="[^"]*#contact"/);
    expect(page).toContain("driver_driving_license_number");
    expect(page).toContain('<option value="DE">Germany</option>');
    const accepted = await openPage(quote.link, "/accept", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      body: new URLSearchParams({ version: "1", customer_phone: "+34600111222", driver_driving_license_number: "B-1" }),
    });
    // A reload of the page then sends nothing again.
    expect([accepted.status, accepted.headers.get("Location")]).toEqual([303, new URL(quote.link).pathname]);
    const again = await openPage(quote.link, "/accept", { headers: { Accept: "text/html" } });
    expect([again.status, again.headers.get("Location")]).toEqual([303, new URL(quote.link).pathname]);
    const thanks = await (await openPage(quote.link)).text();
    expect(thanks).toContain("/reserva/pagar");
    const labels = [...thanks.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, label]) => label);
    expect(labels).toEqual(["Pay €19.00 now, the rest later", "Pay €95.00 now"]);
    expect(thanks).toMatch(/href="[^"]*\?lang=en&amp;rb=reservation&amp;rb-id=[0-9a-f]{32}">Go to my reservation</);
    const [booking] = await bookings();
    expect(booking).toMatchObject({ customer_phone: "+34600111222" });
    expect(JSON.parse(String(booking?.["contract_data"]))).toMatchObject({ driver_driving_license_number: "B-1" });
  });

  test("names the language of the conditions on a quote's page if the customer's language has none", async () => {
    await db.prepare("INSERT INTO contract_terms (language, terms) VALUES ('es', '## 1. Uso')").run();
    const { quote } = await create({ customer_language: "fr" });
    const page = await (await openPage(quote.link)).text();
    expect(page).toContain(
      '<summary>Conditions générales (espagnol)</summary><div class="terms" lang="es"><h2>1. Uso</h2></div>',
    );
    await db.prepare("INSERT INTO contract_terms (language, terms) VALUES ('fr', '## 1. Utilisation')").run();
    const translated = await (await openPage(quote.link)).text();
    expect(translated).toContain(
      '<summary>Conditions générales</summary><div class="terms" lang="fr"><h2>1. Utilisation</h2></div>',
    );
  });

  test("puts a number before, not after, an item's name on a quote's page, so that no amount looks like thousands", async () => {
    const { quote } = await create({ customer_language: "fr", extras: [{ code: "SEAT", quantity: 2 }] });
    const rows = (await (await openPage(quote.link)).text()).match(/<tr><td>.*?<\/tr>/g) ?? [];
    expect(rows.map((row) => row.replaceAll(/<[^>]+>/g, "|"))).toEqual([
      expect.stringMatching(/^\|\|[^|\d]+\|\|[\d,]+\u00a0€\|\|$/),
      expect.stringMatching(/^\|\|2 × [^|]+\|\|[\d,]+\u00a0€\|\|$/),
      expect.stringMatching(/^\|\|Suppléments\|\|[\d,]+\u00a0€\|\|$/),
    ]);
  });

  test("shows on a quote's page that its reservation was cancelled, and offers no payment", async () => {
    await db
      .prepare(`UPDATE settings SET payment_methods = '["tpvA256"]', payment_options = '["deposit","total"]'`)
      .run();
    const { quote } = await create({ customer_language: "en" });
    expect((await accept(quote.link)).status).toBe(200);
    const [booking] = await bookings();
    const body = { expected_version: booking?.["version"], reason: "by the customer", fee: "0.00" };
    const path = `/reservations/${booking?.["id"]}/cancel`;
    expect((await callOffice("POST", path, { token: tokens.manager, body })).status).toBe(200);
    const page = await (await openPage(quote.link)).text();
    expect(page).toContain(`Reservation ${booking?.["id"]} was cancelled. Contact us for a new quote.`);
    expect(page).not.toContain("Thank you");
    expect(page).not.toContain("/reserva/pagar");
    expect((await accept(quote.link)).status).toBe(200);
    expect(await bookings()).toHaveLength(1);
  });

  // Proves "office.md: the vehicles of a contract": quote: wrong data at acceptance is named and nothing is made
  test("rejects the acceptance of a quote with wrong data, naming the field", async () => {
    const { quote } = await create();
    const answer = await accept(quote.link, { driver_date_of_birth: "2999-01-01" });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("driver_date_of_birth");
    const form = { customer_address_country: "FR", customer_phone: "12x", driver_date_of_birth: "2999-01-01" };
    const page = await openPage(quote.link, "/accept", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      body: new URLSearchParams(form),
    });
    const text = await page.text();
    // The first wrong field has the focus, and its sentence beside it.
    expect(text).toMatch(
      /<input name="customer_phone"[^>]* aria-invalid="true" aria-describedby="wrong-customer_phone" autofocus[^>]*>/,
    );
    expect(text).toContain('<p class="wrong" id="wrong-customer_phone">Revise este dato. (+34 600 000 000)</p>');
    expect(text).toMatch(
      /<input name="driver_date_of_birth"[^>]* aria-invalid="true" aria-describedby="wrong-driver_date_of_birth"[^>]*>/,
    );
    expect(text).toMatch(/<p class="wrong" id="wrong-driver_date_of_birth">Revise este dato\.<\/p>/);
    expect(text).toContain('<option value="FR" selected>');
    expect(await bookings()).toHaveLength(0);
  });

  test("keeps what a customer entered if the quote changed in the meantime", async () => {
    const { quote } = await create();
    const page = await openPage(quote.link, "/accept", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      body: new URLSearchParams({ version: "99", customer_address_city: "Palma", customer_address_country: "FR" }),
    });
    expect(page.status).toBe(409);
    const text = await page.text();
    expect(text).toMatch(/<input name="customer_address_city" type="text" value="Palma"/);
    expect(text).toContain('<option value="FR" selected>');
  });

  test("names a changed quote and a wrong field at once, so that no customer accepts an unseen price", async () => {
    const { quote } = await create();
    const page = await openPage(quote.link, "/accept", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      body: new URLSearchParams({ version: "99", customer_phone: "12x" }),
    });
    expect(page.status).toBe(409);
    const text = await page.text();
    expect(text).toMatch(/role="status">Este presupuesto ha cambiado/);
    expect(text).toContain('id="wrong-customer_phone"');
    expect(await bookings()).toHaveLength(0);
  });

  // Proves "office.md: the vehicles of a contract": quote: declined on its page
  test("declines a quote by its page, and answers 404 for unknown links", async () => {
    const { quote } = await create();
    // A customer opens the form first, so that a stray tap doesn't decline the quote.
    const openQuote = (await (await openPage(quote.link)).text()).replace(/\s+/g, " ");
    expect(openQuote).toMatch(/<details> <summary>Rechazar<\/summary> <form method="post" action="[^"]+\/decline">/);
    const declined = await openPage(quote.link, "/decline", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ reason: "Found another" }),
    });
    expect(declined.status).toBe(200);
    expect((await show(quote.id)).quote).toMatchObject({ status: "declined", decline_reason: "Found another" });
    expect(await readRefusal(accept(quote.link))).toEqual([409, "quote_closed"]);
    const declinedPage = await (await openPage(quote.link)).text();
    expect(declinedPage).toContain('href="/?lang=es#contact"');
    const unknown = await openPage(quote.link.replace(/\w{32}$/, "0".repeat(32)));
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain('href="/?lang=es#contact"');
  });
});

// Proves "office.md: the vehicles of a contract": quotes: exported and erased with their person
test("includes a person's quotes in data export and erasure", async () => {
  const customerResponse = await callOffice("POST", "/customers", {
    token: tokens.manager,
    body: { name: "Eva", surname: "Sol", email: "eva@example.com" },
  });
  const { customer } = await customerResponse.json<{ customer: { id: number } }>();
  const linked = await create({ customer: { id: customer.id }, notes: "Needs a child seat", hold: true });
  const unlinked = await create({ customer: { name: "Eva", surname: "Sol", email: "eva@example.com" } });
  const exported = await callOffice("GET", `/customers/${customer.id}/export`, { token: tokens.administrator });
  const data = await exported.json<{ data: { quotes: { id: number }[] } }>();
  expect(JSON.stringify(data)).toContain("Needs a child seat");
  const erased = await callOffice("POST", `/customers/${customer.id}/erase`, {
    token: tokens.administrator,
    body: { reason: "Asked for it" },
  });
  expect(erased.status).toBe(200);
  const { results } = await db.prepare("SELECT * FROM quotes").all();
  expect(JSON.stringify(results)).not.toMatch(/Eva|child seat|example\.com/);
  for (const { quote } of [linked, unlinked]) expect((await show(quote.id)).quote.status).toBe("declined");
  expect(await db.prepare("SELECT count(*) AS n FROM stock_allocations WHERE quote_id IS NOT NULL").first("n")).toBe(0);
});
