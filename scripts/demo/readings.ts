import type { BookingDraft } from "#domain/bookings/draft.ts";
import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import type { Vehicle } from "./company.ts";
import type { PlannedRental } from "./planner.ts";
import type { Random } from "./random.ts";

/** One unit of a contract's line, with what was read when it was handed out and taken back. */
export interface UnitReadings {
  /** The line it belongs to, by its place among the draft's lines. */
  readonly line: number;
  readonly vehicle: Vehicle | undefined;
  readonly delivery: Reading | undefined;
  readonly collection: Reading | undefined;
}

export interface Reading {
  readonly at: CivilMinute;
  readonly usageUnits: number;
  /** Eighths of the tank. */
  readonly fuel: string;
}

/** Where each vehicle stands after the contracts read so far. */
export type Meters = Map<number, VehicleState>;

export interface VehicleState {
  /** When it was last handed out or taken back; absent: not yet. */
  readonly at: CivilMinute | undefined;
  readonly usageUnits: number;
  readonly fuel: string;
  readonly branchCode: string;
}

const DAYS_OF_EARLY_ASSIGNMENT = 3;
const EARLY_ASSIGNMENT_SHARE = 0.7;
const FULL_TANK = "8/8";
/** Those who drive further than what is included. */
const FAR_DRIVER_SHARE = 0.01;

export function stateOf(meters: Meters, vehicle: Vehicle): VehicleState {
  return (
    meters.get(vehicle.id) ?? {
      at: undefined,
      usageUnits: vehicle.unitsAtStart,
      fuel: FULL_TANK,
      branchCode: vehicle.branchCode,
    }
  );
}

/** Reads the meters of a rental's vehicles; rentals must come in the order of their pickups. */
export function readMeters(
  meters: Meters,
  rental: PlannedRental,
  draft: BookingDraft,
  now: CivilMinute,
  random: Random,
): UnitReadings[] {
  return rental.units.map(({ categoryCode, vehicle }) => {
    const line = draft.lines.findIndex(({ category }) => category.code === categoryCode);
    const isOut = rental.status === "in_progress" || rental.status === "done";
    if (!vehicle || !isOut)
      return {
        line,
        vehicle: vehicle && assignedEarly(rental, vehicle, now, random),
        delivery: undefined,
        collection: undefined,
      };
    return { line, vehicle, ...handOut(meters, rental, vehicle, draft.terms.days, random) };
  });
}

// Who comes in the next days mostly has a vehicle already; who comes later has a category.
function assignedEarly(
  { span }: PlannedRental,
  vehicle: Vehicle,
  now: CivilMinute,
  random: Random,
): Vehicle | undefined {
  const isSoon = span.startsAt < now + DAYS_OF_EARLY_ASSIGNMENT * MINUTES_PER_DAY;
  return isSoon && random.chance(EARLY_ASSIGNMENT_SHARE) ? vehicle : undefined;
}

function handOut(meters: Meters, rental: PlannedRental, vehicle: Vehicle, days: number, random: Random) {
  const before = stateOf(meters, vehicle);
  const delivery: Reading = {
    at: rental.deliveredAt,
    usageUnits: before.usageUnits + random.between(0, 6),
    fuel: FULL_TANK,
  };
  if (rental.status !== "done") {
    meters.set(vehicle.id, {
      at: delivery.at,
      usageUnits: delivery.usageUnits,
      fuel: FULL_TANK,
      branchCode: rental.pickupPlace.branchCode,
    });
    return { delivery, collection: undefined };
  }
  const share = random.chance(FAR_DRIVER_SHARE) ? 3.2 : 0.4 + random.fraction() * 1.1;
  const driven = Math.round(vehicle.dailyUnits * days * share);
  const fuel = random.pickKey({ [FULL_TANK]: 93, "7/8": 4, "6/8": 1.5, "4/8": 1, "2/8": 0.5 });
  const collection: Reading = { at: rental.collectedAt, usageUnits: delivery.usageUnits + driven, fuel };
  const branchCode = rental.isOneWay ? vehicle.branchCode : rental.returnPlace.branchCode;
  meters.set(vehicle.id, { at: collection.at, usageUnits: collection.usageUnits, fuel, branchCode });
  return { delivery, collection };
}
