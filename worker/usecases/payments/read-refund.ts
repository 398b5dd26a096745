import { canAccessBranch } from "#domain/access/sessions.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { Answers } from "#worker/store/database.ts";
import { bookingMoneyQuery } from "#worker/store/documents/firm-documents.ts";
import { type GatewayRefundRow, gatewayRefundsOfBookingQuery } from "#worker/store/payments/gateway-refunds.ts";
import { type RefundRow, refundQuery, waitingRefundsQuery } from "#worker/store/payments/refunds.ts";
import {
  chargesOfBookingQuery,
  documentsOfBookingQuery,
  externalCodesQuery,
} from "#worker/store/reporting/document-lists.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import type { ContractDocuments } from "#worker/usecases/documents/read-contract-documents.ts";

/** What became of a refund, and the contract's papers and money after it. */
export interface RefundAnswer extends ContractDocuments {
  readonly bookingId: number;
  readonly request: RefundRow["request"] | undefined;
  readonly askedByName: string | null;
  readonly decidedByName: string | null;
  /** What gateways were asked to give back for it. */
  readonly atGateways: readonly GatewayRefundRow[];
}

/** Which refund of a contract: that two people decide on, those that gateways were asked for, or what was done at once. */
export interface RefundName {
  readonly requestId: number;
  readonly gatewayIds: readonly number[];
}

/** A refund as the key of its request keeps it. */
export function nameRefund({ requestId, gatewayIds }: RefundName): string {
  return gatewayIds.length > 0 ? `gateway:${gatewayIds.join(",")}` : String(requestId);
}

export function parseRefundName(text: string): RefundName {
  const [, ids] = /^gateway:([\d,]+)$/.exec(text) ?? [];
  return ids === undefined
    ? { requestId: Number(text), gatewayIds: [] }
    : { requestId: 0, gatewayIds: ids.split(",").map(Number) };
}

/** Reads a refund with the contract's papers and money as they are now. */
export async function readRefund(
  request: StaffRequest,
  bookingId: number,
  { requestId, gatewayIds }: RefundName,
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () =>
      [
        bookingMoneyQuery(db, { bookingId }),
        documentsOfBookingQuery(db, { bookingId }),
        chargesOfBookingQuery(db, { bookingId }),
        externalCodesQuery(db, {}),
        refundQuery(db, { id: requestId }),
        gatewayRefundsOfBookingQuery(db, { bookingId }),
      ] as const,
  );
  if (!read.ok) return read;
  const { freshToken, rows } = read.value;
  const [[booking], documents, charges, codes, [found], asked] = rows;
  if (!booking) return refuse({ kind: "reservationNotFound" });
  const value = {
    bookingId,
    documents,
    charges,
    heldCents: booking.heldCents,
    codes: new Map(codes.map((one) => [one.code, one])),
    request: found?.request,
    askedByName: found?.askedByName ?? null,
    decidedByName: found?.decidedByName ?? null,
    atGateways: asked.filter(
      ({ refund }) => gatewayIds.includes(refund.id) || (refund.requestId !== null && refund.requestId === requestId),
    ),
  };
  return ok({ value, freshToken });
}

type Waiting = Answers<readonly [ReturnType<typeof waitingRefundsQuery>]>[0];

/** The refunds that wait for a second person at the branches of who asks. */
export async function listWaitingRefunds(request: StaffRequest): Promise<Result<OfficeAnswer<Waiting>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [waitingRefundsQuery(request.tenant.db, {})]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  return ok({
    value: rows[0].filter((one) => canAccessBranch(staff, one.branchCode, one.returnBranchCode)),
    freshToken,
  });
}
