import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";
import { needsLatePaymentDecision } from "./payments.ts";
import type { IntentState } from "./settlement.ts";

/**
 * Payment status for the customer. `review`: money or a message arrived that staff must check. `second`: it was already
 * paid and will be refunded. `givingBack`: refund requested from the gateway. `givenBack`, `partGivenBack`: refunded in
 * full or in part. `kept`: retained as a cancellation fee, `partKept`: the rest after a partial refund. `owedBack`: the
 * booking is cancelled and nothing is refunded yet.
 */
export type CustomerPaymentStatus =
  | IntentState
  | "review"
  | "second"
  | "givingBack"
  | "givenBack"
  | "partGivenBack"
  | "partKept"
  | "kept"
  | "owedBack";

export interface PaymentSummary {
  readonly state: IntentState;
  readonly amountCents: Cents;
  readonly givenBackCents: Cents;
  readonly onItsWayCents: Cents;
  readonly bookingStatus: BookingStatus;
  /** Whether the payment arrived too late to confirm the booking. */
  readonly needsPerson: boolean;
  /** Whether the customer paid more for a cancelled booking than the company retains. */
  readonly isOwedBack: boolean;
  /** Whether another payment came first and the booking is still overpaid. */
  readonly isSecond: boolean;
  /** Whether the gateway's last notification didn't match the payment, so that staff must check it. */
  readonly isRefused: boolean;
  /** Whether the gateway's last notification reported the payment as pending at the bank. */
  readonly isUnderWay: boolean;
}

/** Returns the payment status for the customer. A refund or a fee has priority over the receipt of the payment. */
export function customerPaymentStatus(payment: PaymentSummary): CustomerPaymentStatus {
  const { state, isRefused, isUnderWay } = payment;
  if (state === "paid") return decidePaid(payment);
  if (isRefused) return "review";
  // A bank transfer may take days, so it stays pending after the attempt's hour.
  return state === "expired" && isUnderWay ? "pending" : state;
}

function decidePaid(payment: PaymentSummary): CustomerPaymentStatus {
  const { amountCents, givenBackCents, onItsWayCents, bookingStatus, needsPerson, isOwedBack } = payment;
  if (givenBackCents >= amountCents) return "givenBack";
  if (onItsWayCents > 0) return "givingBack";
  if (needsLatePaymentDecision({ status: bookingStatus, paidAfterExpiry: needsPerson, isOwedBack })) return "review";
  const isRetained = bookingStatus === "cancelled" && !isOwedBack;
  if (givenBackCents > 0) return isRetained ? "partKept" : "partGivenBack";
  return isRetained ? "kept" : getUnbookedPaymentStatus(payment);
}

function getUnbookedPaymentStatus({ bookingStatus, isSecond }: PaymentSummary): CustomerPaymentStatus {
  if (bookingStatus === "cancelled") return "owedBack";
  return isSecond ? "second" : "paid";
}
