import { type BookingStatus, decideCancellation, type Reservation } from "#domain/bookings/bookings.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { TransferTotals } from "./draft.ts";
import type { Travellers } from "./transfers.ts";

/** A transfer reservation as it is kept: what was agreed stays as it was, whatever the catalogue says today. */
export interface TransferReservation extends Reservation {
  readonly totals: TransferTotals;
  readonly vehicle: { readonly id: number; readonly name: string };
  readonly people: Travellers;
  /** The outward trip, then the return. */
  readonly trips: readonly BookedTrip[];
  readonly extras: readonly BookedTransferExtra[];
  readonly supplements: readonly { readonly id: number; readonly name: string; readonly cents: Cents }[];
}

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
  readonly unitCents: Cents;
  readonly extraCents: Cents;
}

/** What is to be done to cancel a transfer that begins at a civil minute: from then on it is too late. */
export function decideTransferCancellation(
  status: BookingStatus,
  startsAt: CivilMinute,
  now: CivilMinute,
): ReturnType<typeof decideCancellation> {
  const decision = decideCancellation(status);
  return decision === "cancel" && startsAt <= now ? "tooLate" : decision;
}
