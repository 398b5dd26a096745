import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitRefund, sumRefundable } from "#domain/payments/gateway-refunds.ts";

const payment = (intentId: string, refundableCents: number) => ({ intentId, refundableCents });

describe("a refund of several payments", () => {
  test("refunds as much as possible by the first payment, and the rest by the next", () => {
    const payments = [payment("late", 300), payment("spent", 0), payment("early", 500)];
    expect(splitRefund(payments, 200)).toEqual([{ intentId: "late", cents: 200 }]);
    expect(splitRefund(payments, 300)).toEqual([{ intentId: "late", cents: 300 }]);
    expect(splitRefund(payments, 301)).toEqual([
      { intentId: "late", cents: 300 },
      { intentId: "early", cents: 1 },
    ]);
    expect(splitRefund([], 100)).toEqual([]);
    expect(splitRefund(payments, 0)).toEqual([]);
  });

  test("requests at most what each payment can return, and the full amount if possible", () => {
    const payments = fc.array(fc.integer({ min: -50, max: 500 }), { maxLength: 5 });
    fc.assert(
      fc.property(payments, fc.integer({ min: 1, max: 1500 }), (amounts, cents) => {
        const known = amounts.map((amount, index) => payment(String(index), amount));
        const parts = splitRefund(known, cents);
        const sum = parts.reduce((total, part) => total + part.cents, 0);
        expect(sum).toBe(Math.min(cents, sumRefundable(known)));
        for (const part of parts) {
          expect(part.cents).toBeGreaterThan(0);
          expect(part.cents).toBeLessThanOrEqual(amounts[Number(part.intentId)] ?? 0);
        }
      }),
    );
  });
});
