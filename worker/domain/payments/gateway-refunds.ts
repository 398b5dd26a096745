import type { Cents } from "#domain/money.ts";

/** A payment at a gateway, and what of it has not gone back and was not asked back. */
export interface RefundablePayment {
  readonly intentId: string;
  readonly refundableCents: Cents;
}

/** What a gateway is asked to give back of one payment. */
export interface RefundPart {
  readonly intentId: string;
  readonly cents: Cents;
}

/** How much of these payments can go back the way it came. */
export function sumRefundable(payments: readonly RefundablePayment[]): Cents {
  return payments.reduce((sum, { refundableCents }) => sum + Math.max(0, refundableCents), 0);
}

/** Shares money that goes back out over the payments that brought it, in their order; no more than they can give. */
export function shareRefund(payments: readonly RefundablePayment[], cents: Cents): readonly RefundPart[] {
  const parts: RefundPart[] = [];
  let remainingCents = cents;
  for (const { intentId, refundableCents } of payments) {
    const part = Math.min(remainingCents, refundableCents);
    if (part <= 0) continue;
    parts.push({ intentId, cents: part });
    remainingCents -= part;
  }
  return parts;
}
