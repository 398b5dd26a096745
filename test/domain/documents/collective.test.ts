import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContractForCollectiveInvoice, draftCollectiveInvoice } from "#domain/documents/collective.ts";
import {
  type CollectiveInvoiceByContract,
  draftCollectiveCreditNote,
  type IssuedDocumentWithCredits,
} from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftMissingContractDocuments,
  type EarlierDocument,
} from "#domain/documents/invoicing.ts";
import { sumCents } from "#domain/money.ts";
import { createContractToInvoice } from "#support/contract-to-invoice.ts";

const { customer } = createContractToInvoice();
const contract = (
  bookingId: number,
  unitCents: number,
  changes: Partial<ContractToInvoice> = {},
): ContractForCollectiveInvoice => {
  const { lines } = createContractToInvoice();
  const base = createContractToInvoice({ bookingId, lines: lines.map((line) => ({ ...line, unitCents })), ...changes });
  return { ...base, territory: "iva" };
};
const issue = (draft: DocumentDraft, id: number): EarlierDocument => ({
  ...draft,
  id,
  serie: "A",
  number: id,
  totalCents: draft.sums.totalCents,
  credited: [],
  isIssued: true,
});

function collect(contracts: readonly ContractForCollectiveInvoice[]) {
  const drafted = draftCollectiveInvoice(contracts, customer);
  if (!drafted.ok) throw new Error(drafted.error.kind);
  return drafted.value;
}

describe("an invoice over several contracts", () => {
  test("makes a collective invoice add up by contract and in total", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 6 }), (prices) => {
        const contracts = prices.map((cents, index) => contract(index + 1, cents));
        const { invoice } = collect(contracts);
        expect(invoice.sums.totalCents).toBe(sumCents(contracts.map(({ sums }) => sums.totalCents)));
        for (const part of invoice.contracts ?? []) {
          const items = invoice.items.filter(({ bookingId }) => bookingId === part.bookingId);
          expect(sumCents(items.map(({ totalCents }) => totalCents))).toBe(part.totalCents);
        }
      }),
    );
  });

  test("rejects a collective invoice if a contract is already invoiced, has another payer or has no amount", () => {
    const plain = contract(1, 5000);
    const invoiced = contract(2, 5000, {
      earlier: draftMissingContractDocuments(contract(2, 5000)).map((draft) => issue(draft, 9)),
    });
    const others = contract(3, 5000, { customer: { ...customer, id: 99 } });
    expect(draftCollectiveInvoice([plain, invoiced], customer)).toMatchObject({
      error: { kind: "alreadyInvoiced", invoiced: [{ bookingId: 2, document: "A/9" }] },
    });
    expect(draftCollectiveInvoice([plain, others], customer)).toMatchObject({
      error: { kind: "otherPayer", bookingIds: [3] },
    });
    expect(draftCollectiveInvoice([plain, contract(4, 0)], customer)).toMatchObject({
      error: { kind: "nothingToInvoiceOf", bookingIds: [4] },
    });
    expect(draftCollectiveInvoice([plain, { ...plain, bookingId: 5, territory: "igic" }], customer)).toMatchObject({
      error: { kind: "differentIssuers" },
    });
  });

  test("credits the simplified invoices of a collective invoice's contracts", () => {
    const anonymous = { ...customer, documentId: undefined };
    const [simplified] = draftMissingContractDocuments(contract(1, 5000, { customer: anonymous }));
    if (!simplified) throw new Error("no invoice");
    expect(simplified.form).toBe("simplified");
    const { invoice, notes } = collect([contract(1, 5000, { earlier: [issue(simplified, 4)] }), contract(2, 3000)]);
    expect(invoice.sums.totalCents).toBe(8000);
    expect(notes).toMatchObject([{ correctsDocumentId: 4, sums: { totalCents: -5000 } }]);
  });
});

test("splits a credit note of a collective invoice over its contracts, within the amount of each", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 45_000 }),
      (prices, wantedCents) => {
        const { invoice } = collect(prices.map((cents, index) => contract(index + 1, cents)));
        const document: IssuedDocumentWithCredits = { ...issue(invoice, 1) };
        const parts = (invoice.contracts ?? []).map((part) => ({
          ...document,
          ...part,
          items: invoice.items.filter(({ bookingId }) => bookingId === part.bookingId),
        }));
        const collective: CollectiveInvoiceByContract = { document, parts };
        const cents = Math.min(wantedCents, invoice.sums.totalCents);
        const note = draftCollectiveCreditNote(collective, "en", cents);
        expect(note.sums.totalCents).toBe(-cents);
        expect(sumCents((note.contracts ?? []).map(({ totalCents }) => totalCents))).toBe(-cents);
        for (const part of note.contracts ?? []) {
          const contractTotalCents =
            invoice.contracts?.find(({ bookingId }) => bookingId === part.bookingId)?.totalCents ?? 0;
          expect(-part.totalCents).toBeLessThanOrEqual(contractTotalCents);
        }
      },
    ),
  );
});
