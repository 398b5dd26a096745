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

/** How money moved (docs/interfaces/integration.md#charges, payment_method_id). */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/**
 * What a charge is: money from the customer, money back (`payment`), a deposit held or given back (virtual: it balances
 * the cash register and is nobody's income), or a charge that the deposit pays.
 */
export const CHARGE_KINDS = ["charge", "payment", "deposit_received", "deposit_returned", "deposit_kept"] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** Names a document: by its id, or by the uid under which the same batch writes it. */
export type DocumentName = { readonly id: number } | { readonly uid: string };

/** Money about to be entered; it belongs to a contract, to a document, or to both. */
export interface NewCharge {
  /** The same uid is never entered twice. */
  readonly uid?: string | undefined;
  readonly kind: ChargeKind;
  readonly bookingId: number | undefined;
  readonly document?: DocumentName | undefined;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly method: PaymentMethod;
  /** When, epoch ms. */
  readonly at: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | undefined;
  readonly externalOperationNumber?: string | undefined;
  /** The card terminal. */
  readonly offlinePhysicalDeviceId?: string | undefined;
  readonly origin: "desk" | "web" | "agency";
}

/** Whether a charge moves no money of the company. */
export function isVirtual(kind: ChargeKind): kind is "deposit_received" | "deposit_returned" {
  return kind === "deposit_received" || kind === "deposit_returned";
}

/** Which way the money goes. */
export function getPaymentType(kind: ChargeKind): "charge" | "payment" {
  return kind === "payment" || kind === "deposit_returned" ? "payment" : "charge";
}

/** How much of a refund an invoice has to be credited for: what comes back beyond what was paid too much. */
export function creditForRefund({
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
