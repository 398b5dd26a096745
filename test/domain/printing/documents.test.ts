import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { formatDate, formatMoney, formatRate } from "#domain/money-notation.ts";
import { createDocumentPrintout, type DocumentToPrint } from "#domain/printing/documents.ts";
import type { PrintoutBlock } from "#domain/printing/printout.ts";
import { createReceiptPrintout } from "#domain/printing/receipts.ts";
import { createDocumentToPrint, createPrintContext } from "#support/printouts.ts";

const sumsIn = (blocks: readonly PrintoutBlock[]) =>
  blocks.flatMap((block) => (block.kind === "sums" ? block.sums.map(({ label, value }) => `${label} ${value}`) : []));
const findTitle = (blocks: readonly PrintoutBlock[]) => blocks.find((block) => block.kind === "title");
const findTable = (blocks: readonly PrintoutBlock[]) => blocks.find((block) => block.kind === "table");

describe("how amounts, rates and dates are written", () => {
  test("formats amounts, rates and dates in the customer's language", () => {
    const euros = { currency: "EUR", decimals: 2 };
    const formattedAmounts = PLATFORM_LANGUAGES.map((language) => [
      language,
      formatMoney(-123_456_789, { ...euros, language }),
    ]);
    expect(Object.fromEntries(formattedAmounts)).toEqual({
      ...{ es: "-1.234.567,89\u00a0€", ca: "-1.234.567,89\u00a0€", de: "-1.234.567,89\u00a0€" },
      ...{ en: "-€1,234,567.89", fr: "-1\u202f234\u202f567,89\u00a0€", it: "-1.234.567,89\u00a0€" },
      ...{ pt: "-1\u00a0234\u00a0567,89\u00a0€", nl: "€\u00a0-1.234.567,89" },
    });
    expect(formatMoney(1500, { currency: "JPY", decimals: 0, language: "en" })).toBe("1,500\u00a0JPY");
    expect(formatMoney(1500, { currency: "KWD", decimals: 3, language: "de" })).toBe("1,500\u00a0KWD");
    expect([2100, 520, 0, 1000].map((rate) => formatRate(rate, "es"))).toEqual([
      "21\u00a0%",
      "5,2\u00a0%",
      "0\u00a0%",
      "10\u00a0%",
    ]);
    expect([formatRate(2100, "en"), formatRate(520, "en")]).toEqual(["21%", "5.2%"]);
    expect([formatRate(520, "fr"), formatRate(520, "it")]).toEqual(["5,2\u00a0%", "5,2%"]);
    expect(formatDate("2026-07-03", "en", "ES")).toBe("3 Jul 2026");
    expect(formatDate("2026-07-03", "de", "US")).toBe("03.07.2026");
    expect(formatDate("2026-07-03", "ca", "ES")).toBe("03/07/2026");
    expect(formatDate("2026-07-03", "nl", "NL")).toBe("03-07-2026");
    expect(formatDate("2026-07-03", "pt", "PT")).toBe("03/07/2026");
    expect(formatDate("some day", "es", "ES")).toBe("some day");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": English dates as the company's country
  //   writes them
  test("formats English dates as the company's country does", () => {
    const formattedDates = ["US", "CA", "GB", "ES", "MX"].map((country) => formatDate("2026-07-03", "en", country));
    expect(formattedDates).toEqual(["Jul 3, 2026", "Jul 3, 2026", "3 Jul 2026", "3 Jul 2026", "3 Jul 2026"]);
    const text = JSON.stringify(
      createDocumentPrintout(createDocumentToPrint(), createPrintContext({ language: "en", country: "US" })).blocks,
    );
    expect(text).toContain("Jun 30, 2026 10:00 – Jul 3, 2026 10:00");
    expect(text).not.toContain("3 Jul");
  });

  test("formats an amount with all its digits", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
        const text = formatMoney(cents, { currency: "EUR", decimals: 2, language: "es" });
        expect(Number(text.replace(/[^\d-]/g, ""))).toBe(cents);
      }),
    );
  });
});

describe("a document that is printed", () => {
  test("prints base and tax by rate, the paid amount and the open amount on an invoice", () => {
    const { title, blocks, stamp } = createDocumentPrintout(createDocumentToPrint(), createPrintContext());
    expect(title).toBe("Factura A-PMI-26/612");
    expect(stamp).toBeUndefined();
    expect(sumsIn(blocks)).toEqual([
      "Base imponible 21\u00a0% 100,00\u00a0€",
      "IVA 21\u00a0% 21,00\u00a0€",
      "Base imponible 10\u00a0% 10,00\u00a0€",
      "IVA 10\u00a0% 1,00\u00a0€",
      "Total 132,00\u00a0€",
      "Pagado 32,00\u00a0€",
      "Pendiente de pago 100,00\u00a0€",
    ]);
    expect(findTable(blocks)?.carried).toEqual(["121,00", "132,00"]);
  });

  // Proves "rules.md and documents.md: the life of documents": … nor by a printed invoice
  test("excludes the agent's retained amount from the amount due", () => {
    const { blocks } = createDocumentPrintout(createDocumentToPrint({ agentCents: 2000 }), createPrintContext());
    expect(sumsIn(blocks).slice(-3)).toEqual([
      "Pagado 32,00\u00a0€",
      "Pagado a la agencia 20,00\u00a0€",
      "Pendiente de pago 80,00\u00a0€",
    ]);
  });

  test("prints credited and paid amounts on separate lines", () => {
    const { blocks } = createDocumentPrintout(createDocumentToPrint({ creditedCents: 2000 }), createPrintContext());
    expect(sumsIn(blocks).slice(-3)).toEqual([
      "Pagado 12,00\u00a0€",
      "Rectificativas 20,00\u00a0€",
      "Pendiente de pago 100,00\u00a0€",
    ]);
  });

  test("shows each line's discount in its own column, and no column without discounts", () => {
    const tableWith = (items: DocumentToPrint["items"]) =>
      findTable(createDocumentPrintout(createDocumentToPrint({ items }), createPrintContext()).blocks);
    const [plain, seat] = createDocumentToPrint().items;
    if (!plain || !seat) throw new Error("a document without items");
    expect(tableWith([plain])).toMatchObject({ columns: { length: 5 } });
    expect(tableWith([{ ...plain, unitCents: 9500, totalCents: 8550 }, seat])).toMatchObject({
      columns: [{}, {}, { title: "Precio" }, { title: "Descuento" }, {}, {}],
      rows: [
        ["Alquiler Economy", "1", "95,00", "-9,50", "21\u00a0%", "85,50"],
        ["Silla infantil", "2", "5,50", "", "10\u00a0%", "11,00"],
      ],
    });
  });

  test("prints the corrected document on a credit note, and no paid amount", () => {
    const corrects = { serie: "A-PMI-26", number: 611, date: "2026-07-01" };
    const note = createDocumentToPrint({ kind: "creditNote", corrects, totalCents: -13_200, paidCents: undefined });
    const { blocks } = createDocumentPrintout(note, createPrintContext({ language: "de" }));
    expect(findTitle(blocks)).toMatchObject({
      text: "Rechnungskorrektur",
      facts: expect.arrayContaining([{ label: "Korrigiert", value: "A-PMI-26/611 · 01.07.2026" }]),
    });
    expect(sumsIn(blocks).at(-1)).toBe("Gesamtbetrag -132,00\u00a0€");
  });

  test("prints a draft without a number, and marks every page as a draft", () => {
    const { title, blocks, stamp } = createDocumentPrintout(
      createDocumentToPrint({ isDraft: true }),
      createPrintContext({ language: "ca" }),
    );
    expect([title, stamp]).toEqual(["Factura", "ESBORRANY"]);
    expect(JSON.stringify(blocks)).not.toContain("612");
  });

  test("prints the name of the tax that applies in the company's territory", () => {
    const sums = (territory: "igic" | "ipsi") =>
      sumsIn(createDocumentPrintout(createDocumentToPrint(), createPrintContext({ territory, language: "de" })).blocks);
    expect(sums("igic").slice(0, 2)).toEqual(["Netto 21\u00a0% 100,00\u00a0€", "IGIC 21\u00a0% 21,00\u00a0€"]);
    expect(sums("ipsi")[3]).toBe("IPSI 10\u00a0% 1,00\u00a0€");
    const { blocks } = createDocumentPrintout(createDocumentToPrint(), createPrintContext({ territory: "igic" }));
    expect(findTable(blocks)?.columns.map(({ title }) => title)).toContain("IGIC");
    expect(JSON.stringify(blocks)).not.toContain("IVA");
  });

  test.each([
    ["en", "Tax"],
    ["es", "Impuesto"],
    ["ca", "Impost"],
    ["de", "Steuer"],
  ] as const)("doesn't call the tax of a company in New York VAT, in %s", (language, name) => {
    const { blocks } = createDocumentPrintout(createDocumentToPrint(), createPrintContext({ country: "US", language }));
    expect(findTable(blocks)?.columns.map(({ title }) => title)).toContain(name);
    expect(sumsIn(blocks)[1]).toMatch(new RegExp(`^${name} 21`));
    expect(JSON.stringify(blocks)).not.toMatch(/\b(?:IVA|VAT|USt)/);
  });

  test.each([
    ["E2", "iva", "es", "IVA 0\u00a0%: operación exenta (art. 21 de la Ley 37/1992)."],
    ["E4", "iva", "de", "USt. 0\u00a0%: steuerfrei (Art. 23–24 des spanischen Gesetzes 37/1992)."],
    ["E6", "iva", "ca", "IVA 0\u00a0%: operació exempta."],
    ["E1", "igic", "es", "IGIC 0\u00a0%: operación exenta."],
    ["N2", "iva", "en", "VAT 0%: operation not subject to tax."],
    ["S2", "iva", "de", "USt. 0\u00a0%: Steuerschuldnerschaft des Leistungsempfängers."],
    ["S1", "iva", "es", "incluidos."],
  ] as const)("prints why an invoice of %s under the law of %s has no tax", (operation, territory, language, text) => {
    const taxes = [{ vat: 0, subtotalCents: 13_200, taxesCents: 0, operation }];
    const { blocks } = createDocumentPrintout(
      createDocumentToPrint({ taxes }),
      createPrintContext({ territory, language }),
    );
    const note = blocks.at(-1);
    expect(note?.kind === "paragraph" && note.text.endsWith(text)).toBe(true);
  });

  test("prints period, vehicle and agency of a rental on its document if there are any", () => {
    const listFacts = (changes: Partial<DocumentToPrint>) =>
      createDocumentPrintout(createDocumentToPrint(changes), createPrintContext()).blocks.filter(
        ({ kind }) => kind === "facts",
      );
    expect(listFacts({})).toHaveLength(1);
    expect(listFacts({ period: undefined, vehicle: undefined, agency: undefined })).toEqual([]);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": An internal bond has no tax
  test("shows no tax and no rate on an internal bond", () => {
    const bond = createDocumentToPrint({ kind: "internalBond", taxes: [], paidCents: undefined });
    const { blocks } = createDocumentPrintout(bond, createPrintContext());
    expect(findTable(blocks)?.columns.map(({ title }) => title)).toEqual([
      "Concepto",
      "Cant.",
      "Precio",
      "Importe (EUR)",
    ]);
    expect(findTable(blocks)?.rows).toEqual([
      ["Alquiler Economy", "1", "121,00", "121,00"],
      ["Silla infantil", "2", "5,50", "11,00"],
    ]);
    expect(sumsIn(blocks)).toEqual(["Total 132,00\u00a0€"]);
  });

  test("prints the legally required QR record directly below the document's title", () => {
    const legalRecord = { address: "https://prewww2.aeat.es/", above: "QR", below: "Verified" };
    const { blocks } = createDocumentPrintout(createDocumentToPrint({ legalRecord }), createPrintContext());
    expect(blocks.slice(0, 2).map(({ kind }) => kind)).toEqual(["title", "record"]);
  });
});

describe("the receipt of a charge", () => {
  const charge = {
    id: 77,
    kind: "charge",
    cents: 12_100,
    method: "credit_card",
    date: "2026-07-03",
    time: "10:12",
    at: 0,
    operationNumber: "000123",
    bookingId: 1042,
    documents: [{ serie: "A-PMI-26", number: 612, form: "full" }],
    customer: { name: "Ana Ruiz", taxId: undefined, address: [] },
  } as const;

  test("prints purpose, method and amount on a receipt", () => {
    const { title, blocks } = createReceiptPrintout(charge, createPrintContext({ language: "en" }));
    expect(title).toBe("Receipt 77");
    expect(findTable(blocks)?.rows).toEqual([
      ["Payment by the customer · Contract 1042 · Invoice A-PMI-26/612", "Card", "000123", "€121.00"],
    ]);
  });

  test("lists each document that a receipt's payment is split over, or none", () => {
    const forWhat = (documents: Parameters<typeof createReceiptPrintout>[0]["documents"]) =>
      findTable(createReceiptPrintout({ ...charge, documents }, createPrintContext({ language: "en" })).blocks)
        ?.rows[0]?.[0];
    expect(forWhat([...charge.documents, { serie: "A-PMI-26", number: 613, form: null }])).toBe(
      "Payment by the customer · Contract 1042 · Invoice A-PMI-26/612, A-PMI-26/613",
    );
    expect(forWhat([{ serie: null, number: null, form: null }])).toBe("Payment by the customer · Contract 1042");
  });

  test("titles a credit note and an internal bond on a receipt by their kind", () => {
    const documents = [
      { serie: "R-PMI-26", number: 5, form: "credit_note" },
      { serie: "B-PMI-26", number: 7, form: "internal_bond" },
      { serie: "T-PMI-26", number: 9, form: "simplified" },
    ] as const;
    const { blocks } = createReceiptPrintout({ ...charge, documents }, createPrintContext({ language: "de" }));
    expect(findTable(blocks)?.rows[0]?.[0]).toBe(
      "Zahlung des Kunden · Vertrag 1042 · Rechnungskorrektur R-PMI-26/5 · Interner Beleg B-PMI-26/7 · Rechnung T-PMI-26/9",
    );
  });

  test("prints the recipient's name on the receipt of a refund", () => {
    const { blocks } = createReceiptPrintout({ ...charge, kind: "deposit_returned" }, createPrintContext());
    expect(blocks.find(({ kind }) => kind === "parties")).toMatchObject({
      parties: [{ title: "EMISOR" }, { title: "PAGADO A", lines: ["Ana Ruiz"] }],
    });
  });
});
