import { addDays, type CivilDate, type CivilMinute, toCivilMinute } from "#domain/dates.ts";

const MINUTES_PER_DAY = 1440;

/** Sold and available units of a category on a day. */
export interface SoldDay {
  readonly categoryCode: string;
  readonly date: CivilDate;
  readonly soldUnits: number;
  readonly stock: number;
}

/** Times at which a contract's unit has its vehicle: agreed, and actual after delivery and return. */
export interface UnitVehicleTimes {
  readonly agreed: PlannedSpan;
  /** Departure of the first vehicle, return of the last exchanged one, and return of the current one. */
  readonly deliveredAt: CivilMinute | undefined;
  readonly exchangedVehicleReturnedAt: CivilMinute | undefined;
  readonly returnedAt: CivilMinute | undefined;
}

/**
 * Returns the period of a unit's current vehicle. Earlier vehicles appear in their own rows. A departed vehicle is
 * occupied from its departure (decision 0056), and free after its return.
 */
export function getCurrentVehicleSpan({
  agreed,
  deliveredAt,
  exchangedVehicleReturnedAt: exchanged,
  returnedAt,
}: UnitVehicleTimes): PlannedSpan {
  const startsAt = exchanged ?? Math.min(agreed.startsAt, deliveredAt ?? agreed.startsAt);
  return { startsAt, endsAt: Math.max(returnedAt ?? agreed.endsAt, startsAt + 1) };
}

/** Period of a contract or block on the planning board. */
export interface PlannedSpan {
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
}

/**
 * Counts the sold and available units of each category per day of a period (docs/interfaces/office.md#planning). A unit
 * is sold on every day that its span touches. A vehicle blocked for any part of a day isn't available.
 */
export function countSoldUnitsByDay(
  { from, days }: { readonly from: CivilDate; readonly days: number },
  vehicles: readonly { readonly reference: string; readonly categoryCode: string }[],
  soldSpans: readonly (PlannedSpan & { readonly categoryCode: string })[],
  blocks: readonly (PlannedSpan & { readonly reference: string })[],
): readonly SoldDay[] {
  const codes = [...new Set([...vehicles, ...soldSpans].map(({ categoryCode }) => categoryCode))].sort();
  const fleet = Map.groupBy(vehicles, ({ categoryCode }) => categoryCode);
  const units = Map.groupBy(soldSpans, ({ categoryCode }) => categoryCode);
  const blocked = Map.groupBy(blocks, ({ reference }) => reference);
  return codes.flatMap((categoryCode) =>
    Array.from({ length: days }, (_, index): SoldDay => {
      const date = addDays(from, index);
      const startsAt = toCivilMinute(date, "00:00" as Parameters<typeof toCivilMinute>[1]);
      const touches = (span: PlannedSpan) => span.startsAt < startsAt + MINUTES_PER_DAY && span.endsAt > startsAt;
      const availableVehicles = (fleet.get(categoryCode) ?? []).filter(
        ({ reference }) => !blocked.get(reference)?.some(touches),
      );
      return {
        categoryCode,
        date,
        soldUnits: (units.get(categoryCode) ?? []).filter(touches).length,
        stock: availableVehicles.length,
      };
    }),
  );
}
