import { describe, expect, test } from "vitest";
import { createContractItems } from "#domain/documents/contract-items.ts";
import { draftCreditNote, draftCreditNotes, draftFullInvoiceExchange } from "#domain/documents/credit-notes.ts";
import { assignDocumentForm } from "#domain/documents/document-form.ts";
import { completeDocumentDraft, type DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftAdvanceInvoice,
  draftMissingContractDocuments,
} from "#domain/documents/invoicing.ts";
import { calculateItem } from "#domain/documents/items.ts";
import { createTransferItems } from "#domain/documents/transfer-items.ts";
import { calculateCreditForRefund } from "#domain/payments/charges.ts";
import {
  calculateContractSums,
  createContractToInvoice,
  sumDocumentTotals,
  toIssuedEarlierDocument,
} from "#support/contract-to-invoice.ts";

function onlyOne(contract: ContractToInvoice): DocumentDraft {
  const [draft, ...more] = draftMissingContractDocuments(contract);
  if (!draft || more.length > 0) throw new Error(`${more.length + 1} documents`);
  return draft;
}
const amounts = ({ items }: DocumentDraft) => items.map(({ concept, vat, totalCents }) => [concept, vat, totalCents]);

describe("an item", () => {
  test("calculates an item's tax once from its discounted total, not from each unit", () => {
    expect(calculateItem({ concept: "Car", quantity: 3, unitCents: 1210, vat: 2100, discount: 1000 })).toEqual({
      concept: "Car",
      quantity: 3,
      vat: 2100,
      unitCents: 1210,
      unitWithoutTaxesCents: 1000,
      totalWithoutTaxesCents: 3000,
      subtotalCents: 2700,
      taxesCents: 567,
      totalCents: 3267,
      externalCode: undefined,
    });
    const plain = calculateItem({ concept: "Car", quantity: 2, unitCents: 1210, vat: 2100, externalCode: "X" });
    expect(plain).toMatchObject({ totalWithoutTaxesCents: 2000, subtotalCents: 2000, externalCode: "X" });
  });

  test("sums items by tax rate from the highest, and throws an error above five rates", () => {
    const at = (vat: number) => calculateItem({ concept: "Car", quantity: 1, unitCents: 1000, vat });
    const head = onlyOne(createContractToInvoice());
    const { taxes } = completeDocumentDraft(head, [at(0), at(2100), at(400), at(2100), at(1000)]);
    expect(taxes.map(({ vat, subtotalCents, taxesCents }) => [vat, subtotalCents, taxesCents])).toEqual([
      [2100, 1652, 348],
      [1000, 909, 91],
      [400, 962, 38],
      [0, 1000, 0],
    ]);
    const six = [0, 1, 2, 3, 4, 5].map(at);
    expect(() => completeDocumentDraft(head, six)).toThrow("a document has 6 tax rates");
    expect(() => completeDocumentDraft(head, six)).toThrow(expect.objectContaining({ name: "TooManyRates" }));
  });

  test("repeats the invoice's item with the opposite sign on a credit note", () => {
    const draft = onlyOne(createContractToInvoice());
    const discounted = completeDocumentDraft({ ...draft, discount: 1000 }, [
      calculateItem({ concept: "Car", quantity: 3, unitCents: 1210, vat: 2100, discount: 1000 }),
    ]);
    const note = draftCreditNote(toIssuedEarlierDocument(discounted, 1), "en");
    expect(note.discount).toBe(1000);
    expect(note.items).toMatchObject([
      {
        quantity: 3,
        unitCents: -1210,
        unitWithoutTaxesCents: -1000,
        totalWithoutTaxesCents: -3000,
        subtotalCents: -2700,
        taxesCents: -567,
        totalCents: -3267,
      },
    ]);
    expect(note.sums).toMatchObject({ discountCents: -300, totalCents: -3267 });
    expect(draftCreditNote(toIssuedEarlierDocument(discounted, 1), "en", 100).discount).toBe(0);
    const [, invoice] = draftFullInvoiceExchange(toIssuedEarlierDocument(discounted, 1), draft.customer, "en");
    expect(invoice).toMatchObject({ discount: 1000, items: discounted.items, missing: [], form: "full" });
  });
});

describe("a transfer's items", () => {
  const parts = {
    vat: 1000,
    trips: [{ date: "2030-05-03", time: "10:00", origin: "Airport", destination: "Hotel", cents: 4000 }],
    extras: [{ concept: "Seat", quantity: 2, unitCents: 300, vat: 2100, discountCents: 0 }],
    supplements: [{ concept: "Night", cents: 500 }],
    discountCents: 0,
  };
  test("lists trips, extras and supplements of a transfer as items, and any price difference separately", () => {
    const fullSequence = [
      { concept: "Transfer Airport – Hotel, 3 May 2030 10:00", quantity: 1, unitCents: 4000, vat: 1000 },
      { concept: "Seat", quantity: 2, unitCents: 300, vat: 2100 },
      { concept: "Night", quantity: 1, unitCents: 500, vat: 1000 },
    ];
    expect(createTransferItems({ language: "en", country: "ES" }, parts, 5100)).toEqual(fullSequence);
    expect(createTransferItems({ language: "en", country: "ES" }, parts, 5000)).toEqual([
      ...fullSequence,
      { concept: "Price difference", quantity: 1, unitCents: -100, vat: 1000 },
    ]);
  });

  test("lists a transfer's discount as an item for each tax rate, and adds up to its price", () => {
    const extras = [{ concept: "Seat", quantity: 2, unitCents: 300, vat: 2100, discountCents: 100 }];
    const items = createTransferItems(
      { language: "en", country: "ES" },
      { ...parts, extras, discountCents: 4100 },
      1000,
    );
    expect(items.slice(3)).toEqual([
      { concept: "Discount", quantity: 1, unitCents: -4000, vat: 1000 },
      { concept: "Discount", quantity: 1, unitCents: -100, vat: 2100 },
    ]);
    expect(items.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)).toBe(1000);
  });

  test("invoices a transfer's own items with its order number, and taxes a cancellation fee at their rate", () => {
    const items = createTransferItems({ language: "en", country: "ES" }, parts, 5100);
    const draft = onlyOne(createContractToInvoice({ parts: items, lines: [], extras: [] }));
    expect(amounts(draft)).toEqual([
      ["Transfer Airport – Hotel, 3 May 2030 10:00", 1000, 4000],
      ["Seat", 2100, 600],
      ["Night", 1000, 500],
    ]);
    expect(draft).toMatchObject({ orderReference: "7", referenceDetail: undefined });
    expect(createContractItems(createContractToInvoice({ parts: items, retainedFeeCents: 100 }))).toMatchObject([
      { vat: 1000 },
    ]);
    expect(createContractItems(createContractToInvoice({ parts: [], lines: [], retainedFeeCents: 100 }))).toMatchObject(
      [{ vat: 0 }],
    );
    expect(createContractItems(createContractToInvoice({ lines: [] }))).toEqual([]);
  });
});

describe("contract data on a document", () => {
  test("prints contract number, vehicles, dates, agency and branch on a document", () => {
    const [line] = createContractToInvoice().lines;
    if (!line) throw new Error("no line");
    const lines = [{ ...line, plates: ["1234ABC", "5678DEF"] }];
    const draft = onlyOne(
      createContractToInvoice({ lines, agencyName: "Island Tours", salesChannelCode: "WEB", agentPrepaidCents: 500 }),
    );
    expect(draft).toMatchObject({
      kind: "invoice",
      type: "invoice",
      concept: "Contract 7",
      bookingId: 7,
      companyId: 1,
      branchCode: "AIR",
      salesChannelCode: "WEB",
      currency: "EUR",
      referenceDetail: "1234ABC, 5678DEF",
      referenceDates: "2030-05-03 10:00 - 2030-05-06 10:00",
      referenceAgency: "Island Tours",
      discount: 0,
      agentPrepaidCents: 500,
      missing: [],
      draftId: undefined,
      correctsDocumentId: undefined,
    });
    expect(draft.orderReference).toBeUndefined();
    expect(draft.items[0]?.concept).toBe("Rental Small car, 3 days (1234ABC, 5678DEF)");
  });

  test.each([
    ["es", "1 día ", "2 días "],
    ["ca", "1 dia ", "2 dies "],
    ["en", "1 day ", "2 days "],
    ["de", "1 Tag ", "2 Tage "],
  ] as const)("uses singular and plural of days on a document in %s", (language, item, two) => {
    const getConcept = (days: number) => onlyOne(createContractToInvoice({ language, days })).items[0]?.concept;
    expect(getConcept(1)).toContain(`, ${item}`);
    expect(getConcept(2)).toContain(`, ${two}`);
  });

  test("adds no tax on an internal department's documents, and creates later ones as bonds too", () => {
    const customer = { ...createContractToInvoice().customer, type: "internal_department" as const };
    const bond = toIssuedEarlierDocument(onlyOne(createContractToInvoice({ customer })), 1);
    const later = calculateContractSums(createContractToInvoice(), { supplementCents: [500, 0, 0] });
    expect(onlyOne(createContractToInvoice({ customer, sums: later, earlier: [bond] }))).toMatchObject({
      kind: "internal_bond",
      form: "internal_bond",
      mode: "reservation_breakdown",
      sums: { totalCents: 500, taxesCents: 0 },
    });
    expect(
      assignDocumentForm({ ...bond, taxes: [], sums: onlyOne(createContractToInvoice()).sums, type: "payment" }, 0),
    ).toMatchObject({
      form: "credit_note",
      missing: [],
    });
  });
});

describe("amount left to invoice", () => {
  const seat = { description: "Seat", quantity: 1, unitCents: 1000, vat: 1000 };
  const [line] = createContractToInvoice().lines;
  if (!line) throw new Error("no line");

  test("calculates the amount left to invoice for each of two equal vehicles separately", () => {
    const two = createContractToInvoice({ lines: [line, line] });
    const invoice = toIssuedEarlierDocument(onlyOne(two), 1);
    expect(
      amounts(onlyOne(createContractToInvoice({ lines: [line, line], extras: [seat], earlier: [invoice] }))),
    ).toEqual([["Seat", 1000, 1000]]);
    const third = onlyOne(
      createContractToInvoice({ lines: [line, line, { ...line, quantity: 2 }], earlier: [invoice] }),
    );
    expect(third.items).toMatchObject([{ quantity: 2, unitCents: 9000, totalCents: 18_000 }]);
  });

  test("invoices a negative price difference only once", () => {
    const draftReduction = (contract: ContractToInvoice) => {
      const { itemCents, totalCents } = contract.sums;
      return { ...contract, sums: { ...contract.sums, itemCents: itemCents - 500, totalCents: totalCents - 500 } };
    };
    const invoice = onlyOne(draftReduction(createContractToInvoice()));
    expect(amounts(invoice)).toContainEqual(["Price difference", 2100, -500]);
    const later = onlyOne(
      draftReduction(createContractToInvoice({ extras: [seat], earlier: [toIssuedEarlierDocument(invoice, 1)] })),
    );
    expect(amounts(later)).toContainEqual(["Seat", 1000, 1000]);
    expect(amounts(later).filter(([concept]) => concept === "Price difference")).toEqual([]);
  });

  test("distributes more than five tax rates over documents from the highest rate", () => {
    const rates = [100, 600, 200, 500, 300, 400];
    const extras = rates.map((vat) => ({ ...seat, description: `at ${vat}`, vat }));
    const drafts = draftMissingContractDocuments(createContractToInvoice({ extras }));
    expect(drafts.map(({ taxes }) => taxes.map(({ vat }) => vat))).toEqual([
      [2100, 600, 500, 400, 300],
      [200, 100],
    ]);
  });

  test("credits cheaper extras in one note if one invoice contains their rates, otherwise in a note for each invoice", () => {
    const extrasAt = (rates: readonly number[], unitCents: number) =>
      rates.map((vat) => ({ ...seat, description: `at ${vat}`, unitCents, vat }));
    const draftNotes = (rates: readonly number[]) => {
      const extras = extrasAt(rates, 1000);
      const earlier = draftMissingContractDocuments(createContractToInvoice({ extras })).map((draft, index) =>
        toIssuedEarlierDocument(draft, index + 1),
      );
      return draftMissingContractDocuments(createContractToInvoice({ extras: extrasAt(rates, 900), earlier }));
    };
    const five = draftNotes([100, 200, 300, 400, 500]);
    expect(five.map((note) => [note.correctsDocumentId, sumDocumentTotals([note])])).toEqual([
      [2, -100],
      [1, -400],
    ]);
    expect(five.flatMap(amounts)).toContainEqual(["at 500", 500, -100]);
    expect(draftNotes([100, 200]).map((note) => [note.correctsDocumentId, note.items.length])).toEqual([[1, 2]]);
  });

  test("creates no document for a contract without lines or for a cancelled one without a fee", () => {
    expect(draftMissingContractDocuments(createContractToInvoice({ lines: [] }))).toEqual([]);
    expect(draftMissingContractDocuments(createContractToInvoice({ retainedFeeCents: 0 }))).toEqual([]);
  });
});

describe("refunds before the invoice is issued", () => {
  const seat = { description: "Seat", quantity: 1, unitCents: 1000, vat: 1000 };
  const extras = [seat];
  const total = onlyOne(createContractToInvoice({ extras })).sums.totalCents;
  const toDraftDocument = (draft: DocumentDraft, id: number) => ({
    ...toIssuedEarlierDocument(draft, id),
    isIssued: false,
  });
  const reducedBy = (cents: number, contract: ContractToInvoice) => {
    const [draft, ...more] = draftMissingContractDocuments(contract, cents);
    if (!draft || more.length > 0) throw new Error(`${more.length + 1} documents`);
    return draft;
  };
  const draftReduction = ({ items }: DocumentDraft) => items.filter(({ concept }) => concept === "Agreed reduction");

  test("reduces a draft by an earlier refund across its tax rates, and not below zero", () => {
    const draft = reducedBy(1000, createContractToInvoice({ extras }));
    expect(sumDocumentTotals([draft])).toBe(total - 1000);
    expect(draftReduction(draft).map(({ vat }) => vat)).toEqual([2100, 1000]);
    expect(draft.taxes.every(({ totalCents }) => totalCents > 0)).toBe(true);
    expect(sumDocumentTotals([reducedBy(total + 1, createContractToInvoice({ extras }))])).toBe(0);
    expect(draftReduction(onlyOne(createContractToInvoice({ extras })))).toEqual([]);
    const below = reducedBy(1000, createContractToInvoice({ extras: [{ ...seat, unitCents: -500 }] }));
    expect(draftReduction(below).map(({ vat, totalCents }) => [vat, totalCents])).toEqual([[2100, -1000]]);
  });

  // Proves "rules.md and documents.md: the life of documents": … by rate, once, also when the draft is rewritten
  test("keeps a refund's reduction when the draft is rewritten in another language or after another refund", () => {
    const first = toDraftDocument(reducedBy(1000, createContractToInvoice({ extras, language: "es" })), 1);
    expect(sumDocumentTotals([onlyOne(createContractToInvoice({ extras, earlier: [first] }))])).toBe(total - 1000);
    const draft = reducedBy(500, createContractToInvoice({ extras, earlier: [first] }));
    expect(draftReduction(draft)).toHaveLength(2);
    expect(sumDocumentTotals([draft])).toBe(total - 1500);
    const earlier = [toIssuedEarlierDocument(draft, 1)];
    expect(draftMissingContractDocuments(createContractToInvoice({ extras, earlier }))).toEqual([]);
    const more = [seat, { ...seat, description: "Second seat" }];
    expect(amounts(onlyOne(createContractToInvoice({ extras: more, earlier })))).toEqual([["Second seat", 1000, 1000]]);
  });
});

describe("rewritten draft", () => {
  const toDraftDocument = (draft: DocumentDraft, id: number) => ({
    ...toIssuedEarlierDocument(draft, id),
    isIssued: false,
  });
  const final = onlyOne(createContractToInvoice());
  const advance = draftAdvanceInvoice(createContractToInvoice(), 2000);

  test("rewrites a draft only with a document of the same kind, an advance or a final invoice", () => {
    const earlier = [toDraftDocument(advance, 3), toDraftDocument(final, 4)];
    expect(onlyOne(createContractToInvoice({ earlier })).draftId).toBe(4);
    expect(draftAdvanceInvoice(createContractToInvoice({ earlier }), 2000).draftId).toBe(3);
    expect(onlyOne(createContractToInvoice({ earlier: [toDraftDocument(advance, 3)] })).draftId).toBeUndefined();
    expect(
      draftAdvanceInvoice(createContractToInvoice({ earlier: [toDraftDocument(final, 4)] }), 2000).draftId,
    ).toBeUndefined();
  });

  test("rewrites no issued document, credit note or internal bond as an invoice draft", () => {
    const bond = { ...toDraftDocument(final, 5), kind: "internal_bond" as const };
    const note = { ...toDraftDocument(final, 6), type: "payment" as const };
    const [draft, ...emptied] = draftMissingContractDocuments(createContractToInvoice({ earlier: [bond, note] }));
    expect(draft?.draftId).toBeUndefined();
    expect(emptied).toMatchObject([{ draftId: 5, kind: "internal_bond", items: [] }]);
    expect(
      draftAdvanceInvoice(createContractToInvoice({ earlier: [toIssuedEarlierDocument(advance, 7)] }), 2000).draftId,
    ).toBeUndefined();
  });
});

describe("obsolete draft", () => {
  const toDraftDocument = (draft: DocumentDraft, id: number) => ({
    ...toIssuedEarlierDocument(draft, id),
    isIssued: false,
  });
  const draftEmptied = (contract: ContractToInvoice) =>
    draftMissingContractDocuments(contract)
      .filter(({ items }) => items.length === 0)
      .map(({ draftId, mode, concept, missing, sums }) => [draftId, mode, concept, missing.length, sums.totalCents]);

  test("empties an obsolete draft if its tax rates are removed, covered or below the invoiced amount", () => {
    const rates = [0, 100, 200, 300, 400].map((vat) => ({
      description: `at ${vat}`,
      quantity: 1,
      unitCents: 100,
      vat,
    }));
    const [first, second] = draftMissingContractDocuments(createContractToInvoice({ extras: rates })) as [
      DocumentDraft,
      DocumentDraft,
    ];
    const drafts = [toDraftDocument(first, 1), toDraftDocument(second, 2)];
    expect(draftEmptied(createContractToInvoice({ extras: rates, earlier: drafts }))).toEqual([]);
    const removedLine = [2, "reservation_extra", second.concept, 0, 0];
    expect(draftEmptied(createContractToInvoice({ earlier: drafts }))).toEqual([removedLine]);
    expect(
      draftEmptied(
        createContractToInvoice({ earlier: [toIssuedEarlierDocument(first, 1), toDraftDocument(second, 2)] }),
      ),
    ).toEqual([removedLine]);
    const empty = { ...toDraftDocument(second, 2), totalCents: 0 };
    expect(draftEmptied(createContractToInvoice({ earlier: [toDraftDocument(first, 1), empty] }))).toEqual([]);
  });

  test("empties an advance draft only once the contract is cancelled", () => {
    const advance = toDraftDocument(draftAdvanceInvoice(createContractToInvoice(), 2000), 3);
    expect(draftEmptied(createContractToInvoice({ earlier: [advance] }))).toEqual([]);
    const remainingLine = [3, "reservation_retainer", advance.concept, 0, 0];
    expect(draftEmptied(createContractToInvoice({ retainedFeeCents: 0, earlier: [advance] }))).toEqual([remainingLine]);
    expect(draftEmptied(createContractToInvoice({ retainedFeeCents: 500, earlier: [advance] }))).toEqual([
      remainingLine,
    ]);
  });
});

describe("an advance", () => {
  test("splits an advance over the five tax rates with the largest amounts, without zero lines", () => {
    const rates = [100, 200, 300, 400, 500];
    const extras = rates.map((vat) => ({ description: `at ${vat}`, quantity: 1, unitCents: vat, vat }));
    const contract = createContractToInvoice({ extras });
    const fullSequence = draftAdvanceInvoice(contract, contract.sums.totalCents);
    expect(fullSequence.items.map(({ vat }) => vat)).toEqual([2100, 500, 400, 300, 200]);
    expect(fullSequence).toMatchObject({ mode: "reservation_retainer", concept: "Advance payment 7", form: "full" });
    // An advance has one line for each of at most five tax rates: those with the largest amounts.
    const many = [500, 400, 300, 200, 100, 50];
    const dear = many.map((vat) => ({ description: `at ${vat}`, quantity: 1, unitCents: 600 - vat, vat }));
    const vatRates = draftAdvanceInvoice(createContractToInvoice({ extras: dear }), 9000).items.map(({ vat }) => vat);
    expect(vatRates).toEqual([2100, 50, 100, 200, 300]);
    expect(draftAdvanceInvoice(contract, 1).items.map(({ vat, totalCents }) => [vat, totalCents])).toEqual([[2100, 1]]);
  });

  test("closes advances that cover everything with one zero invoice, and adds no document if price changes cancel out", () => {
    const advance = toIssuedEarlierDocument(draftAdvanceInvoice(createContractToInvoice(), 9000), 1);
    const closing = onlyOne(createContractToInvoice({ earlier: [advance] }));
    expect(closing).toMatchObject({ mode: "reservation_breakdown", sums: { totalCents: 0 } });
    expect(
      draftMissingContractDocuments(
        createContractToInvoice({ earlier: [advance, toIssuedEarlierDocument(closing, 2)] }),
      ),
    ).toEqual([]);
    // One part became more expensive and another cheaper by the same amount.
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 2100 }];
    const invoice = toIssuedEarlierDocument(onlyOne(createContractToInvoice({ extras })), 1);
    const swapped = [{ description: "Chains", quantity: 1, unitCents: 1000, vat: 2100 }];
    expect(draftMissingContractDocuments(createContractToInvoice({ extras: swapped, earlier: [invoice] }))).toEqual([]);
  });
});

describe("credit notes of a contract", () => {
  const first = toIssuedEarlierDocument(onlyOne(createContractToInvoice()), 1);
  const second = toIssuedEarlierDocument(onlyOne(createContractToInvoice()), 2);
  const draftNotes = (cents: number, documents: Parameters<typeof draftCreditNotes>[0]) =>
    draftCreditNotes(documents, "en", cents).map((note) => [note.correctsDocumentId, note.sums.totalCents]);

  test("credits a contract's latest invoice first, and each invoice up to its uncredited amount", () => {
    expect(draftNotes(4000, [first, second])).toEqual([[2, -4000]]);
    expect(draftNotes(9000, [first, second])).toEqual([[2, -9000]]);
    expect(draftNotes(9001, [first, second])).toEqual([
      [2, -9000],
      [1, -1],
    ]);
    expect(draftNotes(0, [first, second])).toEqual([]);
    const { items: credited } = draftCreditNote(second, "en", 5000);
    expect(draftNotes(6000, [first, { ...second, credited }])).toEqual([
      [2, -4000],
      [1, -2000],
    ]);
    const note = toIssuedEarlierDocument(draftCreditNote(second, "en", 5000), 3);
    expect(draftNotes(6000, [first, { ...second, credited }, note])).toHaveLength(2);
    const all = second.items.map((item) => ({ ...item, totalCents: -item.totalCents }));
    expect(draftNotes(100, [first, { ...second, credited: all }])).toEqual([[1, -100]]);
  });

  test("corrects the latest invoice that has enough left to credit", () => {
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 2100 }];
    const base = toIssuedEarlierDocument(onlyOne(createContractToInvoice()), 1);
    const extra = toIssuedEarlierDocument(onlyOne(createContractToInvoice({ extras, earlier: [base] })), 2);
    expect(extra).toMatchObject({ mode: "reservation_extra", totalCents: 1000 });
    const cheaper = (cents: number) => {
      const [line] = createContractToInvoice().lines;
      const lines = line ? [{ ...line, unitCents: line.unitCents - cents }] : [];
      return draftMissingContractDocuments(createContractToInvoice({ lines, extras, earlier: [base, extra] }));
    };
    expect(cheaper(1000)).toMatchObject([{ correctsDocumentId: 2, missing: [], sums: { totalCents: -1000 } }]);
    expect(cheaper(1001)).toMatchObject([{ correctsDocumentId: 1, sums: { totalCents: -1001 } }]);
    const free = createContractToInvoice({
      lines: createContractToInvoice().lines.map((line) => ({ ...line, unitCents: 0 })),
    });
    const notes = draftMissingContractDocuments({ ...free, earlier: [base, extra] });
    expect(notes.map(({ correctsDocumentId }) => correctsDocumentId)).toEqual([2, 1]);
    expect(sumDocumentTotals(notes)).toBe(-10_000);
  });

  test("credits what is left of a cancelled contract's invoices, but doesn't reverse its credit notes", () => {
    const note = toIssuedEarlierDocument(draftCreditNote(first, "en", 4000), 2);
    const earlier = [{ ...first, credited: note.items }, note];
    const drafts = draftMissingContractDocuments(createContractToInvoice({ retainedFeeCents: 1000, earlier }));
    expect(drafts.map(({ type, sums }) => [type, sums.totalCents])).toEqual([
      ["payment", -5000],
      ["invoice", 1000],
    ]);
    const customer = { ...createContractToInvoice().customer, type: "internal_department" as const };
    expect(onlyOne(createContractToInvoice({ customer, retainedFeeCents: 1000 })).items).toMatchObject([
      { vat: 0, taxesCents: 0 },
    ]);
  });

  test("credits at most the invoiced amount for a refund", () => {
    expect(calculateCreditForRefund({ invoicedCents: 100, paidCents: 300, refundCents: 300 })).toBe(100);
    expect(calculateCreditForRefund({ invoicedCents: 100, paidCents: 50, refundCents: 150 })).toBe(100);
    expect(calculateCreditForRefund({ invoicedCents: -10, paidCents: 50, refundCents: 90 })).toBe(0);
  });

  test("invoices the whole contract again if its invoice was credited in full, and otherwise only later extras", () => {
    const all = toIssuedEarlierDocument(draftCreditNote(first, "en"), 2);
    const again = onlyOne(
      createContractToInvoice({ earlier: [{ ...first, credited: all.items }, all], agentPrepaidCents: 300 }),
    );
    expect(again).toMatchObject({ mode: "reservation_breakdown", agentPrepaidCents: 300 });
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 2100 }];
    const later = onlyOne(createContractToInvoice({ extras, earlier: [first], agentPrepaidCents: 300 }));
    expect(later).toMatchObject({ mode: "reservation_extra", agentPrepaidCents: 0 });
  });
});
