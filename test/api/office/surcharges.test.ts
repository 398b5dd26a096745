import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { getBookableDay } from "#support/agency.ts";
import { readFirstRow } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  applyBookingAction,
  callOffice,
  type ReservationAnswer,
  readReservationAnswer,
  sellRentalAtDesk,
} from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";

let boss = "";
let agent = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
    env.TENANT_ACME.prepare(`INSERT INTO extras (code, name, price_per, price_cents, max_quantity, vat_basis_points, active)
      VALUES ('FINE', 'Fine', 'rental', 4000, 1, 2100, 0), ('DAMAGE', 'Damage', 'rental', 0, 1, 0, 0)`),
  ]);
  [boss, agent] = [await createToken("boss"), await createToken("desk")];
});

const sell = (changes: Readonly<Record<string, unknown>> = {}) => sellRentalAtDesk(boss, changes);
const performAction = (
  current: ReservationAnswer,
  name: string,
  body: Readonly<Record<string, unknown>> = {},
  { token = agent, key }: { readonly token?: string; readonly key?: string } = {},
) => applyBookingAction(current, name, body, { token, key });
const surcharge = (current: ReservationAnswer, body: Readonly<Record<string, unknown>>, as = {}) =>
  performAction(current, "surcharge", { code: "FINE", reason: "Came by post", ...body }, as);
const createClosedRental = async (changes: Readonly<Record<string, unknown>> = {}) => {
  const out = await readReservationAnswer(
    performAction(await sell(changes), "deliver", { reference: "A-1", kilometres: 1000, fuel_eighths: 8 }),
  );
  return readReservationAnswer(performAction(out, "collect", { kilometres: 1100, fuel_eighths: 8 }));
};
const read = ({ reservation }: ReservationAnswer) =>
  readReservationAnswer(callOffice("GET", `/reservations/${reservation.id}`, { token: boss }));
const refusedWith = async (answer: Promise<Response>) => {
  const response = await answer;
  const { code, detail } = await response.json<{ code: string; detail?: readonly { field: string }[] }>();
  return [response.status, code, ...(response.status === 400 && detail?.[0] ? [detail[0].field] : [])];
};
const totals = ({ documents }: ReservationAnswer) => documents.map((document) => document["total"]);
const concepts = async () =>
  (await env.TENANT_ACME.prepare("SELECT concept, total_cents AS cents FROM document_items ORDER BY id").all()).results;
const addAmount = (amount: string, more: number) => (Number(amount) + more).toFixed(2);

/** Checks that the nightly audit, rebuilt books and recalculated ledger agree. */
async function holds(): Promise<void> {
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  const extractedRows = await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: "Europe/Madrid" });
  const { differences, remarks } = auditBooks(extractedRows);
  expect([...remarks, ...differences]).toEqual([]);
  expect(await checkOrRepairLedger(env.TENANT_ACME, false)).toMatchObject({ different: [], wrongSums: 0 });
}

describe("surcharges after a contract is closed", () => {
  // Proves "rules.md: the life of a contract": Later charges have their own document; issued documents stay
  // Proves "rentals.md": M5
  test("adds a surcharge in a separate document, keeps the issued ones and makes only the surcharge due", async () => {
    const closedReservation = await createClosedRental({ extras: [{ code: "SEAT" }] });
    expect(closedReservation.reservation.allowed).toEqual(["reopen", "surcharge"]);
    const total = closedReservation.reservation.total_cost;
    const fined = await readReservationAnswer(surcharge(closedReservation, { text: "2026/123" }));
    expect(fined.reservation).toMatchObject({
      status: "done",
      version: closedReservation.reservation.version + 1,
      total_cost: addAmount(total, 40),
      total_pending: addAmount(closedReservation.reservation.total_pending, 40),
    });
    expect(totals(fined)).toEqual([total, "40.00"]);
    expect(fined.documents[1]).toMatchObject({ invoice_mode: "reservation_extra", total_pending: "40.00" });
    expect((await concepts()).at(-1)).toEqual({ concept: "Fine: 2026/123", cents: 4000 });
    expect(fined.history[0]).toMatchObject({
      move: "changed",
      reason: "Came by post",
      before: { total },
      after: { surcharge: "Fine: 2026/123", document: "reservation_extra", total: addAmount(total, 40) },
    });
    expect(fined.reservation["reservation_extras"]).toMatchObject([
      { extra_id: "SEAT" },
      { extra_id: "FINE", extra_description: "Fine: 2026/123", extra_cost: "40.00", quantity: 1 },
    ]);
    // Another surcharge of the same kind at another price.
    const again = await readReservationAnswer(surcharge(fined, { amount: "45.50", quantity: 2, text: "2026/124" }));
    expect(totals(again)).toEqual([total, "40.00", "91.00"]);
    expect(again.reservation.total_cost).toBe(addAmount(total, 131));
    expect(again.history[0]).toMatchObject({ after: { surcharge: "2 × Fine: 2026/124" } });
    const ids = (again.reservation["reservation_extras"] as readonly { id: number }[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    await holds();
  });

  test("charges a surcharge at its quoted price", async () => {
    const closedReservation = await createClosedRental();
    const quote = (body: object) =>
      callOffice("POST", `/reservations/${closedReservation.reservation.id}/quote`, {
        token: agent,
        body: { move: "surcharge", ...body },
      });
    const quoted = await (await quote({ code: "FINE", quantity: 3, amount: "12.10", text: "tolls" })).json();
    expect(quoted).toMatchObject({ move: "surcharge", allowed: true, difference: "36.30", to_refund: "0.00" });
    expect(await (await quote({ code: "DAMAGE" })).json()).toMatchObject({
      allowed: false,
      reasons: [{ field: "amount" }],
    });
    expect(await refusedWith(quote({}))).toEqual([400, "invalid_input", "code"]);
    const charged = await readReservationAnswer(
      surcharge(closedReservation, { quantity: 3, amount: "12.10" }, { token: boss }),
    );
    expect(charged.reservation.total_cost).toBe(addAmount(closedReservation.reservation.total_cost, 36.3));
  });

  // Proves "rules.md: the life of a contract": Only finished rentals are charged afterwards; invalid values are named
  test("rejects an invalid surcharge by field and stores nothing", async () => {
    const reservation = await sell();
    expect(await refusedWith(surcharge(reservation, {}))).toEqual([409, "action_not_allowed"]);
    const out = await readReservationAnswer(
      performAction(reservation, "deliver", { reference: "A-1", kilometres: 1000, fuel_eighths: 8 }),
    );
    expect(await refusedWith(surcharge(out, {}))).toEqual([409, "action_not_allowed"]);
    const closedReservation = await readReservationAnswer(
      performAction(out, "collect", { kilometres: 1100, fuel_eighths: 8 }),
    );
    for (const [body, field] of [
      [{ code: "NONE" }, "code"],
      [{ code: "DAMAGE" }, "amount"],
      [{ code: "SEAT" }, "amount"],
      [{ amount: "0" }, "amount"],
      [{ amount: "1.001" }, "amount"],
      [{ amount: "-1" }, "amount"],
      [{ amount: "999999999999", quantity: 999 }, "amount"],
      [{ quantity: 0 }, "quantity"],
      [{ reason: undefined }, "reason"],
      [{ invoiced: true }, "invoiced"],
    ] as const)
      expect([body, await refusedWith(surcharge(closedReservation, body))]).toEqual([
        body,
        [400, "invalid_input", field],
      ]);
    expect(
      await refusedWith(
        surcharge({ ...closedReservation, reservation: { ...closedReservation.reservation, version: 1 } }, {}),
      ),
    ).toEqual([409, "changed_meanwhile"]);
    expect(await readFirstRow("SELECT count(*) AS kept FROM surcharges")).toEqual({ kept: 0 });
    const cancelled = await readReservationAnswer(performAction(await sell(), "cancel", { reason: "ill" }));
    expect(await refusedWith(surcharge(cancelled, {}))).toEqual([409, "action_not_allowed"]);
  });

  // Proves "rules.md: the life of a contract": Less than its extra costs is given away; the right is `sell`
  test("allows a surcharge below its extra's price only within the user's limit, and none by operators", async () => {
    const closedReservation = await createClosedRental();
    await env.TENANT_ACME.prepare("UPDATE settings SET agent_limit_cents = 1000").run();
    await openTestTenant(env).freshSnapshot();
    expect(await refusedWith(surcharge(closedReservation, { amount: "29.99" }))).toEqual([
      403,
      "discount_limit_exceeded",
    ]);
    const charged = await readReservationAnswer(surcharge(closedReservation, { amount: "30.00" }));
    await readReservationAnswer(surcharge(charged, { amount: "1.00" }, { token: boss }));
    await env.TENANT_ACME.prepare("UPDATE users SET role = 'operator' WHERE username = 'desk'").run();
    const other = await read(charged);
    expect(await refusedWith(surcharge(other, {}))).toEqual([403, "permission_denied"]);
  });

  test("adds a surcharge once per idempotency key despite parallel calls, and applies two simultaneous ones in sequence", async () => {
    const closedReservation = await createClosedRental();
    const same = await Promise.all(
      Array.from({ length: 6 }, () => surcharge(closedReservation, {}, { key: "fine-1" })),
    );
    expect(same.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await readFirstRow("SELECT count(*) AS kept FROM surcharges")).toEqual({ kept: 1 });
    expect(await refusedWith(surcharge(closedReservation, { quantity: 2 }, { key: "fine-1" }))).toEqual([
      422,
      "idempotency_key_reused",
    ]);
    const now = await read(closedReservation);
    const both = await Promise.all([surcharge(now, {}), surcharge(now, {})]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await holds();
  });

  // Proves "rules.md: the life of a contract": It asks again for nothing that was credited, and is credited as any
  //   invoice
  test("charges no credited amount again, and allows crediting a surcharge's invoice", async () => {
    const closedReservation = await createClosedRental();
    const total = Number(closedReservation.reservation.total_cost);
    const paid = { request_id: "surcharge-0001", kind: "charge", amount: total.toFixed(2), payment_method_id: "cash" };
    expect(
      (await callApi("POST", `/booking/${closedReservation.reservation.id}/charges`, { token: boss, body: paid }))
        .status,
    ).toBe(200);
    const refunded = await callOffice("POST", `/reservations/${closedReservation.reservation.id}/refund`, {
      token: boss,
      body: { amount: "10.00", reason: "Goodwill" },
    });
    expect(refunded.status).toBe(200);
    const before = await read(closedReservation);
    expect(before.reservation.total_pending).toBe("0.00");
    const fined = await readReservationAnswer(surcharge(before, {}));
    expect(fined.reservation.total_pending).toBe("40.00");
    expect(totals(fined)).toEqual([total.toFixed(2), "-10.00", "40.00"]);
    await holds();
    // The surcharge was a mistake, so a credit note reverses its invoice.
    const id = fined.documents[2]?.["id"];
    const credited = await callApi("POST", `/documents/${id}/credit-note`, {
      token: boss,
      body: { request_id: "surcharge-0002", reason: "correction" },
    });
    expect([credited.status, credited.status < 300 ? "" : await credited.text()]).toEqual([200, ""]);
    expect((await read(closedReservation)).reservation.total_pending).toBe("0.00");
    await holds();
  });

  // Proves "rules.md: the life of a contract": It joins an open draft
  test("adds a surcharge to a contract's draft that lacks customer data, and issues them together", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET simplified_limit_cents = 100").run();
    await openTestTenant(env).freshSnapshot();
    const closedReservation = await createClosedRental();
    expect(closedReservation.documents).toMatchObject([{ invoice_status: "draft" }]);
    const fined = await readReservationAnswer(
      surcharge(await readReservationAnswer(surcharge(closedReservation, {})), { code: "DAMAGE", amount: "250.00" }),
    );
    expect(fined.documents).toMatchObject([{ invoice_status: "draft", total: fined.reservation.total_cost }]);
    expect(fined.reservation.total_pending).toBe(addAmount(closedReservation.reservation.total_pending, 290));
    await holds();
    await env.TENANT_ACME.prepare(
      "UPDATE customers SET document_id = 'X1234567L', address_street = 'Carrer Major', address_city = 'Palma'",
    ).run();
    const issued = await callApi("POST", `/booking/${fined.reservation.id}/documents`, {
      token: boss,
      body: { request_id: "surcharge-0003", issued: true },
    });
    expect(issued.status).toBe(200);
    expect((await read(closedReservation)).documents).toMatchObject([
      { invoice_status: "invoice", total: fined.reservation.total_cost },
    ]);
    await holds();
  });

  // Proves "rules.md: the life of a contract": It stays when the contract is opened again
  test("keeps a surcharge when the contract is reopened, changed and closed again", async () => {
    const closedReservation = await createClosedRental({ extras: [{ code: "SEAT" }] });
    const fined = await readReservationAnswer(
      surcharge(await readReservationAnswer(surcharge(closedReservation, {})), {
        code: "SEAT",
        amount: "3.00",
        text: "lost",
      }),
    );
    const opened = await readReservationAnswer(performAction(fined, "reopen", { reason: "Misread" }, { token: boss }));
    expect(opened.reservation.total_cost).toBe(fined.reservation.total_cost);
    await holds();
    const changed = await readReservationAnswer(
      callOffice("PATCH", `/reservations/${opened.reservation.id}`, {
        token: boss,
        body: { expected_version: opened.reservation.version, extras: [] },
      }),
    );
    expect(changed.reservation["reservation_extras"]).toMatchObject([
      { extra_id: "FINE", extra_cost: "40.00" },
      { extra_id: "SEAT", extra_description: expect.stringContaining("lost"), extra_cost: "3.00" },
    ]);
    await holds();
    const again = await readReservationAnswer(
      performAction(changed, "collect", {
        kilometres: 1200,
        fuel_eighths: 7,
        extras: [{ code: "SEAT" }],
        readings_confirmed: true,
      }),
    );
    const sum = again.documents.reduce((all, item) => all + Number(item["total"]), 0);
    expect(sum.toFixed(2)).toBe(again.reservation.total_cost);
    expect(again.reservation).toMatchObject({ status: "done" });
    await holds();
  });

  // Proves "rules.md: the life of a contract": It appears everywhere, and counts in its month
  test("shows the same amounts on the customer's page, in documents, accounting and monthly analytics", async () => {
    const closedReservation = await createClosedRental();
    const fined = await readReservationAnswer(surcharge(closedReservation, { text: "2026/123" }));
    const link = (await readFirstRow("SELECT free_access_id FROM bookings"))?.["free_access_id"];
    const page = await (await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${link}`)).json<{
      booking: Record<string, unknown>;
    }>();
    expect(page.booking).toMatchObject({
      total_cost: fined.reservation.total_cost,
      total_pending: fined.reservation.total_pending,
      booking_extras: [{ extra_id: "FINE", extra_cost: "40.00" }],
    });
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT code, year, month, cents FROM ledger_entries WHERE kind = 'extra'",
    ).all();
    const [year, month] = getTodayAtCompany().split("-").map(Number);
    expect(results).toEqual([{ code: "FINE", year, month, cents: 4000 }]);
    expect(
      totals(fined)
        .map(Number)
        .reduce((sum, total) => sum + total, 0),
    ).toBe(Number(fined.reservation.total_cost));
    expect((await concepts()).at(-1)).toMatchObject({ cents: 4000 });
    await holds();
  });

  // Proves "rules.md: the life of a contract": Its words are kept in the customer's language
  test("shows a surcharge by its translated name, followed by its details", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE extras SET active = 1 WHERE code = 'FINE'"),
      env.TENANT_ACME.prepare(
        "INSERT INTO translations (entity, entity_id, field, language, text) VALUES ('extra', 'FINE', 'name', 'de', 'Bußgeld')",
      ),
    ]);
    await openTestTenant(env).freshSnapshot();
    const closedReservation = await createClosedRental({ customer_language: "de", extras: [{ code: "FINE" }] });
    await readReservationAnswer(surcharge(closedReservation, { text: "2026/123" }));
    const link = (await readFirstRow("SELECT free_access_id FROM bookings"))?.["free_access_id"];
    const page = await (await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${link}`)).json<{
      booking: { booking_extras: readonly Record<string, unknown>[] };
    }>();
    const extraNames = page.booking.booking_extras.map((item) => item["extra_description_customer_translation"]);
    expect(extraNames).toEqual(["Bußgeld", "Bußgeld: 2026/123"]);
  });

  // Proves "rules.md: the life of a contract": It is paid, or kept of a deposit that is still held
  test("accepts desk payment up to the due amount, also from a deposit still held", async () => {
    const closedReservation = await createClosedRental();
    const { id } = closedReservation.reservation;
    const pay = (amount: string, kind = "charge", request_id = crypto.randomUUID()) =>
      callApi("POST", `/booking/${id}/charges`, {
        token: agent,
        body: { request_id, kind, amount, payment_method_id: "cash" },
      });
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'AIR'").run();
    expect((await pay(closedReservation.reservation.total_cost)).status).toBe(200);
    expect((await pay("100.00", "deposit_received")).status).toBe(200);
    const fined = await readReservationAnswer(surcharge(await read(closedReservation), {}));
    expect((await pay("40.01")).status).toBe(409);
    expect((await pay("30.00", "deposit_kept")).status).toBe(200);
    expect((await pay("10.00")).status).toBe(200);
    const paid = await read(fined);
    expect(paid.reservation.total_pending).toBe("0.00");
    expect(paid.documents.map((document) => document["total_pending"])).toEqual(["0.00", "0.00"]);
    await holds();
  });
});

interface ReturnRecord {
  readonly data: readonly { readonly text: string; readonly language: string; readonly is_signed: boolean }[];
  readonly at: string;
}

describe("damage that is priced with the return", () => {
  const OUT = { reference: "A-1", kilometres: 1000, fuel_eighths: 8 };
  const DENT = { part: "roof", kind: "dent", severity: "medium", x: 500, y: 500 };
  const PRICED = {
    kilometres: 1100,
    fuel_eighths: 6,
    damages: [DENT],
    surcharges: [{ code: "DAMAGE", amount: "180.00", text: "Roof", damage: 0 }, { code: "FINE" }],
  };
  const quote = async ({ reservation }: ReservationAnswer, body: object) =>
    callOffice("POST", `/reservations/${reservation.id}/quote`, { token: agent, body: { move: "collect", ...body } });
  const out = async (changes: Readonly<Record<string, unknown>> = {}) =>
    readReservationAnswer(performAction(await sell(changes), "deliver", OUT));

  test("quotes damage together with fuel and days of a return", async () => {
    const current = await out();
    const { due, total_cost, ...charges } = (
      await (await quote(current, PRICED)).json<{ return_charges: Record<string, string> }>()
    ).return_charges;
    expect(charges).toMatchObject({ closes: true, missing_fuel_eighths: 2, extra_days: 0, sold_cost: "220.00" });
    expect(total_cost).toBe(addAmount(current.reservation.total_cost, 220));
    expect(due).toBe(addAmount(current.reservation.total_pending, 220));
    expect((await read(current)).reservation.version).toBe(current.reservation.version);
  });

  test("shows the text of a return before it is signed, with everything that the return charges", async () => {
    const current = await out();
    const { id } = current.reservation;
    const preview = (body: object, path = id) =>
      callOffice("POST", `/reservations/${path}/return-record`, { token: agent, body });
    const {
      data: [shown],
      at,
    } = await (await preview(PRICED)).json<ReturnRecord>();
    const lines = (shown?.text ?? "").split("\n");
    expect([shown?.is_signed, shown?.language]).toEqual([false, "es"]);
    expect(lines[0]).toBe(`# Acta de devolución ${id}`);
    expect(lines).toContain("Combustible\t6/8");
    expect(lines.filter((line) => line.startsWith("["))).toEqual([expect.stringMatching(/^\[1\]\t.*\t500,500$/)]);
    expect(lines.filter((line) => /^(Damage: Roof|Fine|=)\t/.test(line))).toEqual([
      expect.stringMatching(/^Damage: Roof\t1\t180,00/),
      expect.stringMatching(/^Fine\t1\t40,00/),
      expect.stringMatching(/^=\tTotal\t220,00/),
    ]);
    expect((await read(current)).reservation.version).toBe(current.reservation.version);
    expect(await refusedWith(preview({ ...PRICED, kilometres: 900 }))).toEqual([400, "invalid_input", "kilometres"]);
    expect(await refusedWith(preview({ ...PRICED, surcharges: [{ code: "NONE" }] }))).toEqual([
      400,
      "invalid_input",
      "surcharges.0.code",
    ]);
    expect(await refusedWith(preview({ ...PRICED, unit_id: 999_999 }))).toEqual([409, "no_unit_to_assign"]);
    expect(await refusedWith(preview(PRICED, 999_999))).toEqual([404, "reservation_not_found"]);
    // The return takes place at the time in the signed text.
    const signature = { name: "Ana", hash: "a".repeat(64), contract: { hash: "b".repeat(64), language: "es" } };
    const back = await readReservationAnswer(performAction(current, "collect", { ...PRICED, at, signature }));
    expect(back.reservation.status).toBe("done");
    expect(
      await readFirstRow(
        "SELECT operation ->> '$.sent.signature.contract_hash' AS hash FROM check_in_operations WHERE kind = 'collection'",
      ),
    ).toEqual({ hash: signature.contract.hash });
    expect(await refusedWith(preview(PRICED))).toEqual([409, "already_collected"]);
  });

  test("shows a return's damage on its invoice, in analytics and on the reservation", async () => {
    const back = await readReservationAnswer(performAction(await out(), "collect", PRICED));
    expect(back.documents).toHaveLength(1);
    expect((await concepts()).slice(-2)).toMatchObject([
      { concept: "Damage: Roof", cents: 18_000 },
      { concept: "Fine", cents: 4000 },
    ]);
    expect(back).toMatchObject({
      damages: [{ part: "roof", kind: "dent", charged: "180.00", is_repaired: false, is_of_return: true }],
    });
    expect(totals(back)).toEqual([back.reservation.total_cost]);
    expect(await checkOrRepairLedger(env.TENANT_ACME, false)).toMatchObject({ different: [], wrongSums: 0 });
    expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  });

  test("charges damage after the return, and rejects damage of another contract", async () => {
    const other = await createClosedRental();
    const current = await readReservationAnswer(performAction(await sell(), "deliver", { ...OUT, kilometres: 1100 }));
    const back = await readReservationAnswer(performAction(current, "collect", { ...PRICED, surcharges: [] }));
    const [found] = (back as unknown as { damages: readonly { id: number; charged: string | null }[] }).damages;
    expect(found?.charged).toBeNull();
    const charge = { code: "DAMAGE", amount: "90.00", damage: found?.id };
    expect(await refusedWith(surcharge(other, charge))).toEqual([400, "invalid_input", "damage"]);
    expect(await readReservationAnswer(surcharge(back, charge))).toMatchObject({ damages: [{ charged: "90.00" }] });
  });

  test("rejects a wrong damage price, naming the field, and stores nothing", async () => {
    const current = await out();
    const collect = (surcharge: object) =>
      refusedWith(performAction(current, "collect", { ...PRICED, surcharges: [{ code: "FINE" }, surcharge] }));
    expect(await collect({ code: "NONE" })).toEqual([400, "invalid_input", "surcharges.1.code"]);
    expect(await collect({ code: "DAMAGE" })).toEqual([400, "invalid_input", "surcharges.1.amount"]);
    expect(await collect({ code: "DAMAGE", amount: "1.001" })).toEqual([400, "invalid_input", "surcharges.1.amount"]);
    expect(await collect({ code: "FINE", damage: 3 })).toEqual([400, "invalid_input", "surcharges.1.damage"]);
    expect((await read(current)).reservation.status).toBe("in_progress");
    expect(await readFirstRow("SELECT count(*) AS charged FROM surcharges")).toEqual({ charged: 0 });
  });

  test("rejects a damage price reduced beyond the agent's limit", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET agent_limit_cents = 1000").run();
    await openTestTenant(env).freshSnapshot();
    const current = await out();
    const body = { ...PRICED, surcharges: [{ code: "FINE", amount: "10.00" }] };
    expect((await refusedWith(performAction(current, "collect", body)))[0]).toBe(403);
    expect((await performAction(current, "collect", body, { token: boss })).status).toBe(200);
  });

  test("applies a user's granted and withdrawn discount permissions at a return", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET agent_limit_cents = 1000").run();
    await openTestTenant(env).freshSnapshot();
    const current = await out();
    const body = { ...PRICED, surcharges: [{ code: "FINE", amount: "10.00" }] };
    const setRights = (username: string, column: string) =>
      env.TENANT_ACME.prepare(`UPDATE users SET ${column} = '["discounts"]' WHERE username = ?`).bind(username).run();
    await setRights("boss", "withdrawn_rights");
    expect((await refusedWith(performAction(current, "collect", body, { token: boss })))[0]).toBe(403);
    await setRights("desk", "granted_rights");
    expect((await performAction(current, "collect", body)).status).toBe(200);
  });

  test("shows the unused days of an early return, and a reading that needs confirmation", async () => {
    const current = await out({ date_to: getBookableDay(6) });
    const answer = await (await quote(current, { kilometres: 900 })).json();
    expect(answer).toMatchObject({
      allowed: false,
      reasons: [{ field: "kilometres", code: "kilometres_lower" }],
      return_charges: { closes: true, unused_days: expect.any(Number) },
    });
    const { return_charges: charges } = answer as { return_charges: { unused_days: number } };
    expect(charges.unused_days).toBeGreaterThan(2);
    expect(await (await quote(current, { kilometres: 900, readings_confirmed: true })).json()).toMatchObject({
      allowed: true,
    });
    const waiting = await sell({ category_code: "A" });
    expect(await (await quote(waiting, { kilometres: 900 })).json()).toMatchObject({
      allowed: false,
      reasons: [{ code: "not_delivered" }],
      return_charges: null,
    });
  });
});
