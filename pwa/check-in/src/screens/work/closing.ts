import { type Closing, closeUnit } from "#domain/bookings/closing.ts";
import { type CivilDate, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import type { Vehicle } from "../../api/messages.ts";
import type { Draft } from "../../offline/items.ts";
import { civilTime } from "../../state/civil.ts";
import { bookingOf, fleet, unitOf } from "../../state/day.ts";
import { toCents } from "../../state/money.ts";
import { clockOffsetMs } from "../../state/phone.ts";
import { settings } from "../../state/settings.ts";

export function unitOfDraft(draft: Draft) {
  const booking = bookingOf(draft.booking_id);
  return booking && draft.resource_id !== null ? unitOf(booking, draft.resource_id) : undefined;
}

/** The vehicle of the open work, as it was last known. */
export function vehicleOf(draft: Draft): Vehicle | undefined {
  const assigned = unitOfDraft(draft)?.vehicle ?? undefined;
  if (assigned && (!draft.vehicle_reference || assigned.reference === draft.vehicle_reference)) return assigned;
  return fleet.value.find(({ reference }) => reference === draft.vehicle_reference);
}

/** What the customer owes at the end, by the same rule that the office charges by. */
export function closingOf(draft: Draft): Closing | undefined {
  const booking = bookingOf(draft.booking_id);
  const unit = unitOfDraft(draft);
  if (!booking || !unit) return undefined;
  const { extra_day, fuel_eighth, kilometres_included, extra_kilometre } = unit.rates;
  const rates = {
    extraDayCents: toCents(extra_day) ?? 0,
    fuelEighthCents: toCents(fuel_eighth) ?? 0,
    kilometresIncluded: kilometres_included ?? undefined,
    days: booking.days,
    extraKilometreCents: toCents(extra_kilometre) ?? 0,
  };
  const now = civilTime(Date.now() + clockOffsetMs.peek(), settings.value?.timezone ?? "UTC");
  const agreed = toCivilMinute(booking.date_to as CivilDate, booking.time_to as TimeOfDay);
  return closeUnit(rates, {
    lateMinutes: toCivilMinute(now.date, now.time as TimeOfDay) - agreed,
    graceMinutes: settings.value?.grace_minutes ?? 0,
    deliveryKilometres: unit.delivery?.kilometres ?? undefined,
    collectionKilometres: draft.kilometres === "" ? undefined : Number(draft.kilometres),
    deliveryFuelEighths: unit.delivery?.fuel_eighths ?? undefined,
    collectionFuelEighths: draft.fuel_eighths ?? undefined,
  });
}

export const closingCents = (closing: Closing | undefined) =>
  closing === undefined ? 0 : closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
