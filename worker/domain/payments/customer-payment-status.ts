import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";
import type { IntentState } from "./gateway-notices.ts";
import { needsDecisionOnLatePayment } from "./payments.ts";

/**
 * Payment status for the customer. `review`: money or a message arrived that staff must check. `second`:
 * another payment already paid the debt, so this one will be refunded. `additional`: another payment came
 * first, but this one counts towards the rest. `givingBack`: refund requested from the gateway. `givenBack`,
 * `partGivenBack`: refunded in full or in part. `kept`: retained as a cancellation fee, `partRetained`: the
 * rest after a partial refund. `owedBack`: the booking is cancelled and nothing is refunded yet.
 */
export type CustomerPaymentStatus =
  | IntentState
  | "review"
  | "second"
  | "additional"
  | "givingBack"
  | "givenBack"
  | "partGivenBack"
  | "partRetained"
  | "kept"
  | "owedBack";

/** State of a customer's online payment, with its amounts. */
export interface PaymentSummary {
  readonly state: IntentState;
  readonly amountCents: Cents;
  readonly refundedCents: Cents;
  readonly refundingCents: Cents;
  readonly bookingStatus: BookingStatus;
  /** Whether the payment arrived too late to confirm the booking. */
  readonly needsStaffDecision: boolean;
  /** Whether the customer paid more for a cancelled booking than the company retains. */
  readonly isOwedBack: boolean;
  /** Whether another payment of the same debt came first. */
  readonly isSecond: boolean;
  readonly isOverpaid: boolean;
  /** Whether the gateway's last notification didn't match the payment, so that staff must check it. */
  readonly isRefused: boolean;
  /** Whether the gateway's last notification reported the payment as pending at the bank. */
  readonly isPendingAtBank: boolean;
}

/** Returns the payment status for the customer. A refund or a fee has priority over the receipt of the payment. */
export function getCustomerPaymentStatus(payment: PaymentSummary): CustomerPaymentStatus {
  const { state, isRefused, isPendingAtBank } = payment;
  if (state === "paid") return decidePaid(payment);
  if (isRefused) return "review";
  // A bank transfer may take days, so it stays pending after the attempt's hour.
  return state === "expired" && isPendingAtBank ? "pending" : state;
}

function decidePaid(payment: PaymentSummary): CustomerPaymentStatus {
  const { amountCents, refundedCents, refundingCents, bookingStatus, needsStaffDecision, isOwedBack } = payment;
  if (refundedCents >= amountCents) return "givenBack";
  if (refundingCents > 0) return "givingBack";
  if (needsDecisionOnLatePayment({ status: bookingStatus, paidAfterExpiry: needsStaffDecision, isOwedBack }))
    return "review";
  const isRetained = bookingStatus === "cancelled" && !isOwedBack;
  if (refundedCents > 0) return isRetained ? "partRetained" : "partGivenBack";
  return isRetained ? "kept" : getUnbookedPaymentStatus(payment);
}

function getUnbookedPaymentStatus({ bookingStatus, isSecond, isOverpaid }: PaymentSummary): CustomerPaymentStatus {
  if (bookingStatus === "cancelled") return "owedBack";
  if (!isSecond) return "paid";
  return isOverpaid ? "second" : "additional";
}
