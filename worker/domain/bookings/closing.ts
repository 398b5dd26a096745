import { type CivilMinute, countRentalDays, type Period, toCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";

/** Rates for one unit's costs at the end of a rental. Fixed when shown to the customer. */
export interface ClosingRates {
  readonly extraDayCents: Cents;
  readonly fuelEighthCents: Cents;
  /** Kilometres included for the agreed days. Undefined means unlimited. */
  readonly kilometresIncluded: number | undefined;
  /** Agreed days. Each extra day includes the kilometres of one agreed day. */
  readonly days: number;
  readonly extraKilometreCents: Cents;
}

/** Readings of a vehicle at delivery and collection. Undefined if not read. */
export interface ClosingReadings {
  /** Minutes after the agreed return (`getLateMinutes`). */
  readonly lateMinutes: number;
  readonly graceMinutes: number;
  readonly deliveryKilometres: number | undefined;
  readonly collectionKilometres: number | undefined;
  readonly deliveryFuelEighths: number | undefined;
  readonly collectionFuelEighths: number | undefined;
  /** Kilometres and missing fuel of vehicles exchanged for this one. */
  readonly earlier: ExchangedVehiclesUse;
}

/** Kilometres and missing eighths of exchanged vehicles. */
export interface ExchangedVehiclesUse {
  readonly kilometres: number;
  readonly missingEighths: number;
}

/** Charges of one unit beyond its contract, in minor units, with their components. */
export interface UnitClosingCharges {
  readonly extraDays: number;
  readonly extraDaysCents: Cents;
  readonly missingEighths: number;
  readonly fuelCents: Cents;
  readonly extraKilometres: number;
  readonly kilometresCents: Cents;
}

// Doesn't use the functions for money, because they need decimal.js, which the app on the device doesn't load.
const DAY = 24 * 60;
const FULL_TANK = 8;

/**
 * Returns the civil minutes by which a unit is late after the agreed return. If the return moved earlier without a
 * refund, counts from the end of the paid days. Negative if early.
 */
export function getLateMinutes(
  { period, days }: { readonly period: Period; readonly days: number },
  graceMinutes: number,
  at: CivilMinute,
): number {
  const paidBeyond = Math.max(0, days - countRentalDays(period, graceMinutes));
  return at - toCivilMinute(period.dateTo, period.timeTo) - paidBeyond * DAY;
}

/**
 * Calculates a unit's costs at its return. Late returns cost one day per started 24 hours, with the grace period each
 * time. Also charges missing fuel, and kilometres beyond the included ones. Missing or decreasing readings cost
 * nothing. Uses integers only, so that the app shows the same amounts as the office.
 */
export function calculateUnitClosing(rates: ClosingRates, readings: ClosingReadings): UnitClosingCharges {
  const extraDays = Math.max(0, Math.ceil((readings.lateMinutes - readings.graceMinutes) / DAY));
  const { earlier } = readings;
  const missingEighths =
    earlier.missingEighths + countMissing(readings.deliveryFuelEighths, readings.collectionFuelEighths);
  const driven = earlier.kilometres + fallenBy(readings.collectionKilometres, readings.deliveryKilometres);
  const extraKilometres = Math.max(0, driven - (kilometresFor(rates, extraDays) ?? driven));
  return {
    extraDays,
    extraDaysCents: extraDays * rates.extraDayCents,
    missingEighths,
    fuelCents: missingEighths * rates.fuelEighthCents,
    extraKilometres,
    kilometresCents: extraKilometres * rates.extraKilometreCents,
  };
}

/** Readings of a vehicle at delivery and at its exchange. */
export interface ExchangeReadings {
  readonly deliveryKilometres: number | undefined;
  readonly returnKilometres: number | undefined;
  readonly deliveryFuelEighths: number | undefined;
  readonly returnFuelEighths: number | undefined;
}

/** Returns the kilometres and missing fuel of the exchanged vehicles. */
export function sumExchangedVehiclesUse(exchanged: readonly ExchangeReadings[]): ExchangedVehiclesUse {
  return {
    kilometres: exchanged.reduce(
      (sum, exchangeReadings) => sum + fallenBy(exchangeReadings.returnKilometres, exchangeReadings.deliveryKilometres),
      0,
    ),
    missingEighths: exchanged.reduce(
      (sum, exchangeReadings) =>
        sum + countMissing(exchangeReadings.deliveryFuelEighths, exchangeReadings.returnFuelEighths),
      0,
    ),
  };
}

function countMissing(before: number | undefined, after: number | undefined): number {
  return fallenBy(upToFull(before), upToFull(after));
}

function kilometresFor({ kilometresIncluded, days }: ClosingRates, extraDays: number): number | undefined {
  return kilometresIncluded === undefined ? undefined : kilometresIncluded + (kilometresIncluded / days) * extraDays;
}

function fallenBy(before: number | undefined, after: number | undefined): number {
  return before === undefined || after === undefined ? 0 : Math.max(0, before - after);
}

// Limits a level to a full tank, because a higher value is a typing error.
function upToFull(eighths: number | undefined): number | undefined {
  return eighths === undefined ? undefined : Math.min(FULL_TANK, eighths);
}
