/** Time in which a branch is open on a weekday. Monday = 1. */
export interface WeekTime {
  readonly weekday: number;
  readonly opens: string;
  readonly closes: string;
}

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** Sets Monday's times on all days of the week. */
export function copyMondayToWeek(times: readonly WeekTime[]): readonly WeekTime[] {
  const monday = times.filter(({ weekday }) => weekday === 1);
  return WEEK.flatMap((weekday) => monday.map((time) => ({ ...time, weekday })));
}

/** Formats the times of a day: "08:00–13:00, 16:00–20:00". Empty if the branch is closed. */
export function formatDayTimes(times: readonly WeekTime[], weekday: number): string {
  return times
    .filter((time) => time.weekday === weekday)
    .map(({ opens, closes }) => `${opens}–${closes}`)
    .toSorted()
    .join(", ");
}

/** Takes the days that only another user changed into the typed week. Days changed here keep the typed times. */
export function mergeWeeks(
  original: readonly WeekTime[],
  typed: readonly WeekTime[],
  current: readonly WeekTime[],
): readonly WeekTime[] {
  return WEEK.flatMap((day) => {
    const isTyped = formatDayTimes(typed, day) !== formatDayTimes(original, day);
    return (isTyped ? typed : current).filter(({ weekday }) => weekday === day);
  });
}
