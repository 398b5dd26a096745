import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftCollectiveInvoice } from "#domain/documents/collective.ts";
import {
  draftCollectiveCreditNote,
  draftCreditNote,
  draftFullInvoiceExchange,
  draftReplacingInvoice,
  getUncreditedCents,
  type IssuedDocumentWithCredits,
} from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftAdvanceInvoice,
  draftMissingContractDocuments,
} from "#domain/documents/invoicing.ts";
import { sumCents } from "#domain/money.ts";
import { createContractToInvoice, toIssuedEarlierDocument } from "#support/contract-to-invoice.ts";

// Documents in parts have, for each tax rate, the base and the tax of the whole, and no part has a rate below zero.

const THREE_RATES = [2100, 1000, 400] as const;
type Items = Pick<DocumentDraft, "items">;
type Amounts = readonly (readonly [base: number, tax: number])[];

function sumByRate(documents: readonly Items[]): Amounts {
  return THREE_RATES.map((vat) => {
    const items = documents.flatMap((document) => document.items).filter((item) => item.vat === vat);
    return [sumCents(items.map((item) => item.subtotalCents)), sumCents(items.map((item) => item.taxesCents))];
  });
}

const negate = (sums: Amounts) => sums.map((pair) => pair.map((cents) => 0 - cents));

/** Whether all amounts are zero or have the sign. */
const hasSign = (documents: readonly Items[], sign: 1 | -1) =>
  documents.every((document) => sumByRate([document]).every((pair) => pair.every((cents) => cents * sign >= 0)));

const shares = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { maxLength: 6 });
const percent = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 }));
const priced = fc.record({ unitCents: fc.integer({ min: 0, max: 30_000 }), percent });
const createDiscount = ({ unitCents, percent: off }: { readonly unitCents: number; readonly percent: number }) => ({
  unitCents,
  discountCents: Math.floor((unitCents * off) / 100),
});

/** Contracts of a vehicle and two extras at three rates, each with a discount. */
const arbitraryDiscountedContract = fc.tuple(priced, priced, priced).map(([car, seat, chains]) => {
  const [line] = createContractToInvoice().lines;
  return createContractToInvoice({
    simplifiedLimitCents: 1_000_000,
    lines: line ? [{ ...line, ...createDiscount(car), vat: THREE_RATES[0] }] : [],
    extras: [
      { description: "Seat", quantity: 1, vat: THREE_RATES[1], ...createDiscount(seat) },
      { description: "Chains", quantity: 1, vat: THREE_RATES[2], ...createDiscount(chains) },
    ],
  });
});

/** Splits an amount: each share is taken of what is left, and the last part is the rest. */
function splitCents(cents: number, parts: readonly number[], isComplete: boolean): readonly number[] {
  let left = cents;
  const amounts = (isComplete ? [...parts, 1] : parts).map((part) => {
    const amount = Math.min(left, Math.max(1, Math.round(left * part)));
    left -= amount;
    return amount;
  });
  return amounts.filter((amount) => amount > 0);
}

function issueInvoice(contract: ContractToInvoice, id = 1): IssuedDocumentWithCredits {
  const drafts = draftMissingContractDocuments(contract);
  fc.pre(drafts.length === 1 && (drafts[0]?.sums.totalCents ?? 0) > 0);
  return toIssuedEarlierDocument(drafts[0] as DocumentDraft, id);
}

const credit = (document: IssuedDocumentWithCredits, notes: readonly Items[]): IssuedDocumentWithCredits => ({
  ...document,
  credited: notes.flatMap(({ items }) => items),
});

describe("a collective invoice of three rates credited in parts", () => {
  // Proves "rules.md and documents.md: the life of documents": Parts have base and tax of the whole by rate, none below
  //   zero
  test("credits a collective invoice in parts with the exact base and tax of each contract and rate", () => {
    fc.assert(
      fc.property(fc.array(arbitraryDiscountedContract, { minLength: 1, maxLength: 4 }), shares, (contracts, parts) => {
        const collected = contracts.map((contract, index) => ({
          ...contract,
          bookingId: index + 1,
          territory: "iva" as const,
        }));
        const drafted = draftCollectiveInvoice(collected, createContractToInvoice().customer);
        fc.pre(drafted.ok);
        if (!drafted.ok) return;
        const { invoice } = drafted.value;
        const document = toIssuedEarlierDocument(invoice, 1);
        const notes: DocumentDraft[] = [];
        const filterByContract = (documents: readonly Items[], bookingId: number) =>
          documents.map(({ items }) => ({ items: items.filter((item) => item.bookingId === bookingId) }));
        const bookingIds = (invoice.contracts ?? []).map(({ bookingId }) => bookingId);
        for (const cents of splitCents(invoice.sums.totalCents, parts, true)) {
          const collectiveParts = (invoice.contracts ?? []).map((part) => ({
            ...document,
            ...part,
            items: filterByContract([invoice], part.bookingId)[0]?.items ?? [],
            credited: filterByContract(notes, part.bookingId).flatMap(({ items }) => items),
          }));
          notes.push(
            draftCollectiveCreditNote({ document: credit(document, notes), parts: collectiveParts }, "en", cents),
          );
        }
        expect(sumByRate(notes)).toEqual(negate(sumByRate([invoice])));
        for (const bookingId of bookingIds) {
          expect(sumByRate(filterByContract(notes, bookingId))).toEqual(
            negate(sumByRate(filterByContract([invoice], bookingId))),
          );
          expect(hasSign(filterByContract(notes, bookingId), -1)).toBe(true);
        }
      }),
    );
  });
});

describe("a simplified invoice with discounts", () => {
  const anonymous = { ...createContractToInvoice().customer, documentId: undefined };

  test("exchanges a partly credited simplified invoice for a full one of the uncredited amounts of each rate", () => {
    fc.assert(
      fc.property(arbitraryDiscountedContract, shares, (contract, parts) => {
        const document = issueInvoice({ ...contract, customer: anonymous });
        expect(document.form).toBe("simplified");
        const notes: DocumentDraft[] = [];
        for (const cents of splitCents(getUncreditedCents(document), parts, false))
          notes.push(draftCreditNote(credit(document, notes), "en", cents));
        fc.pre(getUncreditedCents(credit(document, notes)) > 0);
        const [back, invoice] = draftFullInvoiceExchange(credit(document, notes), contract.customer, "en");
        expect(sumByRate([...notes, back])).toEqual(negate(sumByRate([document])));
        expect(sumByRate([invoice])).toEqual(negate(sumByRate([back])));
        expect(hasSign([...notes, back], -1) && hasSign([invoice], 1)).toBe(true);
      }),
    );
  });

  test("replaces a simplified invoice and its advances by a full one of the same amounts", () => {
    fc.assert(
      fc.property(arbitraryDiscountedContract, shares, (contract, parts) => {
        const documents = invoiceInAdvances({ ...contract, customer: anonymous }, parts);
        fc.pre(documents.every(({ form }) => form === "simplified"));
        const [first, ...others] = documents.map((draft, index) => toIssuedEarlierDocument(draft, index + 1));
        if (!first) return;
        const replacement = draftReplacingInvoice([first, ...others], contract.customer);
        expect(sumByRate([replacement])).toEqual(sumByRate(documents));
        expect(hasSign([replacement], 1)).toBe(true);
      }),
    );
  });
});

/** Issues advances of a contract, and then its final invoice. */
function invoiceInAdvances(contract: ContractToInvoice, parts: readonly number[]): readonly DocumentDraft[] {
  const earlier: ReturnType<typeof toIssuedEarlierDocument>[] = [];
  for (const cents of splitCents(contract.sums.totalCents, parts, false))
    earlier.push(toIssuedEarlierDocument(draftAdvanceInvoice({ ...contract, earlier }, cents), earlier.length + 1));
  return [...earlier, ...draftMissingContractDocuments({ ...contract, earlier })] as readonly DocumentDraft[];
}

describe("advances of a contract with discounts", () => {
  // Proves "rules.md and documents.md: the life of documents": Parts have base and tax of the whole by rate, none below
  //   zero
  test("makes advances and the final invoice add up to base and tax of a single invoice by rate, none below zero", () => {
    fc.assert(
      fc.property(arbitraryDiscountedContract, shares, (contract, parts) => {
        fc.pre(contract.sums.totalCents > 0);
        const documents = invoiceInAdvances(contract, parts);
        expect(sumByRate(documents)).toEqual(sumByRate(draftMissingContractDocuments(contract)));
        expect(hasSign(documents, 1)).toBe(true);
      }),
    );
  });
});
