import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitRefundOverPayments, sumRefundableCents } from "#domain/payments/gateway-refunds.ts";

const payment = (intentId: string, refundableCents: number) => ({ intentId, refundableCents });

describe("a refund of several payments", () => {
  test("refunds as much as possible by the first payment, and the rest by the next", () => {
    const payments = [payment("late", 300), payment("spent", 0), payment("early", 500)];
    expect(splitRefundOverPayments(payments, 200)).toEqual([{ intentId: "late", cents: 200 }]);
    expect(splitRefundOverPayments(payments, 300)).toEqual([{ intentId: "late", cents: 300 }]);
    expect(splitRefundOverPayments(payments, 301)).toEqual([
      { intentId: "late", cents: 300 },
      { intentId: "early", cents: 1 },
    ]);
    expect(splitRefundOverPayments([], 100)).toEqual([]);
    expect(splitRefundOverPayments(payments, 0)).toEqual([]);
  });

  test("requests at most what each payment can return, and the full amount if possible", () => {
    const payments = fc.array(fc.integer({ min: -50, max: 500 }), { maxLength: 5 });
    fc.assert(
      fc.property(payments, fc.integer({ min: 1, max: 1500 }), (amounts, cents) => {
        const known = amounts.map((amount, index) => payment(String(index), amount));
        const parts = splitRefundOverPayments(known, cents);
        const sum = parts.reduce((total, part) => total + part.cents, 0);
        expect(sum).toBe(Math.min(cents, sumRefundableCents(known)));
        for (const part of parts) {
          expect(part.cents).toBeGreaterThan(0);
          expect(part.cents).toBeLessThanOrEqual(amounts[Number(part.intentId)] ?? 0);
        }
      }),
    );
  });
});
