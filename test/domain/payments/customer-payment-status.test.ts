import { describe, expect, test } from "vitest";
import {
  type CustomerPaymentStatus,
  getCustomerPaymentStatus,
  type PaymentSummary,
} from "#domain/payments/customer-payment-status.ts";

const PAID: PaymentSummary = {
  ...{ state: "paid", amountCents: 10_000, refundedCents: 0, refundingCents: 0, bookingStatus: "confirmed" },
  ...{
    needsStaffDecision: false,
    isOwedBack: false,
    isSecond: false,
    isOverpaid: false,
    isRefused: false,
    isPendingAtBank: false,
  },
};
const CANCELLED = { bookingStatus: "cancelled" } as const;
const OWED = { ...CANCELLED, isOwedBack: true } as const;

describe("a customer's payment", () => {
  test.each<{ name: string; payment: Partial<PaymentSummary>; status: CustomerPaymentStatus }>([
    { name: "of a confirmed booking", payment: {}, status: "paid" },
    { name: "after another payment that settled all", payment: { isSecond: true, isOverpaid: true }, status: "second" },
    { name: "made twice, of a rest", payment: { isSecond: true }, status: "additional" },
    { name: "first of two", payment: { isOverpaid: true }, status: "paid" },
    { name: "refunded in full", payment: { refundedCents: 10_000 }, status: "givenBack" },
    { name: "refunded beyond its amount", payment: { refundedCents: 10_001, refundingCents: 1 }, status: "givenBack" },
    { name: "refunded in part", payment: { refundedCents: 9999 }, status: "partGivenBack" },
    { name: "with a refund under way", payment: { refundedCents: 5000, refundingCents: 1 }, status: "givingBack" },
    {
      name: "too late for a confirmation",
      payment: { bookingStatus: "pending_confirmation", needsStaffDecision: true },
      status: "review",
    },
    { name: "too late, but confirmed since", payment: { needsStaffDecision: true }, status: "paid" },
    { name: "too late and owed back", payment: { ...OWED, needsStaffDecision: true }, status: "review" },
    { name: "retained as a fee", payment: CANCELLED, status: "kept" },
    {
      name: "retained as a fee after a partial refund",
      payment: { ...CANCELLED, refundedCents: 1 },
      status: "partRetained",
    },
    { name: "of a cancelled booking, still owed back", payment: OWED, status: "owedBack" },
    { name: "owed back in part", payment: { ...OWED, refundedCents: 1 }, status: "partGivenBack" },
    { name: "owed back, although a second payment", payment: { ...OWED, isSecond: true }, status: "owedBack" },
    { name: "with a refused message after it was paid", payment: { isRefused: true }, status: "paid" },
    { name: "not made", payment: { state: "pending" }, status: "pending" },
    { name: "with a refused message", payment: { state: "pending", isRefused: true }, status: "review" },
    { name: "whose attempt expired", payment: { state: "expired" }, status: "expired" },
    {
      name: "whose attempt expired with the transfer under way",
      payment: { state: "expired", isPendingAtBank: true },
      status: "pending",
    },
    { name: "that the bank denied", payment: { state: "denied", isPendingAtBank: true }, status: "denied" },
  ])("shows the customer a payment $name as $status", ({ payment, status }) => {
    expect(getCustomerPaymentStatus({ ...PAID, ...payment })).toBe(status);
  });
});
