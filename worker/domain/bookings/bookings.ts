import type { CivilDate, Period } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import type { AppliedDiscount } from "./discounts.ts";
import type { BookingDraft, Choice, RentalTotals, StorableDraft } from "./draft.ts";
import type { ReducedExcess } from "./excess.ts";
import type { RentalRequest } from "./rental-terms.ts";

/**
 * pending_confirmation → confirmed → in_progress → done. Either of the first two → cancelled
 * (docs/interfaces/rules.md#bookings).
 */
export const BOOKING_STATUSES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** Customer data known when the booking is created. */
export interface BookingCustomer {
  readonly name: string;
  readonly surname: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly documentId: string | undefined;
  readonly phonePrefix?: string | undefined;
  /** Id of the customer record, if the customer is signed in. */
  readonly id?: number | undefined;
  /** Customer type from the record. Without a record, a person. */
  readonly type?: CustomerType | undefined;
}

export type CustomerType = "individual" | "legal_entity" | "group_company" | "internal_department";

/**
 * Contract data beyond the customer's name and contact: drivers, addresses, documents, flights. Named as in
 * docs/interfaces/booking-engine-vehicles.md#contract-data, with flattened addresses (`customer_address_city`). All
 * values are text.
 */
export type ContractData = Readonly<Record<string, string>>;

/** Agency's booking request (docs/interfaces/agency.md#booking). */
export interface AgencyBookingRequest {
  readonly reference: string;
  readonly rental: RentalRequest;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
  readonly customer: BookingCustomer;
  /** Personal data beyond the customer's, named as in contract data. */
  readonly contractData?: ContractData | undefined;
  readonly comments?: string | undefined;
  readonly language: string | undefined;
}

/** Reservation to be saved, of a rental or a transfer. */
export interface NewReservation<Draft> {
  readonly draft: Draft;
  /** 128 random bits. Grants read access to the booking. */
  readonly freeAccessId: string;
  readonly status: "pending_confirmation" | "confirmed";
  readonly createdBy: "agency" | "engine" | "staff";
  /** Actor for the history: `agency:3`. */
  readonly actor: string;
  readonly agency: { readonly id: number; readonly reference: string } | undefined;
  /** Agent who referred the customer and earns a commission. */
  readonly agentId?: number | undefined;
  /** Hash of the request. The same reference with different content is rejected. */
  readonly requestFingerprint: string | undefined;
  readonly customer: BookingCustomer;
  readonly customerLanguage: string;
  /** Source cart. A cart creates at most one booking. */
  readonly cartId?: string | undefined;
  /** End of an unpaid hold, epoch ms. */
  readonly expiresAt?: number | undefined;
  readonly contractData?: ContractData;
  readonly comments?: string | undefined;
  /** Keyed hash of the visitor's network. Unpaid holds are limited per network. */
  readonly visitorNetwork?: string | undefined;
  /** Difference from the catalogue price and its reason, if staff changed the price. */
  readonly priceOverride?: { readonly differenceCents: Cents; readonly reason: string } | undefined;
  /** Details of the first history entry: what staff granted and why. */
  readonly creationDetail?: Readonly<Record<string, unknown>> | undefined;
  /** Time of the booking, epoch ms. */
  readonly at: number;
}

/** Rental booking to be saved. */
export type NewBooking = NewReservation<StorableDraft>;

/** Rental booking whose availability can still be checked. */
export type DraftedBooking = NewReservation<BookingDraft>;

/** Data that rental bookings and transfer reservations share. */
export interface ReservationBase {
  readonly id: number;
  readonly freeAccessId: string;
  readonly status: BookingStatus;
  readonly version: number;
  readonly customerLanguage: string;
  readonly customer: BookingCustomer;
  readonly contractData: ContractData;
  readonly comments: string | undefined;
  readonly totals: { readonly totalCents: Cents; readonly bookingAmountCents: Cents };
  readonly totalPaidCents: Cents;
  /** Parts of the total that aren't due: credited amounts, and the amount kept by an agent. */
  readonly notOwedCents: Cents;
  /** Amount still due. Negative if a refund is due. */
  readonly pendingCents: Cents;
  readonly paymentStatus: "none" | "deposit" | "total" | "refunded";
  readonly expiresAt: number | undefined;
  /** Whether the customer paid after the booking could no longer be confirmed. */
  readonly paidAfterExpiry: boolean;
  /** Whether the reservation was cancelled because its hold ended. */
  readonly isExpired: boolean;
  /** Whether the customer was signed in with an address that isn't confirmed yet, so that it gets no mails. */
  readonly isEmailUnconfirmed?: boolean;
}

/** Whether a reservation's hold has ended, even if the reservation hasn't been cancelled yet. */
export function isHoldExpired(
  { status, expiresAt }: Pick<ReservationBase, "status" | "expiresAt">,
  at: number,
): boolean {
  return status === "pending_confirmation" && expiresAt !== undefined && at >= expiresAt;
}

/** Stored rental booking. Agreed data stays the same when the catalogue changes. */
export interface RentalBooking extends ReservationBase {
  readonly agencyReservationId: string | undefined;
  readonly requestFingerprint: string | undefined;
  readonly period: Period;
  readonly days: number;
  readonly pickupPlaceId: number | undefined;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | undefined;
  readonly returnPlace: string;
  readonly branchCode: string;
  readonly salesChannel: string | undefined;
  readonly promotionCode: string | undefined;
  readonly driverAgeRuleId: number | undefined;
  readonly totals: RentalTotals;
  /** Charges at the return for days, fuel and kilometres. Included in the total. */
  readonly closingCents: readonly [Cents, Cents, Cents];
  /** Included in the product and extra totals. */
  readonly discount?: AppliedDiscount | undefined;
  readonly lines: readonly BookingLine[];
  readonly extras: readonly BookingExtra[];
}

/** Products of one category in a booking. */
export interface BookingLine extends ReducedExcess {
  readonly categoryCode: string;
  readonly id: number;
  readonly description: string;
  readonly quantity: number;
  /** Tariff price of one unit for all days, without discounts. */
  readonly unitBaseCents: Cents;
  /** Price of one unit for all days, after offer and promotion code, before the booking's discount. */
  readonly unitCents: Cents;
  /** Share of the booking's discount for this line or extra. */
  readonly discountCents?: Cents | undefined;
  /** Offer that applied when the line was booked. */
  readonly offerId: number | undefined;
  readonly itemCents: Cents;
  readonly supplementUnitCents: readonly [Cents, Cents, Cents];
}

/** Booked quantity of an extra, with its price. */
export interface BookingExtra {
  readonly id: number;
  readonly extraCode: string;
  readonly description: string;
  readonly quantity: number;
  /** List price of one unit for all days. */
  readonly unitCents: Cents;
  /** Share of the booking's discount for this line or extra. */
  readonly discountCents?: Cents | undefined;
  readonly extraCents: Cents;
  /** Day of the surcharge, for one added after the contract was completed. */
  readonly chargedOn?: CivilDate | undefined;
}

/** Returns the total agreed at booking, without costs of the return (docs/interfaces/rules.md#agencies). */
export function getTotalWithoutClosing({
  totals,
  closingCents,
}: Pick<RentalBooking, "totals" | "closingCents">): Cents {
  return totals.totalCents - sumCents(closingCents);
}

/** Returns how to handle the cancellation of a booking in this state. */
export function decideCancellation(status: BookingStatus): "cancel" | "alreadyCancelled" | "tooLate" {
  if (status === "cancelled") return "alreadyCancelled";
  return status === "pending_confirmation" || status === "confirmed" ? "cancel" : "tooLate";
}
