import { hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDeliveryDataAndSales, decideHandOver, type HandOverCheckInput } from "#domain/check-in/hand-over-checks.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { type CheckInOutcome, createRejectedOutcome } from "#domain/check-in/outcome.ts";
import { ok, type Result } from "#domain/result.ts";
import { handOverCheckInputQuery } from "#worker/store/contracts/hand-over-facts.ts";
import { readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { CONFLICT_ATTEMPTS, withRetry } from "#worker/usecases/shared/with-retry.ts";
import { acceptOperationSurcharges } from "./accept-surcharges.ts";
import { applyHeldOperations } from "./apply-held-operations.ts";
import { quoteExtras } from "./extra-sales.ts";
import { attemptOperation, getStoredOperationOutcome, type OperationContext } from "./process-operation.ts";
import { type OperationDecisionData, operationDecisionQueries, toOperationDecisionData } from "./read-operation.ts";

/** Outcome, with a fresh token. */
export interface AnsweredOperation {
  readonly outcome: CheckInOutcome;
  readonly freshToken: string | undefined;
}

/**
 * Applies one operation of field work exactly once. The same id with the same content returns the outcome, with other
 * content it's refused. Two round trips, more after concurrent writes to the booking.
 */
export async function applyCheckInOperation(
  request: StaffRequest,
  operation: CheckInOperation,
): Promise<Result<AnsweredOperation, StaffRefusal>> {
  const { tenant, now } = request;
  const contentFingerprint = await computeFingerprint(operation.sent);
  const refusedExtras = new Set<string>();
  const attempt = async (): Promise<Result<AnsweredOperation, StaffRefusal> | undefined> => {
    const read = await readAsStaff(
      request,
      (catalogue) =>
        [
          handOverCheckInputQuery(tenant.db, needsChecks(catalogue, operation) ? operation.bookingId : 0),
          ...operationDecisionQueries(tenant.db, catalogue, operation, now),
        ] as const,
    );
    if (!read.ok) return read;
    const { staff, freshToken, catalogue, rows } = read.value;
    const [[facts], ...operationRows] = rows;
    const reading = toOperationDecisionData(catalogue, operation, operationRows);
    const known = findAnswer(reading, staff, operation, contentFingerprint, now);
    if (known) return ok({ outcome: known, freshToken });
    const { booking } = reading;
    const factsAfterDelivery =
      facts &&
      booking &&
      addDeliveryDataAndSales(facts, operation, quoteExtras(catalogue, booking, operation, refusedExtras));
    const attempted = await attemptOperation(tenant, reading, operation, {
      receipt: { userId: staff.userId, author: operation.author ?? staff.fullName, at: now },
      fingerprint: contentFingerprint,
      refusedExtras,
      mayGiveUpgrade: hasRight(staff.role, "manage"),
      isForced: false,
      ...acceptOperationSurcharges(reading, operation, staff, now),
      ...(factsAfterDelivery && toHandOverContext(catalogue, factsAfterDelivery, operation, staff)),
    });
    if (!attempted) return undefined;
    const { outcome } = attempted;
    if (outcome.state === "applied" && operation.kind === "delivery" && reading.heldOperations.length > 0) {
      await applyHeldOperations(tenant, reading.heldOperations, now);
    }
    return ok({ outcome, freshToken });
  };
  return withRetry(attempt, { attempts: CONFLICT_ATTEMPTS });
}

// Whether the data for the delivery checks must be read. It's only needed if a check can block.
function needsChecks({ settings }: Catalogue, { kind }: CheckInOperation): boolean {
  return kind === "delivery" && Object.values(settings.handOverChecks).includes("block");
}

function toHandOverContext(
  { settings: { handOverChecks } }: Catalogue,
  facts: HandOverCheckInput,
  { charges, signature, overrideReason: reason }: CheckInOperation,
  { role }: SignedInUser,
): Pick<OperationContext, "isBlocked" | "override"> {
  const work = { charges, hasSignature: signature !== undefined };
  const { isBlocked, override } = decideHandOver(handOverChecks, facts, work, { role, reason });
  return { isBlocked, ...(override && { override }) };
}

function unknownBooking({ opId, bookingId }: CheckInOperation, now: number): CheckInOutcome {
  const message = `There is no booking ${bookingId}`;
  return createRejectedOutcome({ opId, bookingId, status: 404, code: "unknown_booking", message, receivedAt: now });
}

// Finds an answer without an attempt: the booking isn't accessible, or the id was received before, with the same or
// other content.
function findAnswer(
  { booking, storedOperation, missingFiles }: OperationDecisionData,
  staff: SignedInUser,
  operation: CheckInOperation,
  contentFingerprint: string,
  now: number,
): CheckInOutcome | undefined {
  const { opId, bookingId } = operation;
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) {
    return unknownBooking(operation, now);
  }
  if (!storedOperation) return undefined;
  if (storedOperation.fingerprint === contentFingerprint)
    return getStoredOperationOutcome(storedOperation, booking.status, missingFiles);
  const message = "Another operation has come under this op_id";
  return createRejectedOutcome({ opId, bookingId, status: 422, code: "other_content", message, receivedAt: now });
}
