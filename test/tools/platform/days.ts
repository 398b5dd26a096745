const DAY_MILLISECONDS = 86_400_000;

/** A date some days from today, yyyy-mm-dd. */
export function dayAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** How many days from today a date is, yyyy-mm-dd. */
export function daysUntil(date: string): number {
  return (Date.parse(date) - Date.parse(dayAfter(0))) / DAY_MILLISECONDS;
}

/** The same, or the day after where the demo's branches are closed: on Christmas Day and New Year's Day. */
export function openDayAfter(days: number): string {
  const date = dayAfter(days);
  return /-(12-25|01-01)$/.test(date) ? dayAfter(days + 1) : date;
}

/** The same, or the day after where that is a Sunday, on which the smaller of the demo companies is closed. */
export function weekdayAfter(days: number): string {
  const date = openDayAfter(days);
  return new Date(date).getUTCDay() === 0 ? openDayAfter(days + 1) : date;
}
