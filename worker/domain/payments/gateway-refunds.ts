import type { Cents } from "#domain/money.ts";

/** Payment at a gateway, with the amount that isn't refunded or in progress. */
export interface RefundablePayment {
  readonly intentId: string;
  readonly refundableCents: Cents;
}

/** Part of a refund for one payment. */
export interface RefundPart {
  readonly intentId: string;
  readonly cents: Cents;
}

/** Returns the amount of these payments that can be refunded to the original method. */
export function sumRefundableCents(payments: readonly RefundablePayment[]): Cents {
  return payments.reduce((sum, { refundableCents }) => sum + Math.max(0, refundableCents), 0);
}

/** Splits a refund over the original payments in order, up to their refundable amounts. */
export function splitRefundOverPayments(payments: readonly RefundablePayment[], cents: Cents): readonly RefundPart[] {
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
