import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays } from "#domain/dates.ts";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import { readRefusal } from "#support/refusals.ts";
import { addAgentAndManager } from "#support/test-users.ts";
import { checkOutCart, createCart } from "#support/website.ts";

const tokens = { agent: "", manager: "" };
let db: D1Database;
const EMAIL = "marked@example.com";

beforeEach(async () => {
  await setUpCompany();
  const staff = await addAgentAndManager();
  db = staff.db;
  Object.assign(tokens, staff);
});

interface CustomerAnswer {
  readonly customer: Readonly<Record<string, unknown>> & { readonly id: number; readonly version: number };
}

const markedCustomer = async () =>
  (
    await callOffice("POST", "/customers", {
      token: tokens.manager,
      body: { name: "Eva", surname: "Sol", email: EMAIL, do_not_rent: { reason: "Left debts" } },
    })
  ).json<CustomerAnswer>();
const sell = (customer: object, token: string, changes: object = {}) =>
  callOffice("POST", "/reservations", {
    token,
    body: {
      ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, category_code: "A", customer, ...changes },
    },
  });
const kinds = async () => {
  const answer = await callOffice("GET", "/attention", { token: tokens.agent });
  return (await answer.json<{ data: { kind: string }[] }>()).data.map(({ kind }) => kind);
};

describe("a customer marked as do not rent", () => {
  // Proves "office.md: the vehicles of a contract": do_not_rent: set by a manager, shown on the card
  test("lets only managers mark and unmark a customer as do not rent, with a reason", async () => {
    const { customer } = await markedCustomer();
    expect(customer["do_not_rent"]).toEqual({ reason: "Left debts" });
    const change = (do_not_rent: unknown, token: string) =>
      callOffice("PATCH", `/customers/${customer.id}`, {
        token,
        body: { expected_version: customer.version, do_not_rent },
      });
    expect(await readRefusal(change(null, tokens.agent))).toEqual([403, "permission_denied"]);
    expect((await change({}, tokens.manager)).status).toBe(400);
    const cleared = await (await change(null, tokens.manager)).json<CustomerAnswer>();
    expect(cleared.customer["do_not_rent"]).toBeNull();
  });

  // Proves "office.md: the vehicles of a contract": do_not_rent: the office asks a manager
  test("rejects sales by agents to a marked customer under any identity, and lets a manager confirm them", async () => {
    const { customer } = await markedCustomer();
    const again = { name: "Eva", surname: "Other", email: EMAIL.toUpperCase() };
    expect(await readRefusal(sell({ id: customer.id }, tokens.agent))).toEqual([403, "do_not_rent"]);
    expect(await readRefusal(sell(again, tokens.agent))).toEqual([403, "do_not_rent"]);
    expect(await readRefusal(sell(again, tokens.agent, { confirm_do_not_rent: true }))).toEqual([403, "do_not_rent"]);
    expect(await readRefusal(sell({ id: customer.id }, tokens.manager))).toEqual([409, "do_not_rent"]);
    const saleResponse = await sell({ id: customer.id }, tokens.manager, { confirm_do_not_rent: true });
    expect(saleResponse.status).toBe(201);
    expect(await saleResponse.json()).toMatchObject({ do_not_rent: { reason: "Left debts" } });
  });

  // Proves "office.md: the vehicles of a contract": do_not_rent: websites and agencies stay pending with an attention
  //   item, and nothing is visible to them
  test("leaves agency and website bookings of a marked customer pending, with a task", async () => {
    await db.prepare("UPDATE settings SET automatic_confirmation = 1").run();
    await openTestTenant(env).freshSnapshot();
    await markedCustomer();
    const booked = await postAsAgency("/booking", createAgencyReservationBody({ customer_email: EMAIL }));
    expect(booked.status).toBe(200);
    expect(await booked.text()).not.toMatch(/debts|do_not_rent/);
    const website = await checkOutCart(await createCart("A"), { customer_email: EMAIL });
    expect(website.status).toBe(200);
    expect(await website.text()).not.toMatch(/debts|do_not_rent/);
    const { results } = await db
      .prepare("SELECT id, status, version FROM bookings")
      .all<{ id: number; version: number }>();
    expect(results).toMatchObject([{ status: "pending_confirmation" }, { status: "pending_confirmation" }]);
    expect((await kinds()).filter((kind) => kind === "do_not_rent")).toHaveLength(2);
    const [first] = results;
    const confirm = (token: string) =>
      callOffice("POST", `/reservations/${first?.id}/confirm`, { token, body: { expected_version: first?.version } });
    expect(await readRefusal(confirm(tokens.agent))).toEqual([403, "do_not_rent"]);
    expect((await confirm(tokens.manager)).status).toBe(200);
    expect((await kinds()).filter((kind) => kind === "do_not_rent")).toHaveLength(1);
  });

  // Proves "office.md: the vehicles of a contract": do_not_rent: the office asks a manager before a marked customer
  //   gets an existing reservation
  test.each([
    ["id", (id: number) => ({ id })],
    ["email", () => ({ email: EMAIL.toUpperCase() })],
    ["document", () => ({ document_id: "12345678z" })],
  ])("rejects changing a reservation's customer to a marked one by %s, unless a manager confirms it", async (_, to) => {
    const { customer } = await markedCustomer();
    await db.prepare("UPDATE customers SET document_id = '12345678-Z' WHERE id = ?").bind(customer.id).run();
    const { reservation } = await readReservationAnswer(sell({ name: "Pia", surname: "Mas" }, tokens.agent));
    const change = (token: string, more: object = {}) =>
      callOffice("PATCH", `/reservations/${reservation.id}`, {
        token,
        body: { expected_version: reservation.version, customer: to(customer.id), ...more },
      });
    expect(await readRefusal(change(tokens.agent, { confirm_do_not_rent: true }))).toEqual([403, "do_not_rent"]);
    expect(await readRefusal(change(tokens.manager))).toEqual([409, "do_not_rent"]);
    const changed = await change(tokens.manager, { confirm_do_not_rent: true });
    expect([changed.status, await changed.json()]).toMatchObject([200, { do_not_rent: { reason: "Left debts" } }]);
    // The manager has confirmed the do-not-rent mark, so other changes need no confirmation.
    const noted = callOffice("PATCH", `/reservations/${reservation.id}`, {
      token: tokens.agent,
      body: { expected_version: reservation.version + 1, notes: "By ferry" },
    });
    expect((await noted).status).toBe(200);
    expect(await kinds()).not.toContain("do_not_rent");
  });

  // Proves "office.md: the vehicles of a contract": do_not_rent: a confirmed reservation that its agency changes
  test("adds a task if an agency gives a confirmed reservation to a marked customer, until staff decide", async () => {
    await markedCustomer();
    const { reservation } = await readReservationAnswer(sell({ name: "Pia", surname: "Mas" }, tokens.agent));
    await db.batch([
      db
        .prepare("UPDATE bookings SET customer_email = ?, date_from = ?, version = 2 WHERE id = ?")
        .bind(EMAIL, addDays(getTodayAtCompany(), 5), reservation.id),
      db
        .prepare("INSERT INTO booking_history (booking_id, at, actor, event) VALUES (?, 1, 'agency:1', 'changed')")
        .bind(reservation.id),
    ]);
    expect(await kinds()).toContain("do_not_rent");
    const noted = callOffice("PATCH", `/reservations/${reservation.id}`, {
      token: tokens.manager,
      body: { expected_version: 2, notes: "Paid the debts" },
    });
    expect((await noted).status).toBe(200);
    expect(await kinds()).not.toContain("do_not_rent");
  });

  // Proves "office.md: the vehicles of a contract": do_not_rent: the same document in any spelling
  test.each(["12345678z", "12.345.678-Z", "12 345 678/Z", "ES12345678Z"])(
    "recognizes a do-not-rent customer by the document %s at the desk, by agencies and on the website",
    async (document) => {
      await db.prepare("UPDATE settings SET automatic_confirmation = 1").run();
      await openTestTenant(env).freshSnapshot();
      const marked = { name: "Eva", surname: "Sol", document_id: "12345678-Z", do_not_rent: { reason: "Left debts" } };
      expect((await callOffice("POST", "/customers", { token: tokens.manager, body: marked })).status).toBe(201);
      const person = { name: "Pia", surname: "Mas", email: "pia@example.com", document_id: document };
      expect(await readRefusal(sell(person, tokens.agent))).toEqual([403, "do_not_rent"]);
      expect(
        (await postAsAgency("/booking", createAgencyReservationBody({ customer_document_id: document }))).status,
      ).toBe(200);
      const website = { customer_email: "pia@example.com", customer_document_id: document };
      expect((await checkOutCart(await createCart("A"), website)).status).toBe(200);
      const { results } = await db.prepare("SELECT status FROM bookings").all();
      expect(results).toEqual([{ status: "pending_confirmation" }, { status: "pending_confirmation" }]);
    },
  );
});
