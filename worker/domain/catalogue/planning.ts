import { addDays, type CivilDate, type CivilMinute, toCivilMinute } from "#domain/dates.ts";

const MINUTES_PER_DAY = 1440;

/** Units of a category that are sold on a day, and those that are there. */
export interface SoldDay {
  readonly categoryCode: string;
  readonly date: CivilDate;
  readonly sold: number;
  readonly stock: number;
}

interface PlannedSpan {
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
