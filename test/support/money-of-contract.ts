import fc from "fast-check";
import type { IssuedDocument, MoneyMovement } from "../oracles/document-allocation.ts";

export interface ContractMoney {
  readonly documents: readonly IssuedDocument[];
  readonly money: readonly MoneyMovement[];
}

const INVOICES = 4;
const FIRST_NOTE = 100;

/**
 * Arbitrary contract money: invoices, credit notes up to their amount, charges, refunds up to the paid amount, some for
 * a note, and replaced invoices.
 */
export const arbitraryMoney: fc.Arbitrary<ContractMoney> = fc
  .record({
    dues: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: INVOICES }),
    replaced: fc.array(fc.nat(INVOICES - 1), { maxLength: 2 }),
    credits: fc.array(fc.record({ invoice: fc.nat(INVOICES - 1), share: fc.integer({ min: 1, max: 100 }) }), {
      maxLength: 4,
    }),
    payments: fc.array(
      fc.record({ cents: fc.integer({ min: 1, max: 250 }), isRefund: fc.boolean(), note: fc.option(fc.nat(3)) }),
      { maxLength: 6 },
    ),
  })
  .map(({ dues, replaced, credits, payments }) => {
    const invoices = dues.map((dueCents, index) => ({
      id: index + 1,
      dueCents,
      correctsId: undefined,
      // Credited invoices aren't replaced.
      isReplaced: replaced.includes(index) && credits.every(({ invoice }) => invoice !== index),
    }));
    const remainingDues = [...dues];
    const notes = credits.flatMap(({ invoice, share }, index) => {
      const cents = Math.ceil(((remainingDues[invoice] ?? 0) * share) / 100);
      remainingDues[invoice] = (remainingDues[invoice] ?? 0) - cents;
      return cents === 0 ? [] : [{ id: FIRST_NOTE + index, dueCents: -cents, correctsId: invoice + 1 }];
    });
    let paid = 0;
    const money = payments.flatMap(({ cents, isRefund, note }, index) => {
      const signedCents = isRefund ? -Math.min(cents, paid) : cents;
      paid += signedCents;
      const documentId = isRefund && note !== null ? notes[note]?.id : undefined;
      return signedCents === 0 ? [] : [{ id: index + 1, cents: signedCents, documentId }];
    });
    return { documents: [...invoices, ...notes], money };
  });
