import { canRefund } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import { getOverpaidCents } from "#domain/payments/pending.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Database } from "#worker/store/database.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { insertRefundRequestStatement, newRefundRequestDataQuery } from "#worker/store/payments/refunds.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { type OfficeWriteDecision, runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import {
  createRefundReadBack,
  encodeRefundOperationIds,
  type RefundAnswer,
  sendRecordedRefundToGateways,
} from "./read-refund.ts";
import {
  type BookingAmountsRow,
  type DecidedRefund,
  planRefund,
  type RefundDecisionData,
  type RefundRecordContext,
  refundDecisionQueries,
  toPaymentMethodOrBankTransfer,
} from "./refund-statements.ts";

/** Refund to a customer. */
export interface RefundRequest {
  /** Defaults to the full amount due. */
  readonly cents: Cents | undefined;
  /** Defaults to the original payment method. */
  readonly method: PaymentMethod | undefined;
  readonly reason: string;
  readonly externalOperationNumber: string | undefined;
  /** Whether staff pay the refund manually. No gateway is called. */
  readonly byHand: boolean;
}

/**
 * Returns the refund due that isn't already in progress: any overpayment, or for a cancelled booking the amount paid
 * beyond its fee.
 */
function getRefundDue(booking: BookingAmountsRow, pendingCents: Cents): Cents {
  const { status, totalPaidCents, retainedFeeCents, totalCents, agentPrepaidCents } = booking;
  const owedCents = status === "cancelled" ? retainedFeeCents : totalCents - agentPrepaidCents;
  return Math.max(0, getOverpaidCents(totalPaidCents, owedCents) - pendingCents);
}

/**
 * Refunds money of a contract, once per key. Above the account's second limit for one person and contract, another
 * manager must approve. The original gateway refunds it if possible. A refund of an invoiced amount creates credit
 * notes.
 */
export async function refundReservation(
  write: OfficeWrite,
  bookingId: number,
  requestedRefund: RefundRequest,
  sendToGateway: SendToGateway,
): Promise<Result<StaffAnswer<RefundAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const refundResult = await runOfficeWriteOnce(write, {
    ...createRefundReadBack(write),
    right: "refunds",
    requiresRecentFactor: true,
    content: { refund: bookingId, wanted: requestedRefund },
    read: () => [...refundDecisionQueries(db, { bookingId }), newRefundRequestDataQuery(db, { bookingId })] as const,
    decide: ({
      rows: [[booking], payments, contract, lines, extras, earlier, [facts]],
      staff,
      catalogue: { settings },
      actor,
    }) => {
      if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
        return err({ kind: "reservationNotFound" });
      const pendingCents = (facts?.waitingCents ?? 0) + booking.refundingCents;
      const cents = requestedRefund.cents ?? getRefundDue(booking, pendingCents);
      const refused = refuseRefund(booking, { cents, waitingCents: pendingCents }, staff, settings);
      if (refused) return refused;
      const { reason, externalOperationNumber, byHand } = requestedRefund;
      const method = requestedRefund.method ?? toPaymentMethodOrBankTransfer(facts?.methodLeft);
      const refund = { bookingId, cents, method, externalOperationNumber, reason, byHand };
      const making = { actor, staff, at: write.now, uid: `refund:${bookingId}:${booking.version}` };
      return cents + booking.refundedAloneCents > settings.refundApprovalCents
        ? ok(askForApproval(db, facts?.nextId ?? 1, refund, making))
        : createRefundStatements(
            db,
            { booking, rows: [contract, lines, extras, earlier], payments, settings },
            refund,
            making,
          );
    },
  });
  return sendRecordedRefundToGateways(write, refundResult, sendToGateway);
}

function createRefundStatements(
  db: Database,
  facts: RefundDecisionData,
  refund: DecidedRefund,
  making: RefundRecordContext,
): Result<OfficeWriteDecision, OfficeRefusal> {
  const planned = planRefund(db, facts, refund, making);
  if (!planned.ok) return planned;
  const { writes, gatewayIds } = planned.value;
  return ok({
    resource: encodeRefundOperationIds({ bookingId: refund.bookingId, requestId: 0, gatewayIds }),
    ...writes,
  });
}

function refuseRefund(
  booking: BookingAmountsRow,
  { cents, waitingCents }: { readonly cents: Cents; readonly waitingCents: Cents },
  staff: SignedInUser,
  { agentLimitCents: limitCents }: Settings,
): Result<never, OfficeRefusal> | undefined {
  if (cents === 0) return err({ kind: "nothingToRefund" });
  if (cents > booking.totalPaidCents - waitingCents) return err({ kind: "moreThanPaid" });
  const directRefundCents = cents + booking.refundedAloneCents;
  return canRefund(staff, directRefundCents, limitCents) ? undefined : err({ kind: "aboveLimit", limitCents });
}

function askForApproval(
  db: Database,
  id: number,
  { bookingId, cents, method, externalOperationNumber, reason, byHand }: DecidedRefund,
  { staff, actor, at }: RefundRecordContext,
): OfficeWriteDecision {
  const requestStatement = insertRefundRequestStatement(db, {
    id,
    bookingId,
    amountCents: cents,
    paymentMethodId: method,
    reason,
    externalOperationNumber: externalOperationNumber ?? null,
    byHand,
    requestedBy: staff.userId,
    requestedAt: at,
  });
  const detail = { refundAsked: cents, reason };
  const resource = encodeRefundOperationIds({ bookingId, requestId: id, gatewayIds: [] });
  return {
    resource,
    statements: [requestStatement, ...recordBookingChangeStatements(db, bookingId, { at, actor, detail })],
  };
}
