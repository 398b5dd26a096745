import { type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";

/** Who waits with a customer waits no longer before the agreed hour. */
const EARLY_MINUTES = 60;

/**
 * Whether a trip departs so much later that saying somebody was picked up is rather a slip of the finger. It cannot be
 * taken back: from then on nobody moves the trip.
 */
export function isLongBefore(trip: { readonly date: CivilDate; readonly time: TimeText }, now: CivilMinute): boolean {
  return toCivilMinute(trip.date, trip.time) - now > EARLY_MINUTES;
}
