import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";
import { needsDecision } from "./payments.ts";
import type { IntentState } from "./settlement.ts";

/**
 * What whoever paid is told of a payment. `review`: money or a message came, and a person has to look at it; `second`:
 * it was paid already, and comes back;
 * `givingBack`: the gateway is asked to give it back; `givenBack`, `partGivenBack`: what became of it; `kept`: it
 * stays as what a cancellation costs, `partKept` the rest of what was given back; `owedBack`: its booking is cancelled,
 * and nothing of it was given back yet.
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
  /** It came when nothing could be confirmed by it any more. */
  readonly needsPerson: boolean;
  /** More was paid of a cancelled booking than is kept of it. */
  readonly isOwedBack: boolean;
  /** What it was for was paid by another before, and is still paid beyond what is owed. */
  readonly isSecond: boolean;
  /** The last message could not be taken for a payment. */
  readonly isRefused: boolean;
  /** The last message said that the bank has not decided. */
  readonly isUnderWay: boolean;
}

/** What whoever paid is told of it: what became of the money comes before that it came. */
export function customerPaymentStatus(payment: PaymentSummary): CustomerPaymentStatus {
  const { state, isRefused, isUnderWay } = payment;
  if (state === "paid") return decidePaid(payment);
  if (isRefused) return "review";
  // What a bank takes days to decide is not over after the hour of its attempt.
  return state === "expired" && isUnderWay ? "pending" : state;
}

function decidePaid(payment: PaymentSummary): CustomerPaymentStatus {
  const { amountCents, givenBackCents, onItsWayCents, bookingStatus, needsPerson, isOwedBack } = payment;
  if (givenBackCents >= amountCents) return "givenBack";
  if (onItsWayCents > 0) return "givingBack";
  if (needsDecision({ status: bookingStatus, paidAfterExpiry: needsPerson, isOwedBack })) return "review";
  const isRetained = bookingStatus === "cancelled" && !isOwedBack;
  if (givenBackCents > 0) return isRetained ? "partKept" : "partGivenBack";
  return isRetained ? "kept" : getUnbookedPaymentStatus(payment);
}

function getUnbookedPaymentStatus({ bookingStatus, isSecond }: PaymentSummary): CustomerPaymentStatus {
  if (bookingStatus === "cancelled") return "owedBack";
  return isSecond ? "second" : "paid";
}
