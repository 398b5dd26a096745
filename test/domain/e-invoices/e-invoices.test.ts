import { describe, expect, test } from "vitest";
import { parseElectronicAddress, type StoredParty, toEInvoice } from "#domain/e-invoices/e-invoice.ts";
import { isElectronicAddress } from "#domain/e-invoices/electronic-address.ts";
import { EINVOICE_FORMATS, type EInvoiceFormat, pickEInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { listMissingFormatFields } from "#domain/e-invoices/missing-fields.ts";
import { findDescendant, getChildText } from "#domain/xml.ts";
import { findAll, hasEmptyElements, listBrokenAmountRules, readText } from "#support/e-invoice-amounts.ts";
import { BUYER, createDocumentForEInvoice, E_INVOICE_DOCUMENTS_BY_KIND } from "#support/e-invoices.ts";
import { writeEInvoice } from "#worker/authorities/e-invoices/write.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";

const write = (format: EInvoiceFormat, document = createDocumentForEInvoice()) =>
  parseAuthorityXml(writeEInvoice(format, toEInvoice(document)));

const listMissingFields = (format: EInvoiceFormat, document: ReturnType<typeof createDocumentForEInvoice>) =>
  listMissingFormatFields(format, toEInvoice(document));

describe("electronic invoices of every kind of document", () => {
  const cases = Object.entries(E_INVOICE_DOCUMENTS_BY_KIND).flatMap(([name, document]) =>
    EINVOICE_FORMATS.filter((format) => listMissingFields(format, document).length === 0).map(
      (format) => [name, format, document] as const,
    ),
  );

  test("lists only what a format requires or can't contain as missing in documents of every kind", () => {
    const unsupported = Object.entries(E_INVOICE_DOCUMENTS_BY_KIND).flatMap(([name, document]) =>
      EINVOICE_FORMATS.flatMap((format) => {
        const fields = listMissingFields(format, document);
        return fields.length > 0 ? [[name, format, ...fields]] : [];
      }),
    );
    // Peppol requires the buyer's electronic address, Facturae a tax number, a province and short texts.
    expect(unsupported).toEqual([
      ["within the Union", "ubl", "endpoint"],
      ["reverse charge", "ubl", "endpoint"],
      ["german customer without a tax number", "ubl", "endpoint"],
      ["german customer without a tax number", "facturae", "document_id", "address_state"],
      ["very long texts", "facturae", "name", "address_street"],
    ]);
  });

  test.each(cases)("writes an electronic invoice with correct sums: %s as %s", (_, format, document) => {
    const root = write(format, document);
    expect(listBrokenAmountRules(root)).toEqual([]);
    const lines = ["InvoiceLine", "CreditNoteLine", "IncludedSupplyChainTradeLineItem"];
    expect(lines.flatMap((line) => findAll(root, line)).length).toBe(document.items.length);
    // Peppol refuses empty elements (PEPPOL-EN16931-R008).
    if (format === "ubl" || format === "xrechnung") expect(hasEmptyElements(root)).toBe(false);
  });

  test("detects wrong sums in an electronic invoice by arithmetic rules", () => {
    const xml = writeEInvoice("ubl", toEInvoice(createDocumentForEInvoice()));
    expect(listBrokenAmountRules(parseAuthorityXml(xml))).toEqual([]);
    expect(listBrokenAmountRules(parseAuthorityXml(xml.replaceAll(">186.66<", ">186.67<")))).toEqual(["BR-CO-15"]);
    expect(listBrokenAmountRules(parseAuthorityXml(xml.replaceAll(">27.55<", ">27.56<")))).toEqual([
      "BR-CO-10",
      "R120",
    ]);
  });
});

describe("an electronic invoice", () => {
  test("writes a credit note with its own type and the corrected invoice, negative only in Facturae", () => {
    const note = E_INVOICE_DOCUMENTS_BY_KIND["credit note"];
    const root = write("ubl", note);
    expect([root.name, readText(root, "CreditNoteTypeCode"), readText(root, "PayableAmount")]).toEqual([
      "CreditNote",
      "381",
      "186.66",
    ]);
    const [reference] = findAll(root, "BillingReference");
    expect(reference && readText(reference, "ID")).toBe("A-PMI-26/6");
    expect(readText(write("cii", note), "TypeCode")).toBe("381");
    const facturae = write("facturae", note);
    expect([readText(facturae, "InvoiceClass"), readText(facturae, "CorrectionMethod")]).toEqual(["OR", "02"]);
    expect(readText(facturae, "InvoiceTotal")).toBe("-186.66");
  });

  test.each([
    ["full", "S"],
    ["igic", "L"],
    ["ipsi", "M"],
    ["exempt", "E"],
    ["export", "G"],
    ["within the Union", "K"],
    ["reverse charge", "AE"],
    ["not subject", "O"],
  ])("writes the tax category of the document %s: %s", (name, category) => {
    const categoryCodes = findAll(write("cii", E_INVOICE_DOCUMENTS_BY_KIND[name]), "CategoryCode").map(
      ({ text }) => text,
    );
    expect(categoryCodes).toContain(category);
  });

  test("writes the reason of a tax exemption, and its code if the European list has one", () => {
    const getCode = (name: string) => readText(write("cii", E_INVOICE_DOCUMENTS_BY_KIND[name]), "ExemptionReasonCode");
    expect(["export", "within the Union", "reverse charge", "not subject", "full"].map(getCode)).toEqual([
      "VATEX-EU-G",
      "VATEX-EU-IC",
      "VATEX-EU-AE",
      "VATEX-EU-O",
      undefined,
    ]);
    expect(readText(write("ubl", E_INVOICE_DOCUMENTS_BY_KIND["exempt"]), "TaxExemptionReason")).toContain(
      "Ley 37/1992",
    );
  });

  test("omits the company's VAT number on an electronic invoice outside the scope of VAT", () => {
    expect(
      writeEInvoice("ubl", toEInvoice(E_INVOICE_DOCUMENTS_BY_KIND["not subject"] ?? createDocumentForEInvoice())),
    ).not.toContain("ESB12345674</cbc:CompanyID>");
    expect(writeEInvoice("ubl", toEInvoice(createDocumentForEInvoice()))).toContain("ESB12345674</cbc:CompanyID>");
  });

  // Rules BR-DE-10, BR-DE-11 and BR-DE-14 of the German profile.
  test("writes the destination's town and a rate outside the scope of VAT to XRechnung, as Germany requires", () => {
    const [destination] = findAll(write("xrechnung", E_INVOICE_DOCUMENTS_BY_KIND["within the Union"]), "Delivery");
    expect(destination && ["CityName", "PostalZone"].map((name) => readText(destination, name))).toEqual([
      "Madrid",
      "10115",
    ]);
    const listRates = (format: EInvoiceFormat, name: string) =>
      findAll(write(format, E_INVOICE_DOCUMENTS_BY_KIND["not subject"]), name).map((tax) => readText(tax, "Percent"));
    expect(listRates("xrechnung", "TaxCategory")).toEqual(["0.00"]);
    expect([...listRates("xrechnung", "ClassifiedTaxCategory"), ...listRates("ubl", "TaxCategory")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("writes an IBAN without the spaces in which people type it", () => {
    for (const format of EINVOICE_FORMATS)
      expect(
        writeEInvoice(format, toEInvoice(createDocumentForEInvoice({ iban: "es91 2100 0418 4502 0005 1332" }))),
      ).toContain(">ES9121000418450200051332<");
  });

  test("writes a negative line with a negative quantity and a positive price", () => {
    const lines = findAll(write("ubl", E_INVOICE_DOCUMENTS_BY_KIND["final after an advance"]), "InvoiceLine");
    expect(lines.map((line) => [readText(line, "InvoicedQuantity"), readText(line, "PriceAmount")])).toEqual([
      ["1", "126.72"],
      ["-1", "41.32"],
    ]);
  });

  test("names the advances that an invoice deducts and the simplified invoices that it replaces", () => {
    const listReferencedInvoices = (name: string) =>
      findAll(write("ubl", E_INVOICE_DOCUMENTS_BY_KIND[name]), "InvoiceDocumentReference").map((reference) =>
        readText(reference, "ID"),
      );
    expect(listReferencedInvoices("final after an advance")).toEqual(["A-PMI-26/5"]);
    expect(listReferencedInvoices("simplified exchanged for full")).toEqual(["T-PMI-26/3", "T-PMI-26/4"]);
  });

  test("includes the URL that a tax agency's QR code contains in every e-invoice format", () => {
    for (const format of EINVOICE_FORMATS)
      expect(
        writeEInvoice(format, toEInvoice(E_INVOICE_DOCUMENTS_BY_KIND["recorded"] ?? createDocumentForEInvoice())),
      ).toContain("ValidarQR?nif=B12345674&amp;");
  });

  test("includes the office codes of a buyer that is a public administration", () => {
    const centres = findAll(write("facturae", E_INVOICE_DOCUMENTS_BY_KIND["administration"]), "AdministrativeCentre");
    expect(centres.map((centre) => [readText(centre, "RoleTypeCode"), readText(centre, "CentreCode")])).toEqual([
      ["01", "L01280796"],
      ["02", "L01280796"],
      ["03", "LA0000001"],
    ]);
  });

  test("writes the due amount of Facturae with two decimals, and rejects currencies with three", () => {
    expect(readText(write("facturae", E_INVOICE_DOCUMENTS_BY_KIND["without decimals"]), "InstallmentAmount")).toBe(
      "9000.00",
    );
    expect(listMissingFields("facturae", createDocumentForEInvoice({ currency: "KWD", currencyDecimals: 3 }))).toEqual([
      "currency",
    ]);
  });

  test("escapes special characters of XML in an electronic invoice", () => {
    const buyer = { ...BUYER, name: "A <b> & \u0007 SL" };
    expect(readText(write("ubl", createDocumentForEInvoice({ buyer })), "RegistrationName")).toBeDefined();
    expect(writeEInvoice("ubl", toEInvoice(createDocumentForEInvoice({ buyer })))).toContain("A &lt;b&gt; &amp;  SL");
  });
});

describe("missing fields of an e-invoice", () => {
  const bare = { ...BUYER, taxId: undefined, street: undefined, zip: undefined, city: undefined, state: undefined };

  test("lists no missing fields for a complete invoice in any e-invoice format", () => {
    for (const format of EINVOICE_FORMATS) expect(listMissingFields(format, createDocumentForEInvoice())).toEqual([]);
  });

  test("lists the missing fields of an incomplete document for each e-invoice format", () => {
    const document = createDocumentForEInvoice({
      buyer: { ...bare, country: undefined, email: undefined },
      details: {},
    });
    expect(listMissingFields("ubl", document)).toEqual(["address_country", "endpoint"]);
    expect(listMissingFields("xrechnung", document)).toEqual([
      "address_zip",
      "address_city",
      "address_country",
      "endpoint",
      "buyer_reference",
    ]);
    expect(listMissingFields("cii", document)).toEqual(["address_country"]);
    expect(listMissingFields("facturae", document)).toEqual([
      "document_id",
      "address_street",
      "address_zip",
      "address_city",
      "address_state",
      "address_country",
    ]);
  });

  test("lists missing fields of an e-invoice that concern the company separately from the customer's", () => {
    const { seller } = createDocumentForEInvoice();
    const document = createDocumentForEInvoice({
      seller: { ...seller, taxId: undefined, phone: undefined, street: undefined },
    });
    expect(listMissingFields("xrechnung", document)).toEqual(["company_document_id", "company_phone_number"]);
    expect(listMissingFields("facturae", document)).toEqual(["company_document_id", "company_address_street"]);
  });

  test("reports that a credit note for tax only can't be written, except in Facturae", () => {
    const taxes = [{ vat: 2100, subtotalCents: 0, taxesCents: -2100 }];
    const items = [{ concept: "Fiat", quantity: 1, vat: 2100, subtotalCents: 0, taxesCents: -2100 }];
    const document = { ...createDocumentForEInvoice({ form: "credit_note", creditReason: "bad_debt" }), taxes, items };
    expect(listMissingFields("cii", document)).toEqual(["tax_only_credit"]);
    expect(listMissingFields("facturae", document)).toEqual([]);
  });

  test("requires another tax code for an item outside the scope of tax if other items of the invoice are taxed", () => {
    const items = [
      ["Fiat", 1, 100, 2100],
      ["Daños", 1, 100, 0],
    ] as const;
    expect(listMissingFields("cii", createDocumentForEInvoice({ items }, { 0: "N1" }))).toEqual(["tax_rate_code"]);
    expect(listMissingFields("cii", createDocumentForEInvoice({ items }, { 0: "E1" }))).toEqual([]);
  });

  test.each([
    ["name", { name: "N".repeat(81) }],
    ["name", { isPerson: true, taxId: "00000000T", name: `Ana ${"N".repeat(41)}` }],
    ["name", { isPerson: true, taxId: "00000000T", nameParts: ["N".repeat(41), "Ruiz"] as const }],
    ["document_id", { taxId: "9".repeat(31) }],
    ["address_street", { street: "S".repeat(81) }],
    ["address_city", { city: "C".repeat(51) }],
    ["address_city", { country: "GB", zip: "LS1 1AA", city: "C".repeat(43) }],
    ["address_state", { state: "P".repeat(21) }],
  ])("reports the buyer's %s that Facturae has no space for: %j", (field, changes) => {
    expect(listMissingFields("facturae", createDocumentForEInvoice({ buyer: { ...BUYER, ...changes } }))).toEqual([
      field,
    ]);
  });

  test.each([
    ["company_name", { name: "N".repeat(81) }],
    ["company_address_street", { street: "S".repeat(81) }],
    ["company_address_city", { city: "C".repeat(51) }],
    ["company_address_state", { state: "P".repeat(21) }],
  ])("reports the company's %s that Facturae has no space for", (field, changes) => {
    const { seller } = createDocumentForEInvoice();
    expect(listMissingFields("facturae", createDocumentForEInvoice({ seller: { ...seller, ...changes } }))).toEqual([
      field,
    ]);
  });

  test("reports references and series that Facturae has no space for, instead of truncating them", () => {
    expect(
      listMissingFields("facturae", createDocumentForEInvoice({ details: { buyer_reference: "R".repeat(21) } })),
    ).toEqual(["buyer_reference"]);
    expect(listMissingFields("facturae", createDocumentForEInvoice({ serie: "S".repeat(21) }))).toEqual(["serie"]);
    const preceding = [{ serie: "S".repeat(21), number: 1, date: "2026-05-01" }];
    expect(listMissingFields("facturae", createDocumentForEInvoice({ form: "credit_note", preceding }))).toEqual([
      "serie",
    ]);
  });

  test("writes the known first name and surnames of a person to Facturae, and otherwise splits at the first space", () => {
    const person = { ...BUYER, name: "María del Carmen de la Fuente Gil", taxId: "00000000T", isPerson: true };
    const readNames = (buyer: StoredParty) => {
      const individual = findDescendant(write("facturae", createDocumentForEInvoice({ buyer })), "Individual");
      return [getChildText(individual, "Name"), getChildText(individual, "FirstSurname")];
    };
    const nameParts = ["María del Carmen", "de la Fuente Gil"] as const;
    expect(readNames({ ...person, nameParts })).toEqual(nameParts);
    expect(readNames(person)).toEqual(["María", "del Carmen de la Fuente Gil"]);
  });

  test("abbreviates the longest Spanish province name to the length that Facturae allows", () => {
    const buyer = { ...BUYER, city: "La Laguna", state: "Santa Cruz de Tenerife" };
    expect(listMissingFields("facturae", createDocumentForEInvoice({ buyer }))).toEqual([]);
    expect(writeEInvoice("facturae", toEInvoice(createDocumentForEInvoice({ buyer })))).toContain(
      "<Province>Sta. Cruz Tenerife</Province>",
    );
  });

  test("reports a person's missing surname in Facturae", () => {
    const buyer = { ...BUYER, name: "Ana", taxId: "00000000T", isPerson: true };
    expect(listMissingFields("facturae", createDocumentForEInvoice({ buyer }))).toEqual(["name"]);
    expect(listMissingFields("ubl", createDocumentForEInvoice({ buyer }))).toEqual([]);
  });
});

test("prefers the customer's e-invoice format over the company's", () => {
  expect(pickEInvoiceFormat("ubl", {})).toBe("ubl");
  expect(pickEInvoiceFormat("ubl", { format: "facturae" })).toBe("facturae");
  expect(pickEInvoiceFormat("ubl", { format: "none" })).toBeUndefined();
  expect(pickEInvoiceFormat("none", {})).toBeUndefined();
});

test("reads a customer's e-invoice address with its scheme, and rejects one without", () => {
  expect(parseElectronicAddress("9920:ESB12345674")).toEqual({ scheme: "9920", id: "ESB12345674" });
  expect(parseElectronicAddress("EM:a@b.example")).toEqual({ scheme: "EM", id: "a@b.example" });
  for (const invalidAddress of ["", "ESB12345674", "99:1", "9920:", "9920:a b"])
    expect(parseElectronicAddress(invalidAddress)).toBeUndefined();
});

test("accepts e-invoice addresses with a listed scheme", () => {
  for (const scheme of ["0002", "0096", "0097", "0205", "9915", "9953", "9959", "EM"])
    expect(isElectronicAddress(`${scheme}:1`), scheme).toBe(true);
  for (const scheme of ["0001", "0098", "0206", "1234", "9916", "9954", "9999"])
    expect(isElectronicAddress(`${scheme}:1`), scheme).toBe(false);
});

// Rules PEPPOL-COMMON-R040 to R050 of the official validator. It only warns about Italian numbers.
test.each([
  { scheme: "0007", valid: ["5560360793", "2021005489"], invalid: ["5560360794", "556036-0793", "55603607930"] },
  { scheme: "0088", valid: ["5012345678900"], invalid: ["5012345678901", "50123456789", "501234567890X"] },
  { scheme: "0151", valid: ["51824753556"], invalid: ["51824753557", "5182475355"] },
  { scheme: "0184", valid: ["12345678", "DK12345678"], invalid: ["1234567", "SE12345678", "123456789"] },
  { scheme: "0192", valid: ["974760673", "123456785"], invalid: ["974760674", "97476067", "000000000"] },
  { scheme: "0208", valid: ["0403170701", "0202239951"], invalid: ["0403170702", "403170701", "BE0403170701"] },
  { scheme: "0210", valid: ["x"], invalid: [] },
])("accepts e-invoice addresses of the scheme $scheme with their format and check digits", (example) => {
  const accepts = (id: string) => isElectronicAddress(`${example.scheme}:${id}`);
  expect(example.valid.filter((id) => !accepts(id))).toEqual([]);
  expect(example.invalid.filter(accepts)).toEqual([]);
});
