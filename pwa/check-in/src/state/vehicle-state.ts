import { findEngagement, leftOf } from "#domain/check-in/engagements.ts";
import { type CivilDate, type CivilMinute, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import type { Booking, Vehicle } from "../api/messages.ts";
import { civilTime } from "./civil.ts";
import { clockOffsetMs } from "./phone.ts";
import { settings } from "./settings.ts";

export type VehicleState = Vehicle["state"] | "promised";

/** Whether a vehicle could go out with a booking, by what the phone knows. */
export function stateFor(vehicle: Vehicle, booking: Booking | undefined): VehicleState {
  if (vehicle.state === "out" || !booking) return vehicle.state;
  const now = civilTime(Date.now() + clockOffsetMs.peek(), settings.value?.timezone ?? "UTC");
  const span = {
    startsAt: toMinute(booking.date_from, booking.time_from),
    endsAt: toMinute(booking.date_to, booking.time_to),
  };
  // A kept answer of an older server says none.
  const engagements = (vehicle.engagements ?? []).map(({ kind, from, to, booking_id: bookingId }) => ({
    ...{ kind, bookingId, startsAt: minuteOf(from), endsAt: minuteOf(to) },
  }));
  const left = leftOf(span, toMinute(now.date, now.time));
  return findEngagement(engagements, left, booking.booking_id)?.kind ?? vehicle.state;
}

const toMinute = (date: string, time: string): CivilMinute => toCivilMinute(date as CivilDate, time as TimeOfDay);

const minuteOf = (text: string): CivilMinute => toMinute(text.slice(0, 10), text.slice(11));
