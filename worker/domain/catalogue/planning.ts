import { addDays, type CivilDate, type CivilMinute, toCivilMinute } from "#domain/dates.ts";

const MINUTES_PER_DAY = 1440;

/** Units of a category that are sold on a day, and those that are there. */
export interface SoldDay {
  readonly categoryCode: string;
  readonly date: CivilDate;
  readonly sold: number;
  readonly stock: number;
}

/** When a unit of a contract has its vehicle: as agreed, and as it went and came back once it did. */
export interface UnitTimes {
  readonly agreed: PlannedSpan;
  /** When its first vehicle went out, the last one that was exchanged came back, and the one it has came back. */
  readonly wentOut: CivilMinute | undefined;
  readonly exchanged: CivilMinute | undefined;
  readonly cameBack: CivilMinute | undefined;
}

/**
 * When a unit has the vehicle that it has now: what it had before is on that vehicle's own row. What is out is taken
 * from when it went out (docs/decisions/0056-out-from-then-on.md), and by nobody once it is back.
 */
export function getUnitSpan({ agreed, wentOut, exchanged, cameBack }: UnitTimes): PlannedSpan {
  const startsAt = exchanged ?? Math.min(agreed.startsAt, wentOut ?? agreed.startsAt);
  return { startsAt, endsAt: Math.max(cameBack ?? agreed.endsAt, startsAt + 1) };
}

export interface PlannedSpan {
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
}

/**
 * How much of each category is sold and there on each day of a stretch (docs/interfaces/office.md#planning): a unit is
 * sold on a day that its span touches; a vehicle that is blocked for any of the day is not there.
 */
export function countByDay(
  { from, days }: { readonly from: CivilDate; readonly days: number },
  vehicles: readonly { readonly reference: string; readonly categoryCode: string }[],
  sold: readonly (PlannedSpan & { readonly categoryCode: string })[],
  blocks: readonly (PlannedSpan & { readonly reference: string })[],
): readonly SoldDay[] {
  const codes = [...new Set([...vehicles, ...sold].map(({ categoryCode }) => categoryCode))].sort();
  const fleet = Map.groupBy(vehicles, ({ categoryCode }) => categoryCode);
  const units = Map.groupBy(sold, ({ categoryCode }) => categoryCode);
  const blocked = Map.groupBy(blocks, ({ reference }) => reference);
  return codes.flatMap((categoryCode) =>
    Array.from({ length: days }, (_, index): SoldDay => {
      const date = addDays(from, index);
      const startsAt = toCivilMinute(date, "00:00" as Parameters<typeof toCivilMinute>[1]);
      const touches = (span: PlannedSpan) => span.startsAt < startsAt + MINUTES_PER_DAY && span.endsAt > startsAt;
      const there = (fleet.get(categoryCode) ?? []).filter(({ reference }) => !blocked.get(reference)?.some(touches));
      return {
        categoryCode,
        date,
        sold: (units.get(categoryCode) ?? []).filter(touches).length,
        stock: there.length,
      };
    }),
  );
}
