import type { Settings } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { decidePaymentOptions, type PaymentPart } from "#domain/payments/payments.ts";
import type { BookingCustomer, ContractData, NewReservation, Reservation } from "./bookings.ts";
import type { CheckoutError } from "./refusals.ts";

/** What a visitor says to make a booking of a cart (docs/interfaces/booking-engine-vehicles.md#checkout). */
export interface PlacementRequest {
  readonly customer: BookingCustomer;
  readonly contractData: ContractData;
  readonly comments: string | undefined;
  readonly language: string;
  /** The total that the visitor saw, in minor units; absent: whatever it is. */
  readonly expectedTotalCents: Cents | undefined;
  /** The version of the cart that the visitor saw; absent: whatever it is. */
  readonly seenVersion?: number | undefined;
  /** The method to pay with now; absent: a request without payment. */
  readonly paymentMethod: string | undefined;
}

/** What a checkout answers, now and whenever the same cart is checked out again. */
export interface PlacementAnswer {
  readonly bookingFreeAccessId: string;
  readonly payNow: boolean;
  readonly paymentPart: PaymentPart | undefined;
  readonly paymentMethod: string | undefined;
  /** Decimal text. */
  readonly total: string;
  readonly customer: BookingCustomer;
}

/** What decides how a new booking may be paid. */
export type PricedTotals = Reservation["totals"];

/**
 * How a website's booking is born: pending with the short hold where it is about to be paid; else confirmed where the
 * account confirms by itself, or held on request (docs/interfaces/rules.md#holds).
 */
export function decidePlacement(
  settings: Settings,
  totals: PricedTotals,
  { paymentMethod }: Pick<PlacementRequest, "paymentMethod">,
  now: number,
): Pick<NewReservation<unknown>, "status" | "expiresAt"> {
  const isPaidNow = canPayNow(settings, totals, paymentMethod, now);
  if (settings.automaticConfirmation && !isPaidNow) return { status: "confirmed", expiresAt: undefined };
  const minutes = isPaidNow ? settings.paymentHoldMinutes : settings.holdMinutes;
  return { status: "pending_confirmation", expiresAt: now + minutes * 60_000 };
}

function canPayNow(settings: Settings, totals: PricedTotals, paymentMethod: string | undefined, now: number): boolean {
  const status = "pending_confirmation" as const;
  const unpaid = { status, totalPaidCents: 0, expiresAt: undefined, paidAfterExpiry: false, ...totals };
  return paymentMethod !== undefined && findPaymentPart(decidePaymentOptions(settings, unpaid, now)) !== undefined;
}

/** Why a cart is not booked: its total is not the one that was seen, or nobody may book here without paying. */
export function findWrongPlacement(
  settings: Settings,
  totals: PricedTotals,
  { expectedTotalCents, paymentMethod }: Pick<PlacementRequest, "expectedTotalCents" | "paymentMethod">,
  now: number,
): CheckoutError | undefined {
  if (expectedTotalCents !== undefined && expectedTotalCents !== totals.totalCents)
    return { kind: "priceChanged", totalCents: totals.totalCents };
  const isAllowed = settings.requestAllowed || canPayNow(settings, totals, paymentMethod, now);
  return isAllowed ? undefined : { kind: "requestNotAllowed" };
}

/** What the website learns of the new booking: whether it goes on to pay, how much and how. */
export function toPlacementAnswer(
  settings: Settings,
  booking: Reservation,
  request: PlacementRequest,
  now: number,
): PlacementAnswer {
  const options = decidePaymentOptions(settings, { ...booking, ...booking.totals }, now);
  const paymentPart = request.paymentMethod ? findPaymentPart(options) : undefined;
  return {
    bookingFreeAccessId: booking.freeAccessId,
    payNow: paymentPart !== undefined,
    paymentPart,
    paymentMethod: paymentPart && request.paymentMethod,
    total: toAmount(booking.totals.totalCents, settings.currencyDecimals),
    customer: booking.customer,
  };
}

function findPaymentPart(options: ReturnType<typeof decidePaymentOptions>): PaymentPart | undefined {
  if (options.canPayDeposit) return "deposit";
  return options.canPayTotal ? "total" : undefined;
}
