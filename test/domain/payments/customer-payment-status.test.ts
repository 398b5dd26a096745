import { describe, expect, test } from "vitest";
import {
  type CustomerPaymentStatus,
  customerPaymentStatus,
  type PaymentSummary,
} from "#domain/payments/customer-payment-status.ts";

const PAID: PaymentSummary = {
  ...{ state: "paid", amountCents: 10_000, givenBackCents: 0, onItsWayCents: 0, bookingStatus: "confirmed" },
  ...{ needsPerson: false, isOwedBack: false, isSecond: false, isRefused: false, isUnderWay: false },
};
const CANCELLED = { bookingStatus: "cancelled" } as const;
const OWED = { ...CANCELLED, isOwedBack: true } as const;

describe("a customer's payment", () => {
  test.each<{ name: string; payment: Partial<PaymentSummary>; status: CustomerPaymentStatus }>([
    { name: "of a confirmed booking", payment: {}, status: "paid" },
    { name: "after another one", payment: { isSecond: true }, status: "second" },
    { name: "refunded in full", payment: { givenBackCents: 10_000 }, status: "givenBack" },
    { name: "refunded beyond its amount", payment: { givenBackCents: 10_001, onItsWayCents: 1 }, status: "givenBack" },
    { name: "refunded in part", payment: { givenBackCents: 9999 }, status: "partGivenBack" },
    { name: "with a refund under way", payment: { givenBackCents: 5000, onItsWayCents: 1 }, status: "givingBack" },
    {
      name: "too late for a confirmation",
      payment: { bookingStatus: "pending_confirmation", needsPerson: true },
      status: "review",
    },
    { name: "too late, but confirmed since", payment: { needsPerson: true }, status: "paid" },
    { name: "too late and owed back", payment: { ...OWED, needsPerson: true }, status: "review" },
    { name: "retained as a fee", payment: CANCELLED, status: "kept" },
    {
      name: "retained as a fee after a partial refund",
      payment: { ...CANCELLED, givenBackCents: 1 },
      status: "partKept",
    },
    { name: "of a cancelled booking, still owed back", payment: OWED, status: "owedBack" },
    { name: "owed back in part", payment: { ...OWED, givenBackCents: 1 }, status: "partGivenBack" },
    { name: "owed back, although a second one", payment: { ...OWED, isSecond: true }, status: "owedBack" },
    { name: "with a refused message after it was paid", payment: { isRefused: true }, status: "paid" },
    { name: "not made", payment: { state: "pending" }, status: "pending" },
    { name: "with a refused message", payment: { state: "pending", isRefused: true }, status: "review" },
    { name: "whose attempt expired", payment: { state: "expired" }, status: "expired" },
    {
      name: "whose attempt expired with the transfer under way",
      payment: { state: "expired", isUnderWay: true },
      status: "pending",
    },
    { name: "that the bank denied", payment: { state: "denied", isUnderWay: true }, status: "denied" },
  ])("shows a customer's payment $name as $status", ({ payment, status }) => {
    expect(customerPaymentStatus({ ...PAID, ...payment })).toBe(status);
  });
});
