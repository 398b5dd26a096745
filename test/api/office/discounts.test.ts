import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { listAsErp } from "#support/erp-client.ts";
import { callOffice, createSaleBody, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addAgentAndManager } from "#support/test-users.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

const tokens = { agent: "", manager: "" };

beforeEach(async () => {
  await setUpCompany();
  Object.assign(tokens, await addAgentAndManager());
});

const TEN = { kind: "percentage", value: "10.00", reason: "Regular customer" };
const amount = (value: string) => ({ kind: "amount", value, reason: "Late car" });
const create = (changes: Readonly<Record<string, unknown>> = {}, token = tokens.agent) =>
  readReservationAnswer(callOffice("POST", "/reservations", { token, body: createSaleBody(changes) }));
const change = (current: ReservationAnswer, body: Readonly<Record<string, unknown>>, token = tokens.agent) =>
  callOffice("PATCH", `/reservations/${current.reservation.id}`, {
    token,
    body: { expected_version: current.reservation.version, ...body },
  });
const toCents = (value: unknown) => Math.round(Number(value) * 100);

function expectSums({ reservation }: ReservationAnswer) {
  const lines = reservation["reservation_lines"] as readonly Record<string, unknown>[];
  expect(lines.reduce((sum, line) => sum + toCents(line["item_cost"]), 0)).toBe(toCents(reservation["item_cost"]));
  const { amount: discountAmount } = (reservation["discount"] ?? { amount: "0" }) as { amount: string };
  expect(toCents(reservation["list_total_cost"]) - toCents(discountAmount)).toBe(toCents(reservation["total_cost"]));
}

describe("a discount", () => {
  // Proves "office.md": discount: lowers products and extras; answers show list_total_cost, discount and total_cost
  test("lowers the item costs of a new reservation, and shows the discount's author and the list price", async () => {
    const plain = await create();
    const discounted = await create({ discount: TEN });
    const item = toCents(plain.reservation["item_cost"]);
    expect(discounted.reservation).toMatchObject({
      list_total_cost: plain.reservation["total_cost"],
      discount: { ...TEN, amount: (item / 1000).toFixed(2), by: "Aina Agent" },
      item_cost: ((item * 0.9) / 100).toFixed(2),
    });
    expectSums(discounted);
    expect(plain.reservation).toMatchObject({ discount: null, list_total_cost: plain.reservation["total_cost"] });
  });

  // Proves "integration.md: booking": An office's discount is part of the item costs, and the sums add up
  test("includes a discount in the item costs that accounting systems read, and the parts add up to the total", async () => {
    const { reservation } = await create({ discount: TEN });
    const { data } = await listAsErp("reservations");
    const read = data.find(({ id }) => id === reservation.id) ?? {};
    const sum = (lines: unknown, member: string) =>
      (lines as readonly Record<string, unknown>[]).reduce((cents, line) => cents + toCents(line[member]), 0);
    const costs = ["item_cost", "extras_cost", "total_cost"] as const;
    expect(costs.map((name) => read[name])).toEqual(costs.map((name) => reservation[name]));
    expect(sum(read["reservation_lines"], "item_cost")).toBe(toCents(read["item_cost"]));
    expect(toCents(read["list_total_cost"] ?? reservation["list_total_cost"])).toBeGreaterThan(
      toCents(read["total_cost"]),
    );
    expect(read).not.toHaveProperty("discount");
  });

  test("quotes a discount at the selling price, with the user's limit", async () => {
    const body = createSaleBody({ discount: TEN });
    const createdReservation = await create({ discount: TEN });
    const quoted = await callOffice("POST", "/reservations/quote", { token: tokens.agent, body });
    expect(await quoted.json()).toMatchObject({
      available: true,
      quote: {
        total_cost: createdReservation.reservation["total_cost"],
        discount: createdReservation.reservation["discount"] && { amount: expect.any(String) },
      },
    });
    const above = createSaleBody({ discount: { ...TEN, value: "10.01" } });
    const refused = await callOffice("POST", "/reservations/quote", { token: tokens.agent, body: above });
    expect(await refused.json()).toMatchObject({
      available: false,
      reasons: [{ code: "discount_limit", field: "discount.value" }],
    });
  });

  // Proves "office.md": discount: agents up to their limit, managers any, 403 discount_limit
  test("limits agents' discounts by the account's percentage, and doesn't limit managers", async () => {
    const half = { ...TEN, value: "50.00" };
    const refused = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createSaleBody({ discount: half }),
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "discount_limit", params: { limit: expect.stringMatching(/^\d+\.\d\d$/) } },
    ]);
    const current = await create();
    expect((await change(current, { discount: half })).status).toBe(403);
    const fromManager = await readReservationAnswer(change(current, { discount: half }, tokens.manager));
    expect(fromManager.reservation).toMatchObject({ discount: { value: "50.00", by: "Max Manager" } });
    // A later change by an agent keeps the manager's discount.
    const changed = await readReservationAnswer(change(fromManager, { notes: "Comes by ferry", quantity: 1 }));
    expect(changed.reservation).toMatchObject({ discount: { value: "50.00", by: "Max Manager" } });
  });

  test.each(["150.00", "100.01", "10.005", "-1"])("refuses %s percent with the allowed range", async (value) => {
    const range = { code: "percent", params: { min: 0, max: 100 } };
    const refused = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createSaleBody({ discount: { ...TEN, value } }),
    });
    expect(refused.status).toBe(400);
    expect((await refused.json<{ detail: unknown }>()).detail).toContainEqual({
      field: "discount.value",
      message: "must be a percentage from 0 to 100 with at most two decimals",
      ...range,
    });
    const customer = await callOffice("POST", "/customers", {
      token: tokens.manager,
      body: { name: "Ana", surname: "Roig", discount_percent: value },
    });
    expect(await customer.json()).toMatchObject({ detail: [{ field: "discount_percent", ...range }] });
  });

  test("refuses a wrong discount together with the other wrong fields of the request", async () => {
    const refused = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createSaleBody({
        ...{ date_to: 5, customer: { surname: 7 }, accept_shortage: true },
        discount: { kind: "percentage", value: "150" },
      }),
    });
    const { detail } = await refused.json<{ detail: readonly { field: string }[] }>();
    expect([refused.status, detail.map(({ field }) => field).toSorted()]).toEqual([
      400,
      ["customer.name", "customer.surname", "date_to", "discount.reason", "discount.value", "reason"],
    ]);
  });

  // Proves "office.md": discount: a percentage is recalculated, an amount stays, null removes it
  test("recalculates a percentage discount if the reservation changes, keeps an amount, and removes either by null", async () => {
    const percent = await create({ discount: TEN });
    const longer = await readReservationAnswer(change(percent, { date_to: getBookableDay(5) }));
    const list = toCents(longer.reservation["list_total_cost"]);
    expect(list).toBeGreaterThan(toCents(percent.reservation["list_total_cost"]));
    expect(longer.reservation).toMatchObject({ discount: { value: "10.00" } });
    expect(toCents((longer.reservation["discount"] as { amount: string }).amount)).toBeGreaterThan(
      toCents((percent.reservation["discount"] as { amount: string }).amount),
    );
    expectSums(longer);
    const fixed = await create({ date_from: getBookableDay(6), date_to: getBookableDay(8), discount: amount("3.33") });
    const fixedLonger = await readReservationAnswer(change(fixed, { date_to: getBookableDay(9) }));
    expect(fixedLonger.reservation).toMatchObject({ discount: { value: "3.33", amount: "3.33" } });
    expectSums(fixedLonger);
    const removed = await readReservationAnswer(change(longer, { discount: null }));
    expect(removed.reservation).toMatchObject({ discount: null, total_cost: longer.reservation["list_total_cost"] });
  });

  // Proves "office.md": discount: never from fees, never below zero
  test("never reduces fees by a discount larger than products and extras", async () => {
    const free = await create({ discount: amount("5000") }, tokens.manager);
    expect(free.reservation).toMatchObject({ item_cost: "0.00", total_cost: expect.not.stringMatching(/^-/) });
    expect(free.reservation["category_supplement_1_cost"]).not.toBe("0.00");
    expectSums(free);
  });

  test("quotes a changed discount of a rental without storing it", async () => {
    const current = await create();
    const answer = await callOffice("POST", `/reservations/${current.reservation.id}/quote`, {
      token: tokens.agent,
      body: { move: "change", discount: TEN },
    });
    expect(await answer.json()).toMatchObject({
      allowed: true,
      quote: { discount: { value: "10.00", by: "Aina Agent" } },
    });
    const read = callOffice("GET", `/reservations/${current.reservation.id}`, { token: tokens.agent });
    expect((await readReservationAnswer(read)).reservation).toEqual(current.reservation);
  });

  test("names the author of a discount in quotes of sales and actions, also if another user gave it", async () => {
    const author = async (path: string, body: object) => {
      const answer = await callOffice("POST", path, { token: tokens.agent, body });
      return (await answer.json<{ quote: { discount: { by: string } } }>()).quote.discount.by;
    };
    expect(await author("/reservations/quote", createSaleBody({ discount: TEN }))).toBe("Aina Agent");
    const { reservation } = await create({ discount: { ...TEN, value: "50" } }, tokens.manager);
    const longer = { move: "change", date_to: getBookableDay(5) };
    expect(await author(`/reservations/${reservation.id}/quote`, longer)).toBe("Max Manager");
    const quote = createSaleBody({ discount: TEN, valid_until: `${getBookableDay(2)}T18:00` });
    expect(await author("/quotes", quote)).toBe("Aina Agent");
  });

  test("records a discount's old and new terms in the history, and no mail for another reason alone", async () => {
    const created = await create({ discount: TEN });
    const TERMS = { ...TEN, value: "10.00" };
    expect(created.history).toMatchObject([{ move: "created", after: { discount: TERMS } }]);
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    const mailed = await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n");
    const other = { ...TEN, reason: "Late car" };
    const renamed = await readReservationAnswer(change(created, { discount: other }));
    expect(renamed.history[0]).toMatchObject({
      move: "changed",
      before: { discount: TERMS },
      after: { discount: { ...TERMS, reason: "Late car" } },
    });
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(mailed);
    const removed = await readReservationAnswer(change(renamed, { discount: null }));
    expect(removed.history[0]).toMatchObject({
      before: { discount: { reason: "Late car" }, total: created.reservation.total_cost },
      after: { discount: null, total: created.reservation["list_total_cost"] },
    });
  });

  test("refuses an agent's discount above the account's percentage if the setting was lowered", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET agent_discount_basis_points = 500").run();
    const answer = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createSaleBody({ discount: TEN }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: "discount_limit", detail: [{ field: "discount.value" }] },
    ]);
  });

  test("names the invalid field of a discount", async () => {
    for (const [discount, field] of [
      [{ ...TEN, value: "100.01" }, "discount.value"],
      [{ ...amount("1.001") }, "discount.value"],
      [{ ...TEN, reason: undefined }, "discount.reason"],
      [{ ...TEN, kind: "gift" }, "discount.kind"],
    ] as const) {
      const answer = await callOffice("POST", "/reservations", {
        token: tokens.agent,
        body: createSaleBody({ discount }),
      });
      expect([answer.status, await answer.json()]).toMatchObject([400, { detail: [{ field }] }]);
    }
  });

  // Proves "office.md": a customer's discount_percent applies unless another is given
  test("applies a customer's discount in the office unless another is entered, and lets only managers set it", async () => {
    const body = { name: "Bea", surname: "Roig", email: "bea@example.com", discount_percent: "15.00" };
    expect((await callOffice("POST", "/customers", { token: tokens.agent, body })).status).toBe(403);
    const customerResponse = await callOffice("POST", "/customers", { token: tokens.manager, body });
    const { customer } = await customerResponse.json<{ customer: { id: number; discount_percent: string } }>();
    expect(customer.discount_percent).toBe("15.00");
    const own = await create({ customer: { id: customer.id } });
    expect(own.reservation).toMatchObject({ discount: { kind: "percentage", value: "15.00", by: "customer" } });
    const explicit = await create({ customer: { id: customer.id }, discount: amount("1.00") });
    expect(explicit.reservation).toMatchObject({ discount: { kind: "amount", amount: "1.00" } });
    const none = await create({ customer: { id: customer.id }, discount: null });
    expect(none.reservation).toMatchObject({ discount: null, total_cost: own.reservation["list_total_cost"] });
    const quoteBody = createSaleBody({ customer: { id: customer.id }, discount: null });
    const quoted = await callOffice("POST", "/reservations/quote", { token: tokens.agent, body: quoteBody });
    expect(await quoted.json()).toMatchObject({ quote: { discount: null } });
  });

  // Proves "office.md": discount: a line of the customer's mail
  test("shows a discount as a line of the customer's mail, and none without a discount", async () => {
    await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    const discounted = await create({ status: "confirmed", discount: TEN, customer_language: "en" });
    await create({ status: "confirmed", customer_language: "en" });
    expect(await enqueueDueBookingMails(openTestTenant(env), Date.now())).toBeGreaterThan(0);
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT text FROM development_mails WHERE recipient = 'ana@example.com' ORDER BY id",
    ).all<{ text: string }>();
    const { amount: discountAmount } = discounted.reservation["discount"] as { amount: string };
    expect(results.map(({ text }) => /^Discount: (.*)$/m.exec(text)?.[1])).toEqual([`-€${discountAmount}`, undefined]);
  });

  // Proves "office.md": price_override: a lower price is shown as a discount by amount
  test("shows the list price next to a manual price", async () => {
    const plain = await create();
    const lowered = await create({ price_override: { total_cost: "70.00", reason: "Good customer" } }, tokens.manager);
    expect(lowered.reservation).toMatchObject({
      list_total_cost: plain.reservation["total_cost"],
      total_cost: "70.00",
      discount: { kind: "amount", reason: "Good customer", by: "Max Manager" },
    });
    expectSums(lowered);
  });

  test("refuses a discount together with a manual price, at each entry of sales and quotes", async () => {
    const both = { discount: TEN, price_override: { total_cost: "70.00", reason: "Good customer" } };
    const valid_until = `${getBookableDay(2)}T18:00`;
    const trip = { date: getBookableDay(0), time: "10:00", origin_point_id: 1, destination_point_id: 2 };
    const transfer = {
      transfer: { outward: trip, adults: 1, transfer_vehicle_id: 1 },
      customer: createSaleBody().customer,
    };
    const quoted = await callOffice("POST", "/quotes", { token: tokens.agent, body: createSaleBody({ valid_until }) });
    const { quote } = await quoted.json<{ quote: { id: number; version: number } }>();
    for (const [method, path, body] of [
      ["POST", "/reservations", createSaleBody(both)],
      ["POST", "/reservations/quote", createSaleBody(both)],
      ["POST", "/transfers", { ...transfer, ...both }],
      ["POST", "/transfers/quote", { ...transfer, ...both }],
      ["POST", "/quotes", createSaleBody({ valid_until, ...both })],
      ["PATCH", `/quotes/${quote.id}`, { expected_version: quote.version, ...both }],
      ["POST", `/quotes/${quote.id}/duplicate`, both],
    ] as const) {
      const answer = await callOffice(method, path, { token: tokens.manager, body });
      expect([path, answer.status, (await answer.json<{ detail: unknown }>()).detail]).toEqual([
        path,
        400,
        [
          {
            field: "discount",
            code: "at_most_one_of",
            params: { fields: "discount, price_override" },
            message: "requires at most one of discount, price_override",
          },
        ],
      ]);
    }
    const withoutDiscount = await create({ ...both, discount: null }, tokens.manager);
    expect(withoutDiscount.reservation.total_cost).toBe("70.00");
  });

  test("replaces a quote's discount by a manual price and the reverse", async () => {
    const valid_until = `${getBookableDay(2)}T18:00`;
    const made = await callOffice("POST", "/quotes", {
      token: tokens.manager,
      body: createSaleBody({ valid_until, discount: TEN }),
    });
    const { quote } = await made.json<{ quote: { id: number } }>();
    const changeQuote = async (body: object) => {
      const answer = await callOffice("PATCH", `/quotes/${quote.id}`, {
        token: tokens.manager,
        body: { expected_version: await readVersion(quote.id), ...body },
      });
      return answer.json<{ quote: { total_cost: string } }>();
    };
    const priced = await changeQuote({ price_override: { total_cost: "70.00", reason: "Good customer" } });
    expect(priced.quote).toMatchObject({ total_cost: "70.00", discount: { kind: "amount" } });
    const discounted = await changeQuote({ discount: TEN });
    expect(discounted.quote).toMatchObject({ discount: { ...TEN, by: "Max Manager" } });
  });

  // Proves "rules.md: the life of a contract": A grown percentage discount is limited for the user who changes
  test("refuses an agent's change that raises another user's percentage discount above the agent's amount limit", async () => {
    const current = await create({ discount: { ...TEN, value: "50.00" } }, tokens.manager);
    const { amount: before } = current.reservation["discount"] as { amount: string };
    const setLimit = (cents: number) =>
      env.TENANT_ACME.prepare(`UPDATE settings SET agent_limit_cents = ${cents}`).run();
    await setLimit(toCents(before));
    const longer = { date_to: getBookableDay(5) };
    const refused = await change(current, longer);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "discount_limit", params: { limit: before } },
    ]);
    const quoted = await callOffice("POST", `/reservations/${current.reservation.id}/quote`, {
      token: tokens.agent,
      body: { move: "change", ...longer },
    });
    expect(await quoted.json()).toMatchObject({ allowed: false, reasons: [{ code: "discount_limit" }] });
    const renamed = await readReservationAnswer(change(current, { notes: "Comes by ferry" }));
    const fromManager = await readReservationAnswer(change(renamed, longer, tokens.manager));
    const shorter = await readReservationAnswer(change(fromManager, { date_to: getBookableDay(4) }));
    expect(shorter.reservation).toMatchObject({ discount: { value: "50.00" } });
    await setLimit(10_000_00);
    await readReservationAnswer(change(shorter, longer));
  });

  test("lets agents change a reservation whose percentage by a manager already exceeds the amount limit", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET agent_limit_cents = 1").run();
    const byManager = await create({ discount: { ...TEN, value: "50.00" } }, tokens.manager);
    const longer = await readReservationAnswer(change(byManager, { date_to: getBookableDay(5) }));
    expect(longer.reservation).toMatchObject({ discount: { value: "50.00", by: "Max Manager" } });
  });

  test("refuses to shorten a rental if an agent's own discount then exceeds the agent's percentage limit", async () => {
    const long = { date_to: getBookableDay(8) };
    const plain = await create(long);
    const tenth = (toCents(plain.reservation["item_cost"]) / 1000).toFixed(2);
    const own = await create({ ...long, discount: amount(tenth) });
    const shorter = { date_to: getBookableDay(2) };
    const refused = await change(own, shorter);
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "discount_limit" }]);
    const named = await readReservationAnswer(change(own, { notes: "Comes by ferry" }));
    await readReservationAnswer(change(named, { ...shorter, discount: amount("1.00") }));
    const later = { date_from: getBookableDay(20), date_to: getBookableDay(28) };
    const byManager = await create({ ...later, discount: amount("90.00") }, tokens.manager);
    await readReservationAnswer(change(byManager, { date_to: getBookableDay(22) }));
  });

  test("lets agents change reservations with the customer's own discount at any amount", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET agent_limit_cents = 1").run();
    const body = { name: "Bea", surname: "Roig", email: "bea@example.com", discount_percent: "50.00" };
    const made = await callOffice("POST", "/customers", { token: tokens.manager, body });
    const { customer } = await made.json<{ customer: { id: number } }>();
    const own = await create({ customer: { id: customer.id } });
    const longer = await readReservationAnswer(change(own, { date_to: getBookableDay(5) }));
    expect(longer.reservation).toMatchObject({ discount: { value: "50.00", by: "customer" } });
  });

  // Proves "office.md": price_override: agents are limited by amount and percentage
  test("limits an agent's manual price by its difference from the list price, also in quotes", async () => {
    const plain = await create();
    const total = toCents(plain.reservation.total_cost);
    const limit = 20_00;
    const setLimits = (percent: number) =>
      env.TENANT_ACME.prepare(
        `UPDATE settings SET agent_limit_cents = ${limit}, agent_discount_basis_points = ${percent * 100}`,
      ).run();
    await setLimits(50);
    const price = (cents: number) => ({ price_override: { total_cost: (cents / 100).toFixed(2), reason: "Match" } });
    const later = { date_from: getBookableDay(6), date_to: getBookableDay(9) };
    for (const path of ["/reservations", "/quotes"]) {
      const valid_until = path === "/quotes" ? { valid_until: `${getBookableDay(2)}T18:00` } : {};
      const refused = await callOffice("POST", path, {
        token: tokens.agent,
        body: createSaleBody({ ...later, ...valid_until, ...price(total - limit - 1) }),
      });
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { code: "discount_limit_exceeded", params: { limit: "20.00" } },
      ]);
    }
    const quoted = await callOffice("POST", "/reservations/quote", {
      token: tokens.agent,
      body: createSaleBody({ ...later, ...price(total - limit - 1) }),
    });
    expect(await quoted.json()).toMatchObject({ available: false, reasons: [{ code: "discount_limit_exceeded" }] });
    const lowered = await create({ ...later, ...price(total - limit) });
    expect(lowered.reservation).toMatchObject({ discount: { kind: "amount", amount: "20.00" } });
    await setLimits(10);
    const tooMuch = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createSaleBody({ ...later, ...price(total - limit) }),
    });
    expect([tooMuch.status, await tooMuch.json()]).toMatchObject([403, { code: "discount_limit" }]);
    const raised = await create({ ...later, ...price(total + limit) });
    expect(raised.reservation).toMatchObject({ discount: null, price_difference: "20.00" });
  });
});

async function readVersion(quoteId: number): Promise<number> {
  const answer = await callOffice("GET", `/quotes/${quoteId}`, { token: tokens.agent });
  return (await answer.json<{ quote: { version: number } }>()).quote.version;
}
