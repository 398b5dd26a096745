import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, PAYER, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { capturePrintout, getPrintoutText } from "#support/printing.ts";
import { readStatusAndField } from "#support/refusals.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { invoiceCompletedRentalMonths } from "#worker/usecases/documents/invoice-months.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { attachEInvoice } from "#worker/usecases/printing/attach-e-invoice.ts";

type Row = Readonly<Record<string, unknown>>;
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly { readonly filename: string; readonly type: string }[];
}

const db = env.TENANT_ACME;
const HOUR = 3_600_000;
let token = "";
let payer = 0;
let isClosed = false;
let mails: Mail[] = [];
const MAIL = {
  send: async (mail: Mail) => {
    if (isClosed) throw new TypeError("closed");
    mails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;
const sendMails = (at = Date.now()) =>
  runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, at, { attachInvoice: attachEInvoice });

beforeEach(async () => {
  isClosed = false;
  mails = [];
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
  const created = await callOffice("POST", "/customers", {
    token,
    body: { ...PAYER, email: "obras@example.com", language: "de", payment_terms_days: 30 },
  });
  payer = (await created.json<{ customer: { id: number } }>()).customer.id;
});

/** Sells rentals that the payer pays, and skips the mails about these sales. */
async function sell(...sales: readonly object[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const sale of sales) {
    const { reservation } = await sellRentalAtDesk(token, { status: "confirmed", billing_customer_id: payer, ...sale });
    ids.push(reservation.id);
  }
  await db
    .prepare("INSERT OR REPLACE INTO mail_cursor (id, last_history_id) SELECT 1, max(id) FROM booking_history")
    .run();
  return ids;
}

/** Reads a reservation. */
const read = async (id = 0) =>
  (await callOffice("GET", `/reservations/${id}`, { token })).json<ReservationAnswer & { messages: readonly Row[] }>();
const collect = (ids: readonly number[], path = "") =>
  callOffice("POST", `/documents/collective${path}`, { token, body: { customer_id: payer, reservation_ids: ids } });
const getAddressees = () =>
  mails.map(({ to, attachments = [] }) => [to, ...attachments.map(({ filename }) => filename)]);

describe("the mail of a collective invoice", () => {
  // Proves "office.md: the vehicles of a contract": documents/collective: mailed once to the payer
  test("mails a collective invoice once to its payer, with PDF and amounts in the payer's language", async () => {
    const ids = await sell({}, {});
    const issued = await collect(ids);
    const { document } = await issued.json<{ document: Row }>();
    await sendMails();
    expect(getAddressees()).toEqual([["obras@example.com", expect.stringMatching(/\.pdf$/)]]);
    const [mail] = mails;
    expect(mail?.subject).toContain(`Ihre Rechnung (${document["serie"]}/${document["number"]})`);
    expect(mail?.text).toContain(`Reservierung: ${ids.join(", ")}`);
    expect(mail?.text).toMatch(/Fällig.*: \d/);
    expect(mail?.text).toContain(String(document["total"]).replace(".", ","));
    expect(mail?.text).not.toMatch(/Ana|Abholung|http/);
    await sendMails(Date.now() + HOUR);
    expect(mails).toHaveLength(1);
  });

  test("shows the mail of a collective invoice on its first reservation, and resends it to the payer", async () => {
    const [first, second] = await sell({}, {});
    await collect([first ?? 0, second ?? 0]);
    await sendMails();
    const [message] = (await read(first)).messages;
    expect(message).toMatchObject({ kind: "invoiced", address: "obras@example.com", status: "sent" });
    expect((await read(second)).messages).toEqual([]);
    await db.prepare("UPDATE customers SET email = 'konto@example.com' WHERE id = ?").bind(payer).run();
    expect((await callOffice("POST", `/messages/${message?.["id"]}/resend`, { token })).status).toBe(200);
    await sendMails();
    expect(getAddressees()[1]).toEqual(["konto@example.com", expect.stringMatching(/\.pdf$/)]);
    expect(mails[1]).toMatchObject({ subject: mails[0]?.subject, text: mails[0]?.text });
    expect((await read(first)).messages).toMatchObject([{ address: "konto@example.com", status: "sent" }]);
  });

  test("mails a collective invoice to no driver, not even if its payer has no address", async () => {
    await db.prepare("UPDATE customers SET email = NULL WHERE id = ?").bind(payer).run();
    expect((await collect(await sell({}, {}))).status).toBe(201);
    await sendMails();
    expect(mails).toEqual([]);
  });

  test("mails a collective invoice to a customer who pays for their own reservations", async () => {
    const own = { customer: { id: payer }, billing_customer_id: null };
    expect((await collect(await sell(own, own))).status).toBe(201);
    await sendMails();
    expect(getAddressees()).toEqual([["obras@example.com", expect.stringMatching(/\.pdf$/)]]);
  });

  test("shows the payer's address in the preview, and mails nothing if the company disabled invoice mails", async () => {
    const ids = await sell({}, {});
    const preview = async () => {
      const { documents } = await (await collect(ids, "/quote")).json<{ documents: readonly Row[] }>();
      return documents.map((document) => document["mail_to"]);
    };
    expect(await preview()).toEqual(["obras@example.com"]);
    await db.prepare(`UPDATE settings SET disabled_mails = '["invoiced"]'`).run();
    await openTestTenant(env).freshSnapshot();
    expect(await preview()).toEqual([null]);
    expect((await collect(ids)).status).toBe(201);
    await sendMails();
    expect(mails).toEqual([]);
  });

  test("deletes an unsent invoice mail and its address when the payer is erased", async () => {
    const ids = await sell({}, {});
    await collect(ids);
    isClosed = true;
    await sendMails();
    expect(await db.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(1);
    const body = { reason: "asked for" };
    await db.prepare("UPDATE bookings SET status = 'cancelled'").run();
    expect((await callOffice("POST", `/customers/${payer}/erase`, { token, body })).status).toBe(200);
    expect(await db.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(0);
    const [message] = (await read(ids[0])).messages;
    expect(message).toMatchObject({ address: null, subject: null });
    await db.prepare("UPDATE booking_mails SET expires_at = 0").run();
    expect((await callOffice("POST", `/messages/${message?.["id"]}/resend`, { token })).status).toBe(409);
  });
});

describe("the mail of a monthly invoice", () => {
  const at = (days: number) => Date.parse(`${getBookableDay(days)}T12:00:00Z`);

  /** Rental of 75 days that is invoiced monthly and out with its driver. */
  async function rentMonthly(sale: object = {}): Promise<number> {
    const [id = 0] = await sell({ date_to: getBookableDay(75), billing_period: "month", ...sale });
    await db.batch([
      db.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(id),
      db
        .prepare(`UPDATE booking_units SET vehicle_reference = (SELECT min(reference) FROM vehicles WHERE category_code = 'A'),
          delivered_at = ?1 WHERE booking_id = ?2`)
        .bind(Date.now(), id),
    ]);
    return id;
  }

  // Proves "office.md: the vehicles of a contract": billing_period month: each invoice is mailed to the payer
  test("mails each month's invoice to the payer with that month's PDF and amounts", async () => {
    const id = await rentMonthly();
    // Both months are issued by one run, after an outage of the cron job.
    expect(await invoiceCompletedRentalMonths(openTestTenant(env), at(65))).toBe(2);
    const { documents } = await read(id);
    await sendMails(at(65));
    expect(getAddressees()).toEqual(
      documents.map((document) => ["obras@example.com", expect.stringContaining(String(document["number"]))]),
    );
    for (const [index, document] of documents.entries()) {
      expect(mails[index]?.subject).toContain(`(${document["serie"]}/${document["number"]})`);
      expect(mails[index]?.text).toContain(String(document["total"]).replace(".", ","));
    }
    expect(new Set(getAddressees().map(([, name]) => name)).size).toBe(2);
  });

  test("mails a month's invoice to a customer who pays for their own rental, with links to invoice and reservation", async () => {
    const id = await rentMonthly({ customer: { id: payer }, billing_customer_id: null });
    expect(await invoiceCompletedRentalMonths(openTestTenant(env), at(35))).toBe(1);
    await sendMails(at(35));
    const [document] = (await read(id)).documents;
    expect(mails.map(({ to }) => to)).toEqual(["obras@example.com"]);
    expect(mails[0]?.text).toContain(`/documents/${document?.["id"]}.pdf`);
  });

  test("mails nothing about a month whose invoice stays a draft, because the payer's data is incomplete", async () => {
    await db.prepare("UPDATE customers SET address_street = NULL, document_id = NULL WHERE id = ?").bind(payer).run();
    await db.prepare("UPDATE settings SET simplified_limit_cents = 0").run();
    const id = await rentMonthly();
    await invoiceCompletedRentalMonths(openTestTenant(env), at(35));
    await sendMails(at(35));
    expect((await read(id)).documents).toMatchObject([{ invoice_status: "draft", number: null }]);
    expect(mails).toEqual([]);
  });
});

test("prints a payer's invoice with its items in the payer's language, not in the driver's", async () => {
  const [id] = await sell({ customer_language: "fr" });
  await callApi("POST", `/booking/${id}/documents`, { token, body: { request_id: crypto.randomUUID() } });
  const [document] = (await read(id)).documents;
  const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${document?.["id"]}.pdf`, token));
  expect(text).toContain("Rechnung");
  expect(text).toMatch(/Miete .*Tag/);
  expect(text).not.toMatch(/Facture|Location/);
});

describe("a document that staff mail", () => {
  /** Issues the invoice of a reservation and returns both ids. */
  async function invoice(sale: object = {}) {
    const [id = 0] = await sell(sale);
    await callApi("POST", `/booking/${id}/documents`, { token, body: { request_id: crypto.randomUUID() } });
    const [document] = (await read(id)).documents;
    await db
      .prepare("INSERT OR REPLACE INTO mail_cursor (id, last_history_id) SELECT 1, max(id) FROM booking_history")
      .run();
    return { id, document: Number(document?.["id"]), number: `${document?.["serie"]}/${document?.["number"]}` };
  }
  const mail = (document: number, options: { key?: string; as?: string } = {}) =>
    callOffice("POST", `/documents/${document}/mail`, {
      token: options.as ?? token,
      ...(options.key && { key: options.key }),
    });

  // Proves "office.md: the vehicles of a contract": documents/{id}/mail mails a document to its payer
  test("mails a document to its payer in their language with its PDF, and again on request", async () => {
    const { id, document, number } = await invoice();
    const answer = await mail(document);
    expect([answer.status, (await answer.json<{ message: Row }>()).message]).toMatchObject([
      201,
      { kind: "invoiced", address: "obras@example.com", status: "queued" },
    ]);
    await sendMails();
    expect(getAddressees()).toEqual([["obras@example.com", expect.stringMatching(/\.pdf$/)]]);
    expect(mails[0]?.subject).toContain(`Ihre Rechnung (${number})`);
    const [message] = (await read(id)).messages;
    expect(message).toMatchObject({ kind: "invoiced", status: "sent" });
    expect((await callOffice("POST", `/messages/${message?.["id"]}/resend`, { token })).status).toBe(200);
    await mail(document);
    await sendMails();
    expect(mails.map(({ subject }) => subject)).toEqual(Array(3).fill(mails[0]?.subject));
  });

  test("mails a document of the customer to the customer with its PDF, even if invoice mails are disabled", async () => {
    await db.prepare(`UPDATE settings SET disabled_mails = '["invoiced"]'`).run();
    await openTestTenant(env).freshSnapshot();
    const { document, number } = await invoice({ customer: { id: payer }, billing_customer_id: null });
    await mail(document);
    await sendMails();
    expect(getAddressees()).toEqual([["obras@example.com", expect.stringMatching(/\.pdf$/)]]);
    expect(mails[0]?.text).toContain(number);
  });

  test("names a credit note in the mail to its payer, without an amount to pay, also when the mail is sent again", async () => {
    const { id, document } = await invoice();
    await callApi("POST", `/documents/${document}/credit-note`, { token, body: { request_id: crypto.randomUUID() } });
    const note = (await read(id)).documents.find((stored) => stored["id"] !== document);
    const number = `${note?.["serie"]}/${note?.["number"]}`;
    await mail(Number(note?.["id"]));
    await sendMails();
    expect(mails[0]?.subject).toContain(`Ihre Rechnungskorrektur (${number})`);
    expect(mails[0]?.text).toContain("Ihre Rechnungskorrektur liegt bereit.");
    expect(mails[0]?.text).toContain(`Rechnungskorrektur: ${number}`);
    expect(mails[0]?.text).not.toMatch(/Noch zu zahlen|Fällig|Ihre Rechnung /);
    expect(mails[0]?.text).toContain(String(note?.["total"]).replace(".", ","));
    const [message] = (await read(id)).messages;
    await callOffice("POST", `/messages/${message?.["id"]}/resend`, { token });
    await sendMails();
    expect(mails[1]).toMatchObject({ subject: mails[0]?.subject, text: mails[0]?.text });
  });

  test("names an advance invoice in the mail to its payer", async () => {
    const [id = 0] = await sell({});
    const advance = { request_id: crypto.randomUUID(), advance: "10.00" };
    await callApi("POST", `/booking/${id}/documents`, { token, body: advance });
    const [stored] = (await read(id)).documents;
    await db
      .prepare("INSERT OR REPLACE INTO mail_cursor (id, last_history_id) SELECT 1, max(id) FROM booking_history")
      .run();
    await mail(Number(stored?.["id"]));
    await sendMails();
    expect(mails[0]?.text).toContain(`Anzahlungsrechnung: ${stored?.["serie"]}/${stored?.["number"]}`);
  });

  test("refuses to mail drafts, documents without an address, and those of other branches", async () => {
    const { document } = await invoice();
    await db.prepare("UPDATE customers SET email = NULL WHERE id = ?").bind(payer).run();
    expect(await readStatusAndField(await mail(document))).toEqual([400, "customer.email"]);
    const [id = 0] = await sell({});
    const draft = { request_id: crypto.randomUUID(), issued: false };
    await callApi("POST", `/booking/${id}/documents`, { token, body: draft });
    const [stored] = (await read(id)).documents;
    expect(await readStatusAndField(await mail(Number(stored?.["id"])))).toEqual([409, "document_is_draft"]);
    expect(await readStatusAndField(await mail(99_999))).toEqual([404, "document_not_found"]);
    await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const desk = await createToken("desk");
    expect(await readStatusAndField(await mail(document, { as: desk }))).toEqual([404, "document_not_found"]);
    await sendMails();
    expect(mails).toEqual([]);
  });
});

describe("the mail of a document without a reservation", () => {
  /** Issues an invoice of 10.00 to the payer that belongs to no reservation. Returns its id. */
  async function invoiceDirectly(customer: number | null = payer): Promise<number> {
    await db.batch([
      db
        .prepare(`INSERT INTO documents (uid, kind, branch_code, invoice_mode, concept, customer_id, customer_type, customer_full_name, currency,
          total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, created_at, last_update, form, due_date)
          VALUES ('alone', 'invoice', 'AIR', 'default', 'Parking', ?, 'legal_entity', 'Obras SL', 'EUR', 1000, 1000, 0, 1000, 1, 1, 'full', '2026-02-01')`)
        .bind(customer),
      db.prepare(`INSERT INTO document_items (document_id, concept, quantity, vat_basis_points, unit_without_taxes_cents,
        unit_taxes_cents, unit_cents, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents)
        SELECT id, 'Parking', 1, 0, 1000, 0, 1000, 1000, 1000, 0, 1000 FROM documents WHERE uid = 'alone'`),
      db.prepare(`INSERT INTO document_taxes (document_id, position, vat_basis_points, total_without_taxes_cents, subtotal_cents, taxes_cents)
        SELECT id, 1, 0, 1000, 1000, 0 FROM documents WHERE uid = 'alone'`),
    ]);
    await db.prepare(ISSUE).run();
    return Number(await db.prepare("SELECT id FROM documents WHERE uid = 'alone'").first("id"));
  }
  const ISSUE =
    "UPDATE documents SET invoice_status = 'invoice', serie = 'X', number = 1, year = 2026, date = '2026-01-01' WHERE uid = 'alone'";
  const mail = (document: number, key: string = crypto.randomUUID()) =>
    callOffice("POST", `/documents/${document}/mail`, { token, key });
  const resend = (id: unknown) => callOffice("POST", `/messages/${id}/resend`, { token });
  const show = async (document: number) =>
    (await callOffice("GET", `/documents/${document}`, { token })).json<{ messages: readonly Row[] }>();

  // Proves "office.md: the vehicles of a contract": documents/{id}/mail also mails a document without a reservation
  test("mails a document without a reservation once per idempotency key to its payer in their language, with PDF and amounts", async () => {
    const document = await invoiceDirectly();
    const answers = [await mail(document, "mail-1"), await mail(document, "mail-1")];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect((await answers[0]?.json<{ message: Row }>())?.message).toMatchObject({
      ...{ kind: "invoiced", address: "obras@example.com", status: "queued" },
    });
    await sendMails();
    expect(getAddressees()).toEqual([["obras@example.com", expect.stringMatching(/\.pdf$/)]]);
    expect(mails[0]?.subject).toContain("Ihre Rechnung (X/1)");
    expect(mails[0]?.text).toMatch(/Rechnung: X\/1\nFällig.*: .*\nGesamt: 10,00.*\nNoch zu zahlen: 10,00/);
    expect(mails[0]?.text).not.toMatch(/Reservierung|undefined|null|Abholung|http/);
    expect((await show(document)).messages).toMatchObject([{ kind: "invoiced", status: "sent", problem: null }]);
  });

  test("mails the credit note of a document without a reservation as a credit note", async () => {
    const document = await invoiceDirectly();
    const body = { request_id: crypto.randomUUID() };
    expect((await callApi("POST", `/documents/${document}/credit-note`, { token, body })).status).toBe(200);
    const note = await db.prepare("SELECT id FROM documents WHERE corrects_document_id = ?").bind(document).first("id");
    expect((await mail(Number(note))).status).toBe(201);
    await sendMails();
    expect(mails[0]?.subject).toContain("Ihre Rechnungskorrektur (");
    expect(mails[0]?.text).not.toMatch(/Noch zu zahlen|Fällig/);
  });

  test("retries a failed mail of a document, shows the failure, and sends the mail again on request", async () => {
    const document = await invoiceDirectly();
    await mail(document);
    isClosed = true;
    await sendMails();
    const [failed] = (await show(document)).messages;
    expect(failed).toMatchObject({ status: "queued", problem: "TypeError", sent: null });
    expect((await resend(failed?.["id"])).status).toBe(200);
    isClosed = false;
    await sendMails(Date.now() + HOUR);
    expect(mails).toHaveLength(1);
    expect((await resend(failed?.["id"])).status).toBe(200);
    await sendMails(Date.now() + 2 * HOUR);
    expect(mails[1]).toMatchObject({ subject: mails[0]?.subject, text: mails[0]?.text });
    const history = await db
      .prepare("SELECT detail FROM office_history WHERE resource = 'documents' AND resource_id = ? ORDER BY version")
      .bind(String(document))
      .all<{ detail: string }>();
    expect(history.results.map(({ detail }) => JSON.parse(detail))).toEqual([
      { after: { message: mails[0]?.subject } },
      { after: { message_resent: mails[0]?.subject } },
    ]);
  });

  test("refuses to mail a document without an address, as a draft and for staff of other branches", async () => {
    const document = await invoiceDirectly(null);
    await db
      .prepare(
        `INSERT INTO documents (uid, kind, branch_code, invoice_mode, concept, customer_id, customer_type, customer_full_name,
          currency, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, created_at, last_update, form)
        VALUES ('draft', 'invoice', 'AIR', 'default', 'Parking', ?, 'legal_entity', 'Obras SL', 'EUR', 1000, 1000, 0, 1000, 1, 1, 'full')`,
      )
      .bind(payer)
      .run();
    const draft = await mail(Number(await db.prepare("SELECT id FROM documents WHERE uid = 'draft'").first("id")));
    expect([draft.status, await draft.json()]).toMatchObject([409, { code: "document_is_draft" }]);
    const refused = await mail(document);
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field: "customer.email" }] }]);
    await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const desk = await createToken("desk");
    const hidden = await callOffice("POST", `/documents/${document}/mail`, { token: desk });
    expect([hidden.status, await hidden.json()]).toMatchObject([404, { code: "document_not_found" }]);
    expect(await db.prepare("SELECT count(*) AS n FROM booking_mails").first("n")).toBe(0);
  });

  test("exports a document's mail with the payer's data, and deletes the mail and its address if the payer is erased", async () => {
    const document = await invoiceDirectly();
    await mail(document);
    isClosed = true;
    await sendMails();
    const exported = await callOffice("GET", `/customers/${payer}/export`, { token });
    const { data } = await exported.json<{ data: Record<string, unknown> }>();
    expect(data["booking_mails"]).toMatchObject([{ document_id: document, address: "obras@example.com" }]);
    const body = { reason: "asked for" };
    expect((await callOffice("POST", `/customers/${payer}/erase`, { token, body })).status).toBe(200);
    expect(await db.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(0);
    const [message] = (await show(document)).messages;
    expect(message).toMatchObject({ address: null, subject: null });
    await db.prepare("UPDATE booking_mails SET expires_at = 0").run();
    expect((await resend(message?.["id"])).status).toBe(409);
  });
});
