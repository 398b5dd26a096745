import { canAccessBranch, getCashDrawerBranch } from "#domain/access/sessions.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import { isRefundReported } from "#domain/payments/entered-refunds.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import type { Database } from "#worker/store/database.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import {
  decideGatewayRefundStatement,
  type GatewayRefundRow,
  type GatewayRefundSearch,
  gatewayRefundListQueries,
  gatewayRefundQuery,
  isGatewayRefundStuck,
  toEnteredRefundUid,
} from "#worker/store/payments/gateway-refunds.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { type OfficeWriteDecision, runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { toExactTotal, toPage } from "#worker/usecases/shared/page.ts";
import type { RefundPage } from "./read-refund.ts";
import {
  createManualRefundWrites,
  type RefundDecisionData,
  type RefundRecordContext,
  refundDecisionQueries,
} from "./refund-statements.ts";
import { sendGatewayRefund } from "./send-refunds.ts";

/** Decision on a refund that the gateway didn't complete. */
export type GatewayRefundDecision =
  | { readonly kind: "again" }
  | {
      readonly kind: "by_hand";
      /** Defaults to the gateway's own method, if the refund was made on the gateway's site. */
      readonly method: PaymentMethod | undefined;
      readonly externalOperationNumber: string | undefined;
    }
  | { readonly kind: "drop" };

/** Lists the gateway refunds at the user's branches: those of a contract, or all unfinished ones. */
export async function listGatewayRefunds(
  request: StaffRequest,
  search: Omit<GatewayRefundSearch, "userId">,
): Promise<Result<StaffAnswer<RefundPage<GatewayRefundRow, number>>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => gatewayRefundListQueries(request.tenant.db, { ...search, userId }));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const page = toPage(rows[0], toExactTotal(rows[1]), search.pageSize, ({ refund }) => refund.id);
  return ok({ value: { ...page, amountCents: rows[1][0]?.amountCents ?? 0 }, freshToken });
}

/** Decides on a gateway refund that was refused or got no answer: retry, paid back manually, or drop. Once per key. */
export async function decideGatewayRefund(
  write: OfficeWrite,
  id: number,
  decision: GatewayRefundDecision,
  sendToGateway: SendToGateway,
): Promise<Result<StaffAnswer<GatewayRefundRow>, OfficeRefusal>> {
  const { db } = write.tenant;
  const decisionResult = await runOfficeWriteOnce(write, {
    right: "manage",
    requiresRecentFactor: decision.kind !== "drop",
    content: { decideGatewayRefund: id, decision },
    read: () => [...refundDecisionQueries(db, { gatewayRefundId: id }), gatewayRefundQuery(db, { id })] as const,
    decide: ({
      rows: [[booking], , contract, lines, extras, earlier, [item]],
      staff,
      catalogue: { settings },
      actor,
    }) =>
      booking && item && canAccessBranch(staff, item.branchCode, item.returnBranchCode)
        ? decide(db, { booking, rows: [contract, lines, extras, earlier], settings, found: item }, decision, {
            actor,
            staff,
            at: write.now,
          })
        : err({ kind: "refundNotFound" }),
    readBack: () => [gatewayRefundQuery(db, { id })] as const,
    answer: ([[item]], { staff }) =>
      item && canAccessBranch(staff, item.branchCode, item.returnBranchCode)
        ? ok(item)
        : err({ kind: "refundNotFound" }),
  });
  if (!decisionResult.ok || decision.kind !== "again") return decisionResult;
  await sendGatewayRefund(write.tenant, id, { now: write.now, sendToGateway });
  const [[sent]] = await db.batch([gatewayRefundQuery(db, { id })]);
  return sent ? ok({ ...decisionResult.value, value: sent }) : err({ kind: "refundNotFound" });
}

function decide(
  db: Database,
  { found, ...facts }: Omit<RefundDecisionData, "payments"> & { readonly found: GatewayRefundRow },
  decision: GatewayRefundDecision,
  { actor, staff, at }: Omit<RefundRecordContext, "uid">,
): Result<OfficeWriteDecision, OfficeRefusal> {
  const { id, bookingId, amountCents: cents, reason, state } = found.refund;
  const { booking } = facts;
  if (!isGatewayRefundStuck(found.refund, at)) return err({ kind: "refundNotStuck" });
  // Other unfinished refunds reduce the amount available for this one. `refundingCents` contains this refund too,
  // unless the gateway refused it. In that case, the money may already be refunded in another way.
  const isInFlight = state === "sent" || state === "waiting";
  const freeCents = booking.totalPaidCents - booking.refundingCents + (isInFlight ? cents : 0);
  if (decision.kind !== "drop" && cents > freeCents) return err({ kind: "moreThanPaid" });
  // The gateway may have made the unanswered refund and reported it without our id. Sending it again would pay twice.
  const gatewayMethod = gateways[found.method].chargeMethod;
  const isReported = isRefundReported(booking.reportedRefunds, { method: gatewayMethod, cents });
  if (decision.kind === "again" && isInFlight && isReported) return err({ kind: "refundReported" });
  const decided = decideGatewayRefundStatement(db, id, STATES[decision.kind], at);
  if (decision.kind === "by_hand") {
    const { externalOperationNumber } = decision;
    const method = decision.method ?? gatewayMethod;
    if (isRefundReported(booking.reportedRefunds, { method, cents })) return err({ kind: "refundReported" });
    const refund = { bookingId, cents, method, externalOperationNumber, reason };
    const manualRefund = createManualRefundWrites(db, facts, refund, {
      ...{ actor, at, uid: toEnteredRefundUid(id) },
      branchCode: getCashDrawerBranch(staff, booking),
    });
    return ok({ resource: String(id), ...manualRefund, statements: [decided, ...manualRefund.statements] });
  }
  const detail = { [decision.kind === "drop" ? "refundDropped" : "refundAtGateway"]: cents, reason };
  const bookingStatements = [
    expectBookingVersionStatement(db, booking),
    ...recordBookingChangeStatements(db, bookingId, { at, actor, detail }),
  ];
  return ok({ resource: String(id), statements: [decided, ...bookingStatements] });
}

const STATES = { again: "waiting", by_hand: "by_hand", drop: "dropped" } as const;
