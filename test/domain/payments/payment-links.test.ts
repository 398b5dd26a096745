import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyPaymentLinkEvent,
  getDueCentsForPurpose,
  getPaymentLinkAmount,
  getPaymentLinkStatus,
  type OwingBooking,
  type PaymentLinkEvent,
  type StoredPaymentLinkStatus,
} from "#domain/payments/payment-links.ts";

const booking: OwingBooking = {
  ...{ status: "confirmed", totalCents: 10_000, totalPaidCents: 0, cancellationFeeCents: 0 },
  ...{ totalDepositCents: 30_000, depositHeldCents: 0 },
};
const arbitraryEvent = fc.constantFrom<PaymentLinkEvent>("paid", "authorised", "cancelled");
const run = (events: readonly PaymentLinkEvent[]) =>
  events.reduce<StoredPaymentLinkStatus>((status, event) => applyPaymentLinkEvent(status, event), "open");

describe("state of a payment link", () => {
  test("keeps a payment link paid if it was cancelled before or after the payment", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<PaymentLinkEvent>("paid", "cancelled"), { maxLength: 8 }), (events) => {
        expect(run(events)).toBe(events.includes("paid") ? "paid" : events.length > 0 ? "cancelled" : "open");
      }),
    );
  });

  test("never reopens a payment link, and ignores repeated events", () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { minLength: 1, maxLength: 8 }), (events) => {
        const last = events.at(-1) ?? "paid";
        expect(run(events)).not.toBe("open");
        expect(run([...events, last])).toBe(run(events));
      }),
    );
  });

  test("expires a payment link by its date only while it's open", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<StoredPaymentLinkStatus>("open", "paid", "authorised", "cancelled"),
        fc.nat(),
        (status, at) => {
          expect(getPaymentLinkStatus({ status, expiresAt: at }, at)).toBe(status === "open" ? "expired" : status);
          expect(getPaymentLinkStatus({ status, expiresAt: at + 1 }, at)).toBe(status);
        },
      ),
    );
  });
});

describe("amount of a payment link", () => {
  test("limits a payment link's amount to the requested amount and the amount due", () => {
    fc.assert(
      fc.property(
        fc.nat(20_000),
        fc.integer({ min: -5_000, max: 20_000 }),
        fc.nat(20_000),
        (amountCents, paid, fee) => {
          for (const status of ["confirmed", "cancelled"] as const) {
            const owingBooking = { ...booking, status, totalPaidCents: paid, cancellationFeeCents: fee };
            const linkCents = getPaymentLinkAmount({ purpose: "payment", amountCents }, owingBooking);
            expect(linkCents).toBeLessThanOrEqual(amountCents);
            expect(linkCents).toBe(Math.min(amountCents, getDueCentsForPurpose("payment", owingBooking)));
            expect(linkCents).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  test("uses the missing deposit as a card hold's amount, or the requested amount without an agreed deposit", () => {
    expect(getDueCentsForPurpose("hold", { ...booking, depositHeldCents: 10_000 })).toBe(20_000);
    const link = { purpose: "hold", amountCents: 50_000 } as const;
    expect(getPaymentLinkAmount(link, booking)).toBe(30_000);
    expect(getPaymentLinkAmount(link, { ...booking, totalDepositCents: 0 })).toBe(50_000);
    expect(getPaymentLinkAmount(link, { ...booking, status: "done" })).toBe(0);
  });
});
