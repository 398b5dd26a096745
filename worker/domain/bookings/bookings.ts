import type { CivilDate, Period } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import type { BookingDraft, Choice, Totals } from "./draft.ts";
import type { ReducedExcess } from "./excess.ts";
import type { RentalRequest } from "./rental-terms.ts";

/**
 * pending_confirmation → confirmed → in_progress → done; either of the first two → cancelled
 * (docs/interfaces/rules.md#bookings).
 */
export const BOOKING_STATUSES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** Who the booking is for, as far as it is known when it is made. */
export interface BookingCustomer {
  readonly name: string;
  readonly surname: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly documentId: string | undefined;
  readonly phonePrefix?: string | undefined;
  /** The customer's record, where they signed in. */
  readonly id?: number | undefined;
  /** What the record says that they are; a person where there is none. */
  readonly type?: CustomerType | undefined;
}

export type CustomerType = "individual" | "legal_entity" | "group_company" | "internal_department";

/**
 * What the contract asks beyond the customer's name and reach: drivers, addresses, documents, flights. By the names of
 * docs/interfaces/booking-engine-vehicles.md#contract-data, addresses flattened (`customer_address_city`); every value
 * is text.
 */
export type ContractData = Readonly<Record<string, string>>;

/** What an agency asks for when it books (docs/interfaces/agency.md#booking). */
export interface AgencyBookingRequest {
  readonly reference: string;
  readonly rental: RentalRequest;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
  readonly customer: BookingCustomer;
  readonly language: string | undefined;
}

/** A reservation about to be written, of a rental or a transfer. */
export interface NewReservation<Draft> {
  readonly draft: Draft;
  /** 128 random bits; whoever has it may read the booking. */
  readonly freeAccessId: string;
  readonly status: "pending_confirmation" | "confirmed";
  readonly createdBy: "agency" | "engine" | "staff";
  /** Who did it, for the history: `agency:3`. */
  readonly actor: string;
  readonly agency: { readonly id: number; readonly reference: string } | undefined;
  /** Who brought the customer, and earns of it. */
  readonly agentId?: number | undefined;
  /** What was asked for, hashed: the same reference with another content is refused. */
  readonly requestFingerprint: string | undefined;
  readonly customer: BookingCustomer;
  readonly customerLanguage: string;
  /** The cart it came from: one cart makes one booking. */
  readonly cartId?: string | undefined;
  /** When an unpaid hold ends, epoch ms. */
  readonly expiresAt?: number | undefined;
  readonly contractData?: ContractData;
  readonly comments?: string | undefined;
  /** Where a website's visitor came from, as a keyed hash: one network holds only so much unpaid. */
  readonly visitorNetwork?: string | undefined;
  /** Where the company sold it for another price than the catalogue's, and why. */
  readonly priceOverride?: { readonly differenceCents: Cents; readonly reason: string } | undefined;
  /** Epoch ms. */
  readonly at: number;
}

/** A booking about to be written. */
export type NewBooking = NewReservation<BookingDraft>;

/** What every reservation has, of a rental or a transfer. */
export interface Reservation {
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
  /** Of the total: what was credited, and what an agent kept of it. */
  readonly notOwedCents: Cents;
  /** What is still to be paid; below zero, what is owed back. */
  readonly pendingCents: Cents;
  readonly paymentStatus: "none" | "deposit" | "total" | "refunded";
  readonly expiresAt: number | undefined;
  /** It was paid when nothing could be confirmed by that any more. */
  readonly paidAfterExpiry: boolean;
  /** It is cancelled because its hold ended. */
  readonly isExpired: boolean;
}

/** Whether the time for which it is held is over, though nothing has cancelled it yet. */
export function isHoldExpired({ status, expiresAt }: Pick<Reservation, "status" | "expiresAt">, at: number): boolean {
  return status === "pending_confirmation" && expiresAt !== undefined && at >= expiresAt;
}

/** A booking as it is kept: what was agreed stays as it was, whatever the catalogue says today. */
export interface Booking extends Reservation {
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
  readonly totals: Totals;
  /** Found at the return: days, fuel, kilometres. They are part of the total. */
  readonly closingCents: readonly [Cents, Cents, Cents];
  readonly lines: readonly BookingLine[];
  readonly extras: readonly BookingExtra[];
}

export interface BookingLine extends ReducedExcess {
  readonly categoryCode: string;
  readonly id: number;
  readonly description: string;
  readonly quantity: number;
  /** By the tariff alone. */
  readonly unitBaseCents: Cents;
  /** One unit, all days. */
  readonly unitCents: Cents;
  /** Of the offer that it was booked with. */
  readonly offerId: number | undefined;
  readonly itemCents: Cents;
  readonly supplementUnitCents: readonly [Cents, Cents, Cents];
}

export interface BookingExtra {
  readonly id: number;
  readonly extraCode: string;
  readonly description: string;
  readonly quantity: number;
  /** One unit, all days. */
  readonly unitCents: Cents;
  readonly extraCents: Cents;
  /** Of what was found after the contract was done: the day on which it was charged. */
  readonly chargedOn?: CivilDate | undefined;
}

/** What was agreed when it was booked, without what its return was charged (docs/interfaces/rules.md#agencies). */
export function getAgreedTotal({ totals, closingCents }: Pick<Booking, "totals" | "closingCents">): Cents {
  return totals.totalCents - sumCents(closingCents);
}

/** What is to be done to cancel a booking in this state. */
export function decideCancellation(status: BookingStatus): "cancel" | "alreadyCancelled" | "tooLate" {
  if (status === "cancelled") return "alreadyCancelled";
  return status === "pending_confirmation" || status === "confirmed" ? "cancel" : "tooLate";
}
