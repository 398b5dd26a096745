import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftCreditNote } from "#domain/documents/credit-notes.ts";
import {
  type DocumentDraft,
  draftAdvance,
  draftContractDocument,
  hasTooManyRates,
  TooManyRates,
} from "#domain/documents/invoicing.ts";
import { sumOf } from "#domain/money.ts";
import { creditForRefund, endDeposit } from "#domain/payments/charges.ts";
import { aContract, anyContract, issuedAs, sumsOf, totalOf } from "#support/contract-to-invoice.ts";

function expectToAddUp({ items, taxes, sums, kind }: DocumentDraft): void {
  for (const item of items) {
    expect(item.totalCents).toBe(item.unitCents * item.quantity);
    expect(item.subtotalCents + item.taxesCents).toBe(item.totalCents);
  }
  expect(sumOf(items.map(({ totalCents }) => totalCents))).toBe(sums.totalCents);
  expect(sums.totalWithoutTaxesCents - sums.discountCents).toBe(sums.subtotalCents);
  expect(sums.subtotalCents + sums.taxesCents).toBe(sums.totalCents);
  if (kind === "internal_bond") return;
  expect(sumOf(taxes.map(({ subtotalCents }) => subtotalCents))).toBe(sums.subtotalCents);
  expect(sumOf(taxes.map(({ taxesCents }) => taxesCents))).toBe(sums.taxesCents);
  for (const tax of taxes) {
    const ofRate = items.filter(({ vat }) => vat === tax.vat);
    expect(sumOf(ofRate.map(({ taxesCents }) => taxesCents))).toBe(tax.taxesCents);
  }
}

const asFirm = (draft: DocumentDraft, id: number) => ({ ...draft, id, number: id });

describe("the final document of a contract", () => {
  test("adds up by item, by rate and in total to the contract's price", () => {
    fc.assert(
      fc.property(anyContract, (contract) => {
        const draft = draftContractDocument(contract);
        expectToAddUp(draft);
        expect(draft.sums.totalCents).toBe(contract.sums.totalCents);
      }),
    );
  });

  test("takes off what was invoiced in advance, and after it only what came later is left", () => {
    fc.assert(
      fc.property(anyContract, fc.nat(100), fc.integer({ min: 1, max: 90_000 }), (contract, share, later) => {
        const advance = draftAdvance(contract, Math.floor((contract.sums.totalCents * share) / 100));
        expectToAddUp(advance);
        const final = draftContractDocument({ ...contract, earlier: [issuedAs(advance, 1)] });
        expectToAddUp(final);
        expect(totalOf([advance, final])).toBe(contract.sums.totalCents);
        const earlier = [issuedAs(advance, 1), issuedAs(final, 2)];
        expect(draftContractDocument({ ...contract, earlier }).items).toEqual([]);
        const [first, second, third] = contract.sums.supplementCents;
        const sums = sumsOf(contract, { ...contract.sums, supplementCents: [first + later, second, third] });
        const extra = draftContractDocument({ ...contract, sums, earlier });
        expectToAddUp(extra);
        expect(extra.mode).toBe("reservation_extra");
        expect(extra.sums.totalCents).toBe(later);
      }),
    );
  });

  test("is an internal bond without tax for an internal department", () => {
    const contract = aContract();
    const draft = draftContractDocument({
      ...contract,
      customer: { ...contract.customer, type: "internal_department" },
    });
    expect(draft).toMatchObject({ kind: "internal_bond", serie: "B", mode: "reservation_breakdown", taxes: [] });
    expect(draft.sums).toMatchObject({ taxesCents: 0, totalCents: 9000 });
  });

  test("charges supplements at the rate of the first vehicle, extras at their own", () => {
    const extras = [{ description: "Seat", quantity: 1, unitCents: 1000, vat: 1000 }];
    const lines = aContract().lines;
    const draft = draftContractDocument(
      aContract({ extras, sums: sumsOf({ lines, extras }, { pickupPlaceCents: 500, supplementCents: [300, 0, 0] }) }),
    );
    expect(draft.items.map(({ concept, vat, totalCents }) => [concept, vat, totalCents])).toEqual([
      ["Rental Small car, 3 days (1234ABC)", 2100, 9000],
      ["Seat", 1000, 1000],
      ["Pickup place supplement", 2100, 500],
      ["Extra days", 2100, 300],
    ]);
    expect(draft.taxes.map(({ vat }) => vat)).toEqual([2100, 1000]);
  });

  test("is written over the draft that is there", () => {
    const contract = aContract();
    const draft = { ...issuedAs(draftContractDocument(contract), 3), isFirm: false };
    expect(draftContractDocument({ ...contract, earlier: [draft] })).toMatchObject({
      draftId: 3,
      sums: { totalCents: 9000 },
    });
  });

  test("is refused with more tax rates than a document has room for", () => {
    const extras = [0, 400, 500, 1000, 2100, 700].map((vat) => ({
      description: `at ${vat}`,
      quantity: 1,
      unitCents: 100,
      vat,
    }));
    const contract = aContract({ extras, sums: sumsOf({ lines: aContract().lines, extras }) });
    expect(hasTooManyRates(contract)).toBe(true);
    expect(() => draftContractDocument(contract)).toThrow(TooManyRates);
    expect(hasTooManyRates(aContract())).toBe(false);
  });

  test("of a contract that costs nothing has the vehicle on it, once", () => {
    const lines = aContract().lines.map((line) => ({ ...line, unitCents: 0 }));
    const contract = aContract({ lines, sums: sumsOf({ lines, extras: [] }) });
    const draft = draftContractDocument(contract);
    expect(draft.items).toHaveLength(1);
    expect(draftContractDocument({ ...contract, earlier: [issuedAs(draft, 1)] }).items).toEqual([]);
  });
});

describe("a credit note", () => {
  test("takes back all of its invoice, or exactly so much, and the contract can be invoiced again", () => {
    fc.assert(
      fc.property(anyContract, fc.integer({ min: 1, max: 100 }), (contract, share) => {
        const invoice = draftContractDocument(contract);
        const all = draftCreditNote(asFirm(invoice, 1), "en");
        expectToAddUp(all);
        expect(all).toMatchObject({ type: "payment", serie: "R", correctsDocumentId: 1 });
        expect(totalOf([invoice, all])).toBe(0);
        const again = draftContractDocument({ ...contract, earlier: [issuedAs(invoice, 1), issuedAs(all, 2)] });
        expect(again.sums.totalCents).toBe(contract.sums.totalCents);
        const cents = Math.ceil((invoice.sums.totalCents * share) / 100);
        const part = draftCreditNote(asFirm(invoice, 1), "en", cents);
        expectToAddUp(part);
        expect(part.sums.totalCents).toBe(cents === 0 ? 0 : -cents);
      }),
    );
  });

  test("is needed for what comes back of what was invoiced, not for what was paid too much", () => {
    expect(creditForRefund({ invoicedCents: 100, paidCents: 100, refundCents: 30 })).toBe(30);
    expect(creditForRefund({ invoicedCents: 100, paidCents: 120, refundCents: 30 })).toBe(10);
    expect(creditForRefund({ invoicedCents: 100, paidCents: 120, refundCents: 20 })).toBe(0);
    expect(creditForRefund({ invoicedCents: 0, paidCents: 50, refundCents: 50 })).toBe(0);
  });
});

test("a deposit ends in what is kept and what goes back, together what was held", () => {
  const held = {
    uid: "one",
    bookingId: 1,
    amountCents: 30_000,
    currency: "EUR",
    method: "credit_card",
    at: 1,
    branchCode: "AIR",
    salesChannelCode: undefined,
    origin: "desk",
  } as const;
  expect(endDeposit(held, 10_000).map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ["deposit_kept", 10_000],
    ["deposit_returned", 20_000],
  ]);
  expect(endDeposit(held, 0).map(({ kind }) => kind)).toEqual(["deposit_returned"]);
  expect(endDeposit(held, 30_000).map(({ kind }) => kind)).toEqual(["deposit_kept"]);
});
