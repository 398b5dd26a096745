import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import { bookingGatewayRefundsQuery, type GatewayRefundRow } from "#worker/store/payments/gateway-refunds.ts";
import {
  type PendingRefundSearch,
  pendingRefundListQueries,
  type RefundRequestRow,
  refundRequestQuery,
} from "#worker/store/payments/refunds.ts";
import {
  bookingChargesQuery,
  bookingDocumentsQuery,
  branchExternalCodesQuery,
  groupExternalCodesByBranch,
} from "#worker/store/reporting/document-lists.ts";
import type { ContractDocuments } from "#worker/usecases/documents/read-contract-documents.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import type { OfficeReadBackContext } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { type Page, toExactTotal, toPage } from "#worker/usecases/shared/page.ts";
import { sendGatewayRefund } from "./send-refunds.ts";

/** Result of a refund, with the contract's documents and charges after it. */
export interface RefundAnswer extends ContractDocuments {
  readonly bookingId: number;
  readonly request: RefundRequestRow["request"] | undefined;
  readonly requestedByName: string | null;
  readonly decidedByName: string | null;
  /** Refunds requested from gateways. */
  readonly atGateways: readonly GatewayRefundRow[];
}

/** Identifies a refund of a contract: a request for two people, gateway refunds, or an immediate refund. */
export interface RefundOperationIds {
  readonly bookingId: number;
  readonly requestId: number;
  readonly gatewayIds: readonly number[];
}

/** Encodes a refund's identity for its request key. */
export function encodeRefundOperationIds({ bookingId, requestId, gatewayIds }: RefundOperationIds): string {
  return `${bookingId}:${requestId}:${gatewayIds.join(",")}`;
}

function parseRefundName(text: string): RefundOperationIds {
  const [bookingId, requestId, gatewayIds] = text.split(":");
  return {
    bookingId: Number(bookingId),
    requestId: Number(requestId ?? 0),
    gatewayIds: gatewayIds ? gatewayIds.split(",").map(Number) : [],
  };
}

/** Returns the queries that read a refund in the batch of its write, and the function that builds the answer. */
export function createRefundReadBack({ tenant }: StaffRequest) {
  return {
    readBack: (resource: string) => refundQueries(tenant.db, parseRefundName(resource)),
    answer: (
      rows: QueryResults<ReturnType<typeof refundQueries>>,
      { resource, staff }: Pick<OfficeReadBackContext, "resource" | "staff">,
    ): Result<RefundAnswer, OfficeRefusal> => {
      const [[booking]] = rows;
      return booking && canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)
        ? findRefund(rows, parseRefundName(resource))
        : err({ kind: "reservationNotFound" });
    },
  };
}

function refundQueries(db: Database, { bookingId, requestId }: RefundOperationIds) {
  return [
    bookingAmountsQuery(db, { bookingId }),
    bookingDocumentsQuery(db, { bookingId }),
    bookingChargesQuery(db, { bookingId }),
    branchExternalCodesQuery(db, {}),
    refundRequestQuery(db, { id: requestId }),
    bookingGatewayRefundsQuery(db, { bookingId }),
  ] as const;
}

function findRefund(
  [[booking], documents, charges, codes, [entry], item]: Readonly<QueryResults<ReturnType<typeof refundQueries>>>,
  { bookingId, requestId, gatewayIds }: RefundOperationIds,
): Result<RefundAnswer, OfficeRefusal> {
  if (!booking) return err({ kind: "reservationNotFound" });
  return ok({
    bookingId,
    documents,
    charges,
    heldCents: booking.heldCents,
    codes: groupExternalCodesByBranch(codes),
    request: entry?.request,
    requestedByName: entry?.requestedByName ?? null,
    decidedByName: entry?.decidedByName ?? null,
    atGateways: item.filter(
      ({ refund }) => gatewayIds.includes(refund.id) || (refund.requestId !== null && refund.requestId === requestId),
    ),
  });
}

/**
 * Returns a refund's result after sending it to its gateways. A refund that waits for approval isn't sent. Repeating
 * the request after a lost answer doesn't send it again.
 */
export async function sendRecordedRefundToGateways(
  write: OfficeWrite,
  recordedRefund: Result<StaffAnswer<RefundAnswer>, OfficeRefusal>,
  sendToGateway: SendToGateway,
): Promise<Result<StaffAnswer<RefundAnswer>, OfficeRefusal>> {
  if (!recordedRefund.ok) return recordedRefund;
  const { value, freshToken } = recordedRefund.value;
  const pendingRefunds = value.atGateways.filter(({ refund }) => refund.state === "waiting");
  if (pendingRefunds.length === 0) return recordedRefund;
  const { db } = write.tenant;
  for (const { refund } of pendingRefunds)
    await sendGatewayRefund(write.tenant, refund.id, { now: write.now, sendToGateway });
  const gatewayIds = value.atGateways.map(({ refund }) => refund.id);
  const name = { bookingId: value.bookingId, requestId: value.request?.id ?? 0, gatewayIds };
  const refundResult = findRefund(await db.batch(refundQueries(db, name)), name);
  return refundResult.ok ? ok({ value: refundResult.value, freshToken }) : refundResult;
}

/** Page of refunds. `amountCents` is the total of all matches. */
export type RefundPage<Row, Cursor> = Page<Row, Cursor> & { readonly amountCents: Cents };

/** Lists the refunds that require a second person at the user's branches, oldest first. One round trip. */
export async function listPendingRefunds(
  request: StaffRequest,
  page: Omit<PendingRefundSearch, "userId">,
): Promise<Result<StaffAnswer<RefundPage<RefundRequestRow, string>>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => pendingRefundListQueries(request.tenant.db, { ...page, userId }));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const toCursor = ({ request: { requestedAt, id } }: RefundRequestRow) => formatCursor(requestedAt, id);
  const refunds = toPage(rows[0], toExactTotal(rows[1]), page.pageSize, toCursor);
  return ok({ value: { ...refunds, amountCents: rows[1][0]?.amountCents ?? 0 }, freshToken });
}
