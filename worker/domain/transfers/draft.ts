import { type AppliedDiscount, applyTransferDiscount, type GrantedDiscount } from "#domain/bookings/discounts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  findTransferConnection,
  getTransferTravelMinutes,
  hasRoomForTravellers,
  type TransferCatalogue,
  type TransferExtra,
  type TransferSupplement,
  type TransferVehicle,
} from "#domain/catalogue/transfers.ts";
import type { Span, TimeText } from "#domain/dates.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";
import type { TransferItinerary, Trip } from "./terms.ts";

/** Trip of a transfer before booking, with its duration and price. */
export interface DraftTrip extends Trip {
  readonly minutes: number;
  readonly priceCents: Cents;
}

export interface DraftTransferExtra {
  readonly extra: TransferExtra;
  readonly quantity: number;
  /** List price of one unit. */
  readonly unitCents: Cents;
  /** Part of the booking's discount for this extra. */
  readonly discountCents: Cents;
  readonly extraCents: Cents;
}

/** Supplement that applies to a transfer, with its price. */
export interface DraftSupplement {
  readonly supplement: TransferSupplement;
  readonly cents: Cents;
}

/** All sums of a transfer in minor units, taxes included. */
export interface TransferTotals {
  readonly itemCents: Cents;
  readonly extrasCents: Cents;
  readonly supplementsCents: Cents;
  readonly totalCents: Cents;
  /** Prepayment: the account's share of the total, rounded half up. */
  readonly bookingAmountCents: Cents;
}

/** Priced transfer. Without a vehicle, it has no priced trips yet. */
export interface TransferDraft {
  readonly terms: TransferItinerary;
  readonly vehicle: TransferVehicle | undefined;
  readonly trips: readonly DraftTrip[];
  readonly extras: readonly DraftTransferExtra[];
  readonly supplements: readonly DraftSupplement[];
  /** After the discount. Trips and units of extras keep their list prices. */
  readonly totals: TransferTotals;
  readonly discount?: AppliedDiscount | undefined;
}

/** Whether a vehicle serves each of the trips, regardless of its arrival times. */
export function canDriveAllTrips(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  { trips }: TransferItinerary,
): boolean {
  return trips.every(
    ({ origin, destination }) => findTransferConnection(transfers, vehicle.id, origin, destination) !== undefined,
  );
}

/**
 * Returns a vehicle's trips with their connections. Undefined if it doesn't serve all of them, or can't reach the
 * return trip in time.
 */
export function planTrips(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  { trips }: TransferItinerary,
): readonly DraftTrip[] | undefined {
  const planned = trips.flatMap((trip) => {
    const way = findTransferConnection(transfers, vehicle.id, trip.origin, trip.destination);
    return way ? [{ ...trip, minutes: way.minutes, priceCents: way.priceCents }] : [];
  });
  const [outward, back] = planned;
  if (!outward || planned.length < trips.length) return undefined;
  return back && back.startsAt < getArrivalTime(outward) + transfers.stopOverMinutes ? undefined : planned;
}

const getArrivalTime = ({ startsAt, minutes }: DraftTrip) => startsAt + minutes;

/**
 * Prices a vehicle and extras on the terms and calculates the totals. Omits a vehicle that doesn't serve the trips or
 * is too small.
 */
export function draftTransfer(
  { transfers, settings }: Pick<Catalogue, "transfers" | "settings">,
  terms: TransferItinerary,
  vehicleId: number | undefined,
  extras: readonly Choice[],
): TransferDraft {
  const selectedVehicle = vehicleId === undefined ? undefined : transfers.vehicles.get(vehicleId);
  const planned =
    selectedVehicle && hasRoomForTravellers(terms.people, selectedVehicle)
      ? planTrips(transfers, selectedVehicle, terms)
      : undefined;
  const trips = planned ?? [];
  const draftExtras = extras.flatMap(({ code, quantity }) => draftExtra(transfers, terms, code, quantity));
  const draft = {
    terms,
    vehicle: planned && selectedVehicle,
    trips,
    extras: draftExtras,
    supplements: findSupplements(transfers, trips),
  };
  return applyDiscountToTransferDraft(settings, draft, undefined);
}

/** Returns the draft with a discount on its trips and extras. */
export function applyDiscountToTransferDraft<Draft extends Omit<TransferDraft, "totals" | "discount">>(
  settings: Pick<Catalogue["settings"], "depositShare">,
  draft: Draft,
  granted: GrantedDiscount | undefined,
): Omit<Draft, "extras" | "totals" | "discount"> & Pick<TransferDraft, "extras" | "totals" | "discount"> {
  const { itemCents, extras, discount } = applyTransferDiscount(sumTripPrices(draft.trips), draft.extras, granted);
  const totals = calculateTransferTotals(settings, itemCents, extras, draft.supplements);
  return { ...draft, extras, totals, discount };
}

/** Returns the list price of trips. */
export const sumTripPrices = (trips: readonly { readonly priceCents: Cents }[]): Cents =>
  sumCents(trips.map(({ priceCents }) => priceCents));

/** Returns all sums of a transfer from its parts after the discount. */
export function calculateTransferTotals(
  { depositShare }: Pick<Catalogue["settings"], "depositShare">,
  itemCents: Cents,
  extras: readonly { readonly extraCents: Cents }[],
  supplements: readonly { readonly cents: Cents }[],
): TransferTotals {
  const parts = {
    itemCents,
    extrasCents: sumCents(extras.map(({ extraCents }) => extraCents)),
    supplementsCents: sumCents(supplements.map(({ cents }) => cents)),
  };
  const totalCents = sumCents(Object.values(parts));
  return { ...parts, totalCents, bookingAmountCents: applyRate(totalCents, depositShare) };
}

/** Finds the extra that a website names, by id or code. */
export function findTransferExtraByIdOrCode(
  { extras }: Pick<TransferCatalogue, "extras">,
  idOrCode: string,
): TransferExtra | undefined {
  return extras.get(Number(idOrCode)) ?? [...extras.values()].find(({ code }) => code === idOrCode);
}

/** Returns the unit price of an extra: per trip, or once. */
export function getTransferExtraUnitPrice(
  extra: TransferExtra,
  { trips }: { readonly trips: readonly unknown[] },
): Cents {
  return extra.priceCents * (extra.pricePer === "trip" ? trips.length : 1);
}

function draftExtra(
  transfers: TransferCatalogue,
  terms: TransferItinerary,
  name: string,
  selectedVehicle: number,
): DraftTransferExtra[] {
  const extra = findTransferExtraByIdOrCode(transfers, name);
  if (!extra) return [];
  const quantity = Math.min(selectedVehicle, extra.maxQuantity);
  const unitCents = getTransferExtraUnitPrice(extra, terms);
  return [{ extra, quantity, unitCents, discountCents: 0, extraCents: unitCents * quantity }];
}

function findSupplements({ supplements }: TransferCatalogue, trips: readonly DraftTrip[]): DraftSupplement[] {
  return supplements.flatMap((supplement) => {
    const cents = trips
      .filter((trip) => isTransferSupplementDue(supplement, trip))
      .map((trip) => getTransferSupplementPrice(supplement, trip));
    return cents.length > 0 ? [{ supplement, cents: sumCents(cents) }] : [];
  });
}

/** Returns the cost of an applicable supplement for a trip. */
export function getTransferSupplementPrice(
  { valueType, value }: TransferSupplement,
  { priceCents }: Pick<DraftTrip, "priceCents">,
): Cents {
  return valueType === "percentage" ? applyRate(priceCents, value) : value;
}

/** Trip fields that decide its supplements. */
type DuePart = Pick<Trip, "date" | "time"> & Record<"origin" | "destination", { readonly id: number }>;

/** Whether a supplement applies to a trip. */
export function isTransferSupplementDue({ window, dates, pointId }: TransferSupplement, trip: DuePart): boolean {
  return (
    (window === undefined || isWithin(window, trip.time)) &&
    (dates === undefined || (dates.from <= trip.date && trip.date <= dates.to)) &&
    (pointId === undefined || pointId === trip.origin.id || pointId === trip.destination.id)
  );
}

function isWithin({ from, to }: { readonly from: TimeText; readonly to: TimeText }, time: TimeText): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Period in which a trip uses a vehicle, from departure to arrival. */
export interface OccupiedTrip extends Span {
  readonly originId: number;
  readonly destinationId: number;
}

/** Returns a trip's use of its vehicle. */
export function toOccupiedTrip({ startsAt, minutes, origin, destination }: DraftTrip): OccupiedTrip {
  return { startsAt, endsAt: startsAt + minutes, originId: origin.id, destinationId: destination.id };
}

/**
 * Whether no unit of a vehicle can serve both trips. The gap between them must cover the preparation and the drive,
 * whichever is longer.
 */
export function areTripsTooClose(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  takenTrip: OccupiedTrip,
  other: OccupiedTrip,
): boolean {
  const readyFor = (first: OccupiedTrip, second: OccupiedTrip, preparationMinutes: number) =>
    first.endsAt +
    Math.max(preparationMinutes, getTransferTravelMinutes(transfers, vehicle.id, first.destinationId, second.originId));
  const { preparationMinutes } = vehicle;
  return (
    readyFor(takenTrip, other, preparationMinutes) > other.startsAt &&
    readyFor(other, takenTrip, preparationMinutes) > takenTrip.startsAt
  );
}

/**
 * Counts the units available for all trips: the vehicle's units minus conflicting trips. Earlier bookings got a unit
 * while fewer than all conflicted, so this rule never sells a unit twice. Several short trips count separately, even if
 * one unit could serve them. The trips of one reservation may conflict with each other.
 */
export function countFreeVehiclesForDraft(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  trips: readonly DraftTrip[],
  occupiedTrips: readonly OccupiedTrip[],
): number {
  return countFreeTransferVehicles(transfers, vehicle, trips.map(toOccupiedTrip), occupiedTrips);
}

/** Counts the units of a vehicle that are available for trips, given the trips that already use the vehicle. */
export function countFreeTransferVehicles(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  trips: readonly OccupiedTrip[],
  occupiedTrips: readonly OccupiedTrip[],
): number {
  const free = trips.map((trip, index) => {
    const others = occupiedTrips.filter((takenTrip) => areTripsTooClose(transfers, vehicle, takenTrip, trip)).length;
    const own = trips
      .slice(0, index)
      .filter((takenTrip) => areTripsTooClose(transfers, vehicle, takenTrip, trip)).length;
    return vehicle.units - others - own;
  });
  return Math.max(0, Math.min(vehicle.units, ...free));
}

/** Use of each vehicle by current reservations, by id. */
export type TransferAllocations = ReadonlyMap<number, readonly OccupiedTrip[]>;

/** Vehicle that serves the trips of a search. */
export interface TransferOffer {
  readonly vehicle: TransferVehicle;
  /** Total cost: its trips and their supplements. */
  readonly priceCents: Cents;
  /** Cost of its trips, from which discounts are taken. */
  readonly itemCents: Cents;
  readonly isAvailable: boolean;
}

/** Returns every vehicle that serves the trips, with its price. Available if all travellers fit and a unit is free. */
export function listTransferOffers(
  transfers: TransferCatalogue,
  terms: TransferItinerary,
  allocations: TransferAllocations,
): TransferOffer[] {
  return [...transfers.vehicles.values()].flatMap((vehicle) => {
    const trips = planTrips(transfers, vehicle, terms);
    if (!trips) return [];
    const isAvailable =
      hasRoomForTravellers(terms.people, vehicle) &&
      countFreeVehiclesForDraft(transfers, vehicle, trips, allocations.get(vehicle.id) ?? []) > 0;
    const supplementCents = sumCents(findSupplements(transfers, trips).map(({ cents }) => cents));
    const itemCents = sumTripPrices(trips);
    return [{ vehicle, priceCents: itemCents + supplementCents, itemCents, isAvailable }];
  });
}
