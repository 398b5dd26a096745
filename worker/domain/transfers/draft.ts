import type { Choice } from "#domain/bookings/draft.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Span, TimeText } from "#domain/dates.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";
import type { TransferTerms, Trip } from "./terms.ts";
import {
  findWay,
  fits,
  minutesBetween,
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

/** Whether a vehicle drives each of the trips, whenever it arrives. */
export function drivesAll(transfers: Transfers, vehicle: TransferVehicle, { trips }: TransferTerms): boolean {
  return trips.every(({ origin, destination }) => findWay(transfers, vehicle.id, origin, destination) !== undefined);
}

/** A vehicle's trips with their ways; undefined where it does not drive them all, or the return before it arrives. */
export function planTrips(
  transfers: Transfers,
  vehicle: TransferVehicle,
  { trips }: TransferTerms,
): readonly DraftTrip[] | undefined {
  const planned = trips.flatMap((trip) => {
    const way = findWay(transfers, vehicle.id, trip.origin, trip.destination);
    return way ? [{ ...trip, minutes: way.minutes, priceCents: way.priceCents }] : [];
  });
  const [outward, back] = planned;
  if (!outward || planned.length < trips.length) return undefined;
  return back && back.startsAt < getArrivalTime(outward) + transfers.stopOverMinutes ? undefined : planned;
}

const getArrivalTime = ({ startsAt, minutes }: DraftTrip) => startsAt + minutes;

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
  const selectedVehicle = vehicleId === undefined ? undefined : transfers.vehicles.get(vehicleId);
  const planned =
    selectedVehicle && fits(terms.people, selectedVehicle) ? planTrips(transfers, selectedVehicle, terms) : undefined;
  const trips = planned ?? [];
  const draftExtras = extras.flatMap(({ code, quantity }) => draftExtra(transfers, terms, code, quantity));
  const supplements = findSupplements(transfers, trips);
  const parts = {
    itemCents: sumCents(trips.map(({ priceCents }) => priceCents)),
    extrasCents: sumCents(draftExtras.map(({ extraCents }) => extraCents)),
    supplementsCents: sumCents(supplements.map(({ cents }) => cents)),
  };
  const totalCents = sumCents(Object.values(parts));
  return {
    terms,
    vehicle: planned && selectedVehicle,
    trips,
    extras: draftExtras,
    supplements,
    totals: { ...parts, totalCents, bookingAmountCents: applyRate(totalCents, settings.depositShare) },
  };
}

/** The extra that a website names, by its id or its code. */
export function findTransferExtra({ extras }: Pick<Transfers, "extras">, name: string): TransferExtra | undefined {
  return extras.get(Number(name)) ?? [...extras.values()].find(({ code }) => code === name);
}

/** What one of an extra costs on trips: of each, or once. */
export function getExtraUnitPrice(extra: TransferExtra, { trips }: { readonly trips: readonly unknown[] }): Cents {
  return extra.priceCents * (extra.pricePer === "trip" ? trips.length : 1);
}

function draftExtra(
  transfers: Transfers,
  terms: TransferTerms,
  name: string,
  selectedVehicle: number,
): DraftTransferExtra[] {
  const extra = findTransferExtra(transfers, name);
  if (!extra) return [];
  const quantity = Math.min(selectedVehicle, extra.maxQuantity);
  const unitCents = getExtraUnitPrice(extra, terms);
  return [{ extra, quantity, unitCents, extraCents: unitCents * quantity }];
}

function findSupplements({ supplements }: Transfers, trips: readonly DraftTrip[]): DraftSupplement[] {
  return supplements.flatMap((supplement) => {
    const cents = trips.filter((trip) => isDue(supplement, trip)).map((trip) => getSupplementCost(supplement, trip));
    return cents.length > 0 ? [{ supplement, cents: sumCents(cents) }] : [];
  });
}

/** What a supplement costs for a trip that it is due for. */
export function getSupplementCost(
  { valueType, value }: TransferSupplement,
  { priceCents }: Pick<DraftTrip, "priceCents">,
): Cents {
  return valueType === "percentage" ? applyRate(priceCents, value) : value;
}

/** What of a trip decides what it costs more. */
type DuePart = Pick<Trip, "date" | "time"> & Record<"origin" | "destination", { readonly id: number }>;

/** Whether a trip costs a supplement. */
export function isDue({ window, dates, pointId }: TransferSupplement, trip: DuePart): boolean {
  return (
    (window === undefined || isWithin(window, trip.time)) &&
    (dates === undefined || (dates.from <= trip.date && trip.date <= dates.to)) &&
    (pointId === undefined || pointId === trip.origin.id || pointId === trip.destination.id)
  );
}

function isWithin({ from, to }: { readonly from: TimeText; readonly to: TimeText }, time: TimeText): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** A trip that a vehicle is taken for: from its departure to its arrival. */
export interface OccupiedTrip extends Span {
  readonly originId: number;
  readonly destinationId: number;
}

/** What a trip takes of its vehicle. */
export function toOccupiedTrip({ startsAt, minutes, origin, destination }: DraftTrip): OccupiedTrip {
  return { startsAt, endsAt: startsAt + minutes, originId: origin.id, destinationId: destination.id };
}

/** Whether no vehicle of a kind can drive both: between them are the preparation and the way, the longer of the two. */
export function areInTheWay(
  transfers: Transfers,
  vehicle: TransferVehicle,
  takenTrip: OccupiedTrip,
  other: OccupiedTrip,
): boolean {
  const readyFor = (first: OccupiedTrip, second: OccupiedTrip, preparationMinutes: number) =>
    first.endsAt +
    Math.max(preparationMinutes, minutesBetween(transfers, vehicle.id, first.destinationId, second.originId));
  const { preparationMinutes } = vehicle;
  return (
    readyFor(takenTrip, other, preparationMinutes) > other.startsAt &&
    readyFor(other, takenTrip, preparationMinutes) > takenTrip.startsAt
  );
}

/**
 * How many of a vehicle are free for all of the trips: the vehicles less the trips that get in the way of one. Whoever
 * came before was given a vehicle while fewer than all were in the way, so that the rule never sells one twice; several
 * short trips that one vehicle could drive still count one each. The trips of one reservation may get in each other's
 * way.
 */
export function countFreeForTrips(
  transfers: Transfers,
  vehicle: TransferVehicle,
  trips: readonly DraftTrip[],
  item: readonly OccupiedTrip[],
): number {
  return countFreeUnits(transfers, vehicle, trips.map(toOccupiedTrip), item);
}

/** The same of trips by what they take. */
export function countFreeUnits(
  transfers: Transfers,
  vehicle: TransferVehicle,
  selectedVehicle: readonly OccupiedTrip[],
  item: readonly OccupiedTrip[],
): number {
  const free = selectedVehicle.map((trip, index) => {
    const others = item.filter((takenTrip) => areInTheWay(transfers, vehicle, takenTrip, trip)).length;
    const own = selectedVehicle
      .slice(0, index)
      .filter((takenTrip) => areInTheWay(transfers, vehicle, takenTrip, trip)).length;
    return vehicle.units - others - own;
  });
  return Math.max(0, Math.min(vehicle.units, ...free));
}

/** What living reservations take of each vehicle, by its id. */
export type TransferAllocations = ReadonlyMap<number, readonly OccupiedTrip[]>;

/** A vehicle that drives the trips of a search. */
export interface TransferOffer {
  readonly vehicle: TransferVehicle;
  /** All that choosing it costs: its trips and their supplements. */
  readonly priceCents: Cents;
  readonly isAvailable: boolean;
}

/** Every vehicle that drives the trips, with its price; available where everybody has a place and one is free. */
export function offerVehicles(transfers: Transfers, terms: TransferTerms, takes: TransferAllocations): TransferOffer[] {
  return [...transfers.vehicles.values()].flatMap((vehicle) => {
    const trips = planTrips(transfers, vehicle, terms);
    if (!trips) return [];
    const isAvailable =
      fits(terms.people, vehicle) && countFreeForTrips(transfers, vehicle, trips, takes.get(vehicle.id) ?? []) > 0;
    const supplementCents = sumCents(findSupplements(transfers, trips).map(({ cents }) => cents));
    return [
      { vehicle, priceCents: sumCents(trips.map(({ priceCents }) => priceCents)) + supplementCents, isAvailable },
    ];
  });
}
