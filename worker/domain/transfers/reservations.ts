import { type BookingStatus, decideCancellation, type ReservationBase } from "#domain/bookings/bookings.ts";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import type { Travellers } from "#domain/catalogue/transfers.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { TransferTotals } from "./draft.ts";

/** Stored transfer reservation. Agreed data stays, regardless of the current catalogue. */
export interface TransferReservation extends ReservationBase {
  readonly totals: TransferTotals;
  readonly discount?: AppliedDiscount | undefined;
  readonly vehicle: { readonly id: number; readonly name: string };
  readonly people: Travellers;
  /** Outward trip, then the return. */
  readonly trips: readonly BookedTrip[];
  readonly extras: readonly BookedTransferExtra[];
  readonly supplements: readonly { readonly id: number; readonly name: string; readonly cents: Cents }[];
}

/** Trip of a booked transfer. */
export interface BookedTrip {
  readonly date: string;
  readonly time: string;
  readonly originId: number;
  readonly originName: string;
  readonly destinationId: number;
  readonly destinationName: string;
}

export interface BookedTransferExtra {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
  /** List price of one unit. */
  readonly unitCents: Cents;
  /** Part of the booking's discount for this extra. */
  readonly discountCents: Cents;
  readonly extraCents: Cents;
}

/** Decides on cancelling a transfer that starts at a civil minute. From then on it's too late. */
export function decideTransferCancellation(
  status: BookingStatus,
  startsAt: CivilMinute,
  now: CivilMinute,
): ReturnType<typeof decideCancellation> {
  const decision = decideCancellation(status);
  return decision === "cancel" && startsAt <= now ? "tooLate" : decision;
}
