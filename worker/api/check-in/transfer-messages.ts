import { z } from "zod";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { formatFlightNumber } from "#domain/bookings/contract-data.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { TripEvent } from "#domain/check-in/operations.ts";
import { toAmount } from "#domain/money.ts";
import { type BookingAmounts, getPendingCents } from "#domain/payments/pending.ts";
import { findLuggage } from "#domain/transfers/luggage.ts";
import { getTripAddressesAndFlights, type StatedFlight } from "#domain/transfers/trip-ends.ts";
import { decimalAmountSchema, textLineSchema } from "#worker/api/primitives.ts";

// Transfers for drivers, in our own format. The app imports its types from here.

const text = z.string().nullable();
const end = z.object({
  name: z.string(),
  /** Exact address from the customer. */
  address: text,
  flight: text,
});

/** Time and author of a pickup, drop-off or no-show report. Null without one. */
const moment = z.object({ at: z.string(), by: z.string() }).nullable();

// One trip of a transfer reservation with all data needed to drive it.
const transferTrip = z
  .object({
    booking_id: z.int(),
    /** Version of the reservation, for trip reports. */
    version: z.int(),
    status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
    position: z.enum(["outward", "return"]),
    round_trip: z.boolean(),
    date: z.string(),
    time: z.string(),
    minutes: z.int(),
    origin: end,
    destination: end,
    /** Departure of the reservation's outward trip, after which the reservation can't be cancelled. */
    date_from: z.string(),
    time_from: z.string(),
    rental_location_code: z.string(),
    vehicle: z.string(),
    adults: z.int(),
    children: z.int(),
    infants: z.int(),
    /** Numbers of bags and large items as the customer stated them. */
    bags: z.int().nullable(),
    large_items: z.int().nullable(),
    /** Extras of the whole reservation. */
    extras: z.array(z.object({ name: z.string(), quantity: z.int() })),
    customer: z.object({ full_name: z.string(), phone: text, email: text, language: z.string(), address: text }),
    comments: text,
    picked_up: moment,
    dropped: moment,
    /** When the driver reported a no-show. Kept while the trip has the agreed time and until a later pickup. */
    nobody_came: moment,
    amounts: z.object({
      total_cost: decimalAmountSchema,
      total_paid: decimalAmountSchema,
      total_pending: decimalAmountSchema,
    }),
  })
  .meta({ id: "TransferTrip" });
export type TransferTripMessage = z.infer<typeof transferTrip>;

export const transferTripsAnswer = z.object({ date: z.string(), data: z.array(transferTrip), total: z.int() });
export type TransferTripsMessage = z.infer<typeof transferTripsAnswer>;

export const transferCancellationBody = z.strictObject({ reason: textLineSchema(500) });
export type TransferCancellationRequest = z.input<typeof transferCancellationBody>;

/** `total_paid` remains with the company until refunded. */
export const transferCancellationAnswer = z
  .object({ booking_id: z.int(), status: z.literal("cancelled"), cancelled_at: text, total_paid: decimalAmountSchema })
  .meta({ id: "TransferCancellation" });

/** A trip read from the database. */
export interface StoredTransferTrip {
  readonly trip: {
    readonly position: number;
    readonly date: string;
    readonly time: string;
    readonly minutes: number;
    readonly originName: string;
    readonly destinationName: string;
  };
  readonly booking: BookingAmounts & {
    readonly id: number;
    readonly version: number;
    readonly status: TransferTripMessage["status"];
    readonly dateFrom: string;
    readonly timeFrom: string;
    readonly branchCode: string;
    readonly customerName: string;
    readonly customerSurname: string;
    readonly customerPhone: string | null;
    readonly customerEmail: string | null;
    readonly customerLanguage: string;
    readonly contractData: string;
    readonly comments: string | null;
  };
  readonly transfer: {
    readonly vehicleName: string;
    readonly adults: number;
    readonly children: number;
    readonly infants: number;
  };
  /** 1 if the reservation includes a return trip. */
  readonly isRoundTrip: number;
  /** JSON with the booked extras. */
  readonly extras: string;
  /** JSON with the reports about both trips, oldest first. */
  readonly moments: string;
}

interface StoredTripEvent extends TripEvent {
  /** Time of the event, epoch ms. */
  readonly at: number;
  readonly by: string;
}

export function toTransferTripMessage(
  { trip, booking, transfer, isRoundTrip, extras, moments }: StoredTransferTrip,
  { settings }: Catalogue,
): TransferTripMessage {
  const money = (cents: number) => toAmount(cents, settings.currencyDecimals);
  const data = JSON.parse(booking.contractData) as ContractData;
  const luggage = findLuggage(data);
  const isReturn = trip.position === 2;
  const ends = getTripAddressesAndFlights(data, { isReturn, isRoundTrip: isRoundTrip === 1 });
  const position = isReturn ? "return" : "outward";
  const storedMoments = (JSON.parse(moments) as readonly StoredTripEvent[]).filter(
    (storedMoment) => storedMoment.position === position,
  );
  const findMomentTime = (moment: TripEvent["moment"]) => {
    const first = storedMoments.find((storedMoment) => storedMoment.moment === moment);
    return first ? { at: new Date(first.at).toISOString(), by: first.by } : null;
  };
  return {
    booking_id: booking.id,
    version: booking.version,
    status: booking.status,
    position,
    round_trip: isRoundTrip === 1,
    date: trip.date,
    time: trip.time,
    minutes: trip.minutes,
    origin: {
      name: trip.originName,
      address: ends.origin.address ?? null,
      flight: formatStatedFlight(ends.origin.flight),
    },
    destination: {
      name: trip.destinationName,
      address: ends.destination.address ?? null,
      flight: formatStatedFlight(ends.destination.flight),
    },
    date_from: booking.dateFrom,
    time_from: booking.timeFrom,
    rental_location_code: booking.branchCode,
    vehicle: transfer.vehicleName,
    adults: transfer.adults,
    children: transfer.children,
    infants: transfer.infants,
    bags: luggage?.bags ?? null,
    large_items: luggage?.largeItems ?? null,
    extras: JSON.parse(extras) as TransferTripMessage["extras"],
    customer: {
      full_name: `${booking.customerName} ${booking.customerSurname}`.trim(),
      phone: booking.customerPhone ?? data["customer_mobile_phone"] ?? null,
      email: booking.customerEmail,
      language: booking.customerLanguage,
      address: together(
        ADDRESS.map((name) => data[name]),
        ", ",
      ),
    },
    comments: booking.comments,
    picked_up: findMomentTime("picked_up"),
    dropped: findMomentTime("dropped"),
    nobody_came: storedMoments.some(({ moment }) => moment !== "nobody_came") ? null : findMomentTime("nobody_came"),
    amounts: {
      total_cost: money(booking.totalCents),
      total_paid: money(booking.totalPaidCents),
      total_pending: money(getPendingCents(booking)),
    },
  };
}

const ADDRESS = ["address_1", "address_2", "zip", "city", "state", "country"] as const;

/** Formats a flight as the customer stated it. Null without one. */
export function formatStatedFlight({ company, number, time, airport }: StatedFlight): string | null {
  return together([formatFlightNumber(company, number), time, airport], " ");
}

function together(parts: readonly (string | undefined)[], separator: string): string | null {
  return parts.filter(Boolean).join(separator) || null;
}
