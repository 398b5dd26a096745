const DAY_MILLISECONDS = 86_400_000;

/** Returns the date a number of days from today, yyyy-mm-dd. */
export function dayAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Returns the number of days from today to a date, yyyy-mm-dd. */
export function daysUntil(date: string): number {
  return (Date.parse(date) - Date.parse(dayAfter(0))) / DAY_MILLISECONDS;
}

/** Returns that date, or the next day on Christmas Day and New Year's Day, when the demo's branches are closed. */
export function openDayAfter(days: number): string {
  const date = dayAfter(days);
  return /-(12-25|01-01)$/.test(date) ? dayAfter(days + 1) : date;
}

/** Returns that date, or the next day on a Sunday, when the smaller demo company is closed. */
export function weekdayAfter(days: number): string {
  const date = openDayAfter(days);
  return new Date(date).getUTCDay() === 0 ? openDayAfter(days + 1) : date;
}
