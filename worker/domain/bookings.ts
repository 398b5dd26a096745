import type { BookingDraft, Choice, Totals } from "./booking-draft.ts";
import type { Period } from "./dates.ts";
import type { Cents } from "./money.ts";
import type { RentalRequest } from "./rental-terms.ts";

/** pending_confirmation → confirmed → in_progress → done; either of the first two → cancelled (decisions, section 6). */
export type BookingStatus = "pending_confirmation" | "confirmed" | "in_progress" | "done" | "cancelled";

/** Who the booking is for, as far as it is known when it is made. */
export interface BookingCustomer {
  readonly name: string;
  readonly surname: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly documentId: string | undefined;
}

/** What an agency asks for when it books (document 1, POST booking). */
export interface AgencyBookingRequest {
  readonly reference: string;
  readonly rental: RentalRequest;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
  readonly customer: BookingCustomer;
  readonly language: string | undefined;
}

/** A booking about to be written. */
export interface NewBooking {
  readonly draft: BookingDraft;
  /** 128 random bits; whoever has it may read the booking. */
  readonly freeAccessId: string;
  readonly status: "pending_confirmation" | "confirmed";
  readonly createdBy: "agency" | "engine" | "staff";
  /** Who did it, for the history: `agency:3`. */
  readonly actor: string;
  readonly agency: { readonly id: number; readonly reference: string } | undefined;
  /** What was asked for, hashed: the same reference with another content is refused. */
  readonly requestFingerprint: string | undefined;
  readonly customer: BookingCustomer;
  readonly customerLanguage: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A booking as it is kept: what was agreed stays as it was, whatever the catalogue says today. */
export interface Booking {
  readonly id: number;
  readonly freeAccessId: string;
  readonly status: BookingStatus;
  readonly version: number;
  readonly agencyReservationId: string | undefined;
  readonly requestFingerprint: string | undefined;
  readonly period: Period;
  readonly days: number;
  readonly pickupPlaceId: number | undefined;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | undefined;
  readonly returnPlace: string;
  readonly rentalLocationCode: string;
  readonly customerLanguage: string;
  readonly totals: Totals;
  readonly lines: readonly BookingLine[];
  readonly extras: readonly BookingExtra[];
}

export interface BookingLine {
  readonly categoryCode: string;
  readonly description: string;
  readonly quantity: number;
  /** One unit, all days. */
  readonly unitCents: Cents;
  readonly itemCents: Cents;
  readonly supplementUnitCents: readonly [Cents, Cents, Cents];
  readonly depositUnitCents: Cents;
  readonly guaranteeUnitCents: Cents;
}

export interface BookingExtra {
  readonly extraCode: string;
  readonly description: string;
  readonly quantity: number;
  /** One unit, all days. */
  readonly unitCents: Cents;
  readonly extraCents: Cents;
}

/** What is to be done to cancel a booking in this state. */
export function decideCancellation(status: BookingStatus): "cancel" | "alreadyCancelled" | "tooLate" {
  if (status === "cancelled") return "alreadyCancelled";
  return status === "pending_confirmation" || status === "confirmed" ? "cancel" : "tooLate";
}

/** A new booking read as a kept one. */
export function toBooking(id: number, { draft, agency, ...booking }: NewBooking): Booking {
  const { terms } = draft;
  return {
    id,
    version: 1,
    freeAccessId: booking.freeAccessId,
    status: booking.status,
    agencyReservationId: agency?.reference,
    requestFingerprint: booking.requestFingerprint,
    period: terms.period,
    days: terms.days,
    pickupPlaceId: terms.pickupPlace.id,
    pickupPlace: terms.pickupPlace.name,
    returnPlaceId: terms.returnPlace.id,
    returnPlace: terms.returnPlace.name,
    rentalLocationCode: terms.pickupBranch.code,
    customerLanguage: booking.customerLanguage,
    totals: draft.totals,
    lines: draft.lines.map((line) => ({
      categoryCode: line.category.code,
      description: line.category.name,
      quantity: line.quantity,
      unitCents: line.unitCents,
      itemCents: line.itemCents,
      supplementUnitCents: line.category.supplementCents,
      depositUnitCents: line.category.depositCents,
      guaranteeUnitCents: line.category.guaranteeCents,
    })),
    extras: draft.extras.map((extra) => ({
      extraCode: extra.extra.code,
      description: extra.extra.name,
      quantity: extra.quantity,
      unitCents: extra.unitCents,
      extraCents: extra.extraCents,
    })),
  };
}
