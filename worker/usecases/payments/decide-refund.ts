import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import {
  decideRefundRequestStatement,
  type RefundRequestRow,
  refundRequestQuery,
} from "#worker/store/payments/refunds.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import {
  createRefundReadBack,
  encodeRefundOperationIds,
  type RefundAnswer,
  sendRecordedRefundToGateways,
} from "./read-refund.ts";
import {
  type DecidedRefund,
  planRefund,
  refundDecisionQueries,
  toPaymentMethodOrBankTransfer,
} from "./refund-statements.ts";

/** Approves or declines a pending refund, once per key. The manager must not be the requester. */
export async function decideRefundRequest(
  write: OfficeWrite,
  id: number,
  isApproved: boolean,
  sendToGateway: SendToGateway,
): Promise<Result<StaffAnswer<RefundAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const decisionResult = await runOfficeWriteOnce(write, {
    ...createRefundReadBack(write),
    right: "manage",
    requiresRecentFactor: isApproved,
    content: { decideRefund: id, isApproved },
    read: () => [...refundDecisionQueries(db, { refundId: id }), refundRequestQuery(db, { id })] as const,
    decide: ({
      rows: [[booking], payments, contract, lines, extras, earlier, [item]],
      staff,
      catalogue: { settings },
      actor,
    }) => {
      if (!booking || !item || !canAccessBranch(staff, item.branchCode, item.returnBranchCode))
        return err({ kind: "refundNotFound" });
      const paidCents = booking.totalPaidCents - booking.refundingCents;
      const refused = refuseDecision(item, staff, isApproved ? paidCents : undefined);
      if (refused) return refused;
      const at = write.now;
      const { request } = item;
      const { bookingId } = request;
      const resource = encodeRefundOperationIds({ bookingId, requestId: id, gatewayIds: [] });
      if (!isApproved) {
        const detail = { refundDeclined: request.amountCents };
        const declined = decideRefundRequestStatement(db, id, { state: "declined", userId: staff.userId, at });
        const after = recordBookingChangeStatements(db, bookingId, { at, actor, detail });
        return ok({ resource, statements: [expectBookingVersionStatement(db, booking), declined, ...after] });
      }
      const making = { actor, staff, at, uid: `refund-request:${id}` };
      const planned = planRefund(
        db,
        { booking, rows: [contract, lines, extras, earlier], payments, settings },
        toRefund(request),
        making,
      );
      if (!planned.ok) return planned;
      const approved = decideRefundRequestStatement(db, id, { state: "approved", userId: staff.userId, at });
      const { writes } = planned.value;
      return ok({ resource, ...writes, statements: [approved, ...writes.statements] });
    },
  });
  return sendRecordedRefundToGateways(write, decisionResult, sendToGateway);
}

function toRefund(request: RefundRequestRow["request"]): DecidedRefund {
  return {
    bookingId: request.bookingId,
    cents: request.amountCents,
    method: toPaymentMethodOrBankTransfer(request.paymentMethodId),
    externalOperationNumber: request.externalOperationNumber ?? undefined,
    reason: request.reason ?? "",
    byHand: request.byHand,
    requestId: request.id,
  };
}

// The requester may withdraw a refund but not approve it.
function refuseDecision(
  { request }: RefundRequestRow,
  staff: SignedInUser,
  paidCents: Cents | undefined,
): Result<never, OfficeRefusal> | undefined {
  if (request.state !== "waiting") return err({ kind: "refundDecided" });
  if (paidCents === undefined) return undefined;
  const missing = findMissingRightRefusal(staff, "refunds");
  if (missing) return missing;
  if (request.requestedBy === staff.userId) return err({ kind: "secondPersonNeeded" });
  return request.amountCents > paidCents ? err({ kind: "moreThanPaid" }) : undefined;
}
