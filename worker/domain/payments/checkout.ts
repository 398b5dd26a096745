import type { BookingCustomer, ContractData, NewReservation, ReservationBase } from "#domain/bookings/bookings.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { decidePaymentOptions, type PaymentPart } from "#domain/payments/payments.ts";

/** Visitor's data to book a cart (docs/interfaces/booking-engine-vehicles.md#checkout). */
export interface CartCheckoutRequest {
  readonly customer: BookingCustomer;
  readonly contractData: ContractData;
  readonly comments: string | undefined;
  readonly language: string;
  /** Total that the visitor saw, in minor units. Not checked if absent. */
  readonly expectedTotalCents: Cents | undefined;
  /** Version of the cart that the visitor saw. Not checked if absent. */
  readonly seenVersion?: number | undefined;
  /** Method to pay with now. If absent, a request without payment. */
  readonly paymentMethod: string | undefined;
}

/** Checkout response. Repeated checkouts of the same cart return the same one. */
export interface CartCheckoutAnswer {
  readonly bookingFreeAccessId: string;
  readonly payNow: boolean;
  readonly paymentPart: PaymentPart | undefined;
  readonly paymentMethod: string | undefined;
  /** Total of the booking as a decimal text, such as `123.45`. */
  readonly total: string;
  readonly customer: BookingCustomer;
}

/** Totals that decide the payment options of a new booking. */
export type PricedTotals = ReservationBase["totals"];

/**
 * Returns the initial state of a website booking. With payment it's pending with the short hold. Otherwise it's
 * confirmed if the account confirms automatically, or held on request (docs/interfaces/rules.md#holds).
 */
export function decideInitialBookingState(
  settings: Settings,
  totals: PricedTotals,
  { paymentMethod }: Pick<CartCheckoutRequest, "paymentMethod">,
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

/** Returns why a cart can't be booked: its total differs from the displayed one, or the account requires payment. */
export function findCheckoutProblem(
  settings: Settings,
  totals: PricedTotals,
  { expectedTotalCents, paymentMethod }: Pick<CartCheckoutRequest, "expectedTotalCents" | "paymentMethod">,
  now: number,
): CheckoutError | undefined {
  if (expectedTotalCents !== undefined && expectedTotalCents !== totals.totalCents)
    return { kind: "priceChanged", totalCents: totals.totalCents };
  const isAllowed = settings.requestAllowed || canPayNow(settings, totals, paymentMethod, now);
  return isAllowed ? undefined : { kind: "requestNotAllowed" };
}

/** Returns the new booking for the website, including whether a payment follows, its amount and method. */
export function toCartCheckoutAnswer(
  settings: Settings,
  booking: ReservationBase,
  request: CartCheckoutRequest,
  now: number,
): CartCheckoutAnswer {
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
