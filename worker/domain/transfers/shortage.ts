import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { AgreedTransfer, AgreedTrip } from "./agreed.ts";
import { departureOf } from "./change.ts";
import { countFreeBeside, type TakenTrip, type TransferAllocations } from "./draft.ts";

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
