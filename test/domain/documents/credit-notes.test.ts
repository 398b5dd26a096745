import { describe, expect, test } from "vitest";
import {
  draftCreditNote,
  draftCreditNotes,
  draftReplacingInvoice,
  draftTaxCreditNote,
  getCreditableCents,
  type IssuedDocumentWithCredits,
  isReplaceableByFullInvoice,
  isUncreditedAmountPaid,
} from "#domain/documents/credit-notes.ts";
import { completeDocumentDraft, type DocumentDraft } from "#domain/documents/draft.ts";
import { draftAdvanceInvoice, draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { calculateItem } from "#domain/documents/items.ts";
import { createContractToInvoice, toIssuedEarlierDocument } from "#support/contract-to-invoice.ts";

const line = (concept: string, unitCents: number, vat = 2100, quantity = 1) =>
  calculateItem({ concept, quantity, unitCents, vat, externalCode: concept.slice(0, 1) });
const [draft] = draftMissingContractDocuments(createContractToInvoice()) as [DocumentDraft];

/** Creates an invoice with the given lines. */
const createFirmDocument = (
  lines: readonly ReturnType<typeof line>[],
  changes: Partial<IssuedDocumentWithCredits> = {},
): IssuedDocumentWithCredits => ({
  ...toIssuedEarlierDocument(completeDocumentDraft(draft, lines), 1),
  ...changes,
});

// Lines with taxes of 4.20, 0.50 and 0.00.
const car = line("Car", 1210, 2100, 2);
const seat = line("Seat", 550, 1000);
const free = line("Toll", 300, 0);

describe("reclaiming the tax of an unpaid invoice", () => {
  const taxNote = (document: IssuedDocumentWithCredits, cents: number) =>
    draftTaxCreditNote(document, "en", { cents, reason: "bad_debt" }).items.map((item) => [
      item.concept,
      item.totalCents,
    ]);

  test("calculates the reclaimable tax of an unpaid invoice after its credit notes, and zero once reclaimed", () => {
    expect([
      getCreditableCents(createFirmDocument([car, seat, free]), "insolvency"),
      getCreditableCents(createFirmDocument([car, seat]), "correction"),
    ]).toEqual([470, 2970]);
    // An older document may be rounded differently. Its stored amounts are used, not recalculated ones.
    const rounded = { ...car, taxesCents: 421, subtotalCents: 1999 };
    expect(getCreditableCents(createFirmDocument([rounded]), "bad_debt")).toBe(421);
    const partlyCredited = createFirmDocument([rounded, seat], {
      credited: [{ concept: "Car", vat: 2100, subtotalCents: -1000, totalCents: -1210 }],
    });
    expect([getCreditableCents(partlyCredited, "bad_debt"), getCreditableCents(partlyCredited, "other")]).toEqual([
      261, 1760,
    ]);
    const paidInPart = createFirmDocument([car, seat, free], { receivedCents: 1635 });
    expect([getCreditableCents(paidInPart, "bad_debt"), isUncreditedAmountPaid(paidInPart)]).toEqual([235, false]);
    const paid = { ...paidInPart, agentPrepaidCents: 1635 };
    expect([getCreditableCents(paid, "bad_debt"), isUncreditedAmountPaid(paid)]).toEqual([0, true]);
    const taxReversed = createFirmDocument([car], { isTaxTakenBack: true });
    expect([getCreditableCents(taxReversed, "bad_debt"), getCreditableCents(taxReversed, "correction")]).toEqual([
      0, 0,
    ]);
  });

  test("reverses unpaid tax on a credit note line by line, with a zero base and the reason", () => {
    const note = draftTaxCreditNote(createFirmDocument([car, free, seat]), "en", { cents: 470, reason: "insolvency" });
    expect(note).toMatchObject({
      type: "payment",
      form: "credit_note",
      correctsDocumentId: 1,
      creditReason: "insolvency",
    });
    const nothing = { quantity: 1, unitWithoutTaxesCents: 0, totalWithoutTaxesCents: 0, subtotalCents: 0 };
    expect(note.items).toEqual([
      { ...nothing, concept: "Car", vat: 2100, externalCode: "C", unitCents: -420, taxesCents: -420, totalCents: -420 },
      { ...nothing, concept: "Seat", vat: 1000, externalCode: "S", unitCents: -50, taxesCents: -50, totalCents: -50 },
    ]);
    expect(note.sums).toMatchObject({ subtotalCents: 0, taxesCents: -470, totalCents: -470 });
  });

  test("splits a partly reclaimed tax over the taxed lines, and adds no zero lines", () => {
    expect(taxNote(createFirmDocument([free, car, seat]), 47)).toEqual([
      ["Car", -42],
      ["Seat", -5],
    ]);
    expect(taxNote(createFirmDocument([free, car, seat]), 1)).toEqual([["Car", -1]]);
    // A reduction of the price is deducted from the tax of its rate.
    expect(taxNote(createFirmDocument([car, line("Rebate", -121), seat]), 449)).toEqual([
      ["Car", -399],
      ["Seat", -50],
    ]);
  });
});

describe("a credit note", () => {
  test("uses correction as the default reason of a credit note, and returns no agent amount for a negative invoice", () => {
    expect(draftCreditNote(createFirmDocument([car]), "en").creditReason).toBe("correction");
    const note = draftCreditNote(createFirmDocument([line("Rebate", -1000)]), "en");
    expect([note.sums.totalCents, note.agentPrepaidCents]).toEqual([1000, 0]);
  });

  test("creates no credit note for invoices with reclaimed tax", () => {
    const documents = [
      createFirmDocument([car], { id: 1 }),
      createFirmDocument([car], { id: 2, isTaxTakenBack: true }),
    ];
    expect(
      draftCreditNotes(documents, "en", 5000).map((draftCreditNote) => [
        draftCreditNote.correctsDocumentId,
        draftCreditNote.sums.totalCents,
      ]),
    ).toEqual([[1, -2420]]);
  });
});

describe("full invoice replacing simplified ones", () => {
  test("replaces only simplified invoices that weren't credited or replaced", () => {
    const simplified = createFirmDocument([car], { form: "simplified" });
    expect(isReplaceableByFullInvoice(simplified)).toBe(true);
    expect(isReplaceableByFullInvoice({ ...simplified, form: "full" })).toBe(false);
    expect(
      isReplaceableByFullInvoice({
        ...simplified,
        credited: [{ concept: "Car", vat: 2100, subtotalCents: -1, totalCents: -1 }],
      }),
    ).toBe(false);
    expect(isReplaceableByFullInvoice({ ...simplified, isReplaced: true })).toBe(false);
  });

  test("contains all lines of the replaced invoices, names them and uses the last concept that isn't an advance's", () => {
    const advance = {
      ...toIssuedEarlierDocument(draftAdvanceInvoice(createContractToInvoice(), 2000), 3),
      agentPrepaidCents: 100,
    };
    const last = createFirmDocument([car, seat], {
      id: 4,
      concept: "Contract 7",
      agentPrepaidCents: 20,
      form: "simplified",
    });
    const customer = { ...draft.customer, fullName: "Ana Ruiz SL" };
    const fullReplacement = draftReplacingInvoice([advance, { ...last, missing: ["name"] }], customer);
    expect(fullReplacement).toMatchObject({
      form: "full",
      missing: [],
      customer,
      concept: "Contract 7",
      mode: last.mode,
    });
    expect(fullReplacement).toMatchObject({
      exchangesDocumentId: 3,
      replaces: [3, 4],
      agentPrepaidCents: 120,
      discount: 0,
    });
    expect(fullReplacement.items).toEqual([...advance.items, car, seat]);
    expect(fullReplacement.sums.totalCents).toBe(2000 + 2970);
    expect(draftReplacingInvoice([advance], customer).concept).toBe("Advance payment 7");
    expect(draftReplacingInvoice([last, advance], customer).concept).toBe("Contract 7");
  });

  test("applies a discount to the full invoice if all replaced invoices have the same discount", () => {
    const discounted = (id: number, discount: number) => createFirmDocument([car], { id, discount });
    expect(draftReplacingInvoice([discounted(1, 500), discounted(2, 500)], draft.customer).discount).toBe(500);
    expect(draftReplacingInvoice([discounted(1, 500), discounted(2, 0)], draft.customer).discount).toBe(0);
  });
});
