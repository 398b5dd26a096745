import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { takesCurrency } from "./currencies.ts";
import { type OnlineMethod, parseOnlineMethod } from "./settlement.ts";

/** What of a booking may be paid online, now. */
export interface PaymentOptions {
  readonly canPayDeposit: boolean;
  readonly canPayTotal: boolean;
  readonly canPayPending: boolean;
}

export interface PayableBooking {
  readonly status: BookingStatus;
  /** What it costs less what was credited, and what an agent kept of it. */
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  readonly bookingAmountCents: Cents;
  /** When the hold of a pending booking ends, epoch ms. */
  readonly expiresAt: number | undefined;
  /** It was paid when nothing could be confirmed by that any more. */
  readonly paidAfterExpiry: boolean;
}

export type PaymentPart = "deposit" | "total" | "pending";

/** The online methods that visitors are offered: those of the settings whose gateways take the account's currency. */
export function offeredMethods({ paymentMethods, currency }: Settings): readonly OnlineMethod[] {
  return paymentMethods.flatMap((id) => {
    const method = parseOnlineMethod(id);
    return method && takesCurrency(method, currency) ? [method] : [];
  });
}

/**
 * What may be paid (docs/interfaces/rules.md#payments), confirmed or not: deposit or total while nothing is paid and no
 * hold is over, the deposit until the rental begins; what is left once something is paid, unless it is cancelled or was
 * paid too late: its units may be somebody else's, so that a person decides before more money comes.
 */
export function decidePaymentOptions(settings: Settings, booking: PayableBooking, now: number): PaymentOptions {
  const isOffered = offeredMethods(settings).length > 0;
  const isHoldValid = booking.expiresAt === undefined || booking.expiresAt > now;
  const isAlive = isOffered && booking.status !== "cancelled" && !needsDecision(booking);
  const isFirst = isAlive && isHoldValid && booking.totalPaidCents <= 0;
  const isToCome = booking.status === "pending_confirmation" || booking.status === "confirmed";
  return {
    canPayDeposit: isFirst && isToCome && settings.paymentOptions.includes("deposit") && getPrepaymentDue(booking) > 0,
    canPayTotal: isFirst && settings.paymentOptions.includes("total") && booking.totalCents > 0,
    canPayPending: isAlive && booking.totalPaidCents > 0 && booking.totalPaidCents < booking.totalCents,
  };
}

/** Whether a person still has to decide what becomes of money that came too late. */
export function needsDecision({
  status,
  paidAfterExpiry,
  isOwedBack = false,
}: Pick<PayableBooking, "status" | "paidAfterExpiry"> & { readonly isOwedBack?: boolean }): boolean {
  return paidAfterExpiry && (status === "pending_confirmation" || isOwedBack);
}

/** What is asked for before a booking is confirmed: its booking amount, but no more than is owed at all. */
export function getPrepaymentDue({
  bookingAmountCents,
  totalCents,
}: Pick<PayableBooking, "bookingAmountCents" | "totalCents">): Cents {
  return Math.max(0, Math.min(bookingAmountCents, totalCents));
}

/** How much a part of the payment is, by the database alone; undefined where that part cannot be paid now. */
export function amountToPay(options: PaymentOptions, booking: PayableBooking, part: PaymentPart): Cents | undefined {
  if (part === "deposit") return options.canPayDeposit ? getPrepaymentDue(booking) : undefined;
  if (part === "total") return options.canPayTotal ? booking.totalCents : undefined;
  return options.canPayPending ? booking.totalCents - booking.totalPaidCents : undefined;
}

/** Whether a part that cannot be paid now has been paid: nobody has to pay it again. */
export function isPartPaid(booking: PayableBooking, part: PaymentPart): boolean {
  const { status, totalPaidCents, totalCents } = booking;
  if (status === "cancelled" || totalPaidCents <= 0) return false;
  return totalPaidCents >= (part === "deposit" ? getPrepaymentDue(booking) : totalCents);
}
