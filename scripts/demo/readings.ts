import type { BookingDraft } from "#domain/bookings/draft.ts";
import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import type { DemoVehicle } from "./company.ts";
import type { RandomContext } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import type { PlannedRental, PlannedUnit } from "./planner.ts";
import type { Random } from "./random.ts";

/** A unit of a contract line with its hand-over and return readings. */
export interface UnitReadings extends PlannedUnit {
  /** Index of the unit's line in the booking draft. */
  readonly line: number;
  readonly delivery?: Reading;
  readonly collection?: Reading;
}

interface Reading {
  readonly at: CivilMinute;
  readonly usageUnits: number;
  /** Fuel level in eighths of the tank. */
  readonly fuel: string;
}

/** Latest branch and readings of vehicles that have been rented. */
export type LatestReadings = Map<DemoVehicle, Reading & { readonly branchCode: string }>;

const EARLY_ASSIGNMENT_DAYS = 3;
export const FULL_FUEL_READING = "8/8";

type DraftedRental = PlannedRental & { readonly draft: BookingDraft };

/** Creates the readings of a rental's vehicles. Rentals must be in pickup order. */
export function createMeterReadings(
  { company, random }: RandomContext,
  rental: DraftedRental,
  meters: LatestReadings,
): UnitReadings[] {
  const { lines, terms } = rental.draft;
  const isOut = rental.status === "in_progress" || rental.status === "done";
  // Rentals of the next days mostly have an assigned vehicle, later ones only a category.
  const isSoon = rental.span.startsAt < company.now + EARLY_ASSIGNMENT_DAYS * MINUTES_PER_DAY;
  return rental.units.map(({ categoryCode, vehicle }) => {
    const line = lines.findIndex(({ category }) => category.code === categoryCode);
    if (vehicle && isOut)
      return { categoryCode, line, vehicle, ...handOut(meters, rental, vehicle, terms.days, random) };
    const isAssigned = vehicle && isSoon && random.chance(habits.shares.assignedEarly);
    return { categoryCode, line, vehicle: isAssigned ? vehicle : undefined };
  });
}

function handOut(meters: LatestReadings, rental: PlannedRental, vehicle: DemoVehicle, days: number, random: Random) {
  const before = meters.get(vehicle)?.usageUnits ?? vehicle.unitsAtStart;
  const delivery = { at: rental.deliveredAt, usageUnits: before + random.between(0, 6), fuel: FULL_FUEL_READING };
  meters.set(vehicle, { ...delivery, branchCode: rental.pickupPlace.branchCode });
  if (rental.status !== "done") return { delivery };
  const share = random.chance(habits.shares.drivenFar) ? 3.2 : 0.4 + random.nextFraction() * 1.1;
  const driven = Math.round(vehicle.dailyUnits * days * share);
  const fuel = random.pickKey(habits.fuelAtReturn);
  const collection = { at: rental.collectedAt, usageUnits: delivery.usageUnits + driven, fuel };
  const branchCode = rental.isOneWay ? vehicle.branchCode : rental.returnPlace.branchCode;
  meters.set(vehicle, { ...collection, branchCode });
  return { delivery, collection };
}
