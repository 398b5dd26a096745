import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { getRequestCost } from "#support/request-cost.ts";
import {
  enableTaxRecords,
  makeTaxAgencyFail,
  readTaxAgencyRecords,
  sendTaxRecordsNow,
  TAX_RECORD_ISSUER,
} from "#support/tax-agency.ts";
import {
  type ContractDocumentsAnswer,
  issueInvoice,
  readSuccessfulAnswer,
  readTaxRecord,
  sendDocumentRequest,
  type TaxRecordAnswer,
} from "#support/tax-records.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { wrapInSoapEnvelope } from "#worker/authorities/tax-agency/registration-xml.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";
import { writeSoapFaultXml } from "#worker/development/tax-agency/answer-xml.ts";
import { sendTaxRecords } from "#worker/usecases/tax-records/send-records.ts";

const WHY = { reason: "the rate has another code" };
let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await enableTaxRecords();
  boss = await createToken("boss");
});

const post = <T = ContractDocumentsAnswer>(path: string, body?: object) =>
  readSuccessfulAnswer<T>(sendDocumentRequest(boss, path, body));

const readRecord = (id: number) => readTaxRecord(boss, id);

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("");
}

describe("an invoice of a company that keeps records for the tax agency", () => {
  // Proves "office.md: the vehicles of a contract": a collective invoice has one tax record
  test("creates one tax record for a collective invoice, and another for its credit note", async () => {
    for (const id of [7, 8]) await insertCheckInRental({ id, status: "done" });
    const { customer } = await readSuccessfulAnswer<{ customer: { id: number } }>(
      callOffice("POST", "/customers", {
        token: boss,
        body: {
          ...{ customer_type: "legal_entity", name: "Obras Mar SL", document_id: "B12345674" },
          ...{ address_street: "Calle Mayor", address_city: "Palma", address_country: "ES" },
        },
      }),
    );
    await env.TENANT_ACME.prepare("INSERT INTO booking_billing (booking_id, customer_id) VALUES (7, ?1), (8, ?1)")
      .bind(customer.id)
      .run();
    const { document } = await readSuccessfulAnswer<{ document: { id: number; total: string } }>(
      callOffice("POST", "/documents/collective", {
        token: boss,
        body: { customer_id: customer.id, reservation_ids: [7, 8] },
      }),
    );
    expect(await readRecord(document.id)).toMatchObject({
      record: { TipoFactura: "F1", ImporteTotal: document.total },
      records: [{ kind: "registration" }],
    });
    await post(`/documents/${document.id}/credit-note`);
    const note = await env.TENANT_ACME.prepare("SELECT id FROM documents WHERE corrects_document_id = ?")
      .bind(document.id)
      .first<number>("id");
    expect(await readRecord(note ?? 0)).toMatchObject({ record: { ImporteTotal: `-${document.total}` } });
  });

  // Proves "security, privacy and operation": Each firm document makes its record in the batch that issues it, chained
  test("creates an invoice's tax record in the issuing batch, chained to the previous one and hashed", async () => {
    const [first, second] = [
      await readRecord(await issueInvoice(boss, 7)),
      await readRecord(await issueInvoice(boss, 8)),
    ];
    expect(first).toMatchObject({
      record: {
        IDEmisorFactura: TAX_RECORD_ISSUER,
        TipoFactura: "F2",
        CuotaTotal: "13.88",
        ImporteTotal: "80.00",
        Huella: "",
      },
      previous_hash: "",
      state: "waiting",
    });
    expect(second.previous_hash).toBe(first.hash);
    expect(second.record["Huella"]).toBe(first.hash);
    for (const { record, hash } of [first, second]) {
      const text = Object.entries(record).map(([name, value]) => `${name}=${value}`);
      expect(await sha256(text.join("&"))).toBe(hash);
    }
    expect(first.record["NumSerieFactura"]).toBe(`T-AIR-${getTodayAtCompany().slice(2, 4)}/1`);
    expect(first.qr_url).toMatch(
      /^https:\/\/prewww2\.aeat\.es\/.*\?nif=B07123458&numserie=T-AIR-\d\d%2F1&fecha=.*&importe=80\.00$/,
    );
  });

  test("sends a tax record's fields in the order of the agency's schema", async () => {
    const { xml, hash } = await readRecord(await issueInvoice(boss, 7));
    const record = findDescendant(parseAuthorityXml(xml), "RegistroAlta");
    expect(record?.children.map(({ name }) => name)).toEqual([
      "IDVersion",
      "IDFactura",
      "NombreRazonEmisor",
      "TipoFactura",
      "DescripcionOperacion",
      "Desglose",
      "CuotaTotal",
      "ImporteTotal",
      "Encadenamiento",
      "SistemaInformatico",
      "FechaHoraHusoGenRegistro",
      "TipoHuella",
      "Huella",
    ]);
    expect(record?.children.at(-1)?.text).toBe(hash);
    expect(getChildText(record, "TipoImpositivo")).toBe("21.00");
    expect(getChildText(record, "PrimerRegistro")).toBe("S");
  });

  test("counts branches that write the same tax number differently as one taxpayer", async () => {
    const db = env.TENANT_ACME;
    const writeAtOneBranch = (text: string) =>
      db
        .prepare(
          "UPDATE branches SET document_id = ? WHERE code = (SELECT max(code) FROM branches WHERE code <> 'AIR')",
        )
        .bind(text)
        .run();
    const readIndicator = async (bookingId: number) =>
      getChildText(
        parseAuthorityXml((await readRecord(await issueInvoice(boss, bookingId))).xml),
        "IndicadorMultiplesOT",
      );
    await writeAtOneBranch("es b-07123458");
    expect(await readIndicator(7)).toBe("N");
    await writeAtOneBranch("00000000T");
    expect(await readIndicator(8)).toBe("S");
  });

  // Proves "security, privacy and operation": Two that issue at once cannot fork the chain
  test("keeps one unbroken chain of tax records if eight invoices are issued at once", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => 20 + index);
    for (const id of ids) await insertCheckInRental({ id, status: "done" });
    await Promise.all(ids.map((id) => post(`/booking/${id}/documents`, { issued: true })));
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT position, hash, previous_hash, number FROM tax_records ORDER BY position",
    ).all<{ position: number; hash: string; previous_hash: string; number: string }>();
    expect(results.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(results.slice(1).map((result) => result.previous_hash)).toEqual(
      results.slice(0, -1).map(({ hash }) => hash),
    );
    expect(new Set(results.map(({ number }) => number)).size).toBe(8);
  });

  test("rejects two tax records with the same predecessor by a database guard", async () => {
    await issueInvoice(boss, 7);
    const copy = env.TENANT_ACME.prepare(
      `INSERT INTO tax_records (chain, position, kind, document_id, issuer, number, date, hashed, previous_hash, hash, content, generated_at)
        SELECT chain, position + 1, kind, document_id, issuer, number, date, hashed, 'X', hash, content, generated_at FROM tax_records`,
    );
    await expect(copy.run()).rejects.toThrow("chain_moved");
    await expect(env.TENANT_ACME.prepare("UPDATE tax_records SET hash = hash").run()).rejects.toThrow(
      "tax_record_immutable",
    );
    await expect(env.TENANT_ACME.prepare("DELETE FROM tax_records").run()).rejects.toThrow("tax_record_immutable");
  });

  // Proves "security, privacy and operation": A document without a possible record isn't issued, with the reason
  test("rejects issuing without the company's tax number, with the reason, and uses no number", async () => {
    await env.TENANT_ACME.prepare("UPDATE branches SET document_id = 'B07123457'").run();
    await insertCheckInRental({ id: 7, status: "done" });
    const body = { request_id: "no-tax-id-01", issued: true };
    const refused = await callApi("POST", "/booking/7/documents", { token: boss, body });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: "customer_incomplete",
      detail: [{ field: "company_document_id" }],
    });
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS count FROM number_series").first()).toEqual({ count: 0 });
  });

  test("rejects an invoice for a name that its record would truncate, and uses no number", async () => {
    await insertCheckInRental({ id: 7, status: "done" });
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET customer_name = ?1, customer_surname = ?1, customer_document_id = '12345678Z',
        contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}' WHERE id = 7`,
    )
      .bind("Ñ".repeat(60))
      .run();
    const issue = (request: string) =>
      callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: request, issued: true } });
    const refused = await issue("name-too-long-1");
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: "customer_incomplete", detail: [{ field: "customer.name" }] });
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS count FROM number_series").first()).toEqual({ count: 0 });
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_name = 'Ana' WHERE id = 7").run();
    expect((await issue("name-too-long-2")).status).toBe(200);
  });

  // Proves "security, privacy and operation": Records are made under VERI*FACTU alone
  test("creates no tax record if the account has another legal regime or none", async () => {
    for (const mode of ["none", "sii", "foral", "exempt"]) {
      await env.TENANT_ACME.prepare("UPDATE settings SET tax_records_iva = ?").bind(mode).run();
      await openTestTenant(env).freshSnapshot();
      const id = await issueInvoice(boss, ["none", "sii", "foral", "exempt"].indexOf(mode) + 30);
      expect((await callOffice("GET", `/documents/${id}/verifactu`, { token: boss })).status).toBe(404);
    }
  });

  test("creates a tax record that corrects an invoice by the difference once the invoice is credited", async () => {
    const id = await issueInvoice(boss, 7);
    const { invoices: documents } = await post(`/documents/${id}/credit-note`);
    const note = await readRecord(documents.find((document) => document.id !== id)?.id ?? 0);
    expect(note.record).toMatchObject({ TipoFactura: "R5", ImporteTotal: "-80.00", CuotaTotal: "-13.88" });
    const corrected = findDescendant(parseAuthorityXml(note.xml), "IDFacturaRectificada");
    expect(getChildText(corrected, "NumSerieFactura")).toMatch(/^T-AIR-\d\d\/1$/);
    expect(getChildText(parseAuthorityXml(note.xml), "TipoRectificativa")).toBe("I");
  });
});

describe("a company's tax records", () => {
  test("sends each tax record once by the cron job, with the same chain at the tax agency and the company", async () => {
    const ids = [await issueInvoice(boss, 7), await issueInvoice(boss, 8)];
    await sendTaxRecordsNow();
    const records = await Promise.all(ids.map(readRecord));
    expect(records.map(({ state, code }) => [state, code])).toEqual([
      ["accepted", null],
      ["accepted", null],
    ]);
    expect(records[0]?.csv).toMatch(/^A-/);
    await sendTaxRecordsNow();
    expect((await readTaxAgencyRecords()).map(({ hash }) => hash)).toEqual(records.map(({ hash }) => hash));
  });

  // Proves "security, privacy and operation": Records are sent once, whatever the network does
  test("delivers each tax record to the tax agency once despite an outage, lost answers and a suspension", async () => {
    const ids: number[] = [];
    const step = async (fault: string | undefined, work: () => Promise<unknown>) => {
      await work();
      if (fault) await makeTaxAgencyFail(fault);
      await sendTaxRecordsNow();
      const { results } = await env.TENANT_ACME.prepare(
        "SELECT record_id FROM tax_record_states WHERE state = 'waiting'",
      ).all();
      expect(results.length > 0).toBe(fault !== undefined);
    };
    await step("down", async () => ids.push(await issueInvoice(boss, 40)));
    await step("lost_answer", async () => ids.push(await issueInvoice(boss, 41)));
    await step("suspended", () => post(`/documents/${ids[0]}/credit-note`));
    await step("lost_answer", async () => ids.push(await issueInvoice(boss, 42)));
    for (let again = 0; again < 3; again++) await sendTaxRecordsNow();
    await step("lost_answer", () =>
      readSuccessfulAnswer(callOffice("POST", `/documents/${ids[1]}/verifactu/annul`, { token: boss, body: WHY })),
    );
    await step("lost_answer", () =>
      readSuccessfulAnswer(callOffice("POST", `/documents/${ids[2]}/verifactu/amend`, { token: boss, body: WHY })),
    );
    await sendTaxRecordsNow();
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT hash, state FROM tax_records JOIN tax_record_states ON record_id = id ORDER BY position",
    ).all<{ hash: string; state: string }>();
    expect(results).toHaveLength(6);
    expect(new Set(results.map(({ state }) => state))).toEqual(new Set(["accepted"]));
    expect((await readTaxAgencyRecords()).map(({ hash }) => hash)).toEqual(results.map(({ hash }) => hash));
  });

  test("sends tax records in order, a thousand at a time, and waits for each answer", async () => {
    await issueInvoice(boss, 7);
    await env.TENANT_ACME.prepare(`INSERT INTO tax_records
      (chain, position, kind, document_id, issuer, number, date, hashed, previous_hash, hash, content, generated_at)
      WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1003)
      SELECT chain, n, kind, document_id, issuer, number, date, hashed, iif(n = 2, hash, printf('%064d', n - 1)),
        printf('%064d', n), content, generated_at FROM tax_records, numbers`).run();
    const sentBodies: string[] = [];
    const busy = async (request: Request) => {
      sentBodies.push(await request.text());
      return new Response("busy", { status: 503 });
    };
    expect(await sendTaxRecords({ ...openTestTenant(env), reach: () => busy }, Date.now())).toBe(0);
    const hashes = sentBodies.map((xml) =>
      xml
        .split(/<\w+:RegistroFactura>/)
        .slice(1)
        .map((record) => [...record.matchAll(/<\w+:Huella>(\w+)</g)].at(-1)?.[1]),
    );
    const expectedHashes = Array.from({ length: 999 }, (_, index) => String(index + 2).padStart(64, "0"));
    expect(hashes.map(([, ...others]) => others)).toEqual([expectedHashes]);
  });

  test("waits before the next submission of tax records as long as the tax agency's response specifies", async () => {
    const tenant = openTestTenant(env);
    let requestCount = 0;
    const slow = async (request: Request) => {
      requestCount += 1;
      const answer = await tenant.reach("tax_agency")?.(request);
      return new Response((await answer?.text())?.replace(/(TiempoEsperaEnvio>)\d+/, "$1120"));
    };
    const send = (now: number) => sendTaxRecords({ ...openTestTenant(env), reach: () => slow }, now);
    const now = Date.now();
    await issueInvoice(boss, 7);
    expect(await send(now)).toBe(1);
    await issueInvoice(boss, 8);
    expect(await send(now + 119_000)).toBe(0);
    expect(requestCount).toBe(1);
    expect(await send(now + 120_000)).toBe(1);
    expect(requestCount).toBe(2);
  });

  test("sends nothing for a taxpayer that the tax agency suspended until a user retries", async () => {
    const reach = vi.fn(openTestTenant(env).reach("tax_agency") ?? fetch);
    const send = (now: number) => sendTaxRecords({ ...openTestTenant(env), reach: () => reach }, now);
    const readChains = async () =>
      (
        await readSuccessfulAnswer<{ chains: readonly { next_at: string | null; problem: string | null }[] }>(
          callOffice("GET", "/tax-records", { token: boss }),
        )
      ).chains;
    const now = Date.now();
    await issueInvoice(boss, 7);
    await makeTaxAgencyFail("suspended");
    await send(now);
    await issueInvoice(boss, 8);
    for (const hours of [1, 2, 24, 24 * 365]) await send(now + hours * 3_600_000);
    expect(reach).toHaveBeenCalledTimes(1);
    expect(await readChains()).toMatchObject([{ next_at: null, problem: expect.stringContaining("4141") }]);
    await readSuccessfulAnswer(callOffice("POST", "/tax-records/retry", { token: boss }));
    expect(await send(now + 60_000)).toBe(2);
    expect(await readChains()).toMatchObject([{ next_at: expect.any(String), problem: null }]);
  });

  test.each([
    ["4102 for its schema", "4102", 1],
    ["4107 for an unknown taxpayer", "4107", 1],
    ["1108 for the issuer", "1108", 1],
    ["4134 while the service is inactive", "4134", 5],
    ["3501 for a database error", "3501", 5],
    ["an unknown code", "7777", 5],
  ])(
    "retries a submission that the tax agency refuses with %s only if the cause may be temporary",
    async (_, code, count) => {
      const refuse = () => new Response(wrapInSoapEnvelope(writeSoapFaultXml(code, "No.")), { status: 500 });
      const reach = vi.fn(async (_request: Request) => refuse());
      const send = (now: number) => sendTaxRecords({ ...openTestTenant(env), reach: () => reach }, now);
      const now = Date.now();
      await issueInvoice(boss, 7);
      for (const hours of [0, 1, 2, 24, 24 * 365]) await send(now + hours * 3_600_000);
      expect(reach).toHaveBeenCalledTimes(count);
      const attention = await callOffice("GET", "/attention", { token: boss });
      const { data } = await attention.json<{ data: { kind: string; params: object }[] }>();
      expect(data.filter(({ kind }) => kind === "tax_records_unsent")).toMatchObject([
        { params: { count: 1, problem: expect.stringContaining(code) } },
      ]);
      await readSuccessfulAnswer(callOffice("POST", "/tax-records/retry", { token: boss }));
      await send(now + 24 * 366 * 3_600_000);
      expect(reach).toHaveBeenCalledTimes(count + 1);
    },
  );

  test("matches the tax agency's answers to records by number and kind if they come in another order", async () => {
    const answerFrom = openTestTenant(env).reach("tax_agency") ?? fetch;
    const reach = async (request: Request) => {
      const text = await (await answerFrom(request)).text();
      const lines = text.match(/<(\w+:)RespuestaLinea>.*?<\/\1RespuestaLinea>/gs) ?? [];
      return new Response(text.replace(lines.join(""), lines.toReversed().join("")));
    };
    const ids = [await issueInvoice(boss, 7), await issueInvoice(boss, 8)];
    const sendReversed = () => sendTaxRecords({ ...openTestTenant(env), reach: () => reach }, Date.now());
    expect(await sendReversed()).toBe(2);
    for (const id of ids) expect((await readTaxRecord(boss, id)).state).toBe("accepted");
  });

  // Proves "security, privacy and operation": The agency's refusals are shown with what to do
  test("shows tax records the tax agency refused with instructions, and fixes them by an unchained amendment", async () => {
    const id = await issueInvoice(boss, 7);
    await makeTaxAgencyFail("refuse");
    await sendTaxRecordsNow();
    expect(await readRecord(id)).toMatchObject({ state: "refused", code: "1999" });
    const listPendingRecords = () =>
      readSuccessfulAnswer<{ data: readonly { kind: string; why: string }[] }>(
        callOffice("GET", "/attention", { token: boss }),
      );
    expect((await listPendingRecords()).data.map(({ kind }) => kind)).toContain("tax_record_refused");
    const list = await readSuccessfulAnswer<{ data: readonly { to_do: string | null }[]; counts: object }>(
      callOffice("GET", "/tax-records?state=refused", { token: boss }),
    );
    expect(list.counts).toEqual({ refused: 1 });
    expect(list.data[0]?.to_do).toContain("amend the record");
    const amended = await readSuccessfulAnswer<TaxRecordAnswer>(
      callOffice("POST", `/documents/${id}/verifactu/amend`, { token: boss, body: WHY }),
    );
    const record = findDescendant(parseAuthorityXml(amended.xml), "RegistroAlta");
    expect([getChildText(record, "Subsanacion"), getChildText(record, "RechazoPrevio")]).toEqual(["S", "X"]);
    await sendTaxRecordsNow();
    expect((await readRecord(id)).records.map(({ state }) => state)).toEqual(["refused", "accepted"]);
    expect((await listPendingRecords()).data.map(({ kind }) => kind)).not.toContain("tax_record_refused");
  });

  test("counts unsent tax records for the office, blocks no sales, and reports the incident to the agency later", async () => {
    await makeTaxAgencyFail("down", 2);
    await issueInvoice(boss, 7);
    await sendTaxRecordsNow();
    await issueInvoice(boss, 8);
    await sendTaxRecordsNow();
    const { data } = await readSuccessfulAnswer<{ data: readonly { kind: string; why: string }[] }>(
      callOffice("GET", "/attention", { token: boss }),
    );
    expect(data.find(({ kind }) => kind === "tax_records_unsent")?.why).toContain(
      "2 invoices of B07123458 are not sent",
    );
    const list = await readSuccessfulAnswer<{ unsent: number; chains: readonly { problem: string | null }[] }>(
      callOffice("GET", "/tax-records", { token: boss }),
    );
    expect(list).toMatchObject({ unsent: 2, chains: [{ problem: "status 503" }] });
    // A day later, the records' timestamps are old, so the agency also gets the reason for the delay.
    await sendTaxRecordsNow(Date.now());
    expect((await readTaxAgencyRecords()).map(({ code }) => code)).toEqual([undefined, undefined]);
  });

  test("sends no tax records before the company has signed the authorization", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET tax_representation_date = NULL").run();
    await openTestTenant(env).freshSnapshot();
    await issueInvoice(boss, 7);
    await sendTaxRecordsNow();
    expect(await readTaxAgencyRecords()).toEqual([]);
    const list = await readSuccessfulAnswer<{ chains: readonly object[] }>(
      callOffice("GET", "/tax-records", { token: boss }),
    );
    expect(list.chains).toMatchObject([{ problem: "representation_missing" }]);
  });

  test("stops sending the records of a tax that enters the SII, though another tax stays with VERI*FACTU", async () => {
    const setTaxSystem = async (iva: string) => {
      await env.TENANT_ACME.prepare("UPDATE settings SET tax_records_iva = ?, tax_records_igic = 'verifactu'")
        .bind(iva)
        .run();
      await openTestTenant(env).freshSnapshot();
    };
    const id = await issueInvoice(boss, 7);
    await setTaxSystem("sii");
    await sendTaxRecordsNow();
    expect([await readTaxAgencyRecords(), (await readRecord(id)).state]).toEqual([[], "waiting"]);
    await setTaxSystem("verifactu");
    await sendTaxRecordsNow();
    expect([(await readTaxAgencyRecords()).length, (await readRecord(id)).state]).toEqual([1, "accepted"]);
  });

  test("waits for the tax agency's answer before correcting a tax record, and annuls it once", async () => {
    const id = await issueInvoice(boss, 7);
    const annul = () => callOffice("POST", `/documents/${id}/verifactu/annul`, { token: boss, body: WHY });
    expect((await annul()).status).toBe(409);
    await sendTaxRecordsNow();
    expect((await annul()).status).toBe(200);
    expect((await annul()).status).toBe(409);
    await sendTaxRecordsNow();
    expect((await annul()).status).toBe(409);
    expect((await readTaxAgencyRecords()).map(({ kind }) => kind)).toEqual(["registration", "annulment"]);
  });

  test("reads as many rows for lists, pending tasks and sending, however many tax records were accepted", async () => {
    await issueInvoice(boss, 7);
    await sendTaxRecordsNow();
    const paths = [
      "/attention",
      "/tax-records?page_size=1",
      "/tax-records?state=refused",
      "/tax-records?state=accepted&page_size=1",
    ];
    const readRowCount = async (path: string) => getRequestCost(await callOffice("GET", path, { token: boss })).rows;
    const costs = async () => {
      const tenant = openTestTenant(env);
      await env.TENANT_ACME.prepare("UPDATE tax_chains SET next_at = 0").run();
      await sendTaxRecords({ ...tenant, reach: () => () => Promise.reject(new Error("nothing waits")) }, Date.now());
      const readRowCounts: number[] = [];
      for (const path of paths) readRowCounts.push(await readRowCount(path));
      return [tenant.meter.rowsRead, ...readRowCounts];
    };
    await costs();
    const before = await costs();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300)
        INSERT INTO tax_records (chain, position, kind, document_id, issuer, number, date, hashed, previous_hash, hash, content, generated_at)
        SELECT chain, position + n, kind, document_id, issuer, number, date, hashed, hash, hash, content, generated_at FROM n, tax_records`),
      env.TENANT_ACME.prepare("UPDATE tax_record_states SET state = 'accepted', answered_at = 1"),
    ]);
    const { total, counts } = await readSuccessfulAnswer<{ total: number; counts: object }>(
      callOffice("GET", "/tax-records", { token: boss }),
    );
    expect([total, counts]).toEqual([301, { accepted: 301 }]);
    const after = await costs();
    // Each page may read one or two more rows, because it checks whether a next page exists.
    for (const [index, rows] of after.entries())
      expect([index, rows <= (before[index] ?? 0) + 10]).toEqual([index, true]);
  });

  test("shows the list of tax records to administrators, and single ones to users who can see the document", async () => {
    const id = await issueInvoice(boss, 7);
    const desk = await createToken("desk");
    expect((await callOffice("GET", "/tax-records", { token: desk })).status).toBe(403);
    expect((await callOffice("GET", `/documents/${id}/verifactu`, { token: desk })).status).toBe(200);
    expect((await callOffice("POST", `/documents/${id}/verifactu/annul`, { token: desk, body: WHY })).status).toBe(403);
    expect((await callOffice("GET", "/documents/999/verifactu", { token: boss })).status).toBe(404);
    expect((await callOffice("GET", "/tax-records?state=lost", { token: boss })).status).toBe(400);
    expect((await callOffice("GET", `/documents/${id}/verifactu`)).status).toBe(401);
  });
});

describe("tax agency simulator", () => {
  const submit = (body: string) =>
    import("#worker/development/tax-agency/submission-simulator.ts").then(({ simulateTaxAgencyResponse }) =>
      simulateTaxAgencyResponse(env.FILES, new Request("http://localhost/", { method: "POST", body }), Date.now()),
    );

  test("detects a tax record's changed amount by its hash, a skipped record and an invalid submission", async () => {
    const [first, second] = [
      await readRecord(await issueInvoice(boss, 7)),
      await readRecord(await issueInvoice(boss, 8)),
    ];
    const codes = async (xml: string) =>
      findOutermostDescendants(parseAuthorityXml(await (await submit(xml)).text()), "CodigoErrorRegistro").map(
        ({ text }) => text,
      );
    expect(await codes(first.xml.replace("<si:ImporteTotal>80.00", "<si:ImporteTotal>81.00"))).toEqual(["2000"]);
    expect(await codes(second.xml)).toEqual([]);
    expect(await codes(second.xml)).toEqual(["3000"]);
    expect(
      await codes(
        first.xml.replace(
          "<si:NIF>B07123458</si:NIF></si:ObligadoEmision>",
          "<si:NIF>B12345674</si:NIF></si:ObligadoEmision>",
        ),
      ),
    ).toEqual(["1108"]);
    expect(await (await submit("<a><b></a>")).text()).toContain("4102");
  });
});
