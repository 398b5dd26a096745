import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";
import { getPendingCents } from "./pending.ts";

/** Payment of an amount, or a hold on a card for the deposit. */
export const PAYMENT_LINK_PURPOSES = ["payment", "hold"] as const;
export type PaymentLinkPurpose = (typeof PAYMENT_LINK_PURPOSES)[number];

/** States of a link as stored. A link expires by its date. */
export type StoredPaymentLinkStatus = "open" | "paid" | "authorised" | "cancelled";

export const PAYMENT_LINK_STATUSES = ["open", "paid", "authorised", "expired", "cancelled"] as const;
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number];

/** Event of a link: a payment, an authorised hold, or a cancellation by staff. */
export type PaymentLinkEvent = "paid" | "authorised" | "cancelled";

/** Returns the address of a link's page at an account's own address. */
export function getPaymentLinkUrl(ownUrl: string, token: string): string {
  return `${ownUrl.replace(/\/$/, "")}/pay/${token}`;
}

/** Link to a page on which the customer pays or authorises a hold. */
export interface PaymentLink {
  readonly id: number;
  readonly purpose: PaymentLinkPurpose;
  readonly amountCents: Cents;
  readonly status: StoredPaymentLinkStatus;
  /** End of the link's validity, epoch ms. */
  readonly expiresAt: number;
}

/** Returns the state of a link at `now`, epoch ms. */
export function getPaymentLinkStatus(
  { status, expiresAt }: Pick<PaymentLink, "status" | "expiresAt">,
  now: number,
): PaymentLinkStatus {
  return status === "open" && expiresAt <= now ? "expired" : status;
}

/**
 * Returns the stored state after an event. Money counts whenever it arrives, also after the end of the link. Only an
 * unused link can be cancelled.
 */
export function applyPaymentLinkEvent(
  status: StoredPaymentLinkStatus,
  event: PaymentLinkEvent,
): StoredPaymentLinkStatus {
  if (event !== "cancelled") return event;
  return status === "open" ? "cancelled" : status;
}

/** Amounts of a reservation that decide how much a link can request. */
export interface OwingBooking {
  readonly status: BookingStatus;
  /** Total minus credits and the amount kept by an agent. */
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  readonly cancellationFeeCents: Cents;
  /** Agreed deposit, and the parts of it that were paid and that cards hold. */
  readonly totalDepositCents: Cents;
  readonly depositHeldCents: Cents;
}

/** Returns the amount still due for a purpose: the price or the fee of a cancellation, or the deposit. */
export function getDueCentsForPurpose(purpose: PaymentLinkPurpose, booking: OwingBooking): Cents {
  const { status, totalDepositCents, depositHeldCents, cancellationFeeCents, totalPaidCents, totalCents } = booking;
  if (purpose === "hold")
    return status === "cancelled" || status === "done" ? 0 : Math.max(0, totalDepositCents - depositHeldCents);
  if (status === "cancelled") return Math.max(0, cancellationFeeCents - totalPaidCents);
  const pending = getPendingCents({
    ...{ status, totalCents, totalPaidCents, cancellationFeeCents },
    ...{ creditedCents: 0, agentCommissionPrepaidCents: 0 },
  });
  return Math.max(0, pending);
}

/**
 * Returns the amount that the page takes now: at most the amount due. Zero if nothing is due. Staff may ask for a hold
 * although no deposit is agreed.
 */
export function getPaymentLinkAmount(
  { purpose, amountCents }: Pick<PaymentLink, "purpose" | "amountCents">,
  booking: OwingBooking,
): Cents {
  const isOver = booking.status === "cancelled" || booking.status === "done";
  if (purpose === "hold" && booking.totalDepositCents === 0 && !isOver) return amountCents;
  return Math.min(amountCents, getDueCentsForPurpose(purpose, booking));
}
