import type { Cents } from "#domain/money.ts";

export const PAYMENT_METHODS = [
  "credit_card",
  "cash",
  "bank_transfer",
  "wallet_standard",
  "tpvA_256",
  "tpvB",
  "tpvC",
  "tpvD",
  "tpv_online",
  "check",
  "promissory_note",
  "booking_portal",
] as const;

/** Payment methods (docs/interfaces/integration.md#charges, payment_method_id). */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/**
 * Kinds of charges: money from the customer, a refund (`payment`), a deposit held or returned (virtual: balances the
 * cash register without being revenue), or a charge paid from the deposit.
 */
export const CHARGE_KINDS = ["charge", "payment", "deposit_received", "deposit_returned", "deposit_kept"] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** Identifies a document by its id, or by the uid under which the same batch writes it. */
export type DocumentReference = { readonly id: number } | { readonly uid: string };

/** Charge about to be recorded. It belongs to a contract, a document, or both. */
export interface NewCharge {
  /** Unique. The same uid is never recorded twice. */
  readonly uid?: string | undefined;
  readonly kind: ChargeKind;
  readonly bookingId: number | undefined;
  readonly document?: DocumentReference | undefined;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly method: PaymentMethod;
  /** Time of the payment, epoch ms. */
  readonly at: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | undefined;
  readonly externalOperationNumber?: string | undefined;
  /** Id of the card terminal, if the customer paid at one. */
  readonly offlinePhysicalDeviceId?: string | undefined;
  readonly origin: "desk" | "web" | "agency";
  /** Whether it returns a deposit by another method, beyond what was received, or on a finished contract. */
  readonly isExceptional?: boolean | undefined;
}

/** Whether a charge moves no money of the company. */
export function isDepositHeldOrReturned(kind: ChargeKind): kind is "deposit_received" | "deposit_returned" {
  return kind === "deposit_received" || kind === "deposit_returned";
}

/** Returns the direction of the money. */
export function getMoneyDirection(kind: ChargeKind): "charge" | "payment" {
  return kind === "payment" || kind === "deposit_returned" ? "payment" : "charge";
}

/** Returns the part of a refund that needs a credit note: the amount beyond any overpayment. */
export function calculateCreditForRefund({
  invoicedCents,
  paidCents,
  refundCents,
}: {
  readonly invoicedCents: Cents;
  readonly paidCents: Cents;
  readonly refundCents: Cents;
}): Cents {
  const overpaid = Math.max(0, paidCents - invoicedCents);
  return Math.max(0, Math.min(refundCents - overpaid, invoicedCents));
}
