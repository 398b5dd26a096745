import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  draftCreditNote,
  draftFullInvoiceExchange,
  draftTaxCreditNote,
  getCreditableCents,
  getUncreditedCents,
  type IssuedDocumentWithCredits,
} from "#domain/documents/credit-notes.ts";
import { completeDocumentDraft, type DocumentDraft } from "#domain/documents/draft.ts";
import { draftAdvanceInvoice, draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { calculateItem } from "#domain/documents/items.ts";
import { sumCents } from "#domain/money.ts";
import { createContractToInvoice, sumDocumentTotals, toIssuedEarlierDocument } from "#support/contract-to-invoice.ts";

const [draft] = draftMissingContractDocuments(createContractToInvoice()) as [DocumentDraft];
const RATES = [2100, 1000, 400, 700, 0] as const;

const arbitraryLine = fc.record({
  concept: fc.constantFrom("Car", "Seat", "Toll", "Fuel"),
  vat: fc.constantFrom(...RATES),
  unitCents: fc.integer({ min: 1, max: 20_000 }),
  quantity: fc.integer({ min: 1, max: 3 }),
});
const lines = fc.array(arbitraryLine, { minLength: 1, maxLength: 4 });

/** Base and tax of documents by rate. */
function sumByRate(documents: readonly Pick<DocumentDraft, "items">[]) {
  return RATES.map((vat) => {
    const rateItems = documents.flatMap(({ items }) => items).filter((item) => item.vat === vat);
    return [
      sumCents(rateItems.map(({ subtotalCents }) => subtotalCents)),
      sumCents(rateItems.map(({ taxesCents }) => taxesCents)),
    ];
  });
}

const negate = (sums: readonly (readonly number[])[]) => sums.map((pair) => pair.map((cents) => 0 - cents));
const credit = (document: IssuedDocumentWithCredits, notes: readonly DocumentDraft[]): IssuedDocumentWithCredits => ({
  ...document,
  credited: notes.flatMap(({ items }) => items),
});

describe("an invoice credited in parts", () => {
  test.each([
    [13_100, [...new Array<number>(13).fill(1000), 100]],
    [10, new Array<number>(5).fill(2)],
  ])("credits base and tax of an invoice of %i to the cent, in parts of %j", (totalCents, parts) => {
    const document = toIssuedEarlierDocument(
      completeDocumentDraft(draft, [calculateItem({ concept: "Car", quantity: 1, unitCents: totalCents, vat: 2100 })]),
      1,
    );
    const notes: DocumentDraft[] = [];
    for (const part of parts) notes.push(draftCreditNote(credit(document, notes), "en", part));
    expect(sumByRate(notes)).toEqual(negate(sumByRate([document])));
  });

  test("credits exactly the base and tax of each rate, however an invoice is split into credit notes", () => {
    fc.assert(
      fc.property(lines, fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { maxLength: 12 }), (terms, parts) => {
        const document = toIssuedEarlierDocument(completeDocumentDraft(draft, terms.map(calculateItem)), 1);
        const notes: DocumentDraft[] = [];
        for (const part of [...parts, 1]) {
          const left = getUncreditedCents(credit(document, notes));
          if (left > 0)
            notes.push(draftCreditNote(credit(document, notes), "en", Math.max(1, Math.round(left * part))));
        }
        expect(sumByRate(notes)).toEqual(negate(sumByRate([document])));
        for (const { items } of notes)
          expect(items.every(({ subtotalCents, taxesCents }) => subtotalCents <= 0 && taxesCents <= 0)).toBe(true);
      }),
    );
  });

  test("replaces a partly credited simplified invoice by a full one of exactly the uncredited amount", () => {
    fc.assert(
      fc.property(lines, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (terms, part) => {
        const document = toIssuedEarlierDocument(completeDocumentDraft(draft, terms.map(calculateItem)), 1);
        const cents = Math.max(1, Math.round(getUncreditedCents(document) * part));
        fc.pre(cents < getUncreditedCents(document));
        const note = draftCreditNote(document, "en", cents);
        const [back, invoice] = draftFullInvoiceExchange(credit(document, [note]), document.customer, "en");
        expect(sumByRate([note, back])).toEqual(negate(sumByRate([document])));
        expect(sumByRate([invoice])).toEqual(negate(sumByRate([back])));
      }),
    );
  });

  test("reverses all remaining tax of an unpaid and partly credited invoice to the cent", () => {
    fc.assert(
      fc.property(lines, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (terms, part) => {
        const document = toIssuedEarlierDocument(completeDocumentDraft(draft, terms.map(calculateItem)), 1);
        const cents = Math.max(1, Math.round(getUncreditedCents(document) * part));
        fc.pre(cents < getUncreditedCents(document));
        const partly = credit(document, [draftCreditNote(document, "en", cents)]);
        const tax = getCreditableCents(partly, "bad_debt");
        fc.pre(tax > 0);
        const notes = [draftTaxCreditNote(partly, "en", { cents: tax, reason: "bad_debt" })];
        const all = sumByRate([document, { items: partly.credited.map(toItem) }, ...notes]);
        expect(sumCents(all.map(([, taxes = 0]) => taxes))).toBe(0);
      }),
    );
  });
});

const toItem = ({ concept, vat, subtotalCents, totalCents }: IssuedDocumentWithCredits["credited"][number]) => ({
  ...calculateItem({ concept, vat, quantity: 1, unitCents: totalCents }),
  subtotalCents,
  taxesCents: totalCents - subtotalCents,
});

describe("a contract invoiced in advances", () => {
  const createContract = (unitCents: number, changes: Parameters<typeof createContractToInvoice>[0] = {}) =>
    createContractToInvoice({
      lines: createContractToInvoice().lines.map((line) => ({ ...line, unitCents })),
      ...changes,
    });

  function invoiceInParts(totalCents: number, advances: readonly number[]) {
    const earlier: ReturnType<typeof toIssuedEarlierDocument>[] = [];
    for (const cents of advances)
      earlier.push(
        toIssuedEarlierDocument(
          draftAdvanceInvoice(createContract(totalCents, { earlier }), cents),
          earlier.length + 1,
        ),
      );
    return [...earlier, ...draftMissingContractDocuments(createContract(totalCents, { earlier }))];
  }

  test("ends three advances of 33.33 for 100.00 with a final invoice of 0.01 that has a tax base", () => {
    const documents = invoiceInParts(10_000, [3333, 3333, 3333]);
    expect(documents.at(-1)?.items.map(({ totalCents }) => totalCents)).toEqual([10_000, -9_999]);
    expect(sumByRate(documents.slice(-1))[0]).toEqual([1, 0]);
    expect(sumByRate(documents)[0]).toEqual([8264, 1736]);
  });

  test("makes advances and final invoice add up to the base and tax of a single invoice", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300_000 }),
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { maxLength: 6 }),
        (totalCents, parts) => {
          let left = totalCents;
          const advances = parts.flatMap((part) => {
            const cents = Math.min(left, Math.max(1, Math.round(left * part)));
            left -= cents;
            return cents > 0 ? [cents] : [];
          });
          expect(sumByRate(invoiceInParts(totalCents, advances))).toEqual(sumByRate(invoiceInParts(totalCents, [])));
        },
      ),
    );
  });
});

describe("a contract of several rates invoiced in advances", () => {
  const { lines: carLines } = createContractToInvoice();
  const createContract = (cents: readonly number[], changes: Parameters<typeof createContractToInvoice>[0] = {}) =>
    createContractToInvoice({
      lines: cents.flatMap((unitCents, index) =>
        carLines.map((line) => ({ ...line, description: `Car ${index}`, unitCents, vat: RATES[index] ?? 0 })),
      ),
      ...changes,
    });
  const prices = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 3 });
  const shares = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { maxLength: 4 });

  function issueAdvances(cents: readonly number[], parts: readonly number[]) {
    const earlier: ReturnType<typeof toIssuedEarlierDocument>[] = [];
    let left = sumCents(cents);
    for (const part of parts) {
      const advance = Math.min(left, Math.max(1, Math.round(left * part)));
      if (advance > 0)
        earlier.push(
          toIssuedEarlierDocument(draftAdvanceInvoice(createContract(cents, { earlier }), advance), earlier.length + 1),
        );
      left -= advance;
    }
    return earlier;
  }

  const sumTotals = (documents: Parameters<typeof sumByRate>[0]) =>
    sumByRate(documents).map(([base = 0, tax = 0]) => base + tax);

  test("makes advances and final invoice add up to the base and tax of a single invoice at each rate", () => {
    fc.assert(
      fc.property(prices, shares, (cents, parts) => {
        const earlier = issueAdvances(cents, parts);
        const documents = [...earlier, ...draftMissingContractDocuments(createContract(cents, { earlier }))];
        expect(sumByRate(documents)).toEqual(sumByRate(draftMissingContractDocuments(createContract(cents))));
        const advanced = sumTotals(earlier);
        for (const [index, price] of cents.entries()) expect(advanced[index]).toBeLessThanOrEqual(price);
      }),
    );
  });

  test("credits a contract that becomes cheaper than its advances to the correct total of each tax rate", () => {
    fc.assert(
      fc.property(prices, shares, shares, (cents, parts, factors) => {
        const earlier = issueAdvances(cents, parts);
        const cheaper = cents.map((price, index) => Math.floor(price * (factors[index] ?? 0)));
        const drafts = draftMissingContractDocuments(createContract(cheaper, { earlier }));
        const documents = [...earlier, ...drafts];
        const fullDrafts = draftMissingContractDocuments(createContract(cheaper));
        fc.pre(
          cheaper.every((price, index) => price <= (sumTotals(earlier)[index] ?? 0)) || sumDocumentTotals(drafts) >= 0,
        );
        expect(sumTotals(documents)).toEqual(sumTotals(fullDrafts));
        const differences = sumByRate(documents).map(
          ([base = 0], index) => base - (sumByRate(fullDrafts)[index]?.[0] ?? 0),
        );
        for (const difference of differences) expect(Math.abs(difference)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("deducts a tax rate that costs more than its advances from the credit notes of a cheaper contract", () => {
    const earlier = issueAdvances([1100, 600], [0.3, 0.5]);
    const notes = draftMissingContractDocuments(createContract([0, 500], { earlier }));
    expect(notes.map(({ form }) => form)).toEqual(["credit_note", "credit_note"]);
    expect(sumTotals([...earlier, ...notes])).toEqual([0, 500, 0, 0, 0]);
  });
});
