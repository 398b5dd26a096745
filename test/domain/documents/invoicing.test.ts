import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getSeriesName } from "#domain/catalogue/series.ts";
import { draftCreditNote, draftFullInvoiceExchange } from "#domain/documents/credit-notes.ts";
import { completeDocumentDraft, type DocumentDraft, TooManyRatesError } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftAdvanceInvoice,
  draftMissingContractDocuments,
  draftPartialInvoice,
} from "#domain/documents/invoicing.ts";
import { calculateItem } from "#domain/documents/items.ts";
import { sumCents } from "#domain/money.ts";
import { calculateCreditForRefund } from "#domain/payments/charges.ts";
import {
  arbitraryContract,
  calculateContractSums,
  createContractToInvoice,
  sumDocumentTotals,
  toIssuedEarlierDocument,
} from "#support/contract-to-invoice.ts";

function expectToAddUp({ items, taxes, sums, kind }: DocumentDraft): void {
  for (const item of items) {
    expect(item.totalCents).toBe(item.unitCents * item.quantity);
    expect(item.subtotalCents + item.taxesCents).toBe(item.totalCents);
  }
  expect(sumCents(items.map(({ totalCents }) => totalCents))).toBe(sums.totalCents);
  expect(sums.totalWithoutTaxesCents - sums.discountCents).toBe(sums.subtotalCents);
  expect(sums.subtotalCents + sums.taxesCents).toBe(sums.totalCents);
  if (kind === "internal_bond") return;
  expect(sumCents(taxes.map(({ subtotalCents }) => subtotalCents))).toBe(sums.subtotalCents);
  expect(sumCents(taxes.map(({ taxesCents }) => taxesCents))).toBe(sums.taxesCents);
  for (const tax of taxes) {
    const rateItems = items.filter(({ vat }) => vat === tax.vat);
    expect(sumCents(rateItems.map(({ taxesCents }) => taxesCents))).toBe(tax.taxesCents);
  }
}

/** Returns the only document that a contract lacks. */
function onlyOne(contract: ContractToInvoice): DocumentDraft {
  const [draft, ...more] = draftMissingContractDocuments(contract);
  if (!draft) throw new Error("nothing is left");
  expect(more).toEqual([]);
  return draft;
}

describe("the final document of a contract", () => {
  // Proves "rules.md and documents.md: the life of documents": The final document adds up by item, rate and total
  test("makes the only invoice of a contract without advances add up by item, by tax rate and in total to its price", () => {
    fc.assert(
      fc.property(arbitraryContract, (contract) => {
        const draft = onlyOne(contract);
        expectToAddUp(draft);
        expect(draft.sums.totalCents).toBe(contract.sums.totalCents);
      }),
    );
  });

  test("shows a discount as a separate line at the tax rate of its product", () => {
    const car = { ...createContractToInvoice().lines[0], discountCents: 900 } as ContractToInvoice["lines"][number];
    const seat = { description: "Seat", quantity: 1, unitCents: 1000, discountCents: 100, vat: 1000 };
    const { items, sums } = onlyOne(createContractToInvoice({ lines: [car], extras: [seat] }));
    const discounts = items.filter(({ concept }) => concept === "Discount");
    expect(discounts.map(({ totalCents, vat }) => [totalCents, vat])).toEqual([
      [-900, 2100],
      [-100, 1000],
    ]);
    expect(sums.totalCents).toBe(9000);
  });

  // Proves "rules.md and documents.md: the life of documents": Advances are deducted; later additions are a
  //   reservation_extra
  test("deducts advances in the final invoice, and invoices only additions afterwards", () => {
    fc.assert(
      fc.property(arbitraryContract, fc.nat(100), fc.integer({ min: 1, max: 90_000 }), (contract, share, later) => {
        fc.pre(contract.sums.totalCents > 0);
        const advance = draftAdvanceInvoice(contract, Math.floor((contract.sums.totalCents * share) / 100));
        expectToAddUp(advance);
        const final = onlyOne({ ...contract, earlier: [toIssuedEarlierDocument(advance, 1)] });
        expectToAddUp(final);
        expect(sumDocumentTotals([advance, final])).toBe(contract.sums.totalCents);
        const earlier = [toIssuedEarlierDocument(advance, 1), toIssuedEarlierDocument(final, 2)];
        expect(draftMissingContractDocuments({ ...contract, earlier })).toEqual([]);
        const [first, second, third] = contract.sums.supplementCents;
        const sums = calculateContractSums(contract, {
          ...contract.sums,
          supplementCents: [first + later, second, third],
        });
        const extra = onlyOne({ ...contract, sums, earlier });
        expectToAddUp(extra);
        expect(extra.mode).toBe("reservation_extra");
        expect(extra.sums.totalCents).toBe(later);
      }),
    );
  });

  // Proves "rules.md and documents.md: the life of documents": An internal department gets an internal bond
  test("uses an internal bond without tax for an internal department", () => {
    const contract = createContractToInvoice();
    const draft = onlyOne({
      ...contract,
      customer: { ...contract.customer, type: "internal_department" },
    });
    expect(draft).toMatchObject({
      kind: "internal_bond",
      form: "internal_bond",
      mode: "reservation_breakdown",
      taxes: [],
    });
    expect(draft.sums).toMatchObject({ taxesCents: 0, totalCents: 9000 });
  });

  test("taxes supplements at the rate of the first vehicle, and extras at their own rates", () => {
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 1000 }];
    const lines = createContractToInvoice().lines;
    const draft = onlyOne(
      createContractToInvoice({
        extras,
        sums: calculateContractSums({ lines, extras }, { pickupPlaceCents: 500, supplementCents: [300, 0, 0] }),
      }),
    );
    expect(draft.items.map(({ concept, vat, totalCents }) => [concept, vat, totalCents])).toEqual([
      ["Rental Small car, 3 days (1234ABC)", 2100, 9000],
      ["Seat", 1000, 1000],
      ["Pickup place supplement", 2100, 500],
      ["Extra days", 2100, 300],
    ]);
    expect(draft.taxes.map(({ vat }) => vat)).toEqual([2100, 1000]);
  });

  test("overwrites the contract's existing draft instead of creating another", () => {
    const contract = createContractToInvoice();
    const draft = { ...toIssuedEarlierDocument(onlyOne(contract), 3), isIssued: false };
    expect(onlyOne({ ...contract, earlier: [draft] })).toMatchObject({
      draftId: 3,
      sums: { totalCents: 9000 },
    });
  });

  // Proves "rules.md and documents.md: the life of documents": More than five tax rates are several documents
  test("splits a contract with too many tax rates into several documents", () => {
    const rates = [0, 400, 500, 1000, 2100, 700, 885];
    const extras = rates.map((vat) => ({ description: `at ${vat}`, quantity: 1, unitCents: 100, vat }));
    const contract = createContractToInvoice({
      extras,
      sums: calculateContractSums({ lines: createContractToInvoice().lines, extras }),
    });
    const drafts = draftMissingContractDocuments(contract);
    expect(drafts.map(({ mode, taxes }) => [mode, taxes.length])).toEqual([
      ["reservation_breakdown", 5],
      ["reservation_extra", 2],
    ]);
    expect(sumDocumentTotals(drafts)).toBe(contract.sums.totalCents);
    const earlier = drafts.map((draft, index) => toIssuedEarlierDocument(draft, index + 1));
    expect(draftMissingContractDocuments({ ...contract, earlier })).toEqual([]);
    const items = rates.map((vat) => calculateItem({ concept: "", quantity: 1, unitCents: 100, vat }));
    expect(() => completeDocumentDraft({ ...(drafts[0] as DocumentDraft) }, items)).toThrow(TooManyRatesError);
    expect(draftAdvanceInvoice(contract, 700)).toMatchObject({ sums: { totalCents: 700 } });
  });

  test("lists the vehicle in the final document of a free contract, and creates no second document", () => {
    const lines = createContractToInvoice().lines.map((line) => ({ ...line, unitCents: 0 }));
    const contract = createContractToInvoice({ lines, sums: calculateContractSums({ lines, extras: [] }) });
    const draft = onlyOne(contract);
    expect(draft.items).toHaveLength(1);
    expect(draftMissingContractDocuments({ ...contract, earlier: [toIssuedEarlierDocument(draft, 1)] })).toEqual([]);
  });
});

describe("a credit note", () => {
  // Proves "rules.md and documents.md: the life of documents": Credit notes take back all or a part
  test("credits an invoice in full or by an exact amount, and allows invoicing the contract again", () => {
    fc.assert(
      fc.property(arbitraryContract, fc.integer({ min: 1, max: 100 }), (contract, share) => {
        fc.pre(contract.sums.totalCents > 0);
        const invoice = onlyOne(contract);
        const all = draftCreditNote(toIssuedEarlierDocument(invoice, 1), "en");
        expectToAddUp(all);
        expect(all).toMatchObject({ type: "payment", form: "credit_note", correctsDocumentId: 1 });
        expect(sumDocumentTotals([invoice, all])).toBe(0);
        const again = onlyOne({
          ...contract,
          earlier: [toIssuedEarlierDocument(invoice, 1), toIssuedEarlierDocument(all, 2)],
        });
        expect(again.sums.totalCents).toBe(contract.sums.totalCents);
        const cents = Math.ceil((invoice.sums.totalCents * share) / 100);
        const part = draftCreditNote(toIssuedEarlierDocument(invoice, 1), "en", cents);
        expectToAddUp(part);
        expect(part.sums.totalCents).toBe(cents === 0 ? 0 : -cents);
      }),
    );
  });

  // Proves "rules.md and documents.md: the life of documents": Credit by lines, invoiced again at them
  test("splits a partial credit note over the invoice's lines, and invoices only those amounts again", () => {
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 2100 }];
    const contract = createContractToInvoice({ extras });
    const invoice = toIssuedEarlierDocument(onlyOne(contract), 1);
    const part = draftCreditNote(invoice, "en", 2000);
    expect(part.concept).toBe("Credit note for invoice A/1");
    expect(part.items.map(({ concept, totalCents }) => [concept, totalCents])).toEqual([
      ["Rental Small car, 3 days (1234ABC)", -1800],
      ["Seat", -200],
    ]);
    const again = onlyOne({
      ...contract,
      earlier: [{ ...invoice, credited: part.items }, toIssuedEarlierDocument(part, 2)],
    });
    expect(again.items.map(({ concept, totalCents }) => [concept, totalCents])).toEqual([
      ["Rental Small car, 3 days (1234ABC)", 1800],
      ["Seat", 200],
    ]);
    expect(again.mode).toBe("reservation_extra");
    const rest = draftCreditNote({ ...invoice, credited: part.items }, "en");
    expect(sumDocumentTotals([invoice, part, rest].map((item) => ({ ...again, ...item })))).toBe(0);
    expect(
      onlyOne({ ...contract, earlier: [invoice, toIssuedEarlierDocument(part, 2), toIssuedEarlierDocument(rest, 3)] })
        .sums.totalCents,
    ).toBe(10_000);
  });

  // Proves "rules.md and documents.md: the life of documents": Never sold as "credit note of …"
  test("invoices a credited amount again under the rental's concept, even if an old credit note has only its own", () => {
    const contract = createContractToInvoice();
    const invoice = toIssuedEarlierDocument(onlyOne(contract), 1);
    const old = [calculateItem({ concept: "Credit note for invoice A/1", quantity: 1, unitCents: -2000, vat: 2100 })];
    const note = { ...toIssuedEarlierDocument(draftCreditNote(invoice, "en", 2000), 2), items: old };
    const again = onlyOne({ ...contract, earlier: [{ ...invoice, credited: old }, note] });
    expect(again.items.map(({ concept, totalCents }) => [concept, totalCents])).toEqual([
      ["Rental Small car, 3 days (1234ABC)", 2000],
    ]);
  });

  test("creates a credit note if a contract becomes cheaper than its invoices", () => {
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 1000 }];
    const invoice = toIssuedEarlierDocument(onlyOne(createContractToInvoice({ extras })), 1);
    const note = onlyOne(createContractToInvoice({ earlier: [invoice] }));
    expect(note).toMatchObject({
      type: "payment",
      form: "credit_note",
      correctsDocumentId: 1,
      sums: { totalCents: -1000 },
    });
    expect(note.items.map(({ concept, totalCents }) => [concept, totalCents])).toEqual([["Seat", -1000]]);
  });

  test("credits the agent's retained amount last, after all that the customer owes", () => {
    const invoice = toIssuedEarlierDocument(onlyOne(createContractToInvoice({ agentPrepaidCents: 3000 })), 1);
    expect(draftCreditNote(invoice, "en", 6000).agentPrepaidCents).toBe(0);
    expect(draftCreditNote(invoice, "en", 7000).agentPrepaidCents).toBe(-1000);
    expect(draftCreditNote(invoice, "en").agentPrepaidCents).toBe(-3000);
    const credited = draftCreditNote(invoice, "en", 7000).items;
    expect(draftCreditNote({ ...invoice, credited }, "en").agentPrepaidCents).toBe(-2000);
  });

  test("creates credit notes for refunds of invoiced money, not of overpayments", () => {
    expect(calculateCreditForRefund({ invoicedCents: 100, paidCents: 100, refundCents: 30 })).toBe(30);
    expect(calculateCreditForRefund({ invoicedCents: 100, paidCents: 120, refundCents: 30 })).toBe(10);
    expect(calculateCreditForRefund({ invoicedCents: 100, paidCents: 120, refundCents: 20 })).toBe(0);
    expect(calculateCreditForRefund({ invoicedCents: 0, paidCents: 50, refundCents: 50 })).toBe(0);
  });
});

describe("a cancelled contract", () => {
  test("invoices the retained fee of a cancelled contract and credits its advance invoice", () => {
    const advance = toIssuedEarlierDocument(draftAdvanceInvoice(createContractToInvoice(), 2000), 1);
    const cancelled = createContractToInvoice({ retainedFeeCents: 3000, earlier: [advance] });
    const [note, fee, ...more] = draftMissingContractDocuments(cancelled);
    expect(more).toEqual([]);
    expect(note).toMatchObject({ type: "payment", correctsDocumentId: 1, sums: { totalCents: -2000 } });
    expect(fee).toMatchObject({ type: "invoice", mode: "reservation_breakdown", sums: { totalCents: 3000 } });
    expect(fee?.items.map(({ concept, vat }) => [concept, vat])).toEqual([["Cancellation fee", 2100]]);
    const earlier = [
      advance,
      toIssuedEarlierDocument(note as DocumentDraft, 2),
      toIssuedEarlierDocument(fee as DocumentDraft, 3),
    ];
    expect(draftMissingContractDocuments({ ...cancelled, earlier })).toEqual([]);
  });

  test("creates no invoice for a cancelled contract without a fee, and credits its advance in full", () => {
    expect(draftMissingContractDocuments(createContractToInvoice({ retainedFeeCents: 0 }))).toEqual([]);
    const advance = toIssuedEarlierDocument(draftAdvanceInvoice(createContractToInvoice(), 2000), 1);
    expect(
      sumDocumentTotals([
        advance,
        ...draftMissingContractDocuments(createContractToInvoice({ retainedFeeCents: 0, earlier: [advance] })),
      ] as DocumentDraft[]),
    ).toBe(0);
  });
});

describe("the kind of an invoice", () => {
  const { customer } = createContractToInvoice();
  const without = (changes: Partial<typeof customer>) => ({ ...customer, ...changes });
  const draftForTotal = (unitCents: number, changes: Partial<typeof customer>) => {
    const lines = createContractToInvoice().lines.map((line) => ({ ...line, unitCents }));
    return onlyOne(
      createContractToInvoice({
        lines,
        customer: without(changes),
        sums: calculateContractSums({ lines, extras: [] }),
      }),
    );
  };

  // Proves "rules.md and documents.md: the life of documents": Full, simplified up to the limit, otherwise a draft with
  //   missing data; a bond
  test("creates a full invoice if the customer's name, tax ID and address are known", () => {
    expect(draftForTotal(90_000, {})).toMatchObject({ form: "full", missing: [] });
  });

  // Proves "rules.md and documents.md: the life of documents": Full, simplified up to the limit, otherwise a draft with
  //   missing data; a bond
  // Proves "rules.md and documents.md: the life of documents": Up to the limit simplified
  test("creates a simplified invoice up to the account's limit if the customer's data is incomplete", () => {
    const { street: _, ...address } = customer.address;
    expect(draftForTotal(40_000, { documentId: undefined })).toMatchObject({ form: "simplified", missing: [] });
    expect(draftForTotal(40_000, { address: { ...address, street: " " } })).toMatchObject({ form: "simplified" });
  });

  // Proves "rules.md and documents.md: the life of documents": Full, simplified up to the limit, otherwise a draft with
  //   missing data; a bond
  // Proves "rules.md and documents.md: the life of documents": Above it a draft with missing data
  test("creates no invoice above the simplified limit without full data, and lists what is missing", () => {
    const address = { ...customer.address, street: undefined, city: "" };
    expect(draftForTotal(40_001, { documentId: undefined, address })).toMatchObject({
      form: "full",
      missing: ["document_id", "address_street", "address_city"],
    });
    expect(draftForTotal(40_001, { fullName: "" })).toMatchObject({ missing: ["name"] });
  });

  // Proves "rules.md and documents.md: the life of documents": Full, simplified up to the limit, otherwise a draft with
  //   missing data; a bond
  test("creates an internal bond for a department, even if its data is incomplete", () => {
    expect(draftForTotal(90_000, { type: "internal_department", documentId: undefined })).toMatchObject({
      form: "internal_bond",
      missing: [],
    });
  });

  test("changes a simplified invoice to a full one by a credit note and an invoice of the same lines", () => {
    const simple = toIssuedEarlierDocument(draftForTotal(9000, { documentId: undefined }), 1);
    const [note, invoice] = draftFullInvoiceExchange(simple, customer, "en");
    expect(note).toMatchObject({ correctsDocumentId: 1, sums: { totalCents: -9000 } });
    expect(invoice).toMatchObject({
      form: "full",
      exchangesDocumentId: 1,
      customer,
      sums: { totalCents: simple.totalCents },
      items: simple.items,
    });
    const credited = draftCreditNote(simple, "en", 4000).items;
    expect(
      draftFullInvoiceExchange({ ...simple, credited }, customer, "en").map(({ sums }) => sums.totalCents),
    ).toEqual([-5000, 5000]);
  });
});

// Proves "rules.md and documents.md: the life of documents": serie is the account's pattern of kind, branch and year
test("names a document series by the account's pattern of kind, branch and year", () => {
  const seriesLetters = { full: "A", advance: "V", simplified: "T", credit_note: "R", internal_bond: "B" };
  const name = (seriesPattern: string, form: keyof typeof seriesLetters, isAdvance = false) =>
    getSeriesName({ seriesPattern, seriesLetters }, { form: form as "full", isAdvance, branchCode: "PMI", year: 2026 });
  expect(name("{kind}-{branch}-{yy}", "full")).toBe("A-PMI-26");
  expect(name("{kind}{year}", "credit_note")).toBe("R2026");
  expect(name("{kind}", "full", true)).toBe("V");
  expect(name("{kind}", "simplified", true)).toBe("T");
  expect(name("{kind}/{other}", "internal_bond")).toBe("B/{other}");
});

describe("an invoice of a part of a contract", () => {
  const item = calculateItem({ concept: "Damage", quantity: 1, unitCents: 12_100, vat: 2100 });

  test("calculates the taxes of a partial invoice from its items", () => {
    const draft = draftPartialInvoice(createContractToInvoice(), [item], "2030-05-06");
    expectToAddUp(draft);
    expect(draft).toMatchObject({ referenceDates: "2030-05-06", sums: { totalCents: 12_100, taxesCents: 2100 } });
  });

  test("adds no taxes to an internal bond for a part of a contract", () => {
    const customer = {
      ...createContractToInvoice().customer,
      type: "internal_department",
    } as ContractToInvoice["customer"];
    const draft = draftPartialInvoice(createContractToInvoice({ customer }), [item], "2030-05-06");
    expect(draft).toMatchObject({ kind: "internal_bond", sums: { totalCents: 12_100, taxesCents: 0 } });
    expect(draft.items).toMatchObject([{ concept: "Damage", vat: 0, totalCents: 12_100, taxesCents: 0 }]);
  });
});
