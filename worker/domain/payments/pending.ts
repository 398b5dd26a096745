import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";

/** What was agreed, paid and given up of a booking. */
export interface BookingAmounts {
  readonly status: BookingStatus;
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  readonly creditedCents: Cents;
  readonly agentCommissionPrepaidCents: Cents;
  readonly cancellationFeeCents: Cents;
}

/**
 * What is still to be paid of a booking; below zero, what is owed back (docs/interfaces/rules.md#totals-and-deposits).
 * What the agent keeps of what the customer paid there is not pending, nor what was credited. A cancelled one asks for
 * nothing: what was paid beyond the fee is owed back.
 */
export function getPendingCents(booking: BookingAmounts): Cents {
  const { status, totalCents, totalPaidCents, creditedCents, agentCommissionPrepaidCents, cancellationFeeCents } =
    booking;
  if (status === "cancelled") return Math.min(0, cancellationFeeCents - creditedCents - totalPaidCents);
  return totalCents - creditedCents - totalPaidCents - agentCommissionPrepaidCents;
}

/** What was paid here beyond what is owed here: what an agent has kept too much is theirs to give. */
export function paidBeyond(paidCents: Cents, owedCents: Cents): Cents {
  return Math.max(0, paidCents - Math.max(0, owedCents));
}
