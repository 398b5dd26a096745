import type { CheckInDayBooking, HandOverReading, ListedVehicle } from "#domain/check-in/day.ts";
import type { Cents } from "#domain/money.ts";

/** Hand-over as typed, before it is recorded. */
export interface UnsavedHandOver {
  /** The next unit to deliver if not set. */
  readonly unitId: number | undefined;
  /** The assigned vehicle if not set. */
  readonly reference: string | undefined;
  readonly reading: HandOverReading;
  /** Amount that the customer pays at the hand-over. */
  readonly paidCents: Cents;
}

/**
 * Returns a booking as a hand-over will leave it, with the index of the unit. Undefined if no such unit is to be
 * delivered. `vehicle` is the one that replaces the assigned one.
 */
export function addUnsavedHandOver(
  entry: CheckInDayBooking,
  { unitId, reading, paidCents }: UnsavedHandOver,
  vehicle: ListedVehicle | undefined,
): { readonly entry: CheckInDayBooking; readonly index: number } | undefined {
  const index = entry.units.findIndex((unit) => !unit.delivery && (unitId ?? unit.unitId) === unit.unitId);
  const unit = entry.units[index];
  if (!unit) return undefined;
  const delivered = { ...unit, vehicle: vehicle ?? unit.vehicle, delivery: reading };
  const units = entry.units.with(index, delivered);
  return { entry: { ...entry, units, totalPaidCents: entry.totalPaidCents + paidCents }, index };
}
