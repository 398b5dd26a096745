import type { TimeText } from "#domain/dates.ts";

/** Time in which a branch is open on a day. The branch is still open at `closes`. */
export interface OpenTime {
  readonly opens: TimeText;
  readonly closes: TimeText;
}

/** Opening hours of a single date. They replace those of the weekday. Without times, the branch is closed. */
export interface SpecialDate {
  readonly date: string;
  /** If null, they apply to all branches without special hours of their own on the date. */
  readonly branchCode: string | null;
  readonly times: readonly OpenTime[];
}

/** Returns the special hours of a branch by date. Its own ones have priority over those of all branches. */
export function getBranchSpecialHours(
  dates: readonly SpecialDate[],
  branchCode: string,
): ReadonlyMap<string, readonly OpenTime[]> {
  const general = dates.filter((special) => special.branchCode === null);
  const own = dates.filter((special) => special.branchCode === branchCode);
  return new Map([...general, ...own].map(({ date, times }) => [date, times]));
}

/** Lists the special hours of the days from `from` to `to`, both included, in order. */
export function listSpecialHours(
  { specialHours }: { readonly specialHours?: ReadonlyMap<string, readonly OpenTime[]> | undefined },
  from: string,
  to: string,
): readonly { readonly date: string; readonly times: readonly string[] }[] {
  return [...(specialHours ?? [])]
    .filter(([date]) => date >= from && date <= to)
    .toSorted(([date], [other]) => date.localeCompare(other))
    .map(([date, times]) => ({ date, times: times.map(({ opens, closes }) => `${opens}–${closes}`).toSorted() }));
}
