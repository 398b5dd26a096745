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
