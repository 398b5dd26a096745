import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sumCents } from "#domain/money.ts";
import { arbitraryMoney } from "#support/money-of-contract.ts";
import { allocateContract, type IssuedDocument, type MoneyMovement } from "../../oracles/document-allocation.ts";

const invoice = (id: number, dueCents: number): IssuedDocument => ({ id, dueCents, correctsId: undefined });
const note = (id: number, correctsId: number, cents: number): IssuedDocument => ({ id, dueCents: -cents, correctsId });
const money = (id: number, cents: number, documentId?: number): MoneyMovement => ({ id, cents, documentId });

function sumPaid(papers: readonly IssuedDocument[], payments: readonly MoneyMovement[]) {
  const { paidCents, allocations, balanceCents } = allocateContract(papers, payments);
  const inOrder = allocations.toSorted((a, b) => a.chargeId - b.chargeId || a.documentId - b.documentId);
  return { paid: papers.map(({ id }) => paidCents.get(id)), allocations: inOrder, balanceCents };
}

describe("the money of a contract", () => {
  // Proves "rules.md and documents.md: the life of documents": Sum of charges = allocated + balance
  test("makes the allocated amounts and the balance add up to all payments, in any order", () => {
    fc.assert(
      fc.property(arbitraryMoney, ({ documents: papers, money: payments }) => {
        const { allocations, balanceCents } = allocateContract(papers, payments);
        expect(sumCents(payments.map(({ cents }) => cents))).toBe(
          sumCents(allocations.map(({ cents }) => cents)) + balanceCents,
        );
        for (const { id, cents } of payments) {
          const parts = allocations.filter(({ chargeId }) => chargeId === id).map((allocation) => allocation.cents);
          expect(Math.abs(sumCents(parts))).toBeLessThanOrEqual(Math.abs(cents));
          expect(parts.every((part) => Math.sign(part) === Math.sign(cents))).toBe(true);
        }
      }),
    );
  });

  test("pays no document beyond its total, settles each credit note, and leaves no document unpaid while there is a balance", () => {
    fc.assert(
      fc.property(arbitraryMoney, ({ documents: papers, money: payments }) => {
        const { paidCents, balanceCents } = allocateContract(papers, payments);
        const pending = papers.map(({ id, dueCents }) => dueCents - (paidCents.get(id) ?? 0));
        expect(pending.every((cents) => cents >= 0)).toBe(true);
        const counted = papers.filter(({ isReplaced }) => !isReplaced);
        const owedCents =
          sumCents(counted.map(({ dueCents }) => dueCents)) - sumCents(payments.map(({ cents }) => cents));
        expect(sumCents(pending) - balanceCents).toBe(owedCents);
        expect(Math.min(sumCents(pending), balanceCents)).toBe(0);
        for (const document of papers.filter(({ correctsId, isReplaced }) => correctsId !== undefined || isReplaced))
          expect(paidCents.get(document.id)).toBe(document.dueCents);
      }),
    );
  });

  // Proves "rules.md and documents.md: the life of documents": Credited amounts aren't due
  test("leaves no amount due for the credited part of an invoice", () => {
    fc.assert(
      fc.property(arbitraryMoney, ({ documents: papers, money: payments }) => {
        const { paidCents } = allocateContract(papers, payments);
        for (const { id, dueCents } of papers.filter(({ correctsId }) => correctsId === undefined)) {
          const credited = sumCents(
            papers.filter(({ correctsId }) => correctsId === id).map((document) => document.dueCents),
          );
          expect(dueCents - (paidCents.get(id) ?? 0)).toBeLessThanOrEqual(dueCents + credited);
        }
      }),
    );
  });

  // Proves "rules.md and documents.md: the life of documents": Allocation: oldest first, split
  test("pays the oldest document first and splits a charge across documents", () => {
    expect(sumPaid([invoice(1, 2000), invoice(2, 6586)], [money(1, 8586)])).toEqual({
      paid: [2000, 6586],
      allocations: [
        { chargeId: 1, documentId: 1, cents: 2000 },
        { chargeId: 1, documentId: 2, cents: 6586 },
      ],
      balanceCents: 0,
    });
  });

  test("moves a payment to the next document when its invoice is credited without a refund", () => {
    const papers = [invoice(1, 100), note(2, 1, 100), invoice(3, 120)];
    expect(sumPaid(papers, [money(1, 100)])).toEqual({
      paid: [100, -100, 100],
      allocations: [{ chargeId: 1, documentId: 3, cents: 100 }],
      balanceCents: 0,
    });
  });

  test("moves payments to the replacing document, and treats replaced documents as paid", () => {
    const papers = [
      { ...invoice(1, 2000), isReplaced: true },
      { ...invoice(2, 6586), isReplaced: true },
      invoice(3, 8586),
    ];
    expect(sumPaid(papers, [money(1, 8600)])).toEqual({
      paid: [2000, 6586, 8586],
      allocations: [{ chargeId: 1, documentId: 3, cents: 8586 }],
      balanceCents: 14,
    });
  });

  test("keeps a payment with its invoice if it was refunded with the credit note", () => {
    const papers = [invoice(1, 100), note(2, 1, 60)];
    const { paid, allocations, balanceCents } = sumPaid(papers, [money(1, 100), money(2, -60, 2)]);
    expect([paid, balanceCents]).toEqual([[100, -60], 0]);
    expect(allocations).toEqual([
      { chargeId: 1, documentId: 1, cents: 100 },
      { chargeId: 2, documentId: 2, cents: -60 },
    ]);
  });

  test("assigns a refund to the credit note that it names, not to an older one", () => {
    const papers = [invoice(1, 100), note(2, 1, 100), invoice(3, 120), note(4, 3, 20)];
    const { allocations } = sumPaid(papers, [money(1, 100), money(2, 20), money(3, -20, 4)]);
    expect(allocations).toContainEqual({ chargeId: 3, documentId: 4, cents: -20 });
    expect(allocations.some(({ documentId }) => documentId === 2)).toBe(false);
  });

  test("assigns refunds in the order of the credit notes that they name, before refunds that name none", () => {
    const papers = [invoice(1, 100), note(2, 1, 20), invoice(3, 100), note(4, 3, 30)];
    expect(sumPaid(papers, [money(1, 230), money(2, -30), money(3, -30, 4), money(4, -20, 2)])).toEqual({
      paid: [100, -20, 100, -30],
      allocations: [
        { chargeId: 1, documentId: 1, cents: 100 },
        { chargeId: 1, documentId: 3, cents: 100 },
        { chargeId: 3, documentId: 4, cents: -30 },
        { chargeId: 4, documentId: 2, cents: -20 },
      ],
      balanceCents: 0,
    });
    // A charge recorded for an invoice isn't allocated to a credit note.
    const { allocations } = sumPaid(
      [invoice(1, 100), note(2, 1, 20)],
      [money(1, 130), money(2, -30, 1), money(3, -20, 2)],
    );
    expect(allocations).toEqual([
      { chargeId: 1, documentId: 1, cents: 100 },
      { chargeId: 3, documentId: 2, cents: -20 },
    ]);
  });

  test("assigns refunds to the named credit notes first, then to the oldest", () => {
    const papers = [invoice(1, 100), note(2, 1, 20), note(3, 1, 30)];
    const listRefunds = (...payments: readonly MoneyMovement[]) =>
      sumPaid(papers, [money(1, 100), ...payments]).allocations.filter(({ chargeId }) => chargeId > 1);
    expect(listRefunds(money(2, -40))).toEqual([
      { chargeId: 2, documentId: 2, cents: -20 },
      { chargeId: 2, documentId: 3, cents: -20 },
    ]);
    expect(listRefunds(money(2, -40, 3))).toEqual([
      { chargeId: 2, documentId: 2, cents: -10 },
      { chargeId: 2, documentId: 3, cents: -30 },
    ]);
  });

  test("counts credited but unrefunded money and overpayments as the contract's balance", () => {
    expect(sumPaid([invoice(1, 100), note(2, 1, 100)], [money(1, 100)])).toMatchObject({
      paid: [100, -100],
      balanceCents: 100,
    });
    expect(sumPaid([invoice(1, 100)], [money(1, 130)])).toMatchObject({ paid: [100], balanceCents: 30 });
    expect(sumPaid([], [money(1, 130), money(2, -30)])).toMatchObject({ allocations: [], balanceCents: 100 });
  });
});
