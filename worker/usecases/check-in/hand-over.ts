import { canDiscountOrWaive, hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SecondFactorState, type SignedInUser } from "#domain/access/sessions.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { HandOverRequest } from "#domain/check-in/desk.ts";
import { decideHandOver, type HandOverCheckInput, type HandOverVerdict } from "#domain/check-in/hand-over-checks.ts";

import type { CheckInOperation, OperationDecision } from "#domain/check-in/operations.ts";
import { CONFLICT_MESSAGES, NOT_DELIVERED_MESSAGE } from "#domain/check-in/outcome.ts";
import { type ReturnCharges, summarizeReturnCharges } from "#domain/check-in/return-charges.ts";
import { findActionRefusal } from "#domain/contracts/actions.ts";
import type { Contract, ContractUnit } from "#domain/contracts/contract.ts";
import { createImprobableReadingError } from "#domain/contracts/exchange.ts";
import { findImprobableKilometres } from "#domain/contracts/readings.ts";
import { type ChargeableExtra, type PricedSurcharges, priceSurcharges } from "#domain/contracts/surcharge.ts";
import { MILLISECONDS_PER_MINUTE, toCivilMinute } from "#domain/dates.ts";
import { HAND_OVER_FAILURE_CODES } from "#domain/failure-codes.ts";
import { sumCents } from "#domain/money.ts";
import { filterExceptionalReturns } from "#domain/payments/deposit-return.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { chargeableExtrasQuery } from "#worker/store/bookings/contract-extras.ts";
import { OFFICE_DEVICE_ID } from "#worker/store/check-in/review.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import { handOverCheckInputQuery } from "#worker/store/contracts/hand-over-facts.ts";
import { reservationQueries } from "#worker/store/contracts/reservations.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import { officeRequestQuery, saveOfficeRequestStatement } from "#worker/store/guards/office-requests.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import { applyHeldOperations } from "#worker/usecases/check-in/apply-held-operations.ts";
import { attemptOperation, previewOperation } from "#worker/usecases/check-in/process-operation.ts";
import { operationDecisionQueries, toOperationDecisionData } from "#worker/usecases/check-in/read-operation.ts";
import {
  createVersionConflictRefusal,
  readReservation,
  toReservationAnswer,
} from "#worker/usecases/contracts/read-reservation.ts";
import { findStaffLimitRefusal } from "#worker/usecases/documents/staff-context.ts";
import {
  createUserIdempotencyKey,
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type OfficeRefusal,
  type OfficeWrite,
  type ReservationAnswer,
  type ReservationRows,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { CONFLICT_ATTEMPTS, withRetry } from "#worker/usecases/shared/with-retry.ts";

/**
 * Delivers or collects a vehicle at the desk, once per key. Uses the same operation and code as a device. A refused
 * operation is returned immediately and not stored.
 */
export async function performHandOver(
  write: OfficeWrite,
  input: HandOverRequest,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const content = await computeFingerprint({ action: input.action, bookingId: input.bookingId, sent: input.sent });
  // The next attempt omits an extra that the stock refused.
  const refusedExtras = new Set<string>();
  return withRetry(() => tryHandOver(write, input, { content, refusedExtras }), { attempts: CONFLICT_ATTEMPTS });
}

// Money received in the same request counts as paid. A return has no checks.
function decideDelivery(
  { facts, catalogue, staff: { role } }: HandOverData,
  { action, charges, signature, reason }: HandOverRequest,
): HandOverVerdict | undefined {
  if (action !== "deliver" || !facts) return undefined;
  const work = { charges, hasSignature: signature !== undefined };
  return decideHandOver(catalogue.settings.handOverChecks, facts, work, { role, reason });
}

interface Attempt {
  /** Fingerprint of the request's content, to recognise a repetition. */
  readonly content: string;
  readonly refusedExtras: Set<string>;
  /** A manager's reason to hand over although something is missing. */
  readonly override?: HandOverVerdict["override"];
  readonly surcharges?: PricedSurcharges["surcharges"];
}

async function tryHandOver(
  write: OfficeWrite,
  input: HandOverRequest,
  attempt: Attempt,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal> | undefined> {
  const handOverData = await readForHandOver(write, input, await createUserIdempotencyKey(write));
  if (!handOverData.ok) return handOverData;
  const { known } = handOverData.value;
  if (known === attempt.content) return readReservation(write, input.bookingId);
  if (known !== undefined) return err({ kind: "keyReused" });
  if (handOverData.value.contract.version !== input.expectedVersion)
    return createVersionConflictRefusal(write, input.bookingId);
  const operation = toOperation(write, input, handOverData.value);
  if (!operation.ok) return operation;
  const refusedReturn = refuseExceptionalReturn(handOverData.value, input);
  if (refusedReturn) return refusedReturn;
  const priced = priceCharges(write, input, handOverData.value);
  if (!priced.ok) return priced;
  const verdict = decideDelivery(handOverData.value, input);
  if (verdict?.isBlocked) return err({ kind: "handOverBlocked", missing: verdict.missing, blocking: verdict.blocking });
  return apply(write, handOverData.value, operation.value, {
    ...{ ...attempt, override: verdict?.override },
    surcharges: priced.value.surcharges,
  });
}

type ReturnRefusal = Extract<OfficeRefusal, { readonly kind: "checkInConflict" }> | InvalidInput<string>;

/** Effects of a return, or the reason it can't be made. */
export interface ReturnQuote {
  readonly refusal: ReturnRefusal | undefined;
  /** Undefined if the return is refused for another reason than an improbable reading. */
  readonly charges: ReturnCharges | undefined;
  readonly unitId: number | undefined;
  /** Time of the return in epoch ms. */
  readonly doneAt: number;
  readonly surcharges: PricedSurcharges["surcharges"];
}

/** Quotes the return of a vehicle with its costs. Stores nothing. One round trip. */
export async function quoteReturn(
  request: StaffRequest,
  input: HandOverRequest,
): Promise<Result<StaffAnswer<ReturnQuote>, OfficeRefusal>> {
  const handOverData = await readForHandOver(request, input, "");
  if (!handOverData.ok) return handOverData;
  const { freshToken, staff, catalogue, operationRows, contract } = handOverData.value;
  const operation = toOperation(request, input, handOverData.value);
  if (!operation.ok) return operation;
  const priced = priceCharges(request, input, handOverData.value);
  if (!priced.ok) return priced;
  const reading = toOperationDecisionData(catalogue, operation.value, operationRows);
  const { booking } = reading;
  if (!booking) return err({ kind: "reservationNotFound" });
  const decided = previewOperation({ ...reading, booking }, operation.value, {
    receipt: { userId: staff.userId, author: staff.fullName, at: request.now },
    fingerprint: "",
    refusedExtras: new Set(),
    isForced: false,
    surcharges: priced.value.surcharges,
  });
  const refusal =
    findDecisionRefusal(decided.decision) ??
    findImprobableReading(reading, operation.value, {
      now: request.now,
      kilometresADay: catalogue.settings.kilometresADay,
    });
  const { date, time } = toCivilNow(catalogue.settings.timezone, decided.doneAt);
  const charges =
    decided.decision.kind === "apply"
      ? summarizeReturnCharges(booking, decided.decision, {
          soldCents: decided.soldCents,
          civilAt: toCivilMinute(date, time),
          isReopened: contract.reopenedAt !== undefined,
        })
      : undefined;
  const { unitId } = operation.value;
  const { surcharges } = priced.value;
  return ok({ value: { refusal, charges, unitId, doneAt: decided.doneAt, surcharges }, freshToken });
}

function findDecisionRefusal(decision: OperationDecision): ReturnRefusal | undefined {
  switch (decision.kind) {
    case "apply":
      return undefined;
    case "hold":
      return { kind: "checkInConflict", code: "not_delivered", message: NOT_DELIVERED_MESSAGE };
    case "conflict":
      return { kind: "checkInConflict", code: decision.code, message: CONFLICT_MESSAGES[decision.code] };
    case "reject":
      return { kind: "invalid", field: decision.field, reason: decision.reason };
  }
}

// Prices the surcharges of a return. A price below that of the extra is a discount with the limit of the user's role.
function priceCharges(
  { now }: Pick<OfficeWrite, "now">,
  { surcharges }: HandOverRequest,
  { staff, catalogue: { settings }, chargeable, ids }: HandOverData,
): Result<PricedSurcharges, OfficeRefusal> {
  const requests = surcharges.map(({ damage, ...surcharge }) => ({
    ...surcharge,
    damageId: damage === undefined ? undefined : ids.damages[damage],
  }));
  const unknown = requests.findIndex(({ damageId }, index) => surcharges[index]?.damage !== undefined && !damageId);
  if (unknown >= 0)
    return err({ kind: "invalid", field: `surcharges.${unknown}.damage`, reason: createReason("no_damage") });
  const priced = priceSurcharges(chargeable, requests, toCivilNow(settings.timezone, now).date);
  if (!priced.ok) return priced;
  const { forgoneCents } = priced.value;
  return forgoneCents === 0 || canDiscountOrWaive(staff, forgoneCents, settings.agentLimitCents)
    ? priced
    : err({ kind: "aboveLimit", limitCents: settings.agentLimitCents });
}

// A device reports returns that have happened. The desk's are refused before, as with a single charge.
function refuseExceptionalReturn(
  { staff, factor, catalogue: { settings }, amounts }: HandOverData,
  { charges }: HandOverRequest,
): Result<never, OfficeRefusal> | undefined {
  const returns = amounts ? filterExceptionalReturns(charges, amounts) : [];
  if (!amounts || returns.length === 0) return undefined;
  const cents = amounts.refundedAloneCents + sumCents(returns.map(({ amountCents }) => amountCents));
  return findStaleFactorRefusal(factor) ?? findStaffLimitRefusal(staff, settings, cents, "refunds");
}

interface HandOverData {
  readonly staff: SignedInUser;
  readonly freshToken: string | undefined;
  readonly catalogue: Catalogue;
  readonly contract: Contract;
  readonly key: string;
  readonly ids: OperationIds;
  /** Fingerprint of the earlier request with this key. */
  readonly known: string | undefined;
  readonly facts: HandOverCheckInput | undefined;
  readonly factor: SecondFactorState;
  /** Money of the contract. */
  readonly amounts: Awaited<ReturnType<typeof bookingAmountsQuery>>[number] | undefined;
  /** Extras that price the surcharges. */
  readonly chargeable: readonly ChargeableExtra[];
  readonly operationRows: QueryResults<ReturnType<typeof operationDecisionQueries>>;
}

const KINDS = { deliver: "delivery", collect: "collection" } as const;

async function readForHandOver(
  request: StaffRequest,
  { action, bookingId, reference, charges, damages, surcharges }: HandOverRequest,
  key: string,
): Promise<Result<HandOverData, OfficeRefusal>> {
  const { db } = request.tenant;
  const ids = await operationIds(key, { charges: charges.length, damages: damages.length });
  const name = {
    kind: KINDS[action],
    opId: ids.opId,
    bookingId,
    vehicleReference: reference,
    charges: ids.charges.map((chargeId) => ({ chargeId })),
  };
  const codes = surcharges.map(({ code }) => code);
  const read = await readAsStaff(
    request,
    (catalogue) =>
      [
        handOverCheckInputQuery(db, bookingId),
        chargeableExtrasQuery(db, codes),
        bookingAmountsQuery(db, { bookingId }),
        ...contractQueries(db, bookingId),
        officeRequestQuery(db, key),
        ...operationDecisionQueries(db, catalogue, name, request.now),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, factor, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "hand_over");
  if (missing) return missing;
  const [[facts], chargeable, [amounts], booking, lines, extras, units, transfer, [known], ...operationRows] = rows;
  const contract = toContract([booking, lines, extras, units, transfer]);
  if (!contract || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  return ok({
    staff,
    freshToken,
    catalogue,
    contract,
    key,
    ids,
    known: known?.fingerprint,
    facts,
    factor,
    amounts,
    chargeable,
    operationRows,
  });
}

function toOperation(
  { now }: Pick<OfficeWrite, "now">,
  input: HandOverRequest,
  { contract, catalogue, ids }: HandOverData,
): Result<CheckInOperation, OfficeRefusal> {
  const { timezone } = catalogue.settings;
  const { date, time } = toCivilNow(timezone, now);
  const refusal = findActionRefusal(contract, input.action, { at: now, civil: toCivilMinute(date, time) });
  // Only refusals of transfers are returned here. The check-in decision below refuses rentals with its own codes.
  if (refusal && contract.kind === "transfer") return err(refusal);
  const unit = findUnit(contract, input);
  if (!unit) return err({ kind: "unitNotFound" });
  const recordedAt =
    input.at === undefined ? now : moveToDeliveryInSameMinute(toEpochInstant(timezone, input.at), unit);
  if (recordedAt > now) return err({ kind: "invalid", field: "at", reason: createReason("in_future") });
  if (input.returnBranchCode !== undefined && !catalogue.branches.has(input.returnBranchCode))
    return err({ kind: "invalid", field: "return_rental_location_code", reason: createReason("no_branch") });
  if (input.action === "deliver" && input.reference === undefined && unit.reference === undefined)
    return err({ kind: "invalid", field: "reference", reason: createReason("vehicle_required") });
  return ok({
    opId: ids.opId,
    deviceId: OFFICE_DEVICE_ID,
    seq: 1,
    kind: KINDS[input.action],
    bookingId: contract.id,
    unitId: unit.id,
    baseVersion: input.expectedVersion,
    author: undefined,
    recordedAt,
    clockOffset: 0,
    vehicleReference: input.reference,
    kilometres: input.kilometres,
    fuelEighths: input.fuelEighths,
    hasConfirmedReadings: input.hasConfirmedReadings,
    notes: input.notes,
    returnBranchCode: input.returnBranchCode,
    extras: input.extras,
    charges: input.charges.map((charge, index) => ({ ...charge, chargeId: ids.charges[index] ?? "" })),
    damages: input.damages.map((damage, index) => ({ ...damage, damageId: ids.damages[index] ?? "" })),
    ...signAtDesk(input, now),
    removedFiles: [],
  });
}

// A typed time has no seconds. A return in the minute of the delivery isn't before it.
function moveToDeliveryInSameMinute(typedAt: number, { deliveredAt = 0 }: ContractUnit): number {
  return deliveredAt > typedAt && deliveredAt - typedAt < MILLISECONDS_PER_MINUTE ? deliveredAt : typedAt;
}

// Converts a signature from the office to the form in which a device sends it.
function signAtDesk(
  { signature, sent }: HandOverRequest,
  now: number,
): Pick<CheckInOperation, "signature" | "files" | "sent"> {
  if (!signature) return { signature: undefined, files: [], sent };
  const { name, hash, contract } = signature;
  const method = "drawn";
  const signed = {
    ...{ method, name, hash, signed_at: new Date(now).toISOString() },
    ...(contract && { contract_hash: contract.hash, contract_language: contract.language }),
  };
  return {
    signature: { method, contractHash: contract?.hash },
    files: [{ hash, view: "signature" }, ...(contract ? [{ hash: contract.hash, view: "contract" }] : [])],
    sent: { ...sent, signature: signed },
  };
}

// Returns the named unit, otherwise the vehicle's unit, otherwise the next pending one.
function findUnit({ units }: Contract, { action, unitId, reference }: HandOverRequest): ContractUnit | undefined {
  if (unitId !== undefined) return units.find(({ id }) => id === unitId);
  const isPending =
    action === "deliver"
      ? (unit: ContractUnit) => unit.deliveredAt === undefined
      : (unit: ContractUnit) => (unit.deliveredAt !== undefined && unit.collectedAt === undefined) || unit.reopened;
  const pendingUnits = units.filter(isPending);
  return (
    pendingUnits.find((unit) => reference !== undefined && unit.reference === reference) ??
    pendingUnits.find((unit) => unit.reference === undefined || action === "collect") ??
    pendingUnits[0] ??
    units[0]
  );
}

interface OperationIds {
  readonly opId: string;
  readonly charges: readonly string[];
  readonly damages: readonly string[];
}

// The same key gives the same ids, so that each part is done once.
async function operationIds(
  key: string,
  { charges, damages }: { readonly charges: number; readonly damages: number },
): Promise<OperationIds> {
  const hashes = Array.from({ length: 1 + charges + damages }, (_, index) => computeFingerprint({ key, index }));
  const [opId = "", ...ids] = (await Promise.all(hashes)).map((hash) =>
    [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join("-"),
  );
  return { opId, charges: ids.slice(0, charges), damages: ids.slice(charges) };
}

async function apply(
  write: OfficeWrite,
  { staff, freshToken, key, catalogue, operationRows }: HandOverData,
  operation: CheckInOperation,
  { content, refusedExtras, override, surcharges = [] }: Attempt,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal> | undefined> {
  const { tenant, now } = write;
  const { bookingId } = operation;
  const reading = toOperationDecisionData(catalogue, operation, operationRows);
  const improbableReading = findImprobableReading(reading, operation, {
    now,
    kilometresADay: catalogue.settings.kilometresADay,
  });
  if (improbableReading) return err(improbableReading);
  const request = { key, fingerprint: content };
  const attempted = await attemptOperation(tenant, reading, operation, {
    receipt: { userId: staff.userId, author: staff.fullName, at: now },
    fingerprint: content,
    refusedExtras,
    isForced: false,
    acceptsCredit: hasRight(staff.role, "manage"),
    surcharges,
    ...(override && { override }),
    related: {
      statements: [saveOfficeRequestStatement(tenant.db, request, { resource: String(bookingId), at: now })],
      reads: reservationQueries(tenant.db, bookingId),
    },
  });
  if (!attempted) return undefined;
  const { state, code, message } = attempted.outcome;
  if (state !== "applied") {
    const known = HAND_OVER_FAILURE_CODES.find((item) => item === code);
    if (!known) throw new Error(`A conflict at the desk has the unknown code ${code}`);
    return err({ kind: "checkInConflict", code: known, message });
  }
  if (operation.kind === "delivery" && reading.heldOperations.length > 0) {
    await applyHeldOperations(tenant, reading.heldOperations, now);
    return readReservation(write, bookingId);
  }
  const value = toReservationAnswer(attempted.answers as unknown as ReservationRows, { staff, catalogue, now });
  return value ? ok({ value, freshToken }) : err({ kind: "reservationNotFound" });
}

// Returns the refusal of an improbable reading, so that the office user must confirm it. A device has already asked its
// user, and its work is never refused because of a reading.
function findImprobableReading(
  { booking, vehicle }: ReturnType<typeof toOperationDecisionData>,
  { kind, unitId, kilometres, recordedAt, hasConfirmedReadings }: CheckInOperation,
  { now, kilometresADay }: { readonly now: number; readonly kilometresADay: number },
): InvalidInput<string> | undefined {
  const unit = booking?.units.find((unit) => unit.unitId === unitId);
  if (!unit || hasConfirmedReadings) return undefined;
  const improbableReading = findImprobableKilometres(kilometres, {
    ...{ kind, at: Math.min(recordedAt, now), kilometresADay, vehicleKilometres: vehicle?.kilometres },
    ...{ deliveryKilometres: unit.deliveryKilometres, deliveredAt: unit.deliveredAt, collectedAt: undefined },
  });
  return improbableReading && createImprobableReadingError("kilometres", improbableReading, vehicle?.reference ?? "");
}
