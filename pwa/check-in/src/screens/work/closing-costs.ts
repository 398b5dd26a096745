import {
  type ClosingRates,
  calculateUnitClosing,
  type ExchangedVehiclesUse,
  getLateMinutes,
  type UnitClosingCharges,
} from "#domain/bookings/closing.ts";
import { findImprobableKilometres, type ImprobableOdometerReading } from "#domain/contracts/readings.ts";
import { type CivilDate, type Period, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { Booking, RentalUnit, Vehicle } from "../../api/messages.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { toCivilTime } from "../../state/civil-time.ts";
import { findLoadedBooking, findUnit, loadedVehicles } from "../../state/day.ts";
import { clockOffsetMs } from "../../state/device-session.ts";
import { applyLocalExchange } from "../../state/exchange.ts";
import { toCents } from "../../state/money.ts";
import { getReturnTime } from "../../state/return-time.ts";
import { settings } from "../../state/settings.ts";

/** Returns the unit of the open work, as stored on this device. */
export function getDraftUnit(draft: WorkDraft) {
  const booking = findLoadedBooking(draft.booking_id);
  const unit = booking && draft.resource_id !== null ? findUnit(booking, draft.resource_id) : undefined;
  return booking && unit && applyLocalExchange(booking, unit);
}

/** Returns the last known data of the vehicle in the open work. */
export function getDraftVehicle(draft: WorkDraft): Vehicle | undefined {
  const assigned = getDraftUnit(draft)?.vehicle ?? undefined;
  if (assigned && (!draft.vehicle_reference || assigned.reference === draft.vehicle_reference)) return assigned;
  return loadedVehicles.value.find(({ reference }) => reference === draft.vehicle_reference);
}

/** Calculates the closing costs by the same rule as the office. */
export function calculateDraftClosingCosts(draft: WorkDraft): UnitClosingCharges | undefined {
  const booking = findLoadedBooking(draft.booking_id);
  const unit = getDraftUnit(draft);
  return (
    booking && unit && closedAt(booking, unit, readIn(draft), getReturnTime(draft, Date.now()) + clockOffsetMs.peek())
  );
}

/**
 * Whether correcting a returned vehicle would change its kilometre or fuel costs. The original costs stay. Uses the
 * same rule as the office's report.
 */
export function wouldCorrectionChangeReturnCosts(draft: WorkDraft): boolean {
  const booking = findLoadedBooking(draft.booking_id);
  const unit = getDraftUnit(draft);
  if (draft.kind !== "correction" || !booking || !unit?.collection) return false;
  const at = Date.parse(unit.collection.at);
  const charged = closedAt(booking, unit, unit.collection, at);
  const { kilometres, fuel_eighths } = readIn(draft);
  const right = {
    kilometres: kilometres ?? unit.collection.kilometres,
    fuel_eighths: fuel_eighths ?? unit.collection.fuel_eighths,
  };
  const { fuelCents, kilometresCents } = closedAt(booking, unit, right, at);
  return fuelCents !== charged.fuelCents || kilometresCents !== charged.kilometresCents;
}

interface Read {
  readonly kilometres: number | null | undefined;
  readonly fuel_eighths: number | null;
}

const readIn = ({ kilometres, fuel_eighths }: WorkDraft): Read => ({
  kilometres: parseNumber(kilometres),
  fuel_eighths,
});

function closedAt(booking: Booking, unit: RentalUnit, read: Read, moment: number): UnitClosingCharges {
  const then = toCivilTime(moment, settings.value?.timezone ?? "UTC");
  const graceMinutes = settings.value?.grace_minutes ?? 0;
  const at = toCivilMinute(then.date, then.time as TimeText);
  return calculateUnitClosing(toClosingRates(booking, unit), {
    lateMinutes: getLateMinutes({ period: toPeriod(booking), days: booking.days }, graceMinutes, at),
    graceMinutes,
    deliveryKilometres: unit.delivery?.kilometres ?? undefined,
    collectionKilometres: read.kilometres ?? undefined,
    deliveryFuelEighths: unit.delivery?.fuel_eighths ?? undefined,
    collectionFuelEighths: read.fuel_eighths ?? undefined,
    earlier: toEarlierUse(unit),
  });
}

const toPeriod = ({ date_from, time_from, date_to, time_to }: Booking): Period => ({
  dateFrom: date_from as CivilDate,
  timeFrom: time_from as TimeText,
  dateTo: date_to as CivilDate,
  timeTo: time_to as TimeText,
});

function toClosingRates({ days }: Booking, { rates }: RentalUnit): ClosingRates {
  return {
    extraDayCents: toCents(rates.extra_day) ?? 0,
    fuelEighthCents: toCents(rates.fuel_eighth) ?? 0,
    kilometresIncluded: rates.kilometres_included ?? undefined,
    days,
    extraKilometreCents: toCents(rates.extra_kilometre) ?? 0,
  };
}

// Returns the use of vehicles exchanged earlier. Responses cached from older servers don't contain it.
function toEarlierUse({ earlier }: Partial<Pick<RentalUnit, "earlier">>): ExchangedVehiclesUse {
  return { kilometres: earlier?.kilometres ?? 0, missingEighths: earlier?.missing_eighths ?? 0 };
}

const KILOMETRES_A_DAY = 1500;

const parseInstant = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** Returns improbable kilometres that need confirmation, by the same rule as the office. */
export const findImprobableReading = (draft: WorkDraft) =>
  findImprobableOwnReading(draft) ?? findImprobableReplacementReading(draft);

/** Returns an improbable reading of the outgoing vehicle of an exchange. */
export function findImprobableReplacementReading({ exchange }: WorkDraft): ImprobableOdometerReading | undefined {
  const out = loadedVehicles.value.find(({ reference }) => reference === exchange?.vehicle_reference);
  return findImprobableKilometres(parseNumber(exchange?.kilometres ?? ""), {
    ...{ kind: "delivery", at: Date.now() + clockOffsetMs.peek(), vehicleKilometres: out?.kilometres },
    ...{ deliveryKilometres: undefined, deliveredAt: undefined, collectedAt: undefined },
    kilometresADay: settings.value?.max_km_per_day ?? KILOMETRES_A_DAY,
  });
}

const parseNumber = (text: string) => (text === "" ? undefined : Number(text));

/** Returns an improbable reading of the vehicle that the work is about. */
export function findImprobableOwnReading(draft: WorkDraft): ImprobableOdometerReading | undefined {
  const unit = getDraftUnit(draft);
  return findImprobableKilometres(parseNumber(draft.kilometres), {
    kind: draft.kind,
    at: getReturnTime(draft, Date.now()) + clockOffsetMs.peek(),
    vehicleKilometres: getDraftVehicle(draft)?.kilometres,
    deliveryKilometres: unit?.delivery?.kilometres ?? undefined,
    deliveredAt: parseInstant(unit?.delivery?.at),
    collectedAt: parseInstant(unit?.collection?.at),
    // Settings cached from an older server lack the limit.
    kilometresADay: settings.value?.max_km_per_day ?? KILOMETRES_A_DAY,
  });
}

/** Whether improbable readings still need confirmation. */
export const needsReadingConfirmation = (draft: WorkDraft) =>
  !draft.readings_confirmed && findImprobableReading(draft) !== undefined;

export const sumClosingCosts = (closing: UnitClosingCharges | undefined) =>
  closing === undefined ? 0 : closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
