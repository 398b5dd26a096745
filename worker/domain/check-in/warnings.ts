import { getLastRentalDayAtDelivery, listPermitsEndingBefore } from "#domain/catalogue/vehicle-dues.ts";
import { findImprobableKilometres } from "#domain/contracts/readings.ts";
import { toSpan } from "#domain/dates.ts";
import { filterExceptionalReturns } from "#domain/payments/deposit-return.ts";
import { type DriverWarning, findDriverWarnings } from "./driver.ts";
import type {
  AppliedOperationEffects,
  CheckInBooking,
  CheckInOperation,
  CheckInUnit,
  CheckInVehicle,
  CheckInWarning,
  DeskCharge,
  OperationDecisionContext,
  PreviousOperation,
  RecordedCharge,
  WarningCode,
} from "./operations.ts";
import {
  findConflictingEngagement,
  getSpanFromDelivery,
  isEarlyDelivery,
  type VehicleEngagement,
} from "./vehicle-engagements.ts";

const FULL_TANK = 8;
const CLOSING_DIFFERS =
  "these readings come to another charge for kilometres or fuel than the return's, which stays until it is opened again";
const TIME_UNCERTAIN = "the device's clock was wrong: extra days are invoiced once the office has looked at them";
const CLOSING_TO_CHECK = "the charge for kilometres or fuel is invoiced once the office has looked at it";
/** Warnings that need an office review, because something was omitted or is pending. */
const REVIEW_CODES: ReadonlySet<WarningCode> = new Set([
  "extra_refused",
  "charge_refused",
  "deposit_other_way",
  "closing_to_check",
  "closing_differs",
  "return_time_uncertain",
  "vehicle_blocked",
  "vehicle_promised",
  "vehicle_due",
  "returned_elsewhere",
  "other_vehicle",
  "early_delivery",
  "licence_expired",
  "driver_age",
  "upgrade_unpaid",
  "already_driven",
]);
/** Warnings that need an office review unless confirmed on site. */
const TO_CONFIRM: ReadonlySet<WarningCode> = new Set(["kilometres_lower", "kilometres_jump"]);

/**
 * Returns the extras of an operation that can be sold. None if the contract is completed, because an issued invoice
 * allows no further lines.
 */
export function filterSellableExtras(
  { status }: CheckInBooking,
  { extras }: CheckInOperation,
  refusedExtraCodes: ReadonlySet<string>,
): CheckInOperation["extras"] {
  return status === "done" ? [] : extras.filter(({ code }) => !refusedExtraCodes.has(code));
}

type Warned = Pick<AppliedOperationEffects, "warnings" | "charges" | "extras">;

/**
 * Returns the warnings of an operation that is applied anyway, because a reading never blocks field work. Charges and
 * extras that can't be booked are omitted with a warning, so that the rest isn't lost.
 */
export function listCheckInWarnings(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit | undefined,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext & {
    readonly isAboveCheckLimit: boolean;
    readonly isTimeUncertain: boolean;
    readonly isClosedOtherwise: boolean;
  },
): Warned {
  const extras = filterSellableExtras(booking, operation, context.refusedExtras);
  const { fresh, warnings: repeated } = freshCharges(operation, context.knownCharges);
  const charges = keepBookable(fresh, booking.depositHeldCents);
  return {
    extras,
    charges,
    warnings: [
      ...findChangeWarnings(booking, operation),
      ...findOtherDriverWarnings(booking, operation),
      ...findReadingWarnings(operation, unit, vehicle, context),
      ...findVehicleWarnings(booking, operation, unit, vehicle, context),
      ...findOtherVehicleWarnings(operation, unit),
      ...findReturnWarnings(booking, operation),
      ...findTimeWarnings(booking, operation, context),
      ...findDriverDocumentWarnings(booking, operation, context),
      ...(context.isTimeUncertain ? [warning("recorded_at", "return_time_uncertain", TIME_UNCERTAIN)] : []),
      ...(context.isAboveCheckLimit ? [warning("closing", "closing_to_check", CLOSING_TO_CHECK)] : []),
      ...(context.isClosedOtherwise ? [warning("closing", "closing_differs", CLOSING_DIFFERS)] : []),
      ...findHandOverWarnings(booking, operation, charges),
      ...operation.extras
        .filter((extra) => !extras.includes(extra))
        .map(({ code }) => warning("extras", "extra_refused", `extra ${code} could not be added`)),
      ...(context.refusedSurcharges ?? []).map((code) =>
        warning("surcharges", "extra_refused", `surcharge ${code} could not be added`),
      ),
      ...findDepositWarnings(booking, charges),
      ...repeated,
      ...fresh
        .filter((charge) => !charges.includes(charge))
        .map(() =>
          warning("charges", "charge_refused", "more of the deposit than is held cannot be given back or kept"),
        ),
    ],
  };
}

/**
 * Whether the office must review an applied operation. A change since the device's version only matters for a driver's
 * report, because the trip may have moved to another day.
 */
export function needsOfficeReview(
  { hasConfirmedReadings, trip }: Pick<CheckInOperation, "hasConfirmedReadings" | "trip">,
  warnings: readonly CheckInWarning[],
): boolean {
  return warnings.some(
    ({ code }) =>
      REVIEW_CODES.has(code) ||
      (TO_CONFIRM.has(code) && !hasConfirmedReadings) ||
      (trip !== undefined && code === "contract_changed"),
  );
}

function warning(field: string, code: WarningCode, message: string): CheckInWarning {
  return { field, code, message };
}

// A repeated payment counts once, in the same or another operation. A different one with a known id is
// ignored.
function freshCharges(
  { bookingId, charges }: CheckInOperation,
  known: readonly RecordedCharge[],
): { readonly fresh: readonly DeskCharge[]; readonly warnings: readonly CheckInWarning[] } {
  const before = new Map(known.map((charge) => [charge.chargeId, charge]));
  const fresh: DeskCharge[] = [];
  const warnings: CheckInWarning[] = [];
  for (const charge of charges) {
    const twin = before.get(charge.chargeId);
    if (!twin) {
      fresh.push(charge);
      before.set(charge.chargeId, { ...charge, bookingId });
    } else {
      const isSame = twin.bookingId === bookingId && isSameCharge(twin, charge);
      warnings.push(isSame ? CHARGE_KNOWN : OTHER_CHARGE);
    }
  }
  return { fresh, warnings };
}

const CHARGE_KNOWN = warning("charges", "charge_known", "this charge has come before: it is entered once");
const OTHER_CHARGE = warning("charges", "charge_refused", "another charge has come under this charge_id");

function isSameCharge(deskCharge: DeskCharge, other: DeskCharge): boolean {
  return (
    deskCharge.kind === other.kind &&
    deskCharge.amountCents === other.amountCents &&
    deskCharge.method === other.method &&
    deskCharge.externalOperationNumber === other.externalOperationNumber &&
    deskCharge.terminal === other.terminal
  );
}

// Processed in order, so that a deposit can be returned after it's taken.
function keepBookable(charges: readonly DeskCharge[], heldCents: number): DeskCharge[] {
  let remainingHeldCents = heldCents;
  return charges.filter(({ kind, amountCents }) => {
    if (kind === "payment") return true;
    const after = kind === "deposit_taken" ? remainingHeldCents + amountCents : remainingHeldCents - amountCents;
    if (after < 0) return false;
    remainingHeldCents = after;
    return true;
  });
}

// The money has changed hands, so it's recorded. The office decides whether it was right.
function findDepositWarnings(booking: CheckInBooking, charges: readonly DeskCharge[]): readonly CheckInWarning[] {
  const message = (method: string) => `more of the deposit was returned by ${method} than was received so`;
  return filterExceptionalReturns(charges, booking).map(({ method }) =>
    warning("charges", "deposit_other_way", message(method)),
  );
}

function findReadingWarnings(
  operation: CheckInOperation,
  unit: CheckInUnit | undefined,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): CheckInWarning[] {
  const { kind, kilometres, fuelEighths } = operation;
  if (!unit || kind === "evidence") return [];
  return [
    ...findKilometreWarnings("kilometres", operation, unit, vehicle, context),
    ...findReplacementWarnings(operation, unit, vehicle, context),
    ...(kilometres === undefined && (kind === "delivery" || kind === "collection")
      ? [warning("kilometres", "kilometres_missing", "nobody read the kilometres")]
      : []),
    ...(fuelEighths !== undefined && fuelEighths > FULL_TANK
      ? [warning("fuel_eighths", "fuel_impossible", `${fuelEighths}/8 is more than a full tank`)]
      : []),
  ];
}

function findTimeWarnings(
  { period }: CheckInBooking,
  { kind }: CheckInOperation,
  { civilAt }: OperationDecisionContext,
): readonly CheckInWarning[] {
  if (kind !== "delivery" || !isEarlyDelivery(toSpan(period), civilAt)) return [];
  const message = `the pickup is agreed for ${period.dateFrom} ${period.timeFrom}: nothing is charged for the time before`;
  return [warning("recorded_at", "early_delivery", message)];
}

function findVehicleWarnings(
  booking: CheckInBooking,
  { kind, exchange }: CheckInOperation,
  unit: CheckInUnit | undefined,
  vehicle: CheckInVehicle | undefined,
  { civilAt, mayGiveUpgrade }: OperationDecisionContext,
): CheckInWarning[] {
  if (!unit || !vehicle || kind === "evidence") return [];
  const { categoryCode, branchGroupId, reference } = vehicle;
  const createVehicleWarning = (code: WarningCode, message: string) => warning("vehicle_reference", code, message);
  const category =
    categoryCode === unit.categoryCode
      ? []
      : [
          createVehicleWarning("other_category", `the vehicle is of ${categoryCode}, not ${unit.categoryCode}`),
          ...(kind === "exchange" && !exchange?.upgradeCents && !mayGiveUpgrade
            ? [warning("exchange.upgrade_price", "upgrade_unpaid", "nobody who may has given it without a price")]
            : []),
        ];
  const isLeavingBranch =
    kind === "delivery" || kind === "exchange" || (kind === "correction" && reference !== unit.reference);
  if (!isLeavingBranch) return category;
  const engagement = findConflictingEngagement(
    vehicle.engagements,
    getSpanFromDelivery(civilAt, toSpan(booking.period)),
    booking.id,
  );
  return [
    ...category,
    ...(branchGroupId === booking.branchGroupId
      ? []
      : [createVehicleWarning("vehicle_elsewhere", "the vehicle is of another branch group: its stock lacks it")]),
    ...listPermitsEndingBefore(vehicle, getLastRentalDayAtDelivery(booking.period.dateTo, civilAt)).map((permit) =>
      createVehicleWarning("vehicle_due", `the vehicle's ${permit} ends before it is back`),
    ),
    ...(engagement
      ? [createVehicleWarning(`vehicle_${engagement.kind}`, WHY_NOT_FREE[engagement.kind](engagement))]
      : []),
  ];
}

// Readings and damage are saved for the vehicle that the contract lists as out.
function findOtherVehicleWarnings(
  { kind, vehicleReference: reference }: CheckInOperation,
  unit: CheckInUnit | undefined,
): CheckInWarning[] {
  const out = unit?.reference;
  if (kind !== "collection" || reference === undefined || out === undefined || reference === out) return [];
  return [
    warning("vehicle_reference", "other_vehicle", `${reference} was taken back, and ${out} is out by the contract`),
  ];
}

// The fee for a return elsewhere is agreed with staff, not calculated at a car park.
function findReturnWarnings(
  { returnBranchCode: agreed }: CheckInBooking,
  { returnBranchCode: actual }: CheckInOperation,
): CheckInWarning[] {
  if (actual === undefined || actual === agreed) return [];
  const message = `it came back to ${actual}, not to ${agreed} as was agreed; nothing is charged for that by itself`;
  return [warning("return_rental_location_code", "returned_elsewhere", message)];
}

const WHY_NOT_FREE = {
  blocked: () => "the vehicle is blocked in that time; the block stays",
  promised: ({ bookingId }: VehicleEngagement) => `the vehicle is assigned to contract ${bookingId} in that time`,
} as const;

// Checks the kilometres of a replacement vehicle like those of a delivery.
function findReplacementWarnings(
  { exchange }: CheckInOperation,
  unit: CheckInUnit,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): CheckInWarning[] {
  if (!exchange) return [];
  const read = { kind: "delivery", kilometres: exchange.kilometres } as const;
  return findKilometreWarnings("exchange.kilometres", read, unit, vehicle, context);
}

function findKilometreWarnings(
  field: string,
  { kind, kilometres }: Pick<CheckInOperation, "kind" | "kilometres">,
  { deliveryKilometres, deliveredAt, collectedAt }: CheckInUnit,
  vehicle: CheckInVehicle | undefined,
  { doneAt, kilometresADay }: OperationDecisionContext,
): CheckInWarning[] {
  const improbable = findImprobableKilometres(kilometres, {
    ...{ kind, at: doneAt, vehicleKilometres: vehicle?.kilometres },
    ...{ deliveryKilometres, deliveredAt, collectedAt, kilometresADay },
  });
  if (!improbable) return [];
  const message =
    improbable.code === "kilometres_lower"
      ? `${improbable.kilometres} km are less than the ${improbable.before} km before`
      : `${improbable.kilometres} km are improbably many after ${improbable.before} km`;
  return [warning(field, improbable.code, message)];
}

function findChangeWarnings(
  { agreedVersion }: CheckInBooking,
  { kind, trip, baseVersion }: CheckInOperation,
): CheckInWarning[] {
  if ((kind === "evidence" && !trip) || baseVersion >= agreedVersion) return [];
  const message = "the office changed what was agreed since: dates, places, category or extras";
  return [warning("base_version", "contract_changed", message)];
}

/**
 * Finds an earlier report about the same trip from another device or user, which means two drivers. A missed-traveller
 * report also conflicts with a pickup report.
 */
export function findConflictingTripReport(
  { done }: CheckInBooking,
  operation: CheckInOperation,
): PreviousOperation | undefined {
  const { trip, author, deviceId } = operation;
  if (!trip) return undefined;
  return done.find(
    ({ trip: createVehicleWarning, ...one }) =>
      createVehicleWarning?.position === trip.position &&
      (createVehicleWarning.moment === trip.moment || trip.moment === "nobody_came") &&
      (one.deviceId !== deviceId || (author !== undefined && one.author !== author)),
  );
}

// Two drivers were there, or one reported the wrong trip. The office contacts both.
function findOtherDriverWarnings(booking: CheckInBooking, operation: CheckInOperation): CheckInWarning[] {
  const before = findConflictingTripReport(booking, operation);
  if (!before) return [];
  const isSame = before.trip?.moment === operation.trip?.moment;
  const statement = isSame ? "the same of this trip" : "that somebody came to this trip";
  return [warning("trip", "already_driven", `${before.author} had said ${statement} before`)];
}

const WHY_NOT_DRIVE: Readonly<Record<DriverWarning, string>> = {
  licence_expired: "the driver's licence ends before the rental",
  driver_age: "the driver's age is not accepted",
};

function findDriverDocumentWarnings(
  { period }: CheckInBooking,
  { driver }: CheckInOperation,
  { driverAges = [] }: OperationDecisionContext,
): CheckInWarning[] {
  if (!driver) return [];
  return findDriverWarnings(driver, period, driverAges).map((code) => warning("driver", code, WHY_NOT_DRIVE[code]));
}

function findHandOverWarnings(
  booking: CheckInBooking,
  operation: CheckInOperation,
  charges: readonly DeskCharge[],
): CheckInWarning[] {
  if (operation.kind !== "delivery") return [];
  const depositTakenCents = charges
    .filter(({ kind }) => kind === "deposit_taken")
    .reduce((sum, deskCharge) => sum + deskCharge.amountCents, 0);
  return [
    ...(booking.depositHeldCents + booking.depositAuthorisedCents + depositTakenCents < booking.totalDepositCents
      ? [warning("charges", "deposit_short", "less than the deposit of the contract is held")]
      : []),
    ...(operation.signature ? [] : [warning("signature", "signature_missing", "nobody signed")]),
  ];
}
