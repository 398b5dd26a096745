import { type CivilDate, type CivilMinute, fromCivilMinute } from "#domain/dates.ts";

/** Until when a vehicle may be driven, both civil dates and the last day; null where nobody said. */
export interface DrivenUntil {
  readonly inspectionDue: string | null;
  readonly insuredUntil: string | null;
}

/** What of a vehicle ends before the last day of a rental, a civil date: it should not go out on it. */
export function endingBefore(
  { inspectionDue, insuredUntil }: DrivenUntil,
  lastDay: string,
): readonly ("inspection" | "insurance")[] {
  const ends = (day: string | null) => day !== null && day < lastDay;
  return [
    ...(ends(inspectionDue) ? (["inspection"] as const) : []),
    ...(ends(insuredUntil) ? (["insurance"] as const) : []),
  ];
}

/** The last day of a rental whose vehicle goes out at a moment: of one that is overdue that day itself. */
export function lastDayOut(dateTo: CivilDate, moment: CivilMinute): CivilDate {
  const { date } = fromCivilMinute(moment);
  return date > dateTo ? date : dateTo;
}
