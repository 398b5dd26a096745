import { calculateUnitClosing, getLateMinutes } from "#domain/bookings/closing.ts";
import { correctsReturnReading } from "#domain/contracts/readings.ts";
import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { divideRounded } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import type {
  AppliedOperationEffects,
  CheckInBooking,
  CheckInOperation,
  CheckInUnit,
  CheckInVehicle,
  CollectionCharges,
  OperationDecision,
  OperationDecisionContext,
  OperationFlag,
  OperationKind,
  ReplacementVehicle,
} from "./operations.ts";
import { findConflictingTripReport, listCheckInWarnings } from "./warnings.ts";

const NOTHING_TO_CLOSE: CollectionCharges = { extraDays: 0, extraDaysCents: 0, fuelCents: 0, kilometresCents: 0 };
/** A larger clock offset is reported to the device and the office. */
const TOLERATED_CLOCK_OFFSET = 5 * 60_000;
const DAY_MINUTES = 24 * 60;

/**
 * Decides the effect of an operation, given the current state of its booking. `vehicle` is the one named by the
 * operation, otherwise the unit's.
 */
export function decideCheckInOperation(
  booking: CheckInBooking,
  operation: CheckInOperation,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): OperationDecision {
  const unit = booking.units.find(({ unitId }) => unitId === operation.unitId);
  // A transfer has no units.
  if ((operation.unitId === undefined || booking.units.length === 0) && operation.kind !== "evidence") {
    return { kind: "reject", field: "resource_id", reason: createReason("no_unit") };
  }
  if (operation.kind !== "exchange" && operation.damages.some(({ isReplacement }) => isReplacement)) {
    return { kind: "reject", field: "damages", reason: createReason("not_for_kind") };
  }
  const field = operation.kind === "collection" ? undefined : findReturnField(operation);
  if (field) return { kind: "reject", field, reason: createReason("collections_only") };
  if (operation.kind === "evidence") return decideEvidence(booking, operation, unit, context);
  if (booking.status === "cancelled") return { kind: "conflict", code: "booking_cancelled", before: undefined };
  // The office removed or replaced the unit after the device read it.
  if (!unit) return { kind: "conflict", code: "unit_gone", before: undefined };
  switch (operation.kind) {
    case "delivery":
      return decideDelivery(booking, operation, unit, vehicle, context);
    case "collection":
      return decideCollection(booking, operation, unit, vehicle, context);
    case "exchange":
      return decideExchange(booking, operation, unit, vehicle, context);
    case "correction":
      return decideCorrection(booking, operation, unit, vehicle, context);
  }
}

// Returns the first field that only a collection may have.
function findReturnField({ returnBranchCode, surcharges = [] }: CheckInOperation): string | undefined {
  if (returnBranchCode !== undefined) return "return_rental_location_code";
  return surcharges.length > 0 ? "surcharges" : undefined;
}

// Photos, notes and damage are accepted for any booking, because they don't change the contract. A driver's report for
// a cancelled or missing trip needs a review by the office.
function decideEvidence(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit | undefined,
  context: OperationDecisionContext,
): OperationDecision {
  if (operation.extras.length > 0 || operation.charges.length > 0) {
    const field = operation.extras.length > 0 ? "extras" : "charges";
    return { kind: "reject", field, reason: createReason("not_for_kind") };
  }
  const { trip } = operation;
  if (trip && booking.status === "cancelled") return { kind: "conflict", code: "booking_cancelled", before: undefined };
  if (trip?.position === "return" && !booking.hasReturn)
    return { kind: "conflict", code: "no_return_trip", before: undefined };
  return apply(booking, operation, unit, undefined, context, {});
}

function decideDelivery(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): OperationDecision {
  if (unit.collectedAt !== undefined) return conflict("already_collected", booking, unit, "collection");
  if (unit.deliveredAt !== undefined) return conflict("already_delivered", booking, unit, "delivery");
  if (booking.status === "done") return { kind: "conflict", code: "booking_closed", before: undefined };
  if (booking.status === "pending_confirmation") return { kind: "conflict", code: "not_confirmed", before: undefined };
  const reference = operation.vehicleReference ?? unit.reference;
  if (reference === undefined)
    return { kind: "reject", field: "vehicle_reference", reason: createReason("vehicle_required") };
  return (
    findVehicleConflict(unit, vehicle) ??
    apply(booking, operation, unit, vehicle, context, { vehicleReference: reference, status: "in_progress" })
  );
}

function findVehicleConflict(unit: CheckInUnit, vehicle: CheckInVehicle | undefined): OperationDecision | undefined {
  if (!vehicle) return { kind: "conflict", code: "unknown_vehicle", before: undefined };
  const isOnOtherContract = vehicle.outWith !== undefined && vehicle.outWith.unitId !== unit.unitId;
  return isOnOtherContract || !vehicle.isUsable
    ? { kind: "conflict", code: "vehicle_unavailable", before: undefined }
    : undefined;
}

function decideCollection(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): OperationDecision {
  if (unit.collectedAt !== undefined && !unit.isReopened)
    return conflict("already_collected", booking, unit, "collection");
  if (booking.status === "done") return { kind: "conflict", code: "booking_closed", before: undefined };
  if (unit.deliveredAt === undefined && !context.isForced) return { kind: "hold" };
  if (isExchangedVehicle(operation, unit)) return conflict("already_exchanged", booking, unit, "exchange");
  if (isBeforeDelivery(booking, unit, context)) return conflict("before_delivery", booking, unit, "delivery");
  if (booking.status === "pending_confirmation") return { kind: "conflict", code: "not_confirmed", before: undefined };
  const isLast = booking.units.every((item) => item === unit || (item.collectedAt !== undefined && !item.isReopened));
  return apply(booking, operation, unit, vehicle, context, {
    vehicleReference: unit.reference ?? (vehicle && operation.vehicleReference),
    status: isLast ? "done" : "in_progress",
    closing: computeClosing(booking, operation, unit, context),
  });
}

// Whether the work was done before the unit's delivery. Without a reported delivery: more than a day before the agreed
// pickup.
function isBeforeDelivery(
  { period }: CheckInBooking,
  unit: CheckInUnit,
  { doneAt, civilAt }: OperationDecisionContext,
): boolean {
  if (unit.deliveredAt !== undefined) return doneAt < unit.deliveredAt;
  return civilAt < toCivilMinute(period.dateFrom, period.timeFrom) - DAY_MINUTES;
}

function decideCorrection(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): OperationDecision {
  if (isExchangedVehicle(operation, unit)) return conflict("already_exchanged", booking, unit, "exchange");
  const isOut = unit.deliveredAt !== undefined && unit.collectedAt === undefined;
  const reference = operation.vehicleReference;
  if (reference === undefined || reference === unit.reference) {
    return apply(booking, operation, unit, vehicle, context, {});
  }
  if (!isOut) return { kind: "conflict", code: "booking_closed", before: undefined };
  return (
    findVehicleConflict(unit, vehicle) ??
    apply(booking, operation, unit, vehicle, context, { vehicleReference: reference })
  );
}

// `vehicle` is the replacement. The unit's current state decides, not the device's version.
function decideExchange(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
): OperationDecision {
  const { exchange } = operation;
  const missing = findMissingExchangeFields(operation);
  if (missing || !exchange) return missing ?? { kind: "reject", field: "exchange", reason: createReason("missing") };
  if (unit.collectedAt !== undefined) return conflict("already_collected", booking, unit, "collection");
  if (unit.deliveredAt === undefined)
    return context.isForced ? conflict("before_delivery", booking, unit, "delivery") : { kind: "hold" };
  if (isExchangedBefore(operation, unit, exchange)) return conflict("already_exchanged", booking, unit, "exchange");
  if (isBeforeDelivery(booking, unit, context)) return conflict("before_delivery", booking, unit, "delivery");
  return findVehicleConflict(unit, vehicle) ?? apply(booking, operation, unit, vehicle, context, {});
}

// Whether the operation names a vehicle that the unit returned in an earlier exchange. Its replacement is still out.
const isExchangedVehicle = ({ vehicleReference: reference }: CheckInOperation, unit: CheckInUnit): boolean =>
  reference !== undefined && reference !== unit.reference && unit.exchangedReferences.includes(reference);

// Whether the exchange was already done: the unit has the replacement, or another vehicle than the returned one.
const isExchangedBefore = (
  { vehicleReference: back }: CheckInOperation,
  { reference }: CheckInUnit,
  exchange: ReplacementVehicle,
): boolean => exchange.reference === reference || (back !== undefined && back !== reference);

function findMissingExchangeFields({
  exchange,
  kilometres,
  fuelEighths,
  extras,
}: CheckInOperation): Extract<OperationDecision, { readonly kind: "reject" }> | undefined {
  const required = { exchange, kilometres, fuel_eighths: fuelEighths };
  const missing = Object.entries(required).find(([, value]) => value === undefined)?.[0];
  if (missing) return { kind: "reject", field: missing, reason: createReason("exchange_required") };
  return extras.length > 0 ? { kind: "reject", field: "extras", reason: createReason("not_for_kind") } : undefined;
}

function conflict(
  code: "already_delivered" | "already_collected" | "already_exchanged" | "before_delivery",
  booking: CheckInBooking,
  unit: CheckInUnit,
  kind: OperationKind,
): OperationDecision {
  const before = booking.done.find((doneBefore) => doneBefore.kind === kind && doneBefore.unitId === unit.unitId);
  return { kind: "conflict", code, before };
}

function apply(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit | undefined,
  vehicle: CheckInVehicle | undefined,
  context: OperationDecisionContext,
  change: Partial<Pick<AppliedOperationEffects, "vehicleReference" | "status" | "closing">>,
): OperationDecision {
  const closing = change.closing ?? NOTHING_TO_CLOSE;
  const isTimeUncertain = closing.extraDays > 0 && isClockOff(operation, context);
  const isAboveCheckLimit = operation.kind === "collection" && isAboveLimit(booking, closing, context);
  const isClosedOtherwise =
    operation.kind === "correction" && unit !== undefined && changesClosing(booking, operation, unit, context);
  const occasion = { ...context, isAboveCheckLimit, isTimeUncertain, isClosedOtherwise };
  const { warnings, charges, extras } = listCheckInWarnings(booking, operation, unit, vehicle, occasion);
  return {
    kind: "apply",
    unit,
    vehicleReference: change.vehicleReference,
    status: change.status,
    before: findConflictingTripReport(booking, operation),
    closing,
    isToCheck: isAboveCheckLimit || isTimeUncertain,
    extras,
    charges,
    flags: listFlags(booking, operation, unit, context),
    warnings,
  };
}

// Whether the contract's costs for fuel or kilometres exceed the limit. Costs of units returned earlier count too.
function isAboveLimit(
  { supplementCents }: CheckInBooking,
  { fuelCents, kilometresCents }: CollectionCharges,
  { closingLimitCents }: OperationDecisionContext,
): boolean {
  const [, fuel, kilometres] = supplementCents;
  return fuel + fuelCents > closingLimitCents || kilometres + kilometresCents > closingLimitCents;
}

function listFlags(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit | undefined,
  context: OperationDecisionContext,
): OperationFlag[] {
  const isWithoutDelivery = operation.kind === "collection" && unit?.deliveredAt === undefined;
  return [
    ...(operation.baseVersion < booking.version ? (["parallel"] as const) : []),
    ...(isClockOff(operation, context) ? (["clock"] as const) : []),
    ...(isWithoutDelivery ? (["without_delivery"] as const) : []),
  ];
}

// Whether the device's clock was wrong, or was changed between the recording and the sending.
function isClockOff(
  { recordedAt, clockOffset, clockOffsetAtSend = clockOffset }: CheckInOperation,
  { now }: OperationDecisionContext,
): boolean {
  const offsets = [clockOffset, clockOffsetAtSend - clockOffset];
  return (
    recordedAt - now > TOLERATED_CLOCK_OFFSET || offsets.some((offset) => Math.abs(offset) > TOLERATED_CLOCK_OFFSET)
  );
}

function computeClosing(
  booking: CheckInBooking,
  { kilometres: collectionKilometres, fuelEighths: collectionFuelEighths }: CheckInOperation,
  unit: CheckInUnit,
  { civilAt, graceMinutes }: OperationDecisionContext,
): CollectionCharges {
  return closeAt(booking, { ...unit, collectionKilometres, collectionFuelEighths }, civilAt, graceMinutes);
}

// Whether a correction of a returned unit would change its costs, which stay unchanged unless the contract is reopened.
function changesClosing(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: CheckInUnit,
  { doneAt, civilReturn, graceMinutes }: OperationDecisionContext,
): boolean {
  if (civilReturn === undefined || unit.isReopened) return false;
  const charged = closeAt(booking, unit, civilReturn, graceMinutes);
  const right = closeAt(booking, corrected(unit, operation, doneAt), civilReturn, graceMinutes);
  return charged.fuelCents !== right.fuelCents || charged.kilometresCents !== right.kilometresCents;
}

function corrected(unit: CheckInUnit, { kilometres, fuelEighths }: CheckInOperation, doneAt: number): CheckInUnit {
  return correctsReturnReading(unit, doneAt)
    ? {
        ...unit,
        collectionKilometres: kilometres ?? unit.collectionKilometres,
        collectionFuelEighths: fuelEighths ?? unit.collectionFuelEighths,
      }
    : {
        ...unit,
        deliveryKilometres: kilometres ?? unit.deliveryKilometres,
        deliveryFuelEighths: fuelEighths ?? unit.deliveryFuelEighths,
      };
}

function closeAt(booking: CheckInBooking, unit: CheckInUnit, civilAt: CivilMinute, graceMinutes: number) {
  const { kilometresPerDay } = unit;
  return calculateUnitClosing(
    {
      extraDayCents: getUnitDayRateCents(unit, booking.days),
      fuelEighthCents: unit.fuelEighthCents,
      kilometresIncluded: kilometresPerDay === undefined ? undefined : kilometresPerDay * booking.days,
      days: booking.days,
      extraKilometreCents: unit.extraKilometreCents,
    },
    {
      lateMinutes: getLateMinutes(booking, graceMinutes, civilAt),
      graceMinutes,
      deliveryKilometres: unit.deliveryKilometres,
      collectionKilometres: unit.collectionKilometres,
      deliveryFuelEighths: unit.deliveryFuelEighths,
      collectionFuelEighths: unit.collectionFuelEighths,
      earlier: unit.earlier,
    },
  );
}

/** Returns the price of one more day of a unit: its price divided by the agreed days, rounded half up. */
export function getUnitDayRateCents({ unitCents }: Pick<CheckInUnit, "unitCents">, days: number): number {
  return divideRounded(unitCents, days);
}
