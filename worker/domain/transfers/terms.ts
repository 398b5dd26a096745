import type { InvalidTransfer, TransferField } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Branch, Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { findWay, fits, listDestinations, type TransferPoint, type Transfers, type Travellers } from "./transfers.ts";

/** One trip as a visitor asks for it. */
export interface RequestedTrip {
  readonly date: CivilDate;
  readonly time: TimeText;
  readonly originId: number;
  readonly destinationId: number;
}

/** What a transfer is asked for, before its vehicle. */
export interface TransferSearch {
  readonly outward: RequestedTrip;
  /** Absent: one way. */
  readonly back: RequestedTrip | undefined;
  readonly people: Travellers;
  /** Where the visitor came from, as the website says. */
  readonly visit: Readonly<Record<string, string>>;
}

export interface Trip {
  readonly date: CivilDate;
  readonly time: TimeText;
  readonly startsAt: CivilMinute;
  readonly origin: TransferPoint;
  readonly destination: TransferPoint;
}

/** A search that the account accepts: one trip, or two. */
export interface TransferTerms {
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

/** Checks a search against the account's points, ways and vehicles, and the clock. */
export function agreeTransfer(
  { transfers }: Pick<Catalogue, "transfers">,
  search: TransferSearch,
  now: CivilNow,
): Result<TransferTerms, InvalidTransfer> {
  const earliest = toCivilMinute(now.date, now.time);
  const outward = agreeTrip(transfers, search.outward, OUTWARD, {
    from: earliest,
    otherwise: "the trip is in the past",
  });
  if (!outward.ok) return outward;
  const travellerProblem = checkTravellers(transfers, search.people);
  if (travellerProblem) return err(travellerProblem);
  if (!search.back) return ok({ trips: [outward.value], people: search.people });
  const back = agreeTrip(transfers, search.back, BACK, {
    from: earliestReturn(transfers, outward.value),
    otherwise: "the return must depart after the outward trip has arrived, and its stop-over",
  });
  return back.ok ? ok({ trips: [outward.value, back.value], people: search.people }) : back;
}

// With the quickest vehicle; a slower one may be too late for the return, and is none for the terms.
function earliestReturn(transfers: Transfers, { startsAt, origin, destination }: Trip): CivilMinute {
  const ways = [...transfers.vehicles.keys()].flatMap(
    (vehicleId) => findWay(transfers, vehicleId, origin, destination) ?? [],
  );
  return startsAt + Math.min(...ways.map(({ minutes }) => minutes)) + transfers.stopOverMinutes;
}

function agreeTrip(
  transfers: Transfers,
  { date, time, originId, destinationId }: RequestedTrip,
  fields: TripFields,
  limit: { readonly from: CivilMinute; readonly otherwise: string },
): Result<Trip, InvalidTransfer> {
  const origin = transfers.points.get(originId);
  if (!origin) return err(invalid(fields.origin, `there is no point ${originId}`));
  const destination = transfers.points.get(destinationId);
  if (!destination) return err(invalid(fields.destination, `there is no point ${destinationId}`));
  if (!listDestinations(transfers, origin).includes(destination))
    return err(invalid(fields.destination, `there is no transfer from point ${originId} to point ${destinationId}`));
  const startsAt = toCivilMinute(date, time);
  if (startsAt < limit.from) return err(invalid(fields.date, limit.otherwise));
  return ok({ date, time, startsAt, origin, destination });
}

function checkTravellers({ vehicles }: Transfers, people: Travellers): InvalidTransfer | undefined {
  if (people.adults + people.children < 1) return invalid("adults", "at least one adult or child must travel");
  if ([...vehicles.values()].some((vehicle) => fits(people, vehicle))) return undefined;
  return invalid("adults", "no vehicle has places for so many people");
}

function invalid(field: TransferField, reason: string): InvalidTransfer {
  return { kind: "invalid", field, reason };
}

/** The branch that a vehicle drives from. */
export function getVehicleBranch(
  { branches }: Pick<Catalogue, "branches">,
  vehicle: { readonly branchCode: string },
): Branch {
  const branch = branches.get(vehicle.branchCode);
  if (!branch) throw new Error(`a transfer vehicle names the missing branch ${vehicle.branchCode}`);
  return branch;
}
