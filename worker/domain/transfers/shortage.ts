import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { TransferCatalogue, TransferVehicle } from "#domain/catalogue/transfers.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { AgreedTransfer, AgreedTrip } from "./agreed.ts";
import { getDepartureTime } from "./change.ts";
import { areTripsTooClose, countFreeTransferVehicles, type OccupiedTrip, type TransferAllocations } from "./draft.ts";

/**
 * Returns the shortage if other bookings leave no vehicle for a changed transfer, otherwise undefined.
 * Unchanged trips keep their vehicle, and moved trips mustn't conflict with them.
 */
export function findTransferShortage(
  { transfers }: Pick<Catalogue, "transfers">,
  before: AgreedTransfer | undefined,
  after: AgreedTransfer,
  others: TransferAllocations,
): SoldOut | undefined {
  const { id } = after.vehicle;
  const isUnchanged = (trip: AgreedTrip) =>
    before?.vehicle.id === id &&
    before.trips.some((agreedTrip) => isSameOccupancy(toOccupiedTrip(agreedTrip), toOccupiedTrip(trip)));
  const changedTrips = after.trips.filter((trip) => !isUnchanged(trip));
  if (changedTrips.length === 0) return undefined;
  const vehicle = transfers.vehicles.get(id);
  const occupiedTrips = [...(others.get(id) ?? []), ...after.trips.filter(isUnchanged).map(toOccupiedTrip)];
  const free = vehicle
    ? countFreeTransferVehicles(transfers, vehicle, changedTrips.map(toOccupiedTrip), occupiedTrips)
    : 0;
  return free > 0 ? undefined : { kind: "soldOut", resource: "transfer", code: String(id) };
}

function toOccupiedTrip(trip: AgreedTrip): OccupiedTrip {
  const startsAt = getDepartureTime(trip);
  const { originId, destinationId } = trip;
  return { startsAt, endsAt: startsAt + trip.minutes, originId, destinationId };
}

const isSameOccupancy = (takenTrip: OccupiedTrip, other: OccupiedTrip) =>
  takenTrip.startsAt === other.startsAt &&
  takenTrip.endsAt >= other.endsAt &&
  takenTrip.originId === other.originId &&
  takenTrip.destinationId === other.destinationId;

/** Trip of a current reservation that isn't completed yet. */
export interface SoldTrip extends OccupiedTrip {
  /** Order of sale. Earlier trips have a lower number. */
  readonly order: number;
  readonly vehicleId: number;
  /** Name of the vehicle. */
  readonly vehicle: string;
}

/** Transfer vehicle with sold trips that none of its units can serve. */
export interface TransferVehicleShortage {
  readonly vehicleId: number;
  /** Name of the vehicle. */
  readonly vehicle: string;
  /** Start of the first trip without a unit. */
  readonly from: CivilMinute;
  /** Number of trips without a unit. */
  readonly unservedTrips: number;
}

/**
 * Finds vehicles with too few units for their sold trips. Each trip had a free unit when it was sold, so this
 * happens only if units were removed or connections take longer.
 */
export function findTransferVehicleShortages(
  transfers: TransferCatalogue,
  trips: readonly SoldTrip[],
  now: CivilMinute,
): readonly TransferVehicleShortage[] {
  return [...Map.groupBy(trips, ({ vehicleId }) => vehicleId)].flatMap(([vehicleId, sold]) => {
    const vehicle = transfers.vehicles.get(vehicleId);
    const relevantTrips = (vehicle ? listTripsOnMinimalUnits(transfers, vehicle, sold) : sold).filter(
      ({ startsAt }) => startsAt >= now,
    );
    const [first] = relevantTrips;
    if (!first) return [];
    const from = Math.min(...relevantTrips.map(({ startsAt }) => startsAt));
    return [{ vehicleId, vehicle: first.vehicle, from, unservedTrips: relevantTrips.length }];
  });
}

// Places trips on units in the order of booking, and also of departure. Returns the fewest unserved trips.
function listTripsOnMinimalUnits(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  soldTrips: readonly SoldTrip[],
): readonly SoldTrip[] {
  const asTheyCame = listUnplacedTrips(
    transfers,
    vehicle,
    [...soldTrips].sort((soldTrip, other) => soldTrip.order - other.order),
  );
  if (asTheyCame.length === 0) return asTheyCame;
  const asTheyLeave = listUnplacedTrips(
    transfers,
    vehicle,
    [...soldTrips].sort((soldTrip, other) => soldTrip.startsAt - other.startsAt),
  );
  return asTheyLeave.length < asTheyCame.length ? asTheyLeave : asTheyCame;
}

// Returns trips that no unit can serve in addition to its other trips.
function listUnplacedTrips(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  soldTrips: readonly SoldTrip[],
): readonly SoldTrip[] {
  const units: SoldTrip[][] = Array.from({ length: vehicle.units }, () => []);
  return soldTrips.filter((trip) => {
    const unit = units.find(
      (unitTrips) =>
        !unitTrips.some((soldTrip) => isNear(soldTrip, trip) && areTripsTooClose(transfers, vehicle, soldTrip, trip)),
    );
    unit?.push(trip);
    return unit === undefined;
  });
}

const TWO_DAYS = 2880;

// Trips that start two days apart can't overlap, because no trip takes that long.
const isNear = (takenTrip: OccupiedTrip, other: OccupiedTrip) =>
  Math.abs(takenTrip.startsAt - other.startsAt) < TWO_DAYS;
