import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { isCurrencyAcceptedBy } from "./currencies.ts";
import { type OnlineMethod, parseOnlineMethod } from "./gateway-notices.ts";

/** Parts of a booking that can be paid online now. */
export interface PaymentOptions {
  readonly canPayDeposit: boolean;
  readonly canPayTotal: boolean;
  readonly canPayPending: boolean;
}

/** Data of a booking that decides how much of it can be paid. */
export interface PayableBooking {
  readonly status: BookingStatus;
  /** Total minus credits and the amount kept by an agent. */
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  readonly bookingAmountCents: Cents;
  /** End of a pending booking's hold, epoch ms. */
  readonly expiresAt: number | undefined;
  /** Whether the customer paid too late for a confirmation. */
  readonly paidAfterExpiry: boolean;
}

/** Part of a booking to pay: the down payment, everything, or the unpaid rest. */
export type PaymentPart = "deposit" | "total" | "pending";

/**
 * Returns the online methods offered to visitors: those in the settings with gateways that accept the account's
 * currency.
 */
export function listOfferedOnlineMethods({ paymentMethods, currency }: Settings): readonly OnlineMethod[] {
  return paymentMethods.flatMap((id) => {
    const method = parseOnlineMethod(id);
    return method && isCurrencyAcceptedBy(method, currency) ? [method] : [];
  });
}

/**
 * Decides which parts can be paid (docs/interfaces/rules.md#payments), confirmed or not. Without any payment and with a
 * valid hold: the deposit until the rental starts, or the total. After a payment: the rest, unless the booking is
 * cancelled or was paid too late. Its units may then be unavailable, so staff must decide first.
 */
export function decidePaymentOptions(settings: Settings, booking: PayableBooking, now: number): PaymentOptions {
  const isOffered = listOfferedOnlineMethods(settings).length > 0;
  const isHoldValid = booking.expiresAt === undefined || booking.expiresAt > now;
  const isAlive = isOffered && booking.status !== "cancelled" && !needsDecisionOnLatePayment(booking);
  const isFirst = isAlive && isHoldValid && booking.totalPaidCents <= 0;
  const isToCome = booking.status === "pending_confirmation" || booking.status === "confirmed";
  return {
    canPayDeposit:
      isFirst && isToCome && settings.paymentOptions.includes("deposit") && getPrepaymentCents(booking) > 0,
    canPayTotal: isFirst && settings.paymentOptions.includes("total") && booking.totalCents > 0,
    canPayPending: isAlive && booking.totalPaidCents > 0 && booking.totalPaidCents < booking.totalCents,
  };
}

/** Whether staff must still decide on a late payment. */
export function needsDecisionOnLatePayment({
  status,
  paidAfterExpiry,
  isOwedBack = false,
}: Pick<PayableBooking, "status" | "paidAfterExpiry"> & { readonly isOwedBack?: boolean }): boolean {
  return paidAfterExpiry && (status === "pending_confirmation" || isOwedBack);
}

/** Returns the prepayment before confirmation: the booking amount, at most the amount owed. */
export function getPrepaymentCents({
  bookingAmountCents,
  totalCents,
}: Pick<PayableBooking, "bookingAmountCents" | "totalCents">): Cents {
  return Math.max(0, Math.min(bookingAmountCents, totalCents));
}

/** Returns the amount of a part from the database alone. Undefined if it can't be paid now. */
export function getAmountToPay(options: PaymentOptions, booking: PayableBooking, part: PaymentPart): Cents | undefined {
  if (part === "deposit") return options.canPayDeposit ? getPrepaymentCents(booking) : undefined;
  if (part === "total") return options.canPayTotal ? booking.totalCents : undefined;
  return options.canPayPending ? booking.totalCents - booking.totalPaidCents : undefined;
}

/** Reason for which a part of a booking can't be paid now. */
export type UnpayableReason = "paid" | "paidTooLate" | "holdEnded" | "cancelled" | "other";

/** Returns the reason for which a part can't be paid now, as its visitor reads it. */
export function getUnpayableReason(
  booking: PayableBooking & { readonly cancellationReason: string | null },
  part: PaymentPart,
  now: number,
): UnpayableReason {
  const { status, cancellationReason, expiresAt, totalPaidCents } = booking;
  if (isPaymentPartPaid(booking, part)) return "paid";
  if (needsDecisionOnLatePayment({ ...booking, isOwedBack: totalPaidCents > 0 })) return "paidTooLate";
  if (status === "cancelled") return cancellationReason === "expired" ? "holdEnded" : "cancelled";
  return totalPaidCents <= 0 && expiresAt !== undefined && expiresAt <= now ? "holdEnded" : "other";
}

/** Whether a part that can't be paid now is already paid. */
export function isPaymentPartPaid(booking: PayableBooking, part: PaymentPart): boolean {
  const { status, totalPaidCents, totalCents } = booking;
  if (status === "cancelled" || totalPaidCents <= 0) return false;
  return totalPaidCents >= (part === "deposit" ? getPrepaymentCents(booking) : totalCents);
}
