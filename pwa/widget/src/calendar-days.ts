import { addDays } from "./format.ts";

/** Returns the dates of a month in weeks from Monday. Undefined outside of the month. */
export function listMonthWeeks(month: string): readonly (readonly (string | undefined)[])[] {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const days: (string | undefined)[] = Array.from({ length: before });
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  while (days.length % 7 > 0) days.push(undefined);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Adds months to a month, both yyyy-mm. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

// Returns the same day some months later, or the last day of that month.
function sameDayIn(date: string, months: number): string {
  const month = addMonths(date.slice(0, 7), months);
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = `${month}-${date.slice(8)}`;
  return same > last ? last : same;
}

/** Returns the calendar date that a key leads to. Undefined for other keys. */
export function getDateByPressedKey(key: string, date: string): string | undefined {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const moves: Readonly<Record<string, () => string>> = {
    ArrowLeft: () => addDays(date, -1),
    ArrowRight: () => addDays(date, 1),
    ArrowUp: () => addDays(date, -7),
    ArrowDown: () => addDays(date, 7),
    Home: () => addDays(date, -weekday),
    End: () => addDays(date, 6 - weekday),
    PageUp: () => sameDayIn(date, -1),
    PageDown: () => sameDayIn(date, 1),
  };
  return moves[key]?.();
}
