import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ContractAmounts,
  calculateHandOverSettlement,
  type DeskChargeAmount,
  suggestDeskCharges,
} from "#domain/check-in/settlement.ts";

const HAND_OVER_ACCOUNT: ContractAmounts = {
  totalCents: 13_200,
  paidCents: 3_200,
  depositCents: 30_000,
  heldCents: 0,
  addedCents: 0,
  isReturn: false,
};
const RETURN: ContractAmounts = { ...HAND_OVER_ACCOUNT, paidCents: 13_200, heldCents: 30_000, isReturn: true };

describe("hand-over", () => {
  // Proves "check-in.md": W3
  test("adds an extra sold at the hand-over to the amount due", () => {
    const account = { ...HAND_OVER_ACCOUNT, addedCents: 2_000 };
    expect(suggestDeskCharges(account, calculateHandOverSettlement(account, []), "customer")).toEqual([
      { kind: "payment", amountCents: 12_000 },
      { kind: "deposit_taken", amountCents: 30_000 },
    ]);
  });

  test("suggests only the charges of a hand-over that aren't entered yet", () => {
    const charges: DeskChargeAmount[] = [
      { kind: "payment", amountCents: 4_000 },
      { kind: "deposit_taken", amountCents: 30_000 },
    ];
    expect(
      suggestDeskCharges(HAND_OVER_ACCOUNT, calculateHandOverSettlement(HAND_OVER_ACCOUNT, charges), "customer"),
    ).toEqual([{ kind: "payment", amountCents: 6_000 }]);
  });
});

describe("return", () => {
  const account = { ...RETURN, addedCents: 9_000 };

  test("suggests retaining the amount due from the deposit and refunding only the rest", () => {
    expect(suggestDeskCharges(account, calculateHandOverSettlement(account, []), "deposit")).toEqual([
      { kind: "deposit_kept", amountCents: 9_000 },
      { kind: "deposit_returned", amountCents: 21_000 },
    ]);
  });

  test("suggests refunding the full deposit if the customer pays now", () => {
    expect(suggestDeskCharges(account, calculateHandOverSettlement(account, []), "customer")).toEqual([
      { kind: "payment", amountCents: 9_000 },
      { kind: "deposit_returned", amountCents: 30_000 },
    ]);
  });

  test("suggests a payment for the amount that the deposit doesn't cover", () => {
    const dear = { ...account, addedCents: 35_000 };
    expect(suggestDeskCharges(dear, calculateHandOverSettlement(dear, []), "deposit")).toEqual([
      { kind: "payment", amountCents: 5_000 },
      { kind: "deposit_kept", amountCents: 30_000 },
    ]);
  });

  test("reports an overdrawn deposit if it is partly retained and also refunded in full, and never suggests both", () => {
    const both: DeskChargeAmount[] = [
      { kind: "deposit_kept", amountCents: 9_000 },
      { kind: "deposit_returned", amountCents: 30_000 },
    ];
    expect(calculateHandOverSettlement(account, both)).toMatchObject({
      excessCents: 9_000,
      heldCents: 0,
      openCents: 0,
    });
    fc.assert(
      fc.property(fc.nat(60_000), fc.nat(60_000), (addedCents, heldCents) => {
        const owing = { ...RETURN, addedCents, heldCents };
        const fromDeposit = suggestDeskCharges(owing, calculateHandOverSettlement(owing, []), "deposit").filter(
          ({ kind }) => kind === "deposit_kept" || kind === "deposit_returned",
        );
        const sumCents = fromDeposit.reduce((sum, { amountCents }) => sum + amountCents, 0);
        expect(sumCents).toBe(heldCents);
      }),
    );
  });

  test("requests no deposit once the vehicle is returned", () => {
    expect(calculateHandOverSettlement({ ...RETURN, heldCents: 0, depositCents: 140_000 }, []).depositOpenCents).toBe(
      0,
    );
  });
});

// Proves "check-in.md": T11
// Proves "check-in.md": P4
test("settles payments and deposit exactly if the suggestions are followed, whatever was recorded before", () => {
  const cents = fc.integer({ min: 0, max: 500_000 });
  const money = fc.record({
    kind: fc.constantFrom("payment", "deposit_taken", "deposit_returned", "deposit_kept"),
    amountCents: cents,
  }) as fc.Arbitrary<DeskChargeAmount>;
  const account = fc.record({
    totalCents: cents,
    paidCents: cents,
    depositCents: cents,
    heldCents: cents,
    addedCents: cents,
    isReturn: fc.boolean(),
  });
  fc.assert(
    fc.property(
      account,
      fc.array(money, { maxLength: 4 }),
      fc.constantFrom("deposit", "customer"),
      (known, done, from) => {
        fc.pre(calculateHandOverSettlement(known, done).excessCents === 0);
        const before = calculateHandOverSettlement(known, done);
        const suggested = suggestDeskCharges(known, before, from as "deposit" | "customer");
        const after = calculateHandOverSettlement(known, [...done, ...suggested]);
        expect(after.openCents).toBe(Math.min(0, before.openCents));
        expect(after.depositOpenCents).toBe(0);
        expect(after.excessCents).toBe(0);
        if (known.isReturn) expect(after.heldCents).toBe(0);
        expect(suggestDeskCharges(known, after, from as "deposit" | "customer")).toEqual([]);
      },
    ),
  );
});
