const DAY_MILLISECONDS = 86_400_000;

/** A date some days from today, yyyy-mm-dd. */
export function dayAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}
