import type { Branch } from "./catalogue.ts";

/** Consecutive weekdays with the same hours. Monday = 1. */
export interface WeekdayRangeHours {
  readonly first: number;
  readonly last: number;
  /** Times in order, such as 08:00–13:00. Empty if closed. */
  readonly times: readonly string[];
}

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** Groups a branch's week into consecutive days with the same hours. Empty if it's always open. */
export function groupOpeningHours({ openingHours }: Pick<Branch, "openingHours">): readonly WeekdayRangeHours[] {
  if (openingHours.length === 0) return [];
  const groups: WeekdayRangeHours[] = [];
  for (const day of WEEK) {
    const times = openingHours
      .filter(({ weekday }) => weekday === day)
      .map(({ opens, closes }) => `${opens}–${closes}`)
      .sort();
    const before = groups.at(-1);
    const isSame = before?.times.join() === times.join();
    if (before && isSame) groups[groups.length - 1] = { ...before, last: day };
    else groups.push({ first: day, last: day, times });
  }
  return groups;
}
