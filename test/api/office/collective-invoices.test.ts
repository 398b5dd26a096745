import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, PAYER, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { capturePrintout, getPrintoutText } from "#support/printing.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";

let token = "";
let payer = 0;

const COMPANY = { ...PAYER, payment_terms_days: 30 };

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
  payer = await createCustomer(COMPANY);
});

async function createCustomer(body: object): Promise<number> {
  const created = await callOffice("POST", "/customers", { token, body });
  return (await created.json<{ customer: { id: number } }>()).customer.id;
}

interface PrintedDocument extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly total: string;
  readonly total_pending: string;
  readonly document_kind: string;
  readonly contracts: readonly { readonly reservation_id: number; readonly total: string; readonly items: unknown[] }[];
}

const sell = (customer = payer) => sellRentalAtDesk(token, { billing_customer_id: customer });
const getIds = (all: readonly ReservationAnswer[]) => all.map(({ reservation }) => reservation.id);
const toCents = (value: unknown) => Math.round(Number(value) * 100);
const addAmounts = (all: readonly unknown[]) =>
  (all.reduce((sum: number, value) => sum + toCents(value), 0) / 100).toFixed(2);
const collect = (ids: readonly number[], more: object = {}, path = "") =>
  callOffice("POST", `/documents/collective${path}`, {
    token,
    body: { customer_id: payer, reservation_ids: ids, ...more },
  });
const invoice = async (id: number) => {
  const answer = await callApi("POST", `/booking/${id}/documents`, {
    token,
    body: { request_id: crypto.randomUUID() },
  });
  return answer.status;
};
const listDocuments = async (id: number) => {
  const read = await callOffice("GET", `/documents?reservation_id=${id}`, { token });
  return (await read.json<{ data: readonly PrintedDocument[] }>()).data;
};
const credit = (id: number, body: object = {}) =>
  callApi("POST", `/documents/${id}/credit-note`, { token, body: { request_id: crypto.randomUUID(), ...body } });
const read = async (id: number) =>
  (await callOffice("GET", `/reservations/${id}`, { token })).json<ReservationAnswer>();

async function issue(ids: readonly number[]): Promise<PrintedDocument> {
  const answer = await collect(ids);
  const body = await answer.json<{ document: PrintedDocument }>();
  expect([answer.status, answer.status === 201 ? "" : body]).toEqual([201, ""]);
  return body.document;
}

describe("a collective invoice", () => {
  // Proves "office.md: the vehicles of a contract": documents/collective: one invoice, lines grouped by contract
  test("creates a collective invoice with the lines of several reservations by contract, and one due date", async () => {
    const createdReservations = [await sell(), await sell()];
    const paper = await issue(getIds(createdReservations));
    expect(paper).toMatchObject({
      document_kind: "full",
      customer_id: payer,
      customer_full_name: "Obras Mar SL",
      total: addAmounts(createdReservations.map(({ reservation }) => reservation.total_cost)),
      contracts: createdReservations.map(({ reservation }) => ({
        reservation_id: reservation.id,
        reference_dates: expect.stringContaining(String(reservation["date_from"])),
        total: reservation.total_cost,
      })),
    });
    expect(paper["due_date"]).not.toBe(paper["date"]);
    for (const { reservation } of createdReservations) {
      expect((await listDocuments(reservation.id)).map(({ id }) => id)).toEqual([paper.id]);
      expect((await read(reservation.id)).documents).toMatchObject([{ id: paper.id }]);
    }
  });

  // Proves "office.md: the vehicles of a contract": documents/collective/quote: addressee, lines, taxes and total;
  //   nothing stored
  test("previews a collective invoice with addressee, lines, taxes and total, and stores nothing", async () => {
    const createdReservations = [await sell(), await sell()];
    const preview = await collect(getIds(createdReservations), {}, "/quote");
    expect(preview.status).toBe(200);
    const { documents } = await preview.json<{ documents: readonly PrintedDocument[] }>();
    expect(documents).toHaveLength(1);
    const count = "SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM number_series) AS n";
    expect(await env.TENANT_ACME.prepare(count).first("n")).toBe(0);
    const paper = await issue(getIds(createdReservations));
    for (const name of ["total", "subtotal", "total_taxes", "customer_full_name", "due_date", "contracts"])
      expect(documents[0]?.[name], name).toEqual(paper[name]);
    expect(documents[0]).toMatchObject({ taxes: [{ vat_percentage: paper["vat_1"] }], missing: [] });
  });

  // Proves "office.md: the vehicles of a contract": documents/collective: 409 already_invoiced by name
  test("rejects reservations that already have an invoice, also a collective one, by name", async () => {
    const [one, two, three] = [await sell(), await sell(), await sell()].map(({ reservation }) => reservation.id);
    expect(await invoice(one ?? 0)).toBe(200);
    const refused = await collect([one ?? 0, two ?? 0]);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "already_invoiced", params: { reservations: expect.stringContaining(String(one)) } },
    ]);
    await issue([two ?? 0, three ?? 0]);
    const again = await collect([three ?? 0]);
    expect([again.status, await again.json()]).toMatchObject([409, { code: "already_invoiced" }]);
  });

  test("removes invoiced reservations from the list of uninvoiced ones until the invoice is credited", async () => {
    const listIds = async () => {
      const listed = await callOffice("GET", `/reservations?customer_id=${payer}&view=not_invoiced`, { token });
      return (await listed.json<{ data: readonly { readonly id: number }[] }>()).data.map(({ id }) => id);
    };
    const [one = 0, two = 0, three = 0] = getIds([await sell(), await sell(), await sell()]);
    expect(await listIds()).toEqual([three, two, one]);
    expect(await invoice(one)).toBe(200);
    const paper = await issue([two, three]);
    expect(await listIds()).toEqual([]);
    expect((await credit(paper.id, { reservation_id: two })).status).toBe(200);
    expect(await listIds()).toEqual([two]);
    expect((await credit(paper.id)).status).toBe(200);
    expect(await listIds()).toEqual([three, two]);
  });

  // Proves "office.md: the vehicles of a contract": documents/collective: simplified invoices are exchanged in the same
  //   step
  test("replaces the reservations' simplified invoices in the same step", async () => {
    const driver = await createCustomer({ ...COMPANY, name: "Bea Ruiz", document_id: "12345678Z" });
    const createdReservations = [await sellRentalAtDesk(token), await sellRentalAtDesk(token)];
    const [first] = getIds(createdReservations);
    expect(await invoice(first ?? 0)).toBe(200);
    expect(await listDocuments(first ?? 0)).toMatchObject([{ document_kind: "simplified" }]);
    for (const { reservation } of createdReservations) {
      const { version } = (await read(reservation.id)).reservation;
      const body = { expected_version: version, billing_customer_id: driver };
      await callOffice("PATCH", `/reservations/${reservation.id}`, { token, body });
    }
    const answer = await collect(getIds(createdReservations), { customer_id: driver });
    expect(answer.status).toBe(201);
    const { document } = await answer.json<{ document: PrintedDocument }>();
    expect(document.total).toBe(addAmounts(createdReservations.map(({ reservation }) => reservation.total_cost)));
    const papers = await listDocuments(first ?? 0);
    expect(papers.map(({ document_kind }) => document_kind)).toEqual(["full", "credit_note", "simplified"]);
    expect(papers.map(({ total_pending }) => total_pending)).toEqual([document.total, "0.00", "0.00"]);
  });

  // Proves "office.md: the vehicles of a contract": documents/collective: 409 other_payer, customer_incomplete
  test("requires one payer with all data of a full invoice", async () => {
    const [own, other] = [await sell(), await sellRentalAtDesk(token)];
    const refused = await collect(getIds([own, other]));
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "other_payer", params: { reservations: String(other.reservation.id) } },
    ]);
    const poor = await createCustomer({ name: "Sin Datos SL", customer_type: "legal_entity" });
    const createdReservation = await sell(poor);
    const incomplete = await collect(getIds([createdReservation]), { customer_id: poor });
    expect([incomplete.status, await incomplete.json()]).toMatchObject([409, { code: "customer_incomplete" }]);
    expect((await read(createdReservation.reservation.id)).documents).toEqual([]);
  });

  test("rejects invalid input of a collective invoice, naming the field", async () => {
    const { id } = (await sell()).reservation;
    const fields = async (answer: Response) => [
      answer.status,
      (await answer.json<{ detail?: readonly { field: string }[] }>()).detail?.[0]?.field,
    ];
    expect(await fields(await collect([]))).toEqual([400, "reservation_ids"]);
    expect(await fields(await collect([id, id]))).toEqual([400, "reservation_ids"]);
    expect(await fields(await collect([id], { date: "2999-01-01" }))).toEqual([400, "date"]);
    expect((await collect([id, 99_999])).status).toBe(404);
    expect((await collect([id], { customer_id: 99_999 })).status).toBe(404);
  });

  test("rejects a date before the tax agency's first records, which would take a number", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET tax_records_iva = 'verifactu'").run();
    await openTestTenant(env).freshSnapshot();
    const { id } = (await sell()).reservation;
    for (const path of ["", "/quote"])
      expect(await (await collect([id], { date: "2024-10-27" }, path)).json()).toMatchObject({
        detail: [{ field: "date", code: "after", params: { limit: "2024-10-28" } }],
      });
    expect((await read(id)).documents).toEqual([]);
  });

  test("returns the same collective invoice for a repeated request", async () => {
    const body = { customer_id: payer, reservation_ids: getIds([await sell(), await sell()]) };
    const send = () => callOffice("POST", "/documents/collective", { token, key: "collective-1", body });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const ids = await Promise.all(
      answers.map(async (answer) => (await answer.json<{ document: PrintedDocument }>()).document.id),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

/** Checks that the nightly audit and rebuilt books agree. */
async function expectBalanced(): Promise<void> {
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  const extracted = await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: "Europe/Madrid" });
  expect(auditBooks(extracted).differences).toEqual([]);
}

const pay = (id: number, body: object = {}) =>
  callOffice("POST", `/documents/${id}/charges`, { token, body: { payment_method_id: "bank_transfer", ...body } });

const ISSUE_UNBOOKED =
  "UPDATE documents SET invoice_status = 'invoice', serie = 'X', number = 1, year = 2026, date = '2026-01-01' WHERE uid = 'alone'";

/** Drafts an invoice of 10.00 without a contract. Returns its id. */
async function draftUnbooked(): Promise<number> {
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare(`INSERT INTO documents (uid, kind, branch_code, invoice_mode, concept, customer_type, customer_full_name, currency,
      total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, created_at, last_update, form)
      VALUES ('alone', 'invoice', 'AIR', 'default', 'Parking', 'individual', 'Ana', 'EUR', 1000, 1000, 0, 1000, 1, 1, 'full')`),
    env.TENANT_ACME.prepare(`INSERT INTO document_items (document_id, concept, quantity, vat_basis_points, unit_without_taxes_cents,
      unit_taxes_cents, unit_cents, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents)
      SELECT id, 'Parking', 1, 0, 1000, 0, 1000, 1000, 1000, 0, 1000 FROM documents WHERE uid = 'alone'`),
    env.TENANT_ACME.prepare(`INSERT INTO document_taxes (document_id, position, vat_basis_points, total_without_taxes_cents, subtotal_cents, taxes_cents)
      SELECT id, 1, 0, 1000, 1000, 0 FROM documents WHERE uid = 'alone'`),
  ]);
  return Number(await env.TENANT_ACME.prepare("SELECT id FROM documents WHERE uid = 'alone'").first("id"));
}

describe("a payment of an invoice", () => {
  // Proves "office.md: the vehicles of a contract": documents/{id}/charges: pays any open invoice
  test("pays the contracts of a collective invoice, first in part and then in full", async () => {
    const [one, two] = [await sell(), await sell()];
    const paper = await issue(getIds([one, two]));
    const first = await pay(paper.id, { amount: one.reservation.total_cost, external_operation_number: "T-1" });
    expect([first.status, await first.json()]).toMatchObject([
      201,
      { document: { total_pending: two.reservation.total_cost, payment_status: "pending" } },
    ]);
    await expectBalanced();
    const rest = await pay(paper.id);
    expect(await rest.json()).toMatchObject({ document: { total_pending: "0.00", payment_status: "paid" } });
    for (const { reservation } of [one, two])
      expect((await read(reservation.id)).reservation).toMatchObject({
        total_pending: "0.00",
        payment_status: "total",
      });
    await expectBalanced();
    const more = await pay(paper.id, { amount: "0.01" });
    expect([more.status, await more.json()]).toMatchObject([409, { code: "more_than_due" }]);
  });

  // Proves "office.md: the vehicles of a contract": documents/{id}/charges: without a reservation, once per key
  test("records an invoice's payment once per idempotency key, also without a reservation", async () => {
    const id = await draftUnbooked();
    const draft = await pay(id);
    expect([draft.status, await draft.json()]).toMatchObject([409, { code: "document_is_draft" }]);
    await env.TENANT_ACME.prepare(ISSUE_UNBOOKED).run();
    const body = { amount: "4.00", payment_method_id: "cash" };
    const send = () => callOffice("POST", `/documents/${id}/charges`, { token, key: "pay-1", body });
    expect([(await send()).status, (await send()).status]).toEqual([201, 201]);
    expect(await (await callOffice("GET", `/documents/${id}`, { token })).json()).toMatchObject({
      document: { total_paid: "4.00", total_pending: "6.00" },
    });
    expect((await pay(99_999)).status).toBe(404);
  });

  test("accepts at most the due amount of an invoice without a contract, despite simultaneous payments", async () => {
    const id = await draftUnbooked();
    await env.TENANT_ACME.prepare(ISSUE_UNBOOKED).run();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        callOffice("POST", `/documents/${id}/charges`, {
          token,
          key: `at-once-${index}`,
          body: { amount: "4.00", payment_method_id: "cash" },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array(6).fill(409)]);
    expect(await (await callOffice("GET", `/documents/${id}`, { token })).json()).toMatchObject({
      document: { total_paid: "8.00", total_pending: "2.00" },
    });
  });

  test("rejects a payment of a credit note, and lowers the amount due of a partly credited invoice", async () => {
    const [one, two] = [await sell(), await sell()];
    const paper = await issue(getIds([one, two]));
    await credit(paper.id, { reservation_id: one.reservation.id });
    const [note] = await listDocuments(one.reservation.id);
    expect(await (await pay(note?.id ?? 0)).json()).toMatchObject({ code: "document_is_credit" });
    expect(await (await pay(paper.id)).json()).toMatchObject({ document: { total_pending: "0.00" } });
    const charges = await env.TENANT_ACME.prepare("SELECT booking_id FROM charges").all();
    expect(charges.results).toEqual([{ booking_id: two.reservation.id }]);
    await expectBalanced();
  });
});

describe("a statement of a customer", () => {
  // Proves "office.md: the vehicles of a contract": customers/{id}/statement, .csv, .pdf
  test("lists a customer's documents with due dates and amounts due, also as CSV and PDF", async () => {
    const paper = await issue(getIds([await sell(), await sell()]));
    await pay(paper.id, { amount: "1.00" });
    const statement = await callOffice("GET", `/customers/${payer}/statement`, { token });
    expect(await statement.json()).toMatchObject({
      customer_full_name: "Obras Mar SL",
      data: [{ id: paper.id, due_date: paper["due_date"], total: paper.total, total_paid: "1.00", overdue: false }],
      total_pending: addAmounts([paper.total, "-1.00"]),
      total_overdue: "0.00",
    });
    const table = await callOffice("GET", `/customers/${payer}/statement.csv`, { token });
    expect(await table.text()).toContain(`${paper["date"]},${paper["due_date"]}`);
    const pdf = await callOffice("GET", `/customers/${payer}/statement.pdf`, { token });
    expect([pdf.status, pdf.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
    expect((await callOffice("GET", `/documents/${paper.id}.pdf`, { token })).status).toBe(200);
    expect((await callOffice("GET", "/customers/99999/statement", { token })).status).toBe(404);
  });

  test("refuses a statement of more than 1,000 documents, because its sums would be incomplete", async () => {
    await issue(getIds([await sell(), await sell()]));
    const { results } = await env.TENANT_ACME.prepare(
      `SELECT (SELECT group_concat(name) FROM pragma_table_info('documents') WHERE name NOT IN ('id', 'uid', 'number', 'invoice_status')) AS documents,
        (SELECT group_concat(name) FROM pragma_table_info('document_items') WHERE name NOT IN ('id', 'document_id')) AS items,
        (SELECT group_concat(name) FROM pragma_table_info('document_taxes') WHERE name NOT IN ('id', 'document_id')) AS taxes`,
    ).all<{ documents: string; items: string; taxes: string }>();
    const [columns] = results;
    if (!columns) throw new Error("There are no tables of documents");
    const copyParts = (table: string, names: string) =>
      `INSERT INTO ${table} (document_id, ${names}) SELECT copy.id, ${names.replaceAll(/\w+/g, "part.$&")}
        FROM documents AS copy, ${table} AS part WHERE copy.uid LIKE 'copy%'`;
    // Documents begin as drafts, and are issued with their items.
    const statements = [
      `WITH RECURSIVE copy (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM copy WHERE value < 1000)
        INSERT INTO documents (uid, invoice_status, ${columns.documents})
        SELECT 'copy' || value, 'draft', ${columns.documents} FROM (SELECT * FROM documents LIMIT 1), copy`,
      copyParts("document_items", columns.items),
      copyParts("document_taxes", columns.taxes),
      "UPDATE documents SET invoice_status = 'invoice', number = 10000 + id WHERE uid LIKE 'copy%'",
    ];
    await env.TENANT_ACME.batch(statements.map((statement) => env.TENANT_ACME.prepare(statement)));
    for (const path of ["statement", "statement.csv", "statement.pdf"]) {
      const refused = await callOffice("GET", `/customers/${payer}/${path}`, { token });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { detail: [{ field: "date_from", code: "too_many_rows" }] },
      ]);
    }
  });
});

test("prints a collective invoice and the statement in the payer's language", async () => {
  await env.TENANT_ACME.prepare("UPDATE customers SET language = 'de' WHERE id = ?").bind(payer).run();
  const paper = await issue(getIds([await sell(), await sell()]));
  const invoiceText = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${paper.id}.pdf`, token));
  expect(invoiceText).toMatch(/Miete .*Tag/);
  expect(invoiceText).not.toContain("Alquiler");
  const statement = getPrintoutText(await capturePrintout(`/api/v1/office/customers/${payer}/statement.pdf`, token));
  expect(statement).toContain("Vertrag ");
  expect(statement).not.toContain("Contrato");
});

// Proves "office.md: the vehicles of a contract": previews of a reservation and of a credit note
test("previews a reservation's documents and credit notes, and stores nothing", async () => {
  const { reservation } = await sell();
  const preview = async () => {
    const answer = await callOffice("POST", `/reservations/${reservation.id}/documents/quote`, { token });
    return (await answer.json<{ documents: readonly PrintedDocument[] }>()).documents;
  };
  expect(await preview()).toMatchObject([
    { document_kind: "full", customer_full_name: "Obras Mar SL", total: reservation.total_cost, missing: [] },
  ]);
  expect(await listDocuments(reservation.id)).toEqual([]);
  await invoice(reservation.id);
  expect(await preview()).toEqual([]);
  const [paper] = await listDocuments(reservation.id);
  const note = await callApi("POST", `/documents/${paper?.id}/credit-note/quote`, { token, body: {} });
  expect(await note.json()).toMatchObject({
    documents: [{ document_kind: "credit_note", total: `-${reservation.total_cost}`, corrected_invoice_id: paper?.id }],
  });
  expect(await listDocuments(reservation.id)).toHaveLength(1);
});

describe("a credit note of a collective invoice", () => {
  // Proves "office.md: the vehicles of a contract": credit-note of a collective invoice: all contracts
  test("credits a collective invoice in full by contract, and allows invoicing its reservations again", async () => {
    const createdReservations = [await sell(), await sell()];
    const paper = await issue(getIds(createdReservations));
    expect((await credit(paper.id)).status).toBe(200);
    const [note] = await listDocuments(createdReservations[0]?.reservation.id ?? 0);
    expect(note).toMatchObject({
      document_kind: "credit_note",
      total: `-${paper.total}`,
      contracts: createdReservations.map(({ reservation }) => ({
        reservation_id: reservation.id,
        total: `-${reservation.total_cost}`,
      })),
    });
    await expectBalanced();
    expect((await issue(getIds(createdReservations))).total).toBe(paper.total);
    await expectBalanced();
  });

  // Proves "office.md: the vehicles of a contract": credit-note of a collective invoice: one contract
  test("credits only one contract of a collective invoice", async () => {
    const [one, two] = [await sell(), await sell()];
    const paper = await issue(getIds([one, two]));
    expect((await credit(paper.id, { reservation_id: one.reservation.id })).status).toBe(200);
    const [note] = await listDocuments(one.reservation.id);
    expect(note).toMatchObject({ document_kind: "credit_note", total: `-${one.reservation.total_cost}` });
    const [invoiced] = await listDocuments(two.reservation.id);
    expect(invoiced).toMatchObject({ id: paper.id, total_pending: two.reservation.total_cost });
    expect((await credit(paper.id, { reservation_id: one.reservation.id })).status).toBe(409);
    expect((await credit(paper.id, { reservation_id: 99_999 })).status).toBe(404);
    expect(await (await collect(getIds([two]))).json()).toMatchObject({ code: "already_invoiced" });
    expect((await issue(getIds([one]))).total).toBe(one.reservation.total_cost);
  });

  test("credits the tax of an unpaid collective invoice contract by contract, as its preview shows", async () => {
    const [one, two] = [await sell(), await sell()];
    const paper = await issue(getIds([one, two]));
    const preview = (body: object) => callApi("POST", `/documents/${paper.id}/credit-note/quote`, { token, body });
    const refused = await preview({ reason: "bad_debt" });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "reason_requires_reservation" }]);
    for (const { reservation } of [one, two]) {
      const body = { reason: "bad_debt", reservation_id: reservation.id };
      const { documents } = await (await preview(body)).json<{ documents: readonly PrintedDocument[] }>();
      expect(documents).toMatchObject([{ document_kind: "credit_note", subtotal: "0.00" }]);
      expect(toCents(documents[0]?.total)).toBeLessThan(0);
      expect((await credit(paper.id, body)).status).toBe(200);
      const [note] = await listDocuments(reservation.id);
      for (const name of ["document_kind", "subtotal", "total_taxes", "total"])
        expect(note?.[name], name).toEqual(documents[0]?.[name]);
      const again = await credit(paper.id, body);
      expect([again.status, await again.json()]).toMatchObject([409, { code: "tax_taken_back" }]);
    }
    const fullCreditResponse = await credit(paper.id);
    expect([fullCreditResponse.status, await fullCreditResponse.json()]).toMatchObject([
      409,
      { code: "tax_taken_back" },
    ]);
    await expectBalanced();
  });
});

test("counts earlier payments of a contract towards its part of the collective invoice", async () => {
  const [one, two] = [await sell(), await sell()];
  const paid = await callApi("POST", `/booking/${one.reservation.id}/charges`, {
    token,
    body: {
      request_id: crypto.randomUUID(),
      kind: "charge",
      amount: one.reservation.total_cost,
      payment_method_id: "cash",
    },
  });
  expect(paid.status).toBe(200);
  const paper = await issue(getIds([one, two]));
  expect(paper.total_pending).toBe(two.reservation.total_cost);
  const parts = await env.TENANT_ACME.prepare("SELECT sum(amount_cents) AS cents FROM charge_allocations").first(
    "cents",
  );
  expect(parts).toBe(toCents(one.reservation.total_cost));
  await expectBalanced();
});
