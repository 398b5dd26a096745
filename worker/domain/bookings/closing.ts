import { type CivilMinute, countRentalDays, type Period, toCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";

/** What is charged at the end of a rental, for one unit; fixed when it is shown to the customer. */
export interface ClosingRates {
  readonly extraDayCents: Cents;
  readonly fuelEighthCents: Cents;
  /** For the days that were agreed; undefined: without limit. */
  readonly kilometresIncluded: number | undefined;
  /** The days that were agreed: each day more includes as many kilometres as one of them. */
  readonly days: number;
  readonly extraKilometreCents: Cents;
}

/** What was read when the vehicle went out and when it came back; undefined where nobody read it. */
export interface ClosingReadings {
  /** By `lateMinutesOf`. */
  readonly lateMinutes: number;
  readonly graceMinutes: number;
  readonly deliveryKilometres: number | undefined;
  readonly collectionKilometres: number | undefined;
  readonly deliveryFuelEighths: number | undefined;
  readonly collectionFuelEighths: number | undefined;
  /** What vehicles were driven and lacked that came back in exchange for this one. */
  readonly earlier: EarlierUse;
}

/** The kilometres and the missing eighths of vehicles that were exchanged. */
export interface EarlierUse {
  readonly kilometres: number;
  readonly missingEighths: number;
}

/** What one unit owes beyond its contract, in minor units, with what it is made of. */
export interface Closing {
  readonly extraDays: number;
  readonly extraDaysCents: Cents;
  readonly missingEighths: number;
  readonly fuelCents: Cents;
  readonly extraKilometres: number;
  readonly kilometresCents: Cents;
}

// No arithmetic of money here, which stands on decimal.js: the phone closes units, too.
const DAY = 24 * 60;
const FULL_TANK = 8;

/**
 * Civil minutes by which a unit is late: after the agreed return, and after the days that are paid for all the same
 * where that was brought forward and nothing was given back for them; negative when early.
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
 * What a unit owes when it is taken back: a day for every 24 hours begun after the agreed return, the grace granted
 * each time; fuel that is missing; kilometres beyond those of the days that are charged. A reading that is missing or
 * goes backwards owes nothing. Whole numbers only, so that the app shows what the office will charge.
 */
export function closeUnit(rates: ClosingRates, readings: ClosingReadings): Closing {
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

/** What was read of a vehicle when it went out and when it came back in exchange. */
export interface ExchangeReadings {
  readonly deliveryKilometres: number | undefined;
  readonly returnKilometres: number | undefined;
  readonly deliveryFuelEighths: number | undefined;
  readonly returnFuelEighths: number | undefined;
}

/** What the vehicles that were exchanged were driven, and what each of them lacked. */
export function usedBefore(exchanged: readonly ExchangeReadings[]): EarlierUse {
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

// More than a full tank is a slip of the finger.
function upToFull(eighths: number | undefined): number | undefined {
  return eighths === undefined ? undefined : Math.min(FULL_TANK, eighths);
}
