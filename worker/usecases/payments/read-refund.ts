import { canAccessBranch } from "#domain/access/sessions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Answers, Database } from "#worker/store/database.ts";
import { bookingMoneyQuery } from "#worker/store/documents/firm-documents.ts";
import { bookingRefundsQuery, type GatewayRefundRow } from "#worker/store/payments/gateway-refunds.ts";
import { pendingRefundsQuery, type RefundRow, refundQuery } from "#worker/store/payments/refunds.ts";
import {
  bookingChargesQuery,
  bookingDocumentsQuery,
  codesByBranch,
  externalCodesQuery,
} from "#worker/store/reporting/document-lists.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import type { ContractDocuments } from "#worker/usecases/documents/read-contract-documents.ts";
import { sendRefund } from "./send-refunds.ts";
import type { PostBack } from "./settle-payment.ts";

/** What became of a refund, and the contract's papers and money after it. */
export interface RefundAnswer extends ContractDocuments {
  readonly bookingId: number;
  readonly request: RefundRow["request"] | undefined;
  readonly askedByName: string | null;
  readonly decidedByName: string | null;
  /** What gateways were asked to give back for it. */
  readonly atGateways: readonly GatewayRefundRow[];
}

/**
 * Which refund of a contract: that two people decide on, those that gateways were asked for, or what was done at once.
 */
export interface RefundName {
  readonly bookingId: number;
  readonly requestId: number;
  readonly gatewayIds: readonly number[];
}

/** A refund as the key of its request keeps it. */
export function nameRefund({ bookingId, requestId, gatewayIds }: RefundName): string {
  return `${bookingId}:${requestId}:${gatewayIds.join(",")}`;
}

function parseRefundName(text: string): RefundName {
  const [bookingId, requestId, gatewayIds] = text.split(":");
  return {
    bookingId: Number(bookingId),
    requestId: Number(requestId ?? 0),
    gatewayIds: gatewayIds ? gatewayIds.split(",").map(Number) : [],
  };
}

/** How a refund is answered after it was written, with what is read of it in its batch. */
export function answerRefund({ tenant }: StaffRequest) {
  return {
    readBack: (resource: string) => refundQueries(tenant.db, parseRefundName(resource)),
    answer: (rows: Answers<ReturnType<typeof refundQueries>>, { resource }: { readonly resource: string }) =>
      findRefund(rows, parseRefundName(resource)),
  };
}

function refundQueries(db: Database, { bookingId, requestId }: RefundName) {
  return [
    bookingMoneyQuery(db, { bookingId }),
    bookingDocumentsQuery(db, { bookingId }),
    bookingChargesQuery(db, { bookingId }),
    externalCodesQuery(db, {}),
    refundQuery(db, { id: requestId }),
    bookingRefundsQuery(db, { bookingId }),
  ] as const;
}

function findRefund(
  [[booking], documents, charges, codes, [entry], item]: Readonly<Answers<ReturnType<typeof refundQueries>>>,
  { bookingId, requestId, gatewayIds }: RefundName,
): Result<RefundAnswer, OfficeRefusal> {
  if (!booking) return err({ kind: "reservationNotFound" });
  return ok({
    bookingId,
    documents,
    charges,
    heldCents: booking.heldCents,
    codes: codesByBranch(codes),
    request: entry?.request,
    askedByName: entry?.askedByName ?? null,
    decidedByName: entry?.decidedByName ?? null,
    atGateways: item.filter(
      ({ refund }) => gatewayIds.includes(refund.id) || (refund.requestId !== null && refund.requestId === requestId),
    ),
  });
}

/**
 * What a refund came to, once its gateways were asked: nobody has sent it yet where it waits, and after an answer that
 * was lost the same request sends nothing again.
 */
export async function withGateways(
  write: OfficeWrite,
  done: Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>,
  postBack: PostBack,
): Promise<Result<OfficeAnswer<RefundAnswer>, OfficeRefusal>> {
  if (!done.ok) return done;
  const { value, freshToken } = done.value;
  const pendingRefunds = value.atGateways.filter(({ refund }) => refund.state === "waiting");
  if (pendingRefunds.length === 0) return done;
  const { db } = write.tenant;
  for (const { refund } of pendingRefunds) await sendRefund(write.tenant, refund.id, { now: write.now, postBack });
  const gatewayIds = value.atGateways.map(({ refund }) => refund.id);
  const name = { bookingId: value.bookingId, requestId: value.request?.id ?? 0, gatewayIds };
  const sent = findRefund(await db.batch(refundQueries(db, name)), name);
  return sent.ok ? ok({ value: sent.value, freshToken }) : sent;
}

type PendingRefunds = Answers<readonly [ReturnType<typeof pendingRefundsQuery>]>[0];

/** The refunds that wait for a second person at the branches of who asks. */
export async function listPendingRefunds(
  request: StaffRequest,
): Promise<Result<OfficeAnswer<PendingRefunds>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [pendingRefundsQuery(request.tenant.db, {})]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  return ok({
    value: rows[0].filter((item) => canAccessBranch(staff, item.branchCode, item.returnBranchCode)),
    freshToken,
  });
}
