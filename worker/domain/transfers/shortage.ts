import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { AgreedTransfer, AgreedTrip } from "./agreed.ts";
import { departureOf } from "./change.ts";
import { areInTheWay, countFreeBeside, type TakenTrip, type TransferAllocations } from "./draft.ts";
import type { Transfers, TransferVehicle } from "./transfers.ts";

/**
 * Whether a transfer as it will be agreed lacks its vehicle, beside what others take; undefined where it does not. A
 * trip that stays keeps its right, and is in the way of the one that moves.
 */
export function findTransferShortage(
  { transfers }: Pick<Catalogue, "transfers">,
  before: AgreedTransfer | undefined,
  after: AgreedTransfer,
  others: TransferAllocations,
): SoldOut | undefined {
  const { id } = after.vehicle;
  const isKept = (trip: AgreedTrip) =>
    before?.vehicle.id === id && before.trips.some((one) => isSameTaken(takenOf(one), takenOf(trip)));
  const moved = after.trips.filter((trip) => !isKept(trip));
  if (moved.length === 0) return undefined;
  const vehicle = transfers.vehicles.get(id);
  const taken = [...(others.get(id) ?? []), ...after.trips.filter(isKept).map(takenOf)];
  const free = vehicle ? countFreeBeside(transfers, vehicle, moved.map(takenOf), taken) : 0;
  return free > 0 ? undefined : { kind: "soldOut", resource: "transfer", code: String(id) };
}

function takenOf(trip: AgreedTrip): TakenTrip {
  const startsAt = departureOf(trip);
  const { originId, destinationId } = trip;
  return { startsAt, endsAt: startsAt + trip.minutes, originId, destinationId };
}

const isSameTaken = (one: TakenTrip, other: TakenTrip) =>
  one.startsAt === other.startsAt &&
  one.endsAt >= other.endsAt &&
  one.originId === other.originId &&
  one.destinationId === other.destinationId;

/** A trip of a living reservation that its vehicle has not driven yet. */
export interface SoldTrip extends TakenTrip {
  /** Those that came before have a lower one. */
  readonly order: number;
  readonly vehicleId: number;
  /** The vehicle's name. */
  readonly vehicle: string;
}

/** A vehicle of which there are too few for the trips that were sold: how many have none, the first of them when. */
export interface MissingVehicle {
  readonly vehicleId: number;
  readonly vehicle: string;
  readonly from: CivilMinute;
  readonly missing: number;
}

/**
 * Vehicles that lack for what was sold, because there are fewer by now or their ways take longer. As the guard sold
 * the trips, in their order, each had a vehicle, so that none lacks where nothing changed.
 */
export function findMissingVehicles(
  transfers: Transfers,
  trips: readonly SoldTrip[],
  now: CivilMinute,
): readonly MissingVehicle[] {
  return [...Map.groupBy(trips, ({ vehicleId }) => vehicleId)].flatMap(([vehicleId, sold]) => {
    const vehicle = transfers.vehicles.get(vehicleId);
    const left = (vehicle ? leastLeftOf(transfers, vehicle, sold) : sold).filter(({ startsAt }) => startsAt >= now);
    const [first] = left;
    if (!first) return [];
    const from = Math.min(...left.map(({ startsAt }) => startsAt));
    return [{ vehicleId, vehicle: first.vehicle, from, missing: left.length }];
  });
}

// Whoever plans them anew goes by their departures.
function leastLeftOf(transfers: Transfers, vehicle: TransferVehicle, sold: readonly SoldTrip[]): readonly SoldTrip[] {
  const asTheyCame = leftOf(
    transfers,
    vehicle,
    [...sold].sort((one, other) => one.order - other.order),
  );
  if (asTheyCame.length === 0) return asTheyCame;
  const asTheyLeave = leftOf(
    transfers,
    vehicle,
    [...sold].sort((one, other) => one.startsAt - other.startsAt),
  );
  return asTheyLeave.length < asTheyCame.length ? asTheyLeave : asTheyCame;
}

// What no unit can drive beside what it drives already.
function leftOf(transfers: Transfers, vehicle: TransferVehicle, sold: readonly SoldTrip[]): readonly SoldTrip[] {
  const units: SoldTrip[][] = Array.from({ length: vehicle.units }, () => []);
  return sold.filter((trip) => {
    const unit = units.find((of) => !of.some((one) => isNear(one, trip) && areInTheWay(transfers, vehicle, one, trip)));
    unit?.push(trip);
    return unit === undefined;
  });
}

const TWO_DAYS = 2880;

// No trip takes its vehicle for longer.
const isNear = (one: TakenTrip, other: TakenTrip) => Math.abs(one.startsAt - other.startsAt) < TWO_DAYS;
