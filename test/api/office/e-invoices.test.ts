import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { getAsErp } from "#support/erp-client.ts";
import { callOffice, PAYER, sellRentalAtDesk } from "#support/office.ts";
import { capturePrintout } from "#support/printing.ts";
import { COMPANY_PEM } from "#support/signing-certificate.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { attachEInvoice } from "#worker/usecases/printing/attach-e-invoice.ts";
import { checkEInvoices } from "#worker/usecases/printing/check-e-invoices.ts";

let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare(
    `UPDATE branches SET company_name = 'Coches del Sur SL', document_id = 'B12345674', email = 'facturas@sur.example', phone_number = '971000000',
      address_street_address = 'Calle 1', address_city = 'Palma', address_state = 'Illes Balears', address_zip = '07001', address_country_code = 'ES'`,
  ).run();
  token = await createToken("boss");
});

const COMPLETE = { ...PAYER, document_id: "A58818501", address_zip: "07002", address_state: "Illes Balears" };

async function createPayer(changes: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const created = await callOffice("POST", "/customers", { token, body: { ...COMPLETE, ...changes } });
  expect(created.status, await created.clone().text()).toBe(201);
  return (await created.json<{ customer: { id: number } }>()).customer.id;
}

/** Invoices a reservation of a payer. Returns the document's id. */
async function invoicePayer(changes: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { reservation } = await sellRentalAtDesk(token, { billing_customer_id: await createPayer(changes) });
  await callApi("POST", `/booking/${reservation.id}/documents`, { token, body: { request_id: crypto.randomUUID() } });
  const read = await callOffice("GET", `/documents?reservation_id=${reservation.id}`, { token });
  const { data } = await read.json<{ data: readonly { id: number }[] }>();
  return data[0]?.id ?? 0;
}

const read = (id: number, query = "") => callOffice("GET", `/documents/${id}/einvoice${query}`, { token });

async function setFormat(format: string): Promise<void> {
  await env.TENANT_ACME.prepare("UPDATE settings SET einvoice_format = ?").bind(format).run();
  await openTestTenant(env).freshSnapshot();
}

describe("the electronic invoice of a document", () => {
  // Proves "office.md: the vehicles of a contract": documents/{id}/einvoice: ubl, cii, facturae
  test.each([
    ["ubl", "urn:fdc:peppol.eu:2017:poacc:billing:3.0"],
    ["cii", "CrossIndustryInvoice"],
    ["facturae", "<SchemaVersion>3.2.2</SchemaVersion>"],
  ])("downloads an invoice as XML in the format %s", async (format, mark) => {
    const answer = await read(await invoicePayer(), `?format=${format}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/xml"]);
    expect(answer.headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename="invoice-[a-z0-9-]+\\.${format}\\.xml"$`),
    );
    const xml = await answer.text();
    expect(xml).toContain(mark);
    expect(xml).toContain("Obras Mar SL");
    expect(xml).toContain("Coches del Sur SL");
  });

  // Proves "office.md: the vehicles of a contract": einvoice_format of customer and settings
  test("uses the customer's format for an electronic invoice, otherwise the company's", async () => {
    const [plain, german] = [
      await invoicePayer(),
      await invoicePayer({
        ...{ document_id: "DE123456789", address_country: "DE", address_zip: "10115", confirm_new: true },
        ...{ einvoice_format: "xrechnung", buyer_reference: "04011000-12345-34", email: "rechnung@example.com" },
      }),
    ];
    const unset = await read(plain);
    expect(unset.status).toBe(400);
    expect(await unset.json()).toMatchObject({ detail: [{ field: "format", code: "missing" }] });
    await setFormat("facturae");
    expect(await (await read(plain)).text()).toContain("<SchemaVersion>");
    const xml = await (await read(german)).text();
    expect(xml).toContain("xrechnung_3.0");
    expect(xml).toContain("<cbc:BuyerReference>04011000-12345-34</cbc:BuyerReference>");
  });

  // Proves "office.md: the vehicles of a contract": 409 einvoice_incomplete names the fields
  test("rejects an electronic invoice that lacks data, and names the fields that its format requires", async () => {
    const answer = await read(await invoicePayer({ address_zip: null, email: null }), "?format=xrechnung");
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: "einvoice_incomplete",
      params: { format: "xrechnung", fields: "address_zip, buyer_reference" },
      detail: [{ field: "address_zip" }, { field: "buyer_reference" }],
    });
  });

  // Proves "office.md: the vehicles of a contract": format facturx: the PDF with its CII
  test("returns a PDF with the invoice inside as Factur-X", async () => {
    const id = await invoicePayer();
    const printout = await capturePrintout(`/api/v1/office/documents/${id}/einvoice?format=facturx`, token);
    expect(printout.invoiceXml).toBe(await (await read(id, "?format=cii")).text());
    expect(printout.blocks.length).toBeGreaterThan(3);
  });

  // Proves "office.md: the vehicles of a contract": Facturae: signed with the company's certificate
  test("signs a Facturae invoice if the account has a certificate with the branch's tax number", async () => {
    const id = await invoicePayer();
    const unsigned = await (await read(id, "?format=facturae")).text();
    const { masterKey, name } = openTestTenant(env);
    await env.TENANT_ACME.prepare("INSERT INTO account_secrets (name, sealed) VALUES ('signing_certificate', ?)")
      .bind(await encryptSecret(masterKey, name, COMPANY_PEM))
      .run();
    const signed = await read(id, "?format=facturae");
    expect(signed.headers.get("content-disposition")).toMatch(/\.facturae\.xsig"$/);
    const xml = await signed.text();
    const [signature = ""] = /<ds:Signature Id="Signature-\d+">.*<\/ds:Signature>/s.exec(xml) ?? [];
    expect(signature).toContain("<xades:SigningTime>");
    expect(xml.replace(signature, "")).toBe(unsigned);
    expect(await (await getAsErp(`/api/v1/integration/invoice/${id}/einvoice?format=facturae`)).text()).toContain(
      "<ds:SignatureValue>",
    );
    expect(await (await read(id, "?format=ubl")).text()).not.toContain("<ds:SignatureValue>");
    await env.TENANT_ACME.prepare("UPDATE branches SET document_id = 'B58818501'").run();
    const foreignId = await invoicePayer({ confirm_new: true });
    expect(await (await read(foreignId, "?format=facturae")).text()).not.toContain("<ds:SignatureValue>");
  });

  test("returns electronic invoices only of issued documents of the user's branches", async () => {
    const { reservation } = await sellRentalAtDesk(token, { billing_customer_id: await createPayer() });
    const body = { request_id: crypto.randomUUID(), issued: false };
    await callApi("POST", `/booking/${reservation.id}/documents`, { token, body });
    const drafts = await callOffice("GET", `/documents?reservation_id=${reservation.id}`, { token });
    const [draft] = (await drafts.json<{ data: readonly { id: number }[] }>()).data;
    const refused = await read(draft?.id ?? 0, "?format=cii");
    expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([409, "document_is_draft"]);
    expect((await read(999_999, "?format=cii")).status).toBe(404);
    expect((await read(draft?.id ?? 0, "?format=pdf")).status).toBe(400);
    const issued = await invoicePayer({ confirm_new: true });
    const readAtDesk = async () => {
      const desk = await createToken("desk");
      return (await callOffice("GET", `/documents/${issued}/einvoice?format=cii`, { token: desk })).status;
    };
    expect(await readAtDesk()).toBe(200);
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    expect(await readAtDesk()).toBe(404);
  });

  // Proves "office.md: the vehicles of a contract": previews: einvoice with what is missing
  test("lists missing fields of an electronic invoice before the document is issued", async () => {
    await setFormat("facturae");
    const { reservation } = await sellRentalAtDesk(token, {
      billing_customer_id: await createPayer({ address_zip: null }),
    });
    const preview = await callOffice("POST", `/reservations/${reservation.id}/documents/quote`, { token });
    expect(await preview.json()).toMatchObject({
      documents: [{ einvoice: { format: "facturae", missing: ["address_zip"] } }],
    });
    await setFormat("none");
    const without = await callOffice("POST", `/reservations/${reservation.id}/documents/quote`, { token });
    expect(await without.json()).toMatchObject({ documents: [{ einvoice: null }] });
  });

  test("lists what an electronic invoice lacks by the operation of its tax rate, before and after it is issued", async () => {
    await setFormat("cii");
    await env.TENANT_ACME.prepare(`UPDATE settings SET tax_rate_codes = '{"21.00": "S2"}'`).run();
    await openTestTenant(env).freshSnapshot();
    const foreign = { document_id: "123456789", address_country: "US" };
    const { reservation } = await sellRentalAtDesk(token, { billing_customer_id: await createPayer(foreign) });
    const preview = await callOffice("POST", `/reservations/${reservation.id}/documents/quote`, { token });
    const missing = ["document_id", "tax_rate_code"];
    expect(await preview.json()).toMatchObject({ documents: [{ einvoice: { format: "cii", missing } }] });
    const refused = await read(await invoicePayer({ ...foreign, confirm_new: true }));
    expect(await refused.json()).toMatchObject({ params: { fields: missing.join(", ") } });
  });

  test("lists missing fields of an electronic invoice in the preview of a credit note", async () => {
    await setFormat("xrechnung");
    const id = await invoicePayer();
    const preview = await callApi("POST", `/documents/${id}/credit-note/quote`, { token, body: {} });
    expect(await preview.json()).toMatchObject({
      documents: [{ document_kind: "credit_note", einvoice: { format: "xrechnung", missing: ["buyer_reference"] } }],
    });
  });

  const listTasks = async () => {
    const read = await callOffice("GET", "/attention", { token });
    const { data } = await read.json<{ data: readonly Record<string, unknown>[] }>();
    return data.filter(({ kind }) => kind === "einvoice_incomplete");
  };
  const check = (hours: number, database: Pick<Cloudflare.Env, "TENANT_ACME"> = env) =>
    runScheduledJobs({ ...env, ...database } as Cloudflare.Env, Date.now() + hours * 3_600_000, { checkEInvoices });

  test("lists issued documents whose electronic invoice lacks data as tasks until they are complete", async () => {
    await setFormat("none");
    await invoicePayer();
    await setFormat("xrechnung");
    await invoicePayer({ einvoice_format: "none", confirm_new: true });
    await check(0);
    expect(await listTasks()).toEqual([]);
    const id = await invoicePayer({ confirm_new: true, name: "Third" });
    await check(0);
    expect(await listTasks()).toMatchObject([
      {
        params: { document: id, missing: "buyer_reference" },
        why: expect.stringMatching(/ lacks buyer_reference$/),
        link: `/api/v1/office/documents/${id}`,
        dismissible: true,
      },
    ]);
    await env.TENANT_ACME.prepare("UPDATE customers SET buyer_reference = '04011000'").run();
    await check(2);
    expect(await listTasks()).toEqual([]);
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS total FROM einvoice_checks").first("total")).toBe(0);
  });

  test("lists missing fields of an electronic invoice in the previews of an advance, a fee and an exchange", async () => {
    await setFormat("xrechnung");
    const quote = async (path: string, body: object) => (await callApi("POST", path, { token, body })).json();
    const lacking = { einvoice: { format: "xrechnung", missing: ["buyer_reference"] } };
    const { reservation } = await sellRentalAtDesk(token, { billing_customer_id: await createPayer() });
    expect(await quote(`/booking/${reservation.id}/documents/quote`, { advance: "10.00" })).toMatchObject({
      documents: [lacking],
    });
    const readVersion = (id: number) =>
      env.TENANT_ACME.prepare("SELECT version FROM bookings WHERE id = ?").bind(id).first<number>("version");
    const charge = { request_id: crypto.randomUUID(), kind: "charge", amount: "30.00", payment_method_id: "cash" };
    await callApi("POST", `/booking/${reservation.id}/charges`, { token, body: charge });
    const cancelled = await callOffice("POST", `/reservations/${reservation.id}/quote`, {
      token,
      body: { move: "cancel", fee: "20.00" },
    });
    expect(await cancelled.json()).toMatchObject({ documents: [lacking] });
    const { reservation: named } = await sellRentalAtDesk(token);
    await callApi("POST", `/booking/${named.id}/documents`, { token, body: { request_id: crypto.randomUUID() } });
    const payer = await callOffice("PATCH", `/reservations/${named.id}`, {
      token,
      body: {
        expected_version: await readVersion(named.id),
        billing_customer_id: await createPayer({ confirm_new: true }),
      },
    });
    expect(payer.status).toBe(200);
    const id = await env.TENANT_ACME.prepare("SELECT id FROM documents WHERE booking_id = ?")
      .bind(named.id)
      .first<number>("id");
    expect(await quote(`/documents/${id}/exchange/quote`, {})).toMatchObject({
      documents: expect.arrayContaining([expect.objectContaining({ document_kind: "full", ...lacking })]),
    });
  });

  test("checks each electronic invoice separately, and postpones one that can't be read", async () => {
    await setFormat("xrechnung");
    await invoicePayer();
    await invoicePayer({ confirm_new: true, name: "Second" });
    const isToFail = { read: false };
    const TENANT_ACME = {
      prepare: (query: string) => {
        isToFail.read ||= query.includes(`as "einvoice"`);
        return env.TENANT_ACME.prepare(query);
      },
      batch: async (statements: D1PreparedStatement[]) => {
        if (!isToFail.read) return env.TENANT_ACME.batch(statements);
        TENANT_ACME.prepare = (query) => env.TENANT_ACME.prepare(query);
        isToFail.read = false;
        throw new RangeError("This document can't be read");
      },
    };
    await check(0, { TENANT_ACME: TENANT_ACME as unknown as D1Database });
    expect(await listTasks()).toHaveLength(1);
    await check(0);
    expect(await listTasks()).toHaveLength(1);
    await check(2);
    expect(await listTasks()).toHaveLength(2);
  });

  test("lists missing fields of an electronic invoice in the preview of a collective invoice", async () => {
    await setFormat("xrechnung");
    const payer = await createPayer();
    const { reservation } = await sellRentalAtDesk(token, { billing_customer_id: payer });
    const body = { customer_id: payer, reservation_ids: [reservation.id] };
    const preview = await callOffice("POST", "/documents/collective/quote", { token, body });
    expect(await preview.json()).toMatchObject({
      documents: [{ einvoice: { format: "xrechnung", missing: ["buyer_reference"] } }],
    });
  });
});

test("stores a customer's data for electronic invoices, and rejects an electronic address without its scheme", async () => {
  const data = {
    ...{ einvoice_format: "ubl", buyer_reference: "PO-7", einvoice_endpoint: "0088:5012345678900" },
    ...{ dir3_accounting_office: "L01280796", dir3_managing_body: "L01280796", dir3_processing_unit: "LA0000001" },
  };
  const created = await callOffice("POST", "/customers", { token, body: { ...COMPLETE, ...data } });
  expect(await created.json()).toMatchObject({ customer: data });
  const invalidCustomer = { ...COMPLETE, document_id: "B58818501", einvoice_endpoint: "ESB58818501" };
  const refused = await callOffice("POST", "/customers", { token, body: invalidCustomer });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ detail: [{ field: "einvoice_endpoint" }] });
});

describe("a partner", () => {
  // Proves "integration.md": invoice/{id}, its PDF and its electronic invoice
  test("returns an invoice, its PDF and its electronic invoice to partners", async () => {
    const id = await invoicePayer();
    const invoice = await getAsErp(`/api/v1/integration/invoice/${id}`);
    expect(invoice.status).toBe(200);
    expect(await invoice.json()).toMatchObject({ object: "invoice", id, customer_full_name: "Obras Mar SL" });
    const file = await getAsErp(`/api/v1/integration/invoice/${id}/pdf`);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const xml = await getAsErp(`/api/v1/integration/invoice/${id}/einvoice?format=cii`);
    expect([xml.status, await xml.text()]).toEqual([200, await (await read(id, "?format=cii")).text()]);
    const rejectedResponse = await getAsErp(`/api/v1/integration/invoice/${id}/einvoice?format=xrechnung`);
    expect(rejectedResponse.status).toBe(409);
    expect(await rejectedResponse.json()).toMatchObject({ code: "einvoice_incomplete" });
  });

  // Proves "integration.md": PDF and electronic invoice of a draft: 409 document_is_draft
  test("rejects the PDF and electronic invoice of a draft", async () => {
    const { reservation } = await sellRentalAtDesk(token, { billing_customer_id: await createPayer() });
    const body = { request_id: crypto.randomUUID(), issued: false };
    await callApi("POST", `/booking/${reservation.id}/documents`, { token, body });
    const drafts = await callOffice("GET", `/documents?reservation_id=${reservation.id}`, { token });
    const [draft] = (await drafts.json<{ data: readonly { id: number }[] }>()).data;
    for (const path of ["pdf", "einvoice?format=cii", "einvoice"]) {
      const refused = await getAsErp(`/api/v1/integration/invoice/${draft?.id}/${path}`);
      expect([path, refused.status, (await refused.json<{ code: string }>()).code]).toEqual([
        path,
        409,
        "document_is_draft",
      ]);
    }
  });

  // Proves "integration.md": Electronic invoice without format: the customer's or company's
  test("returns an electronic invoice in the company's format if the partner names no format", async () => {
    const id = await invoicePayer();
    const unset = await getAsErp(`/api/v1/integration/invoice/${id}/einvoice`);
    expect(await unset.json()).toMatchObject({ code: "invalid_input", detail: [{ field: "format" }] });
    await setFormat("facturae");
    expect(await (await getAsErp(`/api/v1/integration/invoice/${id}/einvoice`)).text()).toContain("<SchemaVersion>");
  });

  test("returns 404 to partners for another kind of document or an unknown id", async () => {
    const id = await invoicePayer();
    for (const path of [
      `internal-bond/${id}`,
      "invoice/999999",
      "invoice/999999/pdf",
      "invoice/999999/einvoice?format=cii",
    ])
      expect((await getAsErp(`/api/v1/integration/${path}`)).status, path).toBe(404);
    expect((await getAsErp(`/api/v1/integration/invoice/${id}`, { secret: "wrong" })).status).toBe(401);
  });
});

describe("the mail of an invoice", () => {
  interface Mail {
    readonly to: string;
    readonly attachments?: readonly { readonly filename: string; readonly type: string; readonly content: string }[];
  }
  let mails: Mail[] = [];
  const MAIL = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return { messageId: "" };
    },
  } as unknown as SendEmail;

  /** Sells to a customer of the office, invoices, and sends the mails. */
  async function mailInvoice(changes: Readonly<Record<string, unknown>>, sale: (customer: number) => object) {
    mails = [];
    const db = env.TENANT_ACME;
    const customer = await createPayer({ email: "obras@example.com", ...changes });
    const { reservation } = await sellRentalAtDesk(token, { status: "confirmed", ...sale(customer) });
    await db.prepare("DELETE FROM mail_cursor").run();
    await db.prepare("INSERT INTO mail_cursor (id, last_history_id) SELECT 1, max(id) FROM booking_history").run();
    await callApi("POST", `/booking/${reservation.id}/documents`, { token, body: { request_id: crypto.randomUUID() } });
    const options = { attachInvoice: attachEInvoice };
    await runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, Date.now(), options);
    return mails.map(({ to, attachments = [] }) => ({
      to,
      files: attachments.map(({ type, content }) => [type, atob(content).includes("Obras Mar SL")]),
    }));
  }
  const asCustomer = (id: number) => ({ customer: { id } });
  const asPayer = (id: number) => ({ billing_customer_id: id });

  // Proves "integration.md": E-invoices by mail to the customer, by the setting of the company
  test("attaches the electronic invoice in the company's format to the invoice mail", async () => {
    await setFormat("ubl");
    expect(await mailInvoice({}, asCustomer)).toEqual([
      { to: "obras@example.com", files: [["application/xml", true]] },
    ]);
  });

  // Proves "integration.md": An invoice mail contains no electronic invoice if the customer wants none
  test("attaches no file to the invoice mail if the customer wants no electronic invoice", async () => {
    await setFormat("ubl");
    expect(await mailInvoice({ einvoice_format: "none" }, asCustomer)).toEqual([
      { to: "obras@example.com", files: [] },
    ]);
  });

  test("mails a payer's invoice to the payer with its PDF in the payer's format, and not to the driver", async () => {
    await setFormat("none");
    expect(await mailInvoice({ einvoice_format: "ubl", language: "de" }, asPayer)).toEqual([
      {
        to: "obras@example.com",
        files: [
          ["application/xml", true],
          ["application/pdf", false],
        ],
      },
    ]);
    expect(mails[0]).toMatchObject({ subject: expect.stringContaining("Ihre Rechnung") });
    expect(JSON.stringify(mails[0])).not.toMatch(/reservation&rb-id|web-customer/);
  });

  test("mails a payer who wants no electronic invoice the PDF", async () => {
    await setFormat("ubl");
    expect(await mailInvoice({ einvoice_format: "none" }, asPayer)).toEqual([
      { to: "obras@example.com", files: [["application/pdf", false]] },
    ]);
  });

  test("mails the driver without an attachment if the payer has no address", async () => {
    await setFormat("ubl");
    expect(await mailInvoice({ email: null }, asPayer)).toEqual([{ to: "ana@example.com", files: [] }]);
  });

  test("shows the payer's address before the invoice is issued", async () => {
    const preview = async (sale: object) => {
      const { reservation } = await sellRentalAtDesk(token, { status: "confirmed", ...sale });
      const answer = await callOffice("POST", `/reservations/${reservation.id}/documents/quote`, { token });
      const { documents } = await answer.json<{ documents: readonly { readonly mail_to: string | null }[] }>();
      return documents.map(({ mail_to: address }) => address);
    };
    expect(await preview(asPayer(await createPayer({ email: "obras@example.com" })))).toEqual(["obras@example.com"]);
    expect(await preview({})).toEqual(["ana@example.com"]);
    await env.TENANT_ACME.prepare(`UPDATE settings SET disabled_mails = '["invoiced"]'`).run();
    await openTestTenant(env, "acme").freshSnapshot();
    expect(await preview({})).toEqual([null]);
  });
});
