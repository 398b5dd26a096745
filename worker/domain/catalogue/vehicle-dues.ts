import { type CivilDate, type CivilMinute, fromCivilMinute } from "#domain/dates.ts";

/** Last days on which a vehicle may be driven, as civil dates. Null if unknown. */
export interface VehicleDueDates {
  readonly inspectionDue: string | null;
  readonly insuredUntil: string | null;
}

/**
 * Returns the permits that end before the last day of a rental (civil date), so that the vehicle shouldn't be used for
 * it.
 */
export function listPermitsEndingBefore(
  { inspectionDue, insuredUntil }: VehicleDueDates,
  lastRentalDay: string,
): readonly ("inspection" | "insurance")[] {
  const ends = (day: string | null) => day !== null && day < lastRentalDay;
  return [
    ...(ends(inspectionDue) ? (["inspection"] as const) : []),
    ...(ends(insuredUntil) ? (["insurance"] as const) : []),
  ];
}

/** Returns the last day of a rental at delivery. For an overdue one, the delivery day. */
export function getLastRentalDayAtDelivery(dateTo: CivilDate, moment: CivilMinute): CivilDate {
  const { date } = fromCivilMinute(moment);
  return date > dateTo ? date : dateTo;
}
