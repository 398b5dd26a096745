import type { Immutable } from "#shared/immutable.ts";
import type { AvailabilityCalendarMessage } from "#worker/api/booking-engine/vehicles/catalogue-messages.ts";
import { addDays } from "./format.ts";

/** How many days before and after the wanted dates are searched. */
export const MAX_SHIFT_DAYS = 30;

export interface DatePeriod {
  readonly from: string;
  readonly to: string;
}

interface FreeDays {
  readonly occupation: Immutable<AvailabilityCalendarMessage>["occupation"];
  /** Days on which the vehicle can be returned. */
  readonly returnDays: readonly string[];
}

/** Returns the period of the same length, closest to a wanted one, in which a category is free on each day. */
export function findNearestPeriod(
  { from, to }: DatePeriod,
  { occupation, returnDays }: FreeDays,
): DatePeriod | undefined {
  const isFree = (period: DatePeriod) => {
    if (!occupation[period.from]?.selectable_day || !returnDays.includes(period.to)) return false;
    for (let day = period.from; day <= period.to; day = addDays(day, 1)) if (!occupation[day]?.available) return false;
    return true;
  };
  for (let shift = 1; shift <= MAX_SHIFT_DAYS; shift++) {
    for (const days of [shift, -shift]) {
      const period = { from: addDays(from, days), to: addDays(to, days) };
      if (isFree(period)) return period;
    }
  }
  return undefined;
}
