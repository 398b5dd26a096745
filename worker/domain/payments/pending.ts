import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";

/** Amounts agreed, paid and waived of a booking. */
export interface BookingAmounts {
  readonly status: BookingStatus;
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  readonly creditedCents: Cents;
  readonly agentCommissionPrepaidCents: Cents;
  readonly cancellationFeeCents: Cents;
}

/**
 * Returns the amount still to pay, negative for a refund due (docs/interfaces/rules.md#totals-and-deposits). Excludes
 * credited amounts and the amount that the agent keeps. A cancelled booking has nothing to pay, and payments beyond its
 * fee are refunded.
 */
export function getPendingCents(booking: BookingAmounts): Cents {
  const { status, totalCents, totalPaidCents, creditedCents, agentCommissionPrepaidCents, cancellationFeeCents } =
    booking;
  if (status === "cancelled") return Math.min(0, cancellationFeeCents - creditedCents - totalPaidCents);
  return totalCents - creditedCents - totalPaidCents - agentCommissionPrepaidCents;
}

/** Returns the overpayment that the company owes the customer. An agent refunds what the agent kept in excess. */
export function getOverpaidCents(paidCents: Cents, owedCents: Cents): Cents {
  return Math.max(0, paidCents - Math.max(0, owedCents));
}
