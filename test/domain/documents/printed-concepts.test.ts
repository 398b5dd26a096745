import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftCreditNote, draftFullInvoiceExchange } from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftAdvanceInvoice,
  draftMissingContractDocuments,
  draftSurchargeDocuments,
} from "#domain/documents/invoicing.ts";
import { draftMonthlyInvoice } from "#domain/documents/monthly.ts";
import { translateConcept } from "#domain/documents/texts.ts";
import { arbitraryContract, createContractToInvoice, toIssuedEarlierDocument } from "#support/contract-to-invoice.ts";

const [LINE] = createContractToInvoice().lines;
const SEAT = { description: "Silla", printedDescription: "Kindersitz", quantity: 1, unitCents: 1000, vat: 2100 };
const GERMAN = {
  language: "es",
  printLanguage: "de",
  lines: [
    { ...LINE, description: "Coche", printedDescription: "Kleinwagen", supplementUnitCents: [500, 0, 0], plates: [] },
  ],
  extras: [SEAT],
} as unknown as Partial<ContractToInvoice>;
const PRINTED = [
  ["Alquiler Coche, 3 días", "Miete Kleinwagen, 3 Tage"],
  ["Combustible", "Kraftstoff"],
  ["Silla", "Kindersitz"],
];

const texts = (draft: DocumentDraft | undefined) =>
  draft?.items.map(({ concept, printedConcept }) => [concept, printedConcept]);

describe("printed concepts of a document's items", () => {
  test("prints a document's items in the customer's language, and stores their descriptions in the account's", () => {
    const [invoice] = draftMissingContractDocuments(createContractToInvoice(GERMAN));
    expect(texts(invoice)).toEqual(PRINTED);
    expect(invoice).toMatchObject({ concept: "Contrato 7" });
    expect(invoice).not.toHaveProperty("printedConcepts");
  });

  test("stores no printed descriptions if the customer's language is the account's", () => {
    const [invoice] = draftMissingContractDocuments(createContractToInvoice({ ...GERMAN, printLanguage: undefined }));
    expect(invoice?.items.some((item) => "printedConcept" in item)).toBe(false);
  });

  test("prints an advance and its deduction in the same language, even if the customer's language changed in between", () => {
    const advance = draftAdvanceInvoice(createContractToInvoice(GERMAN), 3000);
    expect(texts(advance)).toEqual([["Anticipo de la reserva", "Anzahlung"]]);
    const later = { ...GERMAN, printLanguage: undefined, earlier: [toIssuedEarlierDocument(advance, 1)] };
    const [invoice] = draftMissingContractDocuments(createContractToInvoice(later));
    expect(texts(invoice)?.at(-1)).toEqual(["Anticipo de la reserva", "Anzahlung"]);
  });

  test("prints a credit note and an exchanged invoice with the item texts of the first invoice", () => {
    const [invoice] = draftMissingContractDocuments(createContractToInvoice(GERMAN));
    if (!invoice) throw new Error("no invoice");
    const issued = toIssuedEarlierDocument(invoice, 1);
    expect(texts(draftCreditNote(issued, "es"))).toEqual(PRINTED);
    expect(texts(draftCreditNote(issued, "es", 3000))).toEqual(PRINTED);
    expect(draftFullInvoiceExchange(issued, invoice.customer, "es").map(texts)).toEqual([PRINTED, PRINTED]);
    const lower = { ...GERMAN, extras: [{ ...SEAT, unitCents: 400 }], earlier: [issued] };
    expect(draftMissingContractDocuments(createContractToInvoice(lower)).map(texts)).toEqual([
      [["Silla", "Kindersitz"]],
    ]);
  });

  test("prints a later charge, a month's rental and a retained fee in the customer's language", () => {
    const [invoice] = draftMissingContractDocuments(createContractToInvoice(GERMAN));
    if (!invoice) throw new Error("no invoice");
    const charged = { description: "Daño", printedDescription: "Schaden", quantity: 1, unitCents: 900, vat: 2100 };
    const contract = createContractToInvoice({
      ...GERMAN,
      extras: [SEAT, charged],
      earlier: [toIssuedEarlierDocument(invoice, 1)],
    });
    const { drafts } = draftSurchargeDocuments(contract, { concept: "Daño", quantity: 1, unitCents: 900, vat: 2100 });
    expect(drafts.map(texts)).toEqual([[["Daño", "Schaden"]]]);
    const period = { ...contract.period, dateTo: "2030-08-03" as typeof contract.period.dateTo };
    expect(texts(draftMonthlyInvoice(createContractToInvoice({ ...GERMAN, period }), 1, "ES"))).toEqual([
      ["Alquiler 03/05/2030 – 03/06/2030", "Miete 03.05.2030 – 03.06.2030"],
    ]);
    const [fee] = draftMissingContractDocuments(createContractToInvoice({ ...GERMAN, retainedFeeCents: 900 }));
    expect(texts(fee)).toEqual([["Gastos de cancelación", "Stornogebühr"]]);
  });

  test("changes only the printed texts of documents by the customer's language", () => {
    const strip = ({ items, ...draft }: DocumentDraft) => ({
      ...draft,
      items: items.map(({ printedConcept: _, ...item }) => item),
    });
    fc.assert(
      fc.property(arbitraryContract, arbitraryContract, (before, after) => {
        const draft = (printLanguage: "en" | "fr") => {
          const [first, ...others] = draftMissingContractDocuments({ ...before, printLanguage });
          const earlier = [first, ...others].flatMap((document, index) =>
            document ? [toIssuedEarlierDocument(document, index + 1)] : [],
          );
          return draftMissingContractDocuments({ ...after, printLanguage, earlier }).map(strip);
        };
        expect(draft("fr")).toEqual(draft("en"));
      }),
    );
  });
});

test.each([
  ["Contrato 7", "Vertrag 7"],
  ["Contrato 7, 8", "Vertrag 7, 8"],
  ["Anticipo de la reserva 7", "Anzahlung 7"],
  ["Rectificación de la factura A/1", "Korrektur der Rechnung A/1"],
  ["Otra cosa", "Otra cosa"],
])("translates the stored description of a document %s to the customer's language", (concept, translated) => {
  expect(translateConcept(concept, "es", "de")).toBe(translated);
});
