import fc from "fast-check";
import { expect, test } from "vitest";
import { sumCents } from "#domain/money.ts";
import { splitPaymentOverContracts } from "#domain/payments/document-charges.ts";

const createPendingContracts = (...pending: readonly number[]) =>
  pending.map((pendingCents, bookingId) => ({ bookingId, pendingCents }));

test("pays contracts in their order, each up to what it owes", () => {
  expect(splitPaymentOverContracts(createPendingContracts(300, 0, 200), 400)).toEqual([
    { bookingId: 0, pendingCents: 300, cents: 300 },
    { bookingId: 2, pendingCents: 200, cents: 100 },
  ]);
});

test("shares a payment up to the amount due completely, and gives no contract more than it owes", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 8 }), fc.nat(50_000), (pending, wantedCents) => {
      const cents = Math.min(wantedCents, sumCents(pending));
      const shares = splitPaymentOverContracts(createPendingContracts(...pending), cents);
      expect(sumCents(shares.map((share) => share.cents))).toBe(cents);
      for (const share of shares) expect(share.cents).toBeLessThanOrEqual(share.pendingCents);
    }),
  );
});

test("gives the last contract the part of a payment that no contract owes, even if it owes nothing", () => {
  expect(splitPaymentOverContracts(createPendingContracts(300, 200), 600).map(({ cents }) => cents)).toEqual([
    300, 300,
  ]);
  expect(
    splitPaymentOverContracts(createPendingContracts(300, 100, 0), 450).map(({ bookingId, cents }) => [
      bookingId,
      cents,
    ]),
  ).toEqual([
    [0, 300],
    [1, 100],
    [2, 50],
  ]);
});
