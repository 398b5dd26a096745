import type { InvalidTransfer, TransferField } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Branch, Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  findTransferConnection,
  hasRoomForTravellers,
  listTransferDestinations,
  type TransferCatalogue,
  type TransferPoint,
  type Travellers,
} from "#domain/catalogue/transfers.ts";
import { type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";

/** Date, time, origin and destination of a trip that a visitor requests. */
export interface RequestedTrip {
  readonly date: CivilDate;
  readonly time: TimeText;
  readonly originId: number;
  readonly destinationId: number;
}

/** Requested transfer, before choosing a vehicle. */
export interface TransferSearch {
  readonly outward: RequestedTrip;
  /** Return trip. Undefined for a one-way transfer. */
  readonly back: RequestedTrip | undefined;
  readonly people: Travellers;
  /** Agent who referred the visitor, as sent by the website. Absent in older carts. */
  readonly agentId?: number | undefined;
  /** Visit source reported by the website. */
  readonly visit: Readonly<Record<string, string>>;
}

/** Requested trip between two points of the catalogue. */
export interface Trip {
  readonly date: CivilDate;
  readonly time: TimeText;
  readonly startsAt: CivilMinute;
  readonly origin: TransferPoint;
  readonly destination: TransferPoint;
}

/** Accepted search with one or two trips. */
export interface TransferItinerary {
  readonly trips: readonly [Trip] | readonly [Trip, Trip];
  readonly people: Travellers;
}

interface TripFields {
  readonly date: TransferField;
  readonly origin: TransferField;
  readonly destination: TransferField;
}

const OUTWARD: TripFields = { date: "tripDate", origin: "origin", destination: "destination" };
const BACK: TripFields = { date: "returnDate", origin: "returnOrigin", destination: "returnDestination" };

/** Checks a search against the account's points, connections and vehicles, and the current time. */
export function resolveTransferItinerary(
  { transfers }: Pick<Catalogue, "transfers">,
  search: TransferSearch,
  now: CivilNow,
): Result<TransferItinerary, InvalidTransfer> {
  const earliest = toCivilMinute(now.date, now.time);
  const outward = agreeTrip(transfers, search.outward, OUTWARD, {
    from: earliest,
    refusal: createReason("trip_in_past"),
  });
  if (!outward.ok) return outward;
  const travellerProblem = checkTravellers(transfers, search.people);
  if (travellerProblem) return err(travellerProblem);
  if (!search.back) return ok({ trips: [outward.value], people: search.people });
  const back = agreeTrip(transfers, search.back, BACK, {
    from: earliestReturn(transfers, outward.value),
    refusal: createReason("trip_return_early"),
  });
  return back.ok ? ok({ trips: [outward.value, back.value], people: search.people }) : back;
}

// Uses the fastest vehicle. A slower one may miss the return trip and is then not offered.
function earliestReturn(transfers: TransferCatalogue, { startsAt, origin, destination }: Trip): CivilMinute {
  const ways = [...transfers.vehicles.keys()].flatMap(
    (vehicleId) => findTransferConnection(transfers, vehicleId, origin, destination) ?? [],
  );
  return startsAt + Math.min(...ways.map(({ minutes }) => minutes)) + transfers.stopOverMinutes;
}

function agreeTrip(
  transfers: TransferCatalogue,
  { date, time, originId, destinationId }: RequestedTrip,
  fields: TripFields,
  limit: { readonly from: CivilMinute; readonly refusal: Reason },
): Result<Trip, InvalidTransfer> {
  const origin = transfers.points.get(originId);
  if (!origin) return err(invalid(fields.origin, createReason("no_point", originId)));
  const destination = transfers.points.get(destinationId);
  if (!destination) return err(invalid(fields.destination, createReason("no_point", destinationId)));
  if (!listTransferDestinations(transfers, origin).includes(destination))
    return err(invalid(fields.destination, createReason("no_transfer", originId, destinationId)));
  const startsAt = toCivilMinute(date, time);
  if (startsAt < limit.from) return err(invalid(fields.date, limit.refusal));
  return ok({ date, time, startsAt, origin, destination });
}

function checkTravellers({ vehicles }: TransferCatalogue, people: Travellers): InvalidTransfer | undefined {
  if (people.adults + people.children < 1) return invalid("adults", createReason("no_passenger"));
  if ([...vehicles.values()].some((vehicle) => hasRoomForTravellers(people, vehicle))) return undefined;
  return invalid("adults", createReason("no_vehicle_with_seats"));
}

function invalid(field: TransferField, reason: Reason): InvalidTransfer {
  return { kind: "invalid", field, reason };
}

/** Returns the branch that a vehicle belongs to. */
export function getTransferVehicleBranch(
  { branches }: Pick<Catalogue, "branches">,
  vehicle: { readonly branchCode: string },
): Branch {
  const branch = branches.get(vehicle.branchCode);
  if (!branch) throw new Error(`a transfer vehicle names the missing branch ${vehicle.branchCode}`);
  return branch;
}
