import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { writeContractText } from "#domain/printing/contract-text.ts";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import {
  callAsStaff,
  createCollectionMessage,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { createContractTextData } from "#support/contract-facts.ts";
import { insertContracts } from "#support/contracts.ts";
import { createPng, joinBytes, sha256 } from "#support/images.ts";
import { callOffice } from "#support/office.ts";
import { capturePrintout, getPrintoutText, requestWithPrinter } from "#support/printing.ts";
import { createDocumentToPrint, createPrintContext } from "#support/printouts.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

const FREE_ID = "0123456789abcdef0123456789abcdef";
const OTHER_FREE_ID = "f123456789abcdef0123456789abcdef";

const YEAR = getTodayAtCompany().slice(2, 4);
const SERIE = `T-AIR-${YEAR}`;

let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'").run();
  desk = await createToken("desk");
});

interface DocumentsAnswer {
  readonly invoices: readonly { readonly id: number; readonly invoice_type: string }[];
  readonly charges: readonly { readonly id: number }[];
}

let requestNumber = 0;
async function documents(path: string, body: Readonly<Record<string, unknown>> = {}): Promise<DocumentsAnswer> {
  const answer = await callApi("POST", path, {
    token: desk,
    body: { request_id: `printing-${requestNumber++}`, ...body },
  });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json<DocumentsAnswer>();
}

const openTo = (id: number, freeAccessId: string) =>
  env.TENANT_ACME.prepare("UPDATE bookings SET free_access_id = ? WHERE id = ?").bind(freeAccessId, id).run();

const getAsCustomer = (path: string, freeAccessId = FREE_ID) =>
  requestWorker(`http://acme.localhost:8787/api/v1/web-customer/reservations/${freeAccessId}${path}`);

const readBytes = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

describe("a document is printed", () => {
  beforeEach(() =>
    insertContracts([
      { id: 7, status: "done" },
      { id: 8, status: "done", branch: "TOWN" },
    ]),
  );

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A document is a PDF, the same bytes each
  //   time, with its number, parts and totals by tax rate
  test("returns a PDF with identical bytes each time, with number, items and totals by tax rate", async () => {
    const { invoices } = await documents("/booking/7/documents");
    const path = `/documents/${invoices[0]?.id}.pdf`;
    const answer = await callOffice("GET", path, { token: desk });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toBe(`inline; filename="invoice-${SERIE.toLowerCase()}-1.pdf"`);
    const bytes = await readBytes(answer);
    expect(new TextDecoder().decode(bytes.subarray(0, 5))).toBe("%PDF-");
    expect(await readBytes(await callOffice("GET", path, { token: desk }))).toEqual(bytes);
    const printout = await capturePrintout(`/api/v1/office${path}`, desk);
    expect(printout).toMatchObject({ language: "es", title: `Factura simplificada ${SERIE}/1` });
    const text = getPrintoutText(printout);
    for (const line of [
      `Número ${SERIE}/1`,
      "Contrato 7",
      "Ana Ruiz",
      "Base imponible 21\u00a0% 83,47\u00a0€",
      "IVA 10\u00a0% 1,82\u00a0€",
      "Total 121,00\u00a0€",
      "Pendiente de pago 121,00\u00a0€",
    ])
      expect(text).toContain(line);
  });

  test("prints a document with the company and branch data of its issue, whatever changed since", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE branches SET company_name = 'Antigua, S.L.', document_id = 'B57123456', address_city = 'Palma' WHERE code = 'AIR'",
    ).run();
    const paid = { kind: "charge", amount: "21.00", payment_method_id: "cash" };
    const { charges } = await documents("/booking/7/charges", paid);
    const { invoices } = await documents("/booking/7/documents");
    await env.TENANT_ACME.prepare(
      "UPDATE branches SET company_name = 'Nueva, S.A.', document_id = 'A07000001', tax_territory = 'igic' WHERE code = 'AIR'",
    ).run();
    for (const path of [`/documents/${invoices[0]?.id}.pdf`, `/charges/${charges[0]?.id}.pdf`]) {
      const text = getPrintoutText(await capturePrintout(`/api/v1/office${path}`, desk));
      expect(text).toContain("EMISOR\nAntigua, S.L.\nNIF B57123456");
      expect(text).not.toMatch(/Nueva|IGIC/);
    }
    const { invoices: after } = await documents(`/documents/${invoices[0]?.id}/credit-note`, { amount: "21.00" });
    const note = after.find(({ invoice_type }) => invoice_type === "payment");
    const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${note?.id}.pdf`, desk));
    expect(text).toContain("EMISOR\nNueva, S.A.\nNIF A07000001");
    expect(text).toContain("IGIC");
  });

  test("prints branch data added after a document was issued if the document lacked that data", async () => {
    const { invoices } = await documents("/booking/7/documents");
    await env.TENANT_ACME.prepare(
      "UPDATE branches SET company_name = 'Nueva, S.A.', document_id = 'A07000001' WHERE code = 'AIR' AND document_id IS NULL",
    ).run();
    const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${invoices[0]?.id}.pdf`, desk));
    expect(text).toContain("EMISOR\nNueva, S.A.\nNIF A07000001");
  });

  test("prints the tax of the document's branch and the reason for an unusual rate", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE branches SET tax_territory = 'igic' WHERE code = 'AIR'"),
      env.TENANT_ACME.prepare(`UPDATE settings SET tax_rate_codes = '{"10.00":"S2","21.00":"S1"}'`),
    ]);
    const { invoices } = await documents("/booking/7/documents");
    const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${invoices[0]?.id}.pdf`, desk));
    expect(text).toContain("IGIC 10\u00a0% 1,82\u00a0€");
    expect(text).toContain("incluidos. IGIC 10\u00a0%: inversión del sujeto pasivo.");
    expect(text).not.toContain("IVA");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A draft has no number, is marked as one,
  //   and only the office sees it
  test("prints a draft without a number, for the office only", async () => {
    await openTo(7, FREE_ID);
    const { invoices } = await documents("/booking/7/documents", { issued: false });
    const printout = await capturePrintout(`/api/v1/office/documents/${invoices[0]?.id}.pdf`, desk);
    expect(printout.stamp).toBe("BORRADOR");
    expect(getPrintoutText(printout)).not.toContain("T-AIR");
    expect((await getAsCustomer(`/documents/${invoices[0]?.id}.pdf`)).status).toBe(404);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A credit note names what it corrects
  test("prints a credit note with the corrected document, in the customer's language", async () => {
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_language = 'de' WHERE id = 7").run();
    const { invoices } = await documents("/booking/7/documents");
    const { invoices: after } = await documents(`/documents/${invoices[0]?.id}/credit-note`, { amount: "21.00" });
    const note = after.find(({ invoice_type }) => invoice_type === "payment");
    const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${note?.id}.pdf`, desk));
    expect(text).toContain("Rechnungskorrektur");
    expect(text).toMatch(new RegExp(`Korrigiert ${SERIE}/1 · \\d{2}\\.\\d{2}\\.\\d{4}`));
    expect(text).toContain("Gesamtbetrag -21,00\u00a0€");
    expect(text).not.toContain("Noch zu zahlen");
  });

  test("prints an invoice's items in the customer's language as issued, and reports them in the company's", async () => {
    const translate = (text: string) =>
      env.TENANT_ACME.batch([
        env.TENANT_ACME.prepare("DELETE FROM translations WHERE language = 'de'"),
        env.TENANT_ACME.prepare(
          "INSERT INTO translations VALUES ('booking_category', 'A', 'name', 'de', ?), ('extra', 'GPS', 'name', 'de', 'Navi')",
        ).bind(text),
      ]);
    await translate("Kleinwagen");
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_language = 'de' WHERE id = 7").run();
    const { invoices } = await documents("/booking/7/documents");
    await translate("Kompaktwagen");
    const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${invoices[0]?.id}.pdf`, desk));
    for (const line of ["Miete Kleinwagen, 3 Tage", "Navi", "Zuschlag für den Abholort"]) expect(text).toContain(line);
    expect(text).not.toMatch(/Coche|Navegador|Suplemento/);
    const read = await callOffice("GET", `/documents/${invoices[0]?.id}`, { token: desk });
    expect(JSON.stringify(await read.json())).toMatch(/Alquiler Coche pequeño, 3 días.*Navegador/);
  });

  test("prints credited amounts as credited and not as paid", async () => {
    const { invoices } = await documents("/booking/7/documents");
    await documents("/booking/7/charges", { kind: "charge", amount: "30.00", payment_method_id: "cash" });
    await documents(`/documents/${invoices[0]?.id}/credit-note`, { amount: "21.00" });
    const text = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${invoices[0]?.id}.pdf`, desk));
    for (const line of ["Pagado 30,00\u00a0€", "Rectificativas 21,00\u00a0€", "Pendiente de pago 70,00\u00a0€"])
      expect(text).toContain(line);
  });

  // Proves "office.md: printing": GET /reservations/{id}/contract: its texts
  test("returns the text of a contract to branch staff, as it will be signed", async () => {
    const path = "/reservations/7/contract";
    const answer = await callOffice("GET", path, { token: desk });
    const { data } = await answer.json<{ data: readonly { text: string; language: string; is_signed: boolean }[] }>();
    expect(data).toMatchObject([{ is_signed: false }]);
    expect(data[0]?.text.startsWith("# ")).toBe(true);
    expect((await callOffice("GET", path)).status).toBe(401);
    expect((await callOffice("GET", "/reservations/99999/contract", { token: desk })).status).toBe(404);
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'TOWN'").run();
    expect((await callOffice("GET", path, { token: desk })).status).toBe(404);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": 404 for other branches and with another
  //   booking's link
  test("returns the PDF to branch staff and holders of the booking's ID, and 404 to all others", async () => {
    await openTo(7, FREE_ID);
    await openTo(8, OTHER_FREE_ID);
    const { invoices, charges } = await documents("/booking/7/charges", {
      kind: "charge",
      amount: "21.00",
      payment_method_id: "cash",
    }).then(() => documents("/booking/7/documents"));
    const [invoice, charge] = [invoices[0]?.id, charges[0]?.id];
    for (const path of [`/documents/${invoice}.pdf`, `/charges/${charge}.pdf`, "/contract.pdf"]) {
      expect({ path, status: (await getAsCustomer(path)).status }).toEqual({ path, status: 200 });
    }
    for (const path of [`/documents/${invoice}.pdf`, `/charges/${charge}.pdf`]) {
      expect((await getAsCustomer(path, OTHER_FREE_ID)).status).toBe(404);
      expect((await getAsCustomer(path, "no-such-id")).status).toBe(404);
    }
    expect((await getAsCustomer("/contract.pdf", "a".repeat(32))).status).toBe(404);
    for (const path of [`/documents/${invoice}.pdf`, `/charges/${charge}.pdf`, "/reservations/7/contract.pdf"]) {
      const statuses = await Promise.all([
        callOffice("GET", path, { token: desk }),
        callOffice("GET", path),
        callOffice("POST", path, { token: desk }),
      ]);
      expect({ path, statuses: statuses.map(({ status }) => status) }).toEqual({ path, statuses: [200, 401, 405] });
    }
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'TOWN'").run();
    for (const path of [`/documents/${invoice}.pdf`, `/charges/${charge}.pdf`, "/reservations/7/contract.pdf"])
      expect({ path, status: (await callOffice("GET", path, { token: desk })).status }).toEqual({ path, status: 404 });
    for (const path of ["/documents/99999.pdf", "/charges/99999.pdf", "/reservations/99999/contract.pdf"])
      expect((await callOffice("GET", path, { token: desk })).status).toBe(404);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Fonts of other scripts are loaded if a
  //   document needs them
  test("prints names in other scripts with a font that the printer loads from its files", async () => {
    const names = ["王小明", "さくら", "김민수", "محمد", "כהן", "สมชาย", "राजेश"];
    const printed = async (name: string) => {
      const printout = createDocumentPrintout(
        createDocumentToPrint({ customer: { name, taxId: "X", address: [] } }),
        createPrintContext(),
      );
      const answer = await env.PRINTER.fetch("https://printer/", { method: "POST", body: JSON.stringify(printout) });
      return { name, status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
    };
    const plain = await printed("Anna");
    for (const { name, status, bytes } of await Promise.all(names.map(printed)))
      expect({ name, status, hasFont: bytes > plain.bytes + 800 }).toEqual({ name, status: 200, hasFont: true });
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": 503 with Retry-After if the printer
  //   doesn't answer
  test("returns 503 with Retry-After if the printer doesn't answer", async () => {
    const { invoices } = await documents("/booking/7/documents");
    const printers = [
      { fetch: () => Promise.reject(new Error("no such service")) },
      { fetch: () => Promise.resolve(new Response("exceeded", { status: 500 })) },
    ];
    for (const printer of printers) {
      const answer = await requestWithPrinter(
        printer as unknown as Fetcher,
        `/api/v1/office/documents/${invoices[0]?.id}.pdf`,
        desk,
      );
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "2"]);
      expect(await answer.json()).toMatchObject({ code: "overloaded" });
    }
  });

  // Proves "security.md": A5
  test("limits the documents that a booking's link prints in a minute", async () => {
    await openTo(7, "limited-0123456789abcdef01234567");
    const { invoices } = await documents("/booking/7/documents");
    const printDocument = () => getAsCustomer(`/documents/${invoices[0]?.id}.pdf`, "limited-0123456789abcdef01234567");
    const statuses = [];
    for (let time = 0; time < 22; time++) statuses.push((await printDocument()).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
    expect(await (await printDocument()).json()).toMatchObject({ code: "too_many_attempts" });
    await openTo(8, OTHER_FREE_ID);
    expect((await getAsCustomer("/documents/99.pdf", OTHER_FREE_ID)).status).toBe(404);
  });

  // Proves "security.md": A5
  test.each([
    ["a document", (id: string) => `/api/v1/web-customer/reservations/${id}/documents/1.pdf`],
    ["a receipt", (id: string) => `/api/v1/web-customer/reservations/${id}/charges/1.pdf`],
    ["a contract", (id: string) => `/api/v1/web-customer/reservations/${id}/contract.pdf`],
    ["a quote", (id: string) => `/quote/${id}/quote.pdf`],
  ])("limits how often a link prints %s in a minute, also an unknown link", async (name, toPath) => {
    const path = toPath(`11110000${name.replaceAll(/[^a-f]/g, "")}`.padEnd(32, "0"));
    const statuses = [];
    for (let time = 0; time < 22; time++)
      statuses.push((await requestWorker(`http://acme.localhost:8787${path}`)).status);
    expect(statuses).toEqual([...Array(20).fill(404), 429, 429]);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": The account's own colour and foot
  test("prints the company's own color and footer", async () => {
    await env.TENANT_ACME.prepare(
      "INSERT INTO letterhead (id, color, foot) VALUES (1, '#0b6e69', 'Inscrita en Palma')",
    ).run();
    const { invoices } = await documents("/booking/7/documents");
    const { letterhead } = await capturePrintout(`/api/v1/office/documents/${invoices[0]?.id}.pdf`, desk);
    expect(letterhead).toMatchObject({ color: "#0b6e69", foot: "Inscrita en Palma" });
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Receipts of money that came and that went
  //   back
  test("prints receipts for received and refunded money", async () => {
    await documents("/booking/7/charges", { kind: "charge", amount: "50.00", payment_method_id: "cash" });
    const { charges } = await documents("/booking/7/charges", {
      kind: "payment",
      amount: "20.00",
      payment_method_id: "cash",
    });
    const [came, went] = await Promise.all(
      charges.map(async ({ id }) => getPrintoutText(await capturePrintout(`/api/v1/office/charges/${id}.pdf`, desk))),
    );
    expect(came).toContain("RECIBIDO DE\nAna Ruiz");
    expect(came).toContain("Pago del cliente · Contrato 7 | Efectivo | 50,00\u00a0€");
    expect(went).toContain("PAGADO A\nAna Ruiz");
    expect(went).toContain("Reembolso al cliente");
  });

  test("prints a receipt for a retained deposit without showing any movement as refunded", async () => {
    await documents("/booking/7/charges", { kind: "deposit_received", amount: "60.00", payment_method_id: "cash" });
    const retainedDeposit = { kind: "deposit_kept", amount: "40.00", payment_method_id: "cash" };
    const { charges } = await documents("/booking/7/charges", retainedDeposit);
    const printed = await Promise.all(
      charges
        .slice(1)
        .map(async ({ id }) => getPrintoutText(await capturePrintout(`/api/v1/office/charges/${id}.pdf`, desk))),
    );
    expect(printed).toHaveLength(2);
    for (const receipt of printed) {
      expect(receipt).toContain("Cargo contra la fianza");
      expect(receipt).not.toMatch(/devuelta|PAGADO A/);
    }
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A receipt names each document that its
  //   money is split over
  test("prints a receipt for money split over an advance and its closing invoice", async () => {
    await documents("/booking/7/documents", { advance: "20.00" });
    await documents("/booking/7/documents");
    const { charges } = await documents("/booking/7/charges", {
      kind: "charge",
      amount: "121.00",
      payment_method_id: "cash",
    });
    const printed = getPrintoutText(await capturePrintout(`/api/v1/office/charges/${charges[0]?.id}.pdf`, desk));
    expect(printed).toContain(`Contrato 7 · Factura ${SERIE}/1, ${SERIE}/2 | Efectivo`);
  });
});

describe("the contract of a rental", () => {
  const TERMS = "## 1. Uso\nEl vehículo se usa con cuidado.";
  const path = "/api/v1/office/reservations/7/contract.pdf";
  const text = writeContractText(createContractTextData({ bookingId: 7 }));
  const bytes = Uint8Array.from(new TextEncoder().encode(text));
  const keep = (file: Uint8Array<ArrayBuffer>, hash: string) =>
    callAsStaff("PUT", `/v1/booking/7/check-in-files/${hash}`, desk, file);

  async function sign(
    signature: Readonly<Record<string, unknown>>,
    changes: Parameters<typeof createDeliveryMessage>[0] = {},
  ) {
    return sendCheckInOperation(
      desk,
      createDeliveryMessage({
        ...changes,
        signature: { method: "drawn", name: "Ana Ruiz", signed_at: "2024-05-03T08:10:00.000Z", ...signature },
      }),
    );
  }

  beforeEach(async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("INSERT INTO contract_terms (language, terms) VALUES ('es', ?)").bind(TERMS).run();
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": An unsigned contract contains the current
  //   reservation
  test("shows the reservation's data and room for a signature in an unsigned contract", async () => {
    const printed = getPrintoutText(await capturePrintout(path, desk));
    for (const line of [
      "Contrato de alquiler 7",
      "Ana Ruiz",
      "Entrega 03/05/2024 10:00, Aeropuerto",
      "El vehículo se usa con cuidado.",
      "Fianza 400,00\u00a0€",
      "Sin daños visibles.",
      "Firmas",
    ])
      expect(printed).toContain(line);
    expect(printed).not.toContain("Firmado el");
  });

  test("prints category, extras and places of a contract in the customer's language, even one the office doesn't offer", async () => {
    const translated = [
      "('extra', 'SEAT', 'name', 'nl', 'Kinderzitje')",
      "('pickup_place', '1', 'name', 'nl', 'Luchthaven')",
    ];
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(`INSERT INTO translations VALUES ${translated.join(", ")},
        ('pickup_place', '2', 'name', 'nl', 'Kantoor'), ('booking_category', 'A', 'name', 'nl', 'Kleine auto')`),
      env.TENANT_ACME.prepare(`INSERT INTO booking_extras (booking_id, extra_code, extra_description, quantity,
        extra_unit_cents, extra_cents, vat_basis_points) VALUES (7, 'SEAT', 'Silla infantil', 1, 0, 0, 2100)`),
      env.TENANT_ACME.prepare("UPDATE bookings SET customer_language = 'nl' WHERE id = 7"),
      env.TENANT_ACME.prepare("INSERT INTO contract_terms VALUES ('nl', 'Rijd voorzichtig.')"),
    ]);
    const printed = getPrintoutText(await capturePrintout(path, desk));
    for (const name of ["Kinderzitje", "Luchthaven", "Kantoor", "Kleine auto", "Rijd voorzichtig."])
      expect(printed).toContain(name);
    expect(printed).not.toMatch(/Silla|Aeropuerto|Oficina|Coche/);
  });

  test("prints the terms that customers accept if the company has no conditions of its own for contracts", async () => {
    await env.TENANT_ACME.prepare(`INSERT INTO legal_texts (document, language, url, text) VALUES
      ('terms', 'es', NULL, 'Sin fumar.'), ('terms', 'de', 'https://example.com/agb', NULL), ('privacy', 'es', NULL, 'Datos.')`).run();
    const print = async () => getPrintoutText(await capturePrintout(path, desk));
    expect(await print()).not.toContain("Sin fumar.");
    await env.TENANT_ACME.prepare("DELETE FROM contract_terms").run();
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_language = 'de' WHERE id = 7").run();
    expect(await print()).toContain("Sin fumar.");
    expect(await print()).not.toMatch(/Datos\.|agb/);
  });

  test("shows credited amounts separately from payments", async () => {
    await documents("/booking/7/charges", { kind: "charge", amount: "30.00", payment_method_id: "cash" });
    expect(getPrintoutText(await capturePrintout(path, desk))).not.toContain("Rectificativas");
    await env.TENANT_ACME.prepare("UPDATE bookings SET credited_cents = 2100 WHERE id = 7").run();
    const printed = getPrintoutText(await capturePrintout(path, desk));
    for (const line of ["Pagado 30,00\u00a0€", "Rectificativas 21,00\u00a0€"]) expect(printed).toContain(line);
  });

  test("marks every page as cancelled once the contract is cancelled", async () => {
    expect((await capturePrintout(path, desk)).stamp).toBeUndefined();
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = 7").run();
    expect((await capturePrintout(path, desk)).stamp).toBe("CANCELADO");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A signed text is printed unchanged
  // Proves "check-in.md": W11
  test("prints the exact signed text and signature of a contract, with identical bytes after any later change", async () => {
    const png = createPng({ width: 60, height: 20 });
    const [hash, contractHash] = [await sha256(png), await sha256(bytes)];
    const { result } = await sign({ hash, contract_hash: contractHash, contract_language: "de" });
    expect(result.missing_photos).toEqual([hash, contractHash]);
    expect((await keep(png, hash)).status).toBe(201);
    const retainedDeposit = await keep(bytes, contractHash);
    expect(await retainedDeposit.json()).toMatchObject({ content_type: "text/plain", bytes: bytes.byteLength });
    const read = await callAsStaff("GET", `/v1/booking/7/check-in-files/${contractHash}`, desk);
    expect(await read.text()).toBe(text);
    const printout = await capturePrintout(path, desk);
    // The printer caches its first response for this request.
    expect(getPrintoutText(printout)).toContain("Mietvertrag 7");
    expect(getPrintoutText(printout)).toContain(contractHash);
    expect(printout.blocks).toContainEqual(
      expect.objectContaining({
        kind: "signatures",
        signatures: [expect.objectContaining({ name: "Ana Ruiz", image: expect.anything() }), expect.anything()],
      }),
    );
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE contract_terms SET terms = 'Otras'"),
      env.TENANT_ACME.prepare("UPDATE bookings SET customer_name = 'Otra' WHERE id = 7"),
    ]);
    expect(await capturePrintout(path, desk)).toEqual(printout);
  });

  test("prints no signature whose stored size or pixels exceed the limits, and reads none of its bytes", async () => {
    const end = createPng({ width: 60, height: 20 }).slice(-12);
    const getSignature = (bytes: number) => {
      const start = createPng({ width: 60, height: 20 }).slice(0, -12);
      const text = new Uint8Array(bytes - start.length - end.length);
      new DataView(text.buffer).setUint32(0, text.length - 12);
      text.set(new TextEncoder().encode("tEXt"), 4);
      return joinBytes(start, text, end);
    };
    const [largest, tooLarge] = [getSignature(300_000), getSignature(300_001)];
    const [hash, larger] = [await sha256(largest), await sha256(tooLarge)];
    await sign({ hash });
    for (const [bytes, name] of [
      [largest, hash],
      [tooLarge, larger],
    ] as const) {
      expect((await keep(bytes, name)).status).toBe(201);
      // Stores the image with all its parts, as older versions did.
      await env.FILES.put(`t/acme/check-in/7/${name}`, bytes);
      await env.TENANT_ACME.prepare("UPDATE check_in_files SET bytes = ? WHERE hash = ?")
        .bind(bytes.length, name)
        .run();
    }
    const image = { type: "png", base64: Buffer.from(largest).toString("base64") };
    expect((await capturePrintout(path, desk)).blocks).toContainEqual(
      expect.objectContaining({
        kind: "signatures",
        signatures: [expect.objectContaining({ image }), expect.anything()],
      }),
    );
    await env.TENANT_ACME.prepare(
      "UPDATE check_in_operations SET operation = json_set(operation, '$.sent.signature.hash', ?)",
    )
      .bind(larger)
      .run();
    const readObjects = vi.spyOn(env.FILES, "get");
    const listReadPaths = () => readObjects.mock.calls.map(([name]) => name);
    const expectNoSignature = async (name: string) => {
      const { blocks } = await capturePrintout(path, desk);
      expect(blocks).toContainEqual(
        expect.objectContaining({
          kind: "signatures",
          signatures: [{ role: "El arrendatario", name: "Ana Ruiz", detail: expect.any(String) }, expect.anything()],
        }),
      );
      expect(listReadPaths()).not.toContain(`t/acme/check-in/7/${name}`);
    };
    await expectNoSignature(larger);
    // The file's database row contains a size of 4 million pixels and one line of pixels more.
    const resize = env.TENANT_ACME.prepare("UPDATE check_in_files SET bytes = 300, width = 2000, height = ?");
    await resize.bind(2001).run();
    await expectNoSignature(larger);
    await resize.bind(2000).run();
    await capturePrintout(path, desk);
    expect(listReadPaths()).toContain(`t/acme/check-in/7/${larger}`);
  });

  // Proves "security.md": A41
  test("prints a notice, and reads no file, if the signed exchanges of a contract are too many or too large", async () => {
    const png = createPng({ width: 60, height: 20 });
    const [hash, contractHash] = [await sha256(png), await sha256(bytes)];
    await sign({ hash, contract_hash: contractHash, contract_language: "es" });
    await keep(png, hash);
    await keep(bytes, contractHash);
    const addExchanges = (from: number, to: number) =>
      env.TENANT_ACME.prepare(
        `INSERT INTO check_in_operations (op_id, booking_id, unit_id, kind, state, code, message, fingerprint, operation,
           version, author, user_id, device_id, seq, recorded_at, received_at)
         SELECT printf('01890000-0000-7000-8000-%012d', value), booking_id, unit_id, 'exchange', state, code, message,
           fingerprint, operation, version, author, user_id, device_id, value, recorded_at, received_at
         FROM check_in_operations, json_each(?) WHERE kind = 'delivery'`,
      )
        .bind(JSON.stringify(Array.from({ length: to - from }, (_, at) => from + at)))
        .run();
    const setSize = (size: number) => env.TENANT_ACME.prepare("UPDATE check_in_files SET bytes = ?").bind(size).run();
    const notice = "Este texto es demasiado largo para imprimirlo.";
    const readObjects = vi.spyOn(env.FILES, "get");
    const print = async () => {
      readObjects.mockClear();
      return { text: getPrintoutText(await capturePrintout(path, desk)), reads: readObjects.mock.calls.length };
    };
    await addExchanges(1000, 1019);
    await setSize(300_000);
    expect(await print()).toMatchObject({ text: expect.stringContaining(notice), reads: 0 });
    await setSize(200_000);
    expect(await print()).toMatchObject({ text: expect.stringContaining(contractHash), reads: 42 });
    await setSize(300);
    await addExchanges(1019, 1200);
    expect(await print()).toMatchObject({ text: expect.stringContaining(notice), reads: 0 });
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Older phones' hashes are taken and told
  //   apart
  test("accepts a contract signed with an older app version's hash, and prints that hash", async () => {
    await sign({ method: "typed", contract_hash: "c0ffee" });
    const printed = getPrintoutText(await capturePrintout(path, desk));
    expect(printed).toContain("Firmado en una versión anterior de la aplicación; huella de lo acordado: c0ffee");
    expect(printed).toContain("con su nombre escrito");
  });

  test("prints the real signing time of a contract even if the device's clock is a day behind", async () => {
    const late = { recorded_at: "2024-05-02T08:12:00.000Z", clock_offset_ms: 86_400_000 };
    await sign({ method: "typed", signed_at: "2024-05-02T08:10:00.000Z" }, late);
    expect(getPrintoutText(await capturePrintout(path, desk))).toContain("Firmado el 03/05/2024 10:10");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": The record of the return
  test("adds the return record to the contract's PDF once the vehicle is back", async () => {
    await sign({ method: "typed" });
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 10_600, fuel_eighths: 6 }));
    const printed = getPrintoutText(await capturePrintout(path, desk));
    expect(printed).toContain("Acta de devolución 7");
    expect(printed).toContain("Estado a la devolución");
    expect(printed).toContain("Kilómetros 10.600");
  });

  test("shows the return time in the account's time zone and the return branch in the customer's language", async () => {
    await sign({ method: "typed" });
    await sendCheckInOperation(
      desk,
      createCollectionMessage({ kilometres: 10_600, return_rental_location_code: "ISLE" }),
    );
    const printed = getPrintoutText(await capturePrintout(path, desk));
    expect(printed).toContain("Devolución acordada 05/05/2024 10:00");
    expect(printed).toContain("Devuelto el 05/05/2024 10:00, Island branch");
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("INSERT INTO translations VALUES ('branch', 'ISLE', 'name', 'de', 'Inselfiliale')"),
      env.TENANT_ACME.prepare("UPDATE bookings SET customer_language = 'de' WHERE id = 7"),
    ]);
    expect(getPrintoutText(await capturePrintout(path, desk))).toContain("05.05.2024 10:00, Inselfiliale");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Damage at delivery is distinguished from
  //   damage at return
  test("separates damage found at hand-over from damage found at return", async () => {
    const at = { part: "front_bumper", kind: "scratch", severity: "light", x: 500, y: 60 } as const;
    const damage = (note: string) => ({ damage_id: createOpId(), ...at, note, photos: [] });
    const out = damage("vor der Fahrt");
    await sendCheckInOperation(desk, createDeliveryMessage({ damages: [out] }));
    const searchReservations = async () => {
      const { blocks } = await capturePrintout(path, desk);
      return blocks.flatMap((block) => (block.kind === "vehicle" ? [block.legend.join(" | ")] : []));
    };
    expect(await searchReservations()).toEqual([expect.stringMatching(/vor der Fahrt \(nuevo\)$/)]);
    await sendCheckInOperation(
      desk,
      createCollectionMessage({ kilometres: 10_600, damages: [damage("auf der Fahrt")] }),
    );
    expect(await searchReservations()).toEqual([
      expect.stringMatching(/vor der Fahrt \(nuevo\)$/),
      expect.stringMatching(/vor der Fahrt \| .*auf der Fahrt \(nuevo\)$/),
    ]);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A file that isn't a contract's text is
  //   refused
  test("rejects a signed contract text that isn't a contract or whose hash differs from its bytes", async () => {
    const page = Uint8Array.from(new TextEncoder().encode("<script>alert(1)</script>\n"));
    expect((await keep(page, await sha256(page))).status).toBe(415);
    expect((await keep(bytes, "0".repeat(64))).status).toBe(400);
  });
});
