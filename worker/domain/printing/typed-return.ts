import type { CheckInDayBooking, CheckInDayUnit, HandOverReading, KnownDamage } from "#domain/check-in/day.ts";
import type { Damage } from "#domain/contracts/damage.ts";

/** Return as typed, before it is recorded. */
export interface UnsavedReturn {
  readonly unitId: number | undefined;
  readonly reading: HandOverReading;
  readonly damages: readonly Omit<Damage, "damageId">[];
}

/** Returns a unit as a return will leave it, with its new damage. Undefined if the booking has no such unit. */
export function createReturnedUnit(
  { id, units }: Pick<CheckInDayBooking, "id" | "units">,
  { unitId, reading, damages }: UnsavedReturn,
): CheckInDayUnit | undefined {
  const unit = units.find((item) => item.unitId === unitId);
  if (!unit) return undefined;
  const found = damages.map(
    ({ part, kind, severity, x, y, note }, index): KnownDamage => ({
      ...{ part, kind, severity, x, y, note: note ?? null },
      // The damage has no operation yet.
      ...{ damageId: `new-${index}`, since: "", bookingId: id, opId: null, photos: [], isCharged: false },
    }),
  );
  const { vehicle } = unit;
  return {
    ...unit,
    vehicle: vehicle && { ...vehicle, damages: [...vehicle.damages, ...found] },
    collection: reading,
  };
}
