import { hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, getCashDrawerBranch } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import type { ChargeKind, DocumentReference, NewCharge, PaymentMethod } from "#domain/payments/charges.ts";
import { isContractFinished, isExceptionalDepositReturn } from "#domain/payments/deposit-return.ts";
import { isRefundReported } from "#domain/payments/entered-refunds.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Query } from "#worker/store/database.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import {
  recordBookingChangeStatements,
  saveDocumentRequestStatement,
} from "#worker/store/documents/document-requests.ts";
import { bookingAmountsQuery, type IssuedDocumentRow } from "#worker/store/documents/issued-documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { newChargesStatements } from "#worker/store/payments/charges.ts";
import { confirmPaidBookingStatements, savePaymentConfirmingIfPossible } from "#worker/store/payments/confirm-paid.ts";
import {
  type DocumentActionResult,
  saveAndReadContractDocuments,
} from "#worker/usecases/documents/read-contract-documents.ts";
import {
  createRefundDocuments,
  type RefundDocumentContext,
  type RefundDocumentsToWrite,
} from "#worker/usecases/documents/refund-documents.ts";
import {
  type DocumentRefusal,
  findStaffLimitRefusal,
  getStaffActor,
  type IdempotentDocumentAction,
  runDocumentActionOnce,
  type StaffContext,
} from "#worker/usecases/documents/staff-context.ts";
import { createRetainedFeeDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { findStaleFactorRefusal } from "#worker/usecases/office/office-context.ts";

/** Payment recorded at the desk. */
export interface ChargeRequest {
  readonly requestId: string;
  readonly bookingId: number;
  readonly kind: ChargeKind;
  readonly cents: Cents;
  readonly method: PaymentMethod;
  readonly externalOperationNumber: string | undefined;
  readonly offlinePhysicalDeviceId: string | undefined;
}

type Money = NonNullable<Awaited<ReturnType<typeof bookingAmountsQuery>>[number]>;

/**
 * Records a charge of a contract, of any kind, once per request. It's allocated to the issued document that it pays. A
 * refund of an invoiced amount creates credit notes.
 */
export async function enterDeskCharge(
  context: StaffContext,
  request: ChargeRequest,
): Promise<Result<DocumentActionResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const { requestId, bookingId } = request;
  const read = () => [bookingAmountsQuery(db, { bookingId }), ...contractToInvoiceQueries(db, { bookingId })] as const;
  const work: IdempotentDocumentAction<ReturnType<typeof read>, DocumentActionResult>["work"] = async (
    documentRequest,
    [[booking], ...rows],
    account,
  ) => {
    const { settings, date, civilNow } = account;
    const { currency } = settings;
    if (!booking || !canAccessBranch(context.staff, booking.branchCode, booking.returnBranchCode))
      return err({ kind: "bookingNotFound" });
    const problem = findProblem(booking, request);
    if (problem) return err({ kind: problem });
    const refused = refuseByRole(context, settings, booking, request);
    if (refused) return refused;
    const writing = { at: context.now, date, uid: documentRequest.id, settings };
    const draftedDocuments = createDocuments({ booking, rows }, request, writing);
    const document = draftedDocuments.creditNote ?? paidBy(request, rows[3]);
    const actor = getStaffActor(context);
    const save = (issued: readonly Query[]) => (confirmsBooking: boolean) =>
      saveAndReadContractDocuments(context, bookingId, [
        expectBookingVersionStatement(db, booking),
        saveDocumentRequestStatement(db, documentRequest, context.now),
        ...issued,
        ...newChargesStatements(db, [toCharge(context, request, { booking, currency, document })]),
        ...recordBookingChangeStatements(db, bookingId, {
          at: context.now,
          actor,
          detail: { charge: request.kind, cents: request.cents, payment_method_id: request.method },
        }),
        ...(request.kind === "charge" && !isOver(booking)
          ? confirmPaidBookingStatements(db, bookingId, { at: context.now, civilNow, actor, confirmsBooking })
          : []),
      ]);
    const { tenant } = context;
    return ok(
      await issueDocuments({ tenant, settings }, draftedDocuments.documents, ({ statements }) =>
        savePaymentConfirmingIfPossible(save(statements)),
      ),
    );
  };
  return runDocumentActionOnce(context, { requestId, content: request, read, work });
}

// A refund credits the related invoices. A payment or retained deposit for a cancellation fee is invoiced.
function createDocuments(
  contract: { readonly booking: Money; readonly rows: ContractToInvoiceRows },
  { kind, cents }: ChargeRequest,
  writing: RefundDocumentContext,
): RefundDocumentsToWrite {
  if (kind === "payment") return createRefundDocuments(contract, cents, writing);
  const { id: bookingId, cancellationFeeCents: feeCents, totalPaidCents } = contract.booking;
  if ((kind !== "deposit_kept" && kind !== "charge") || !isOver(contract.booking))
    return { documents: [], creditNote: undefined };
  const fee = { ...writing, bookingId, issued: true, series: writing.settings };
  const request = { feeCents, paidCents: totalPaidCents + cents };
  return { documents: createRetainedFeeDocuments(contract.rows, request, fee), creditNote: undefined };
}

function findProblem(
  booking: Money,
  { kind, cents, method }: ChargeRequest,
): "moreThanPaid" | "refundReported" | "noDepositHeld" | "bookingCancelled" | undefined {
  if (kind === "payment") {
    if (isRefundReported(booking.reportedRefunds, { method, cents })) return "refundReported";
    return cents > booking.totalPaidCents - booking.refundingCents ? "moreThanPaid" : undefined;
  }
  if (kind === "deposit_returned" || kind === "deposit_kept")
    return cents > booking.heldCents ? "noDepositHeld" : undefined;
  if (!isOver(booking)) return undefined;
  // A cancelled booking only accepts payments of its fee.
  const { cancellationFeeCents: feeCents, totalPaidCents: paidCents } = booking;
  return kind === "charge" && cents <= feeCents - paidCents ? undefined : "bookingCancelled";
}

function isOver({ status, cancellationReason }: Money): boolean {
  return status === "cancelled" && cancellationReason !== "expired";
}

// Returns the document that a payment is recorded for: the first issued one that is unpaid. The allocation at the end
// of the batch decides the final one.
function paidBy({ kind }: ChargeRequest, documents: readonly IssuedDocumentRow[]): DocumentReference | undefined {
  if (kind !== "charge" && kind !== "deposit_kept") return undefined;
  return documents.find(
    (document) =>
      document.invoiceStatus === "invoice" &&
      document.invoiceType === "invoice" &&
      document.totalCents > document.totalPaidCents + document.agentCommissionPrepaidCents,
  );
}

// A payment or retained deposit above the amount due needs a role that may accept credit. Refunds of a contract are
// limited per role in total. Above the account's second limit, two people must approve.
function refuseByRole(
  context: StaffContext,
  settings: Settings,
  booking: Money,
  request: ChargeRequest,
): Result<never, DocumentRefusal> | undefined {
  const { staff } = context;
  const { kind, cents } = request;
  if (kind === "charge" || kind === "deposit_kept") {
    const { totalCents, totalPaidCents, agentPrepaidCents, cancellationFeeCents } = booking;
    const owedCents = isOver(booking) ? cancellationFeeCents : totalCents - agentPrepaidCents;
    const dueCents = Math.max(0, owedCents - totalPaidCents);
    return cents <= dueCents || hasRight(staff.role, "manage") ? undefined : err({ kind: "moreThanDue" });
  }
  if (kind === "deposit_returned") return refuseReturn(context, settings, booking, request);
  if (kind !== "payment") return undefined;
  const directRefundCents = cents + booking.refundedAloneCents;
  const refused = findStaffLimitRefusal(staff, settings, directRefundCents, "refunds");
  return refused ?? (directRefundCents > settings.refundApprovalCents ? err({ kind: "needsApproval" }) : undefined);
}

// An exceptional return needs the same right and second factor as a refund, and counts towards the same limit.
function refuseReturn(
  { staff, factor }: StaffContext,
  settings: Settings,
  booking: Money,
  request: ChargeRequest,
): Result<never, DocumentRefusal> | undefined {
  if (!isExceptionalReturn(booking, request)) return undefined;
  const cents = request.cents + booking.refundedAloneCents;
  return findStaleFactorRefusal(factor) ?? findStaffLimitRefusal(staff, settings, cents, "refunds");
}

function isExceptionalReturn({ status, depositByMethod: received }: Money, request: ChargeRequest): boolean {
  const isFinished = isContractFinished(status);
  return request.kind === "deposit_returned" && isExceptionalDepositReturn(request, { received, isFinished });
}

function toCharge(
  { now, staff }: StaffContext,
  request: ChargeRequest,
  {
    booking,
    currency,
    document,
  }: { readonly booking: Money; readonly currency: string; readonly document: DocumentReference | undefined },
): NewCharge {
  return {
    uid: request.requestId,
    kind: request.kind,
    bookingId: booking.id,
    document,
    amountCents: request.cents,
    currency,
    method: request.method,
    at: now,
    branchCode: getCashDrawerBranch(staff, booking),
    salesChannelCode: booking.salesChannelCode ?? undefined,
    externalOperationNumber: request.externalOperationNumber,
    offlinePhysicalDeviceId: request.offlinePhysicalDeviceId,
    origin: "desk",
    isExceptional: isExceptionalReturn(booking, request),
  };
}
