import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { applyBookingAction, callOffice, PAYER, readReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { enableTaxRecords, readTaxAgencyRecords, sendTaxRecordsNow } from "#support/tax-agency.ts";
import {
  addCustomerTaxData,
  CORRECTION_REASON,
  type ContractDocumentsAnswer,
  issueInvoice,
  readLastDocumentId,
  readSuccessfulAnswer,
  readTaxRecord,
  sendDocumentRequest,
  setInvoiceExchangeMethod,
} from "#support/tax-records.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { wrapDatabase } from "#support/wrapped-bindings.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await enableTaxRecords();
  boss = await createToken("boss");
});

// SuministroInformacion.xsd: elements of a record in their order.
const REGISTRATION = [
  "IDVersion",
  "IDFactura",
  "RefExterna",
  "NombreRazonEmisor",
  "Subsanacion",
  "RechazoPrevio",
  "TipoFactura",
  "TipoRectificativa",
  "FacturasRectificadas",
  "FacturasSustituidas",
  "ImporteRectificacion",
  "FechaOperacion",
  "DescripcionOperacion",
  "FacturaSimplificadaArt7273",
  "FacturaSinIdentifDestinatarioArt61d",
  "Macrodato",
  "EmitidaPorTerceroODestinatario",
  "Tercero",
  "Destinatarios",
  "Cupon",
  "Desglose",
  "CuotaTotal",
  "ImporteTotal",
  "Encadenamiento",
  "SistemaInformatico",
  "FechaHoraHusoGenRegistro",
  "TipoHuella",
  "Huella",
];
const ANNULMENT = [
  "IDVersion",
  "IDFactura",
  "SinRegistroPrevio",
  "RechazoPrevio",
  "Encadenamiento",
  "SistemaInformatico",
  "FechaHoraHusoGenRegistro",
  "TipoHuella",
  "Huella",
];

function expectInOrder(xml: string, element: string, order: readonly string[]): void {
  const names = findDescendant(parseAuthorityXml(xml), element)?.children.map(({ name }) => name) ?? [];
  expect(names).toEqual(order.filter((name) => names.includes(name)));
  for (const needed of ["IDVersion", "IDFactura", "Encadenamiento", "SistemaInformatico", "TipoHuella", "Huella"])
    expect(names).toContain(needed);
}

const credit = (id: number, body: object = {}) => sendDocumentRequest(boss, `/documents/${id}/credit-note`, body);

async function creditAndReadRecord(id: number, body: object = {}) {
  await readSuccessfulAnswer(credit(id, body));
  return readTaxRecord(boss, await readLastDocumentId());
}

describe("a credit note", () => {
  // Proves "security, privacy and operation": A credit note is of the kind that its reason makes it, a debt that is not
  //   paid its tax alone
  test.each([
    ["correction", "R1", "-13.88", "-80.00", "-66.12"],
    ["insolvency", "R2", "-13.88", "-13.88", "0.00"],
    ["bad_debt", "R3", "-13.88", "-13.88", "0.00"],
    ["other", "R4", "-13.88", "-80.00", "-66.12"],
  ])(
    "creates for the credit note of a full invoice with the reason %s a tax record of type %s",
    async (reason, type, taxes, total, base) => {
      const id = await issueInvoice(boss, 7, true);
      expect((await readTaxRecord(boss, id)).record["TipoFactura"]).toBe("F1");
      const { record, xml } = await creditAndReadRecord(id, { reason });
      expect(record).toMatchObject({ TipoFactura: type, CuotaTotal: taxes, ImporteTotal: total });
      const registration = findDescendant(parseAuthorityXml(xml), "RegistroAlta");
      expect([
        getChildText(registration, "TipoRectificativa"),
        getChildText(registration, "BaseImponibleOimporteNoSujeto"),
      ]).toEqual(["I", base]);
      expect(getChildText(findDescendant(registration, "Destinatarios"), "NIF")).toBe("00000000T");
      expectInOrder(xml, "RegistroAlta", REGISTRATION);
      await sendTaxRecordsNow();
      expect((await readTaxAgencyRecords()).map(({ state }) => state)).toEqual(["Correcto", "Correcto"]);
    },
  );

  test("creates tax records of type R1 for a full invoice's credit note without a reason, and R5 for any simplified one's", async () => {
    expect((await creditAndReadRecord(await issueInvoice(boss, 7, true))).record["TipoFactura"]).toBe("R1");
    const simplified = await creditAndReadRecord(await issueInvoice(boss, 8), { reason: "other" });
    expect(simplified.record).toMatchObject({ TipoFactura: "R5", ImporteTotal: "-80.00" });
    expectInOrder(simplified.xml, "RegistroAlta", REGISTRATION);
  });

  // Proves "security, privacy and operation": Nothing more is credited of an invoice whose tax was taken back
  test("credits only the tax of an invoice for unpaid debt, in full or in part, and prevents further credits", async () => {
    const id = await issueInvoice(boss, 7, true);
    const tooMuch = await credit(id, { reason: "bad_debt", amount: "13.89" });
    expect([tooMuch.status, await tooMuch.json()]).toMatchObject([409, { code: "amount_exceeds_balance" }]);
    const { invoices } = await readSuccessfulAnswer<{ invoices: readonly Record<string, unknown>[] }>(
      credit(id, { reason: "bad_debt", amount: "6.94" }),
    );
    expect(invoices).toMatchObject([
      { total: "80.00", total_pending: "73.06", total_settled_by_credit: "6.94" },
      { document_kind: "credit_note", subtotal: "0.00", total_taxes: "-6.94", total: "-6.94" },
    ]);
    const again = await credit(id);
    expect([again.status, await again.json()]).toMatchObject([409, { code: "tax_taken_back" }]);
  });

  test("refuses to reopen or cancel a contract whose invoice's tax was recovered for an unpaid debt", async () => {
    const created = await callOffice("POST", "/customers", { token: boss, body: PAYER });
    const { customer } = await created.json<{ customer: { id: number } }>();
    const confirmed = await sellRentalAtDesk(boss, { billing_customer_id: customer.id });
    const { id } = confirmed.reservation;
    await readSuccessfulAnswer(sendDocumentRequest(boss, `/booking/${id}/documents`, { issued: true }));
    await creditAndReadRecord(await readLastDocumentId(), { reason: "bad_debt" });
    await creditAndReadRecord(await issueInvoice(boss, 7, true), { reason: "bad_debt" });
    for (const [bookingId, action] of [
      [7, "reopen"],
      [id, "cancel"],
    ] as const) {
      const read = callOffice("GET", `/reservations/${bookingId}`, { token: boss });
      const before = await readReservationAnswer(read);
      const answer = await applyBookingAction(before, action, { reason: "Paid late" }, { token: boss });
      expect([answer.status, await answer.json()]).toMatchObject([
        409,
        { code: "action_not_allowed", params: { action, rule: "tax_recovered" } },
      ]);
    }
  });

  test("credits for insolvency only the tax of what other credit notes left of the invoice", async () => {
    const id = await issueInvoice(boss, 7, true);
    await creditAndReadRecord(id, { amount: "40.00" });
    const { record } = await creditAndReadRecord(id, { reason: "insolvency" });
    expect(record).toMatchObject({ TipoFactura: "R2", CuotaTotal: "-6.94", ImporteTotal: "-6.94" });
  });

  test("credits only the tax of the unpaid part of an invoice, and nothing of a paid one", async () => {
    const id = await issueInvoice(boss, 7, true);
    const pay = async (amount: string) => {
      const body = { kind: "charge", payment_method_id: "cash", amount };
      expect((await sendDocumentRequest(boss, "/booking/7/charges", body)).status).toBe(200);
    };
    await pay("40.00");
    const tooMuch = await credit(id, { reason: "bad_debt", amount: "6.95" });
    expect([tooMuch.status, await tooMuch.json()]).toMatchObject([409, { code: "amount_exceeds_balance" }]);
    const other = await issueInvoice(boss, 9, true);
    const charge = { kind: "charge", payment_method_id: "cash", amount: "40.00" };
    expect((await sendDocumentRequest(boss, "/booking/9/charges", charge)).status).toBe(200);
    expect((await creditAndReadRecord(other, { reason: "bad_debt" })).record).toMatchObject({ ImporteTotal: "-6.94" });
    await pay("39.99");
    await pay("0.01");
    const refused = await credit(id, { reason: "insolvency" });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "document_paid", detail: [{ field: "reason" }] },
    ]);
  });

  test("rejects debt as the reason for crediting a simplified invoice, and unknown reasons", async () => {
    const id = await issueInvoice(boss, 7);
    const refused = await credit(id, { reason: "bad_debt" });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "reason_requires_full_invoice" }]);
    const unknown = await credit(id, { reason: "sadness" });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain("reason");
  });
});

describe("tax records", () => {
  test("reverses a simplified invoice (R5) and issues a full one (F1) when one replaces the other", async () => {
    const id = await issueInvoice(boss, 7);
    await addCustomerTaxData(7);
    await readSuccessfulAnswer(sendDocumentRequest(boss, `/documents/${id}/exchange`));
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT content ->> 'type' AS type FROM tax_records ORDER BY id",
    ).all();
    expect(results.map(({ type }) => type)).toEqual(["F2", "R5", "F1"]);
  });

  // Proves "security, privacy and operation": A full invoice that replaces simplified ones is an F3 naming all, also
  //   when amended
  test("creates one tax record of type F3 that names all replaced simplified invoices, also in an amendment", async () => {
    await setInvoiceExchangeMethod("replacement");
    await insertCheckInRental({ id: 7, status: "done" });
    const { invoices: advance } = await readSuccessfulAnswer<ContractDocumentsAnswer>(
      sendDocumentRequest(boss, "/booking/7/documents", { advance: "30.00" }),
    );
    await readSuccessfulAnswer(sendDocumentRequest(boss, "/booking/7/documents"));
    const last = await readLastDocumentId();
    await addCustomerTaxData(7);
    const exchange = () =>
      sendDocumentRequest(boss, `/documents/${last}/exchange`, { other_document_ids: [advance[0]?.id] });
    const outcomes = await Promise.all([exchange(), exchange()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const id = await readLastDocumentId();
    const { record, xml } = await readTaxRecord(boss, id);
    expect(record).toMatchObject({ TipoFactura: "F3", ImporteTotal: "80.00", CuotaTotal: "13.88" });
    expectInOrder(xml, "RegistroAlta", REGISTRATION);
    const replaced = findOutermostDescendants(parseAuthorityXml(xml), "IDFacturaSustituida").map((xmlElement) =>
      getChildText(xmlElement, "NumSerieFactura"),
    );
    expect(replaced).toEqual([expect.stringMatching(/^T-.*\/1$/), expect.stringMatching(/^T-.*\/2$/)]);
    await sendTaxRecordsNow();
    await readSuccessfulAnswer(
      callOffice("POST", `/documents/${id}/verifactu/amend`, { token: boss, body: CORRECTION_REASON }),
    );
    const amended = parseAuthorityXml((await readTaxRecord(boss, id)).xml);
    expect(findOutermostDescendants(amended, "IDFacturaSustituida")).toHaveLength(2);
    expect([getChildText(amended, "TipoFactura"), getChildText(amended, "Subsanacion")]).toEqual(["F3", "S"]);
    await sendTaxRecordsNow();
    expect((await readTaxAgencyRecords()).map(({ state }) => state)).toEqual(Array(4).fill("Correcto"));
  });

  // Proves "security, privacy and operation": Records of every kind have their members in the schema's order
  test("orders the fields of a tax record's amendments and annulments by the tax agency's schema", async () => {
    const id = await issueInvoice(boss, 7, true);
    await sendTaxRecordsNow();
    await readSuccessfulAnswer(
      callOffice("POST", `/documents/${id}/verifactu/amend`, { token: boss, body: CORRECTION_REASON }),
    );
    const amended = await readTaxRecord(boss, id);
    expectInOrder(amended.xml, "RegistroAlta", REGISTRATION);
    expect(getChildText(parseAuthorityXml(amended.xml), "Subsanacion")).toBe("S");
    await sendTaxRecordsNow();
    await readSuccessfulAnswer(
      callOffice("POST", `/documents/${id}/verifactu/annul`, { token: boss, body: CORRECTION_REASON }),
    );
    const annulled = await readTaxRecord(boss, id);
    expectInOrder(annulled.xml, "RegistroAnulacion", ANNULMENT);
    expect(findOutermostDescendants(parseAuthorityXml(annulled.xml), "RegistroAlta")).toEqual([]);
  });

  // Proves "security, privacy and operation": A record that a document had to have and lacks is named and made
  test("finds and names an invoice without a tax record, and creates the record by an amendment", async () => {
    const db = env.TENANT_ACME;
    const id = await issueInvoice(boss, 7);
    await issueInvoice(boss, 8);
    // Deletes the tax record of the first invoice, as if it had never been written.
    const { results } = await db
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'tax_records'")
      .all<{ name: string; sql: string }>();
    await db.batch([
      ...results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
      db.prepare("DELETE FROM tax_record_states WHERE record_id = (SELECT id FROM tax_records WHERE position = 1)"),
      db.prepare("DELETE FROM tax_records WHERE position = 1"),
      ...results.map(({ sql }) => db.prepare(sql)),
    ]);
    const missing = await callOffice("GET", `/documents/${id}/verifactu`, { token: boss });
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: "record_missing" }]);
    const check = () =>
      readSuccessfulAnswer<{ records: number; faults: readonly object[] }>(
        callOffice("GET", "/tax-records/check", { token: boss }),
      );
    expect(await check()).toMatchObject({ records: 1, faults: [{ fault: "gap", position: 2 }, { fault: "missing" }] });
    const annul = await callOffice("POST", `/documents/${id}/verifactu/annul`, {
      token: boss,
      body: CORRECTION_REASON,
    });
    expect([annul.status, await annul.json()]).toMatchObject([404, { code: "record_missing" }]);
    await readSuccessfulAnswer(
      callOffice("POST", `/documents/${id}/verifactu/amend`, { token: boss, body: CORRECTION_REASON }),
    );
    expect((await readTaxRecord(boss, id)).record["TipoFactura"]).toBe("F2");
    expect((await check()).faults).toMatchObject([{ fault: "gap", position: 2 }]);
  });

  // Proves "security, privacy and operation": Documents from before records are marked as such
  test("reports that documents issued before the legal obligation have no tax record, without an error", async () => {
    const answerTo = async (law: string) => {
      await env.TENANT_ACME.prepare("UPDATE settings SET tax_records_iva = ?").bind(law).run();
      await openTestTenant(env).freshSnapshot();
    };
    await answerTo("none");
    const id = await issueInvoice(boss, 7);
    await answerTo("verifactu");
    for (const answer of [
      await callOffice("GET", `/documents/${id}/verifactu`, { token: boss }),
      await callOffice("POST", `/documents/${id}/verifactu/amend`, { token: boss, body: CORRECTION_REASON }),
    ])
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "record_not_kept" }]);
    expect(await readSuccessfulAnswer(callOffice("GET", "/tax-records/check", { token: boss }))).toEqual({
      records: 0,
      faults: [],
    });
  });
});

describe("two requests about an invoice at the same instant", () => {
  interface ConcurrentContract {
    readonly id: number;
    readonly version: number;
    readonly invoice: number;
  }

  const REQUESTS = {
    recovery: ({ invoice }: ConcurrentContract) =>
      [`/documents/${invoice}/credit-note`, { reason: "bad_debt" }] as const,
    correction: ({ invoice }: ConcurrentContract) =>
      [`/documents/${invoice}/credit-note`, { amount: "40.00" }] as const,
    reopening: ({ id, version }: ConcurrentContract) =>
      [`/office/reservations/${id}/reopen`, { expected_version: version, reason: "Paid late" }] as const,
    cancellation: ({ id, version }: ConcurrentContract) =>
      [`/office/reservations/${id}/cancel`, { expected_version: version, reason: "No car" }] as const,
  };

  async function invoiceConcurrentContract(isDone: boolean): Promise<ConcurrentContract> {
    if (isDone) await issueInvoice(boss, 7, true);
    else {
      const { customer } = await (await callOffice("POST", "/customers", { token: boss, body: PAYER })).json<{
        customer: { id: number };
      }>();
      const { reservation } = await sellRentalAtDesk(boss, { billing_customer_id: customer.id });
      await readSuccessfulAnswer(sendDocumentRequest(boss, `/booking/${reservation.id}/documents`, { issued: true }));
    }
    const contract = "SELECT id, version FROM bookings";
    const { id = 0, version = 0 } = (await env.TENANT_ACME.prepare(contract).first<ConcurrentContract>()) ?? {};
    return { id, version, invoice: await readLastDocumentId() };
  }

  async function send([path, body]: readonly [string, object], bindings: Cloudflare.Env = env): Promise<string> {
    const requestId = crypto.randomUUID();
    const isDocument = path.startsWith("/documents");
    const answer = await callApi("POST", path, {
      ...{ token: boss, env: bindings, body: { ...body, ...(isDocument && { request_id: requestId }) } },
      headers: isDocument ? {} : { "Idempotency-Key": `"${requestId}"` },
    });
    return answer.ok ? "done" : (await answer.json<{ code: string }>()).code;
  }

  /** Runs work in the instant before the first write of other requests. */
  function runBeforeWrite(work: () => Promise<unknown>): Cloudflare.Env {
    const waiting = [work];
    const database = wrapDatabase(env.TENANT_ACME, async (statements, call) => {
      if (statements.some((sql) => /into "?(version_guards|document_requests)/i.test(sql))) await waiting.pop()?.();
      return call();
    });
    return { ...env, TENANT_ACME: database };
  }

  test.each([
    { first: "recovery", second: "correction", isDone: true, answer: "tax_taken_back", taxes: [1388, -1388] },
    { first: "correction", second: "recovery", isDone: true, answer: "done", taxes: [1388, -694, -694] },
    { first: "recovery", second: "reopening", isDone: true, answer: "changed_meanwhile", taxes: [1388, -1388] },
    { first: "recovery", second: "cancellation", isDone: false, answer: "changed_meanwhile", taxes: [1649, -1649] },
    {
      first: "cancellation",
      second: "recovery",
      isDone: false,
      answer: "amount_exceeds_balance",
      taxes: [1649, -1649],
    },
  ] as const)("decides about the $second after the $first that came first", async (race) => {
    const contract = await invoiceConcurrentContract(race.isDone);
    const bindings = runBeforeWrite(async () => expect(await send(REQUESTS[race.first](contract))).toBe("done"));
    expect(await send(REQUESTS[race.second](contract), bindings)).toBe(race.answer);
    const issued = "SELECT taxes_cents FROM documents WHERE invoice_status = 'invoice' ORDER BY id";
    const { results } = await env.TENANT_ACME.prepare(issued).all<{ taxes_cents: number }>();
    expect(results.map(({ taxes_cents: taxes }) => taxes)).toEqual(race.taxes);
  });
});
