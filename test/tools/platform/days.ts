const DAY_MILLISECONDS = 86_400_000;

/** Returns the date a number of days from today, yyyy-mm-dd. */
export function getDateAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Returns the number of days from today to a date, yyyy-mm-dd. */
export function countDaysUntil(date: string): number {
  return (Date.parse(date) - Date.parse(getDateAfter(0))) / DAY_MILLISECONDS;
}

/** Returns the date after `days` days, or the next day if it's a holiday of the demo's branches. */
export function getOpenDayAfter(days: number): string {
  const date = getDateAfter(days);
  return /-(12-25|01-01)$/.test(date) ? getDateAfter(days + 1) : date;
}

/** Returns the date of `getOpenDayAfter`, or the next open day on Sundays, when the smaller company is closed. */
export function getNonSundayDateAfter(days: number): string {
  const date = getOpenDayAfter(days);
  return new Date(date).getUTCDay() === 0 ? getOpenDayAfter(days + 1) : date;
}
