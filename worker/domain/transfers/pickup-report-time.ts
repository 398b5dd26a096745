import { type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";

/** Maximum minutes between a pickup report and the later agreed time. */
const EARLY_MINUTES = 60;

/**
 * Whether a trip departs so long after `now` that a pickup report is probably a mistake. A report can't be
 * undone and locks the trip.
 */
export function isPickupReportTooEarly(
  trip: { readonly date: CivilDate; readonly time: TimeText },
  now: CivilMinute,
): boolean {
  return toCivilMinute(trip.date, trip.time) - now > EARLY_MINUTES;
}
