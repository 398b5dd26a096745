import { countFreeUnits, type StockAllocation, withPreparation } from "#domain/bookings/availability.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Span, TimeOfDay } from "#domain/dates.ts";
import { type Cents, partOf, sumOf } from "#domain/money.ts";
import type { TransferTerms, Trip } from "./terms.ts";
import {
  findWay,
  fits,
  type TransferExtra,
  type TransferSupplement,
  type Transfers,
  type TransferVehicle,
} from "./transfers.ts";

export interface DraftTrip extends Trip {
  readonly minutes: number;
  readonly priceCents: Cents;
}

export interface DraftTransferExtra {
  readonly extra: TransferExtra;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly extraCents: Cents;
}

export interface DraftSupplement {
  readonly supplement: TransferSupplement;
  readonly cents: Cents;
}

/** Every sum of a transfer in minor units, taxes included. */
export interface TransferTotals {
  readonly itemCents: Cents;
  readonly extrasCents: Cents;
  readonly supplementsCents: Cents;
  readonly totalCents: Cents;
  /** What is asked for in advance: the account's share of the total, rounded half up. */
  readonly bookingAmountCents: Cents;
}

/** A transfer as it would be booked; without a vehicle it has no trips to pay yet. */
export interface TransferDraft {
  readonly terms: TransferTerms;
  readonly vehicle: TransferVehicle | undefined;
  readonly trips: readonly DraftTrip[];
  readonly extras: readonly DraftTransferExtra[];
  readonly supplements: readonly DraftSupplement[];
  readonly totals: TransferTotals;
}

/** A vehicle's trips with their ways; undefined where it does not drive them all. */
export function planTrips(
  transfers: Transfers,
  vehicle: TransferVehicle,
  { trips }: TransferTerms,
): readonly DraftTrip[] | undefined {
  const planned = trips.flatMap((trip) => {
    const way = findWay(transfers, vehicle.id, trip.origin, trip.destination);
    return way ? [{ ...trip, minutes: way.minutes, priceCents: way.priceCents }] : [];
  });
  return planned.length === trips.length ? planned : undefined;
}

/**
 * Prices a vehicle and extras on the terms and adds everything up. A vehicle that does not drive the trips, or is too
 * small, is none.
 */
export function draftTransfer(
  { transfers, settings }: Pick<Catalogue, "transfers" | "settings">,
  terms: TransferTerms,
  vehicleId: number | undefined,
  extras: readonly Choice[],
): TransferDraft {
  const wanted = vehicleId === undefined ? undefined : transfers.vehicles.get(vehicleId);
  const planned = wanted && fits(terms.people, wanted) ? planTrips(transfers, wanted, terms) : undefined;
  const trips = planned ?? [];
  const draftExtras = extras.flatMap(({ code, quantity }) => draftExtra(transfers, terms, code, quantity));
  const supplements = supplementsOf(transfers, trips);
  const parts = {
    itemCents: sumOf(trips.map(({ priceCents }) => priceCents)),
    extrasCents: sumOf(draftExtras.map(({ extraCents }) => extraCents)),
    supplementsCents: sumOf(supplements.map(({ cents }) => cents)),
  };
  const totalCents = sumOf(Object.values(parts));
  return {
    terms,
    vehicle: planned && wanted,
    trips,
    extras: draftExtras,
    supplements,
    totals: { ...parts, totalCents, bookingAmountCents: partOf(totalCents, settings.depositShare) },
  };
}

/** The extra that a website names, by its id or its code. */
export function findTransferExtra({ extras }: Pick<Transfers, "extras">, name: string): TransferExtra | undefined {
  return extras.get(Number(name)) ?? [...extras.values()].find(({ code }) => code === name);
}

/** What one of an extra costs on trips: of each, or once. */
export function unitPriceOf(extra: TransferExtra, { trips }: TransferTerms): Cents {
  return extra.priceCents * (extra.pricePer === "trip" ? trips.length : 1);
}

function draftExtra(transfers: Transfers, terms: TransferTerms, name: string, wanted: number): DraftTransferExtra[] {
  const extra = findTransferExtra(transfers, name);
  if (!extra) return [];
  const quantity = Math.min(wanted, extra.maxQuantity);
  const unitCents = unitPriceOf(extra, terms);
  return [{ extra, quantity, unitCents, extraCents: unitCents * quantity }];
}

function supplementsOf({ supplements }: Transfers, trips: readonly DraftTrip[]): DraftSupplement[] {
  return supplements.flatMap((supplement) => {
    const cents = trips.filter((trip) => isDue(supplement, trip)).map((trip) => costOf(supplement, trip));
    return cents.length > 0 ? [{ supplement, cents: sumOf(cents) }] : [];
  });
}

function costOf({ valueType, value }: TransferSupplement, trip: DraftTrip): Cents {
  return valueType === "percentage" ? partOf(trip.priceCents, value) : value;
}

/** Whether a trip costs a supplement. */
export function isDue({ window, dates, pointId }: TransferSupplement, trip: Trip): boolean {
  return (
    (window === undefined || isWithin(window, trip.time)) &&
    (dates === undefined || (dates.from <= trip.date && trip.date <= dates.to)) &&
    (pointId === undefined || pointId === trip.origin.id || pointId === trip.destination.id)
  );
}

function isWithin({ from, to }: { readonly from: TimeOfDay; readonly to: TimeOfDay }, time: TimeOfDay): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** What a trip takes of its vehicle: the way, and the time until it can depart again. */
export function spanOfTrip(trip: DraftTrip, vehicle: TransferVehicle): Span {
  return withPreparation({ startsAt: trip.startsAt, endsAt: trip.startsAt + trip.minutes }, vehicle.preparationMinutes);
}

/** How many of a vehicle are free for all of the trips; the trips of one reservation may get in each other's way. */
export function countFreeForTrips(
  vehicle: TransferVehicle,
  trips: readonly DraftTrip[],
  takes: readonly StockAllocation[],
): number {
  const spans = trips.map((trip) => spanOfTrip(trip, vehicle));
  const free = spans.map((span, index) => {
    const own = spans.slice(0, index).map((earlier) => ({ ...earlier, quantity: 1 }));
    return countFreeUnits(vehicle.units, [...takes, ...own], span);
  });
  return Math.min(vehicle.units, ...free);
}

/** What living reservations take of each vehicle, by its id. */
export type TransferAllocations = ReadonlyMap<number, readonly StockAllocation[]>;

/** A vehicle that drives the trips of a search. */
export interface TransferOffer {
  readonly vehicle: TransferVehicle;
  readonly priceCents: Cents;
  readonly isAvailable: boolean;
}

/** Every vehicle that drives the trips, with its price; available where everybody has a place and one is free. */
export function offerVehicles(transfers: Transfers, terms: TransferTerms, takes: TransferAllocations): TransferOffer[] {
  return [...transfers.vehicles.values()].flatMap((vehicle) => {
    const trips = planTrips(transfers, vehicle, terms);
    if (!trips) return [];
    const isAvailable =
      fits(terms.people, vehicle) && countFreeForTrips(vehicle, trips, takes.get(vehicle.id) ?? []) > 0;
    return [{ vehicle, priceCents: sumOf(trips.map(({ priceCents }) => priceCents)), isAvailable }];
  });
}
