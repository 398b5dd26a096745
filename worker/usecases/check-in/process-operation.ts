import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import { decideCheckInOperation } from "#domain/check-in/decision.ts";
import { exceedsAmountDue } from "#domain/check-in/desk.ts";
import type {
  CheckInBooking,
  CheckInOperation,
  OperationDecision,
  OperationDecisionContext,
  RecordedCharge,
} from "#domain/check-in/operations.ts";
import {
  APPLIED_OPERATION_MESSAGE,
  type CheckInOutcome,
  CONFLICT_MESSAGES,
  createRejectedOutcome,
  HELD_OPERATION_MESSAGE,
  NOT_DELIVERED_MESSAGE,
  STORED_AS_EVIDENCE_NOTE,
} from "#domain/check-in/outcome.ts";
import { removePersonalDataFromOperation } from "#domain/check-in/remove-personal-data.ts";
import { filterSellableExtras, needsOfficeReview } from "#domain/check-in/warnings.ts";
import type { Surcharge } from "#domain/contracts/surcharge.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import { createReason } from "#domain/problems.ts";
import type { LedgerSource } from "#domain/reporting/ledger-source.ts";
import type { StoredOperation } from "#worker/store/check-in/check-in.ts";
import { saveCheckInOperation } from "#worker/store/check-in/operations.ts";
import {
  type AppliedOperation,
  addUnappliedOperationHistoryStatement,
  applyOperationStatements,
  increaseBookingVersionStatement,
  type OperationReceipt,
  type OperationRow,
  type Statement,
  storeOperationStatements,
  updateOperationStatements,
} from "#worker/store/check-in/writes.ts";
import { addHandOverOverrideStatement } from "#worker/store/contracts/hand-over-facts.ts";
import type { Query } from "#worker/store/database.ts";
import type { ContractToInvoiceRows } from "#worker/store/documents/contract-to-invoice.ts";
import { newChargesStatements, updatePaidAmountStatements } from "#worker/store/payments/charges.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { createFieldWorkLedgerStatements } from "#worker/usecases/reporting/change-ledger.ts";
import { draftClosingDocuments, toOperationCharges } from "./close-contract.ts";
import { addExchangeUpgradePrice, createFieldExchangeStatements, type ExchangeData } from "./exchange-vehicle.ts";
import { collectUnsellableExtras, priceSoldExtras, reduceDepositByExtras } from "./extra-sales.ts";

const MAX_HOLD_MS = 24 * 3_600_000;

/** Operation about to be decided, with its context. */
export interface OperationContext {
  readonly receipt: OperationReceipt;
  readonly fingerprint: string;
  /** Codes of extras that the database refused in earlier attempts. */
  readonly refusedExtras: Set<string>;
  /** Whether a collection is applied without its delivery, because it was held long enough. */
  readonly isForced: boolean;
  readonly mayGiveUpgrade?: boolean;
  /** Whether missing requirements block the delivery. */
  readonly isBlocked?: boolean;
  /** Manager's reason to deliver despite missing requirements. */
  readonly override?: { readonly reason: string; readonly missing: readonly HandOverCheck[] };
  /** Stored operation, if it was held before. Its row is updated. */
  readonly heldOperation?: StoredOperation;
  /**
   * Statements and reads of an office request, added to the batch. A refused office operation is returned to the caller
   * and not stored as evidence.
   */
  readonly related?: { readonly statements: readonly Statement[]; readonly reads: readonly Query[] };
  /** Whether the caller may accept more than the amount due as credit. Money taken on a device is always accepted. */
  readonly acceptsCredit?: boolean;
  /** Charges of a return in addition to the extras. */
  readonly surcharges?: readonly Surcharge[];
  /** Codes of the surcharges of a device that the office must decide on. */
  readonly refusedSurcharges?: readonly string[];
}

/** Outcome of an operation, with the results of the additional reads. */
export interface OperationAttemptResult {
  readonly outcome: CheckInOutcome;
  readonly answers: readonly unknown[];
}

interface OperationData extends ExchangeData {
  readonly booking: CheckInBooking | undefined;
  readonly ledger: LedgerSource | undefined;
  readonly knownCharges: readonly RecordedCharge[];
  readonly contract: ContractToInvoiceRows;
}

type StoredDecision = Exclude<OperationDecision, { readonly kind: "reject" }>;

/** Decision on an operation, with the data that it's based on. */
interface OperationPreview {
  readonly operation: CheckInOperation;
  readonly decision: OperationDecision;
  readonly depositReduction: AppliedOperation["depositReduction"];
  readonly doneAt: number;
  /** Amount of the extras and costs that the operation adds. */
  readonly soldCents: Cents;
}

/** Decides an operation and stores nothing. */
export function previewOperation(
  known: OperationData & { readonly booking: CheckInBooking },
  requestedOperation: CheckInOperation,
  context: OperationContext,
): OperationPreview {
  const { booking, catalogue } = known;
  const operation = removePersonalDataFromOperation(booking, requestedOperation);
  const { receipt, refusedExtras } = context;
  collectUnsellableExtras(catalogue, booking, operation, refusedExtras);
  const doneAt = getDoneAt(booking, operation, receipt.at);
  const times = { doneAt, ...civilMoments(booking, operation, doneAt, catalogue.settings.timezone) };
  const sellable = filterSellableExtras(booking, operation, refusedExtras);
  const { booking: withExtras, depositReduction } = reduceDepositByExtras(catalogue, booking, sellable);
  const decision = decide({ ...known, booking: withExtras }, operation, context, times);
  const soldCents = sumCents([
    decision.kind === "apply" ? priceSoldExtras(catalogue, booking, decision.extras).soldCents : 0,
    ...(context.surcharges ?? []).map(({ extraCents }) => extraCents),
  ]);
  return { operation, decision, depositReduction, doneAt, soldCents };
}

/**
 * Decides an operation and writes its effects in one batch. Returns undefined after a concurrent change. Then read and
 * decide again.
 */
export async function attemptOperation(
  tenant: Tenant,
  known: OperationData,
  requestedOperation: CheckInOperation,
  context: OperationContext,
): Promise<OperationAttemptResult | undefined> {
  const { booking, catalogue } = known;
  if (!booking) return undefined;
  const { receipt, refusedExtras, surcharges = [] } = context;
  const { operation, decision, depositReduction, doneAt, soldCents } = previewOperation(
    { ...known, booking },
    requestedOperation,
    context,
  );
  const { date } = toCivilNow(catalogue.settings.timezone, doneAt);
  if (decision.kind === "reject") {
    const { opId, bookingId } = operation;
    const message = `${decision.field} ${formatProblem(decision.reason)}`;
    const outcome = createRejectedOutcome({
      opId,
      bookingId,
      status: 400,
      code: "invalid_input",
      message,
      problems: [{ field: decision.field, ...decision.reason }],
      receivedAt: receipt.at,
    });
    return { outcome, answers: [] };
  }
  const { related } = context;
  if (related && decision.kind !== "apply")
    return { outcome: refuseImmediately(operation, decision, receipt.at), answers: [] };
  if (decision.kind === "apply" && context.acceptsCredit === false && exceedsAmountDue(booking, decision, soldCents))
    return { outcome: refuseOverpayment(operation, receipt.at), answers: [] };
  const row = toRow(booking, operation, decision, context);
  const first = [
    ...(context.heldOperation
      ? updateOperationStatements(tenant.db, booking, row)
      : storeOperationStatements(tenant.db, booking, operation, row)),
    ...(related?.statements ?? []),
    ...createOverrideStatements(tenant, booking, decision, context),
  ];
  const operationEffects = planOperationWrites(tenant, { ...known, booking }, operation, decision, row, {
    ...{ depositReduction, doneAt, date, surcharges },
  });
  const issuer = { tenant, settings: catalogue.settings };
  const saveResult = await issueDocuments(issuer, operationEffects.documents, ({ statements }) =>
    saveCheckInOperation(
      tenant.db,
      operation.opId,
      [...first, ...operationEffects.before, ...statements, ...operationEffects.after],
      related?.reads,
    ),
  );
  if (saveResult.kind === "soldOut") refusedExtras.add(saveResult.code);
  if (saveResult.kind !== "saved") return undefined;
  const status = decision.kind === "apply" ? decision.status : undefined;
  return {
    outcome: getStoredOperationOutcome(row, status ?? booking.status, saveResult.missing),
    answers: saveResult.answers,
  };
}

// Records a manager's reason for a delivery despite missing requirements.
function createOverrideStatements(
  { db }: Tenant,
  { id }: CheckInBooking,
  { kind }: OperationDecision,
  { override, receipt: { at, userId } }: OperationContext,
): readonly Query[] {
  if (!override || kind !== "apply") return [];
  return [addHandOverOverrideStatement(db, id, { ...override, at, actor: `staff:${userId}` })];
}

function civilMoments({ units }: CheckInBooking, { unitId }: CheckInOperation, doneAt: number, timezone: string) {
  const toCivilTime = (at: number) => {
    const { date, time } = toCivilNow(timezone, at);
    return toCivilMinute(date, time);
  };
  const collectedAt = units.find((unit) => unit.unitId === unitId)?.collectedAt;
  return {
    civilAt: toCivilTime(doneAt),
    civilReturn: collectedAt === undefined ? undefined : toCivilTime(collectedAt),
  };
}

function decide(
  known: OperationData & { readonly booking: CheckInBooking },
  operation: CheckInOperation,
  { receipt, isForced, refusedExtras, refusedSurcharges, mayGiveUpgrade = false, isBlocked = false }: OperationContext,
  when: Pick<OperationDecisionContext, "doneAt" | "civilAt" | "civilReturn">,
): OperationDecision {
  const upgraded = addExchangeUpgradePrice(known, operation);
  if (!upgraded.ok) return { kind: "reject", field: "exchange.upgrade_price", reason: upgraded.error.reason };
  const { settings, branches, driverAgeRules: driverAges } = known.catalogue;
  const { returnBranchCode } = operation;
  if (returnBranchCode !== undefined && !branches.has(returnBranchCode))
    return { kind: "reject", field: "return_rental_location_code", reason: createReason("no_branch") };
  const decision = decideCheckInOperation(known.booking, operation, known.vehicle, {
    now: receipt.at,
    ...when,
    graceMinutes: settings.graceMinutes,
    kilometresADay: settings.kilometresADay,
    closingLimitCents: settings.closingChargeLimitCents,
    driverAges,
    isForced,
    mayGiveUpgrade,
    knownCharges: known.knownCharges,
    refusedExtras,
    refusedSurcharges,
  });
  return isBlocked && operation.kind === "delivery" && decision.kind === "apply"
    ? { kind: "conflict", code: "handover_blocked", before: undefined }
    : decision;
}

function refuseOverpayment({ opId, bookingId }: CheckInOperation, receivedAt: number): CheckInOutcome {
  const message = "charges: it is more than is due: a manager may take it as credit";
  return createRejectedOutcome({ opId, bookingId, status: 409, code: "more_than_due", message, receivedAt });
}

// An operation can't be done after it was received, whatever the device's clock shows. Otherwise an extra day might be
// charged. A later correction keeps the time of the collection.
function getDoneAt({ units }: CheckInBooking, { kind, unitId, recordedAt }: CheckInOperation, now: number): number {
  const unit = units.find((unit) => unit.unitId === unitId);
  const collectedAt = kind === "collection" && unit?.isReopened ? unit.collectedAt : undefined;
  return Math.min(recordedAt, now, collectedAt ?? Number.POSITIVE_INFINITY);
}

function refuseImmediately(
  { opId, bookingId }: CheckInOperation,
  decision: Extract<StoredDecision, { readonly kind: "hold" | "conflict" }>,
  receivedAt: number,
): CheckInOutcome {
  const [code, message] =
    decision.kind === "hold"
      ? (["not_delivered", NOT_DELIVERED_MESSAGE] as const)
      : ([decision.code, CONFLICT_MESSAGES[decision.code]] as const);
  return createRejectedOutcome({ opId, bookingId, status: 409, code, message, receivedAt });
}

function planOperationWrites(
  { db }: Tenant,
  known: OperationData & { readonly booking: CheckInBooking },
  operation: CheckInOperation,
  decision: StoredDecision,
  row: OperationRow,
  done: Pick<AppliedOperation, "depositReduction" | "doneAt" | "date" | "surcharges">,
): {
  readonly before: readonly Statement[];
  readonly documents: readonly DocumentToWrite[];
  readonly after: readonly Statement[];
} {
  const { catalogue, contract, ledger, vehicle } = known;
  if (decision.kind !== "apply") {
    const { booking } = known;
    const before = [
      addUnappliedOperationHistoryStatement(db, row),
      ...(decision.kind === "hold" ? [increaseBookingVersionStatement(db, booking)] : []),
    ];
    return { before, documents: [], after: [] };
  }
  const returnedTo = findReturn(catalogue, known.booking, operation);
  const booking = returnedTo ? { ...known.booking, returnBranchCode: returnedTo.code } : known.booking;
  const returnGroupId = catalogue.branches.get(booking.returnBranchCode)?.branchGroupId;
  const { extras, discountChange } = priceSoldExtras(catalogue, booking, decision.extras);
  const application: AppliedOperation = {
    booking,
    operation,
    applied: decision,
    returnedTo,
    extras,
    discountChange,
    isElsewhere: [booking.branchGroupId, vehicle?.branchGroupId ?? returnGroupId].some((id) => id !== returnGroupId),
    receipt: { userId: row.userId, author: row.author, at: row.receivedAt },
    ...done,
  };
  const { settings } = catalogue;
  const toCivilDate = (at: number) => toCivilNow(settings.timezone, at).date;
  const documents = draftClosingDocuments(application, contract, { date: toCivilDate(row.receivedAt), settings });
  const charges = toOperationCharges(application, settings.currency);
  return {
    before: [...createFieldExchangeStatements(db, known, application), ...applyOperationStatements(db, application)],
    documents,
    after: [
      ...newChargesStatements(db, charges),
      ...(documents.length > 0 && charges.length === 0
        ? updatePaidAmountStatements(db, booking.id, row.receivedAt)
        : []),
      ...createFieldWorkLedgerStatements(db, application, ledger, toCivilDate),
    ],
  };
}

// Returns the return branch if it differs from the agreed one.
function findReturn(
  { branches }: Catalogue,
  { returnBranchCode: agreed }: CheckInBooking,
  { returnBranchCode: actual }: CheckInOperation,
): AppliedOperation["returnedTo"] {
  const branch = actual === undefined || actual === agreed ? undefined : branches.get(actual);
  return branch && { code: branch.code, name: branch.name, agreed };
}

function toRow(
  booking: CheckInBooking,
  operation: CheckInOperation,
  decision: StoredDecision,
  { receipt, fingerprint, heldOperation }: OperationContext,
): OperationRow {
  const isChange = decision.kind === "hold" || (decision.kind === "apply" && operation.kind !== "evidence");
  const warnings = decision.kind === "apply" ? decision.warnings : [];
  const before = decision.kind === "hold" ? undefined : decision.before;
  return {
    opId: operation.opId,
    bookingId: booking.id,
    unitId: booking.units.find(({ unitId }) => unitId === operation.unitId)?.unitId ?? null,
    kind: operation.kind,
    ...getVerdict(decision),
    flags: [...(decision.kind === "apply" ? decision.flags : []), ...(heldOperation ? (["held"] as const) : [])],
    warnings,
    needsLook: needsOfficeReview(operation, warnings),
    fingerprint,
    operation: { ...operation },
    byName: before?.author ?? null,
    byAt: before?.at ?? null,
    version: booking.version + (isChange ? 1 : 0),
    author: receipt.author,
    userId: receipt.userId,
    deviceId: operation.deviceId,
    seq: operation.seq,
    recordedAt: operation.recordedAt,
    receivedAt: heldOperation?.receivedAt ?? receipt.at,
    heldUntil: decision.kind === "hold" ? receipt.at + MAX_HOLD_MS : null,
  };
}

function getVerdict(decision: StoredDecision): Pick<OperationRow, "state" | "code" | "message"> {
  switch (decision.kind) {
    case "apply":
      return { state: "applied", code: "applied", message: APPLIED_OPERATION_MESSAGE };
    case "hold":
      return { state: "held", code: "held", message: HELD_OPERATION_MESSAGE };
    case "conflict":
      return {
        state: "conflict",
        code: decision.code,
        message: `${CONFLICT_MESSAGES[decision.code]}${STORED_AS_EVIDENCE_NOTE}`,
      };
  }
}

const isResolved = (state: OperationRow["state"]) => state === "accepted" || state === "dismissed";

const STATUS = { applied: 200, accepted: 200, dismissed: 200, held: 202, conflict: 409 } as const;

/** Returns the outcome of a stored operation. For the device, an operation that the office resolved is done. */
export function getStoredOperationOutcome(
  row: OperationRow,
  bookingStatus: BookingStatus | undefined,
  missing: readonly string[],
): CheckInOutcome {
  const [state, code] = isResolved(row.state) ? (["applied", row.state] as const) : ([row.state, row.code] as const);
  return {
    opId: row.opId,
    bookingId: row.bookingId,
    state,
    status: STATUS[row.state],
    code,
    message: row.message,
    bookingStatus,
    version: row.version,
    flags: row.flags,
    warnings: row.warnings,
    missing,
    before: row.byName && row.byAt ? { author: row.byName, at: row.byAt } : undefined,
    receivedAt: row.receivedAt,
  };
}
