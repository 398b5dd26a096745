import type { BookingDraft } from "#domain/bookings/draft.ts";
import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import type { Vehicle } from "./company.ts";
import type { Drawing } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import type { PlannedRental, PlannedUnit } from "./planner.ts";
import type { Random } from "./random.ts";

/** One unit of a contract's line, with what was read when it was handed out and taken back. */
export interface UnitReadings extends PlannedUnit {
  /** The line it belongs to, by its place among the draft's lines. */
  readonly line: number;
  readonly delivery?: Reading;
  readonly collection?: Reading;
}

interface Reading {
  readonly at: CivilMinute;
  readonly usageUnits: number;
  /** Eighths of the tank. */
  readonly fuel: string;
}

/** Where the vehicles that have been out stand after the contracts read so far, and what was read last. */
export type Meters = Map<Vehicle, Reading & { readonly branchCode: string }>;

const EARLY_ASSIGNMENT_DAYS = 3;
export const FULL_TANK = "8/8";

type DraftedRental = PlannedRental & { readonly draft: BookingDraft };

/** Reads the meters of a rental's vehicles; rentals must come in the order of their pickups. */
export function readMeters({ company, random }: Drawing, rental: DraftedRental, meters: Meters): UnitReadings[] {
  const { lines, terms } = rental.draft;
  const isOut = rental.status === "in_progress" || rental.status === "done";
  // Who comes in the next days mostly has a vehicle already; who comes later has a category.
  const isSoon = rental.span.startsAt < company.now + EARLY_ASSIGNMENT_DAYS * MINUTES_PER_DAY;
  return rental.units.map(({ categoryCode, vehicle }) => {
    const line = lines.findIndex(({ category }) => category.code === categoryCode);
    if (vehicle && isOut)
      return { categoryCode, line, vehicle, ...handOut(meters, rental, vehicle, terms.days, random) };
    const isAssigned = vehicle && isSoon && random.chance(habits.shares.assignedEarly);
    return { categoryCode, line, vehicle: isAssigned ? vehicle : undefined };
  });
}

function handOut(meters: Meters, rental: PlannedRental, vehicle: Vehicle, days: number, random: Random) {
  const before = meters.get(vehicle)?.usageUnits ?? vehicle.unitsAtStart;
  const delivery = { at: rental.deliveredAt, usageUnits: before + random.between(0, 6), fuel: FULL_TANK };
  meters.set(vehicle, { ...delivery, branchCode: rental.pickupPlace.branchCode });
  if (rental.status !== "done") return { delivery };
  const share = random.chance(habits.shares.drivenFar) ? 3.2 : 0.4 + random.fraction() * 1.1;
  const driven = Math.round(vehicle.dailyUnits * days * share);
  const fuel = random.pickKey(habits.fuelAtReturn);
  const collection = { at: rental.collectedAt, usageUnits: delivery.usageUnits + driven, fuel };
  const branchCode = rental.isOneWay ? vehicle.branchCode : rental.returnPlace.branchCode;
  meters.set(vehicle, { ...collection, branchCode });
  return { delivery, collection };
}
