import { canAccessBranch } from "#domain/access/sessions.ts";
import type { DocumentDraft } from "#domain/documents/invoicing.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import type { ChargeKind, DocumentName, NewCharge, PaymentMethod } from "#domain/payments/charges.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { expectVersion } from "#worker/store/bookings/expected-version.ts";
import { changeStatements, requestStatement } from "#worker/store/documents/document-requests.ts";
import { documentStatements } from "#worker/store/documents/documents.ts";
import {
  bookingMoneyQuery,
  type FirmDocumentRow,
  firmDocumentsQuery,
  toCreditable,
} from "#worker/store/documents/firm-documents.ts";
import { chargeStatements } from "#worker/store/payments/charges.ts";
import { confirmPaidStatements, savePaid } from "#worker/store/payments/confirm-paid.ts";
import { draftRefundNotes } from "#worker/usecases/documents/refund-notes.ts";
import {
  actorOf,
  type DocumentRefusal,
  doOnce,
  type StaffContext,
  todayOf,
} from "#worker/usecases/documents/staff-context.ts";

/** Money that moves at the context. */
export interface ChargeRequest {
  readonly requestId: string;
  readonly bookingId: number;
  readonly kind: ChargeKind;
  readonly cents: Cents;
  readonly method: PaymentMethod;
  readonly externalOperationNumber: string | undefined;
  readonly offlinePhysicalDeviceId: string | undefined;
}

type Money = NonNullable<Awaited<ReturnType<typeof bookingMoneyQuery>>[number]>;

/**
 * Enters a charge of a contract of whatever kind, once for each request. It counts towards the firm document that it
 * pays; money that goes back of what is invoiced brings its credit notes with it.
 */
export async function enterCharge(
  context: StaffContext,
  request: ChargeRequest,
): Promise<Result<"done", DocumentRefusal>> {
  const date = await todayOf(context);
  const { catalogue } = await context.tenant.snapshot();
  const { currency, defaultLanguage } = catalogue.settings;
  return doOnce(context, request.requestId, request, async (kept) => {
    const { db } = context.tenant;
    const { bookingId } = request;
    const [[booking], documents] = await db.batch([
      bookingMoneyQuery(db, { bookingId }),
      firmDocumentsQuery(db, bookingId),
    ]);
    if (!booking || !canAccessBranch(context.staff, booking.branchCode)) return refuse({ kind: "bookingNotFound" });
    const problem = findProblem(booking, request);
    if (problem) return refuse({ kind: problem });
    const notes =
      request.kind === "payment"
        ? draftRefundNotes({ ...booking, documents: documents.map(toCreditable) }, request.cents, defaultLanguage)
        : [];
    const writing = { at: context.now, date, bookingId, issued: true };
    const actor = actorOf(context);
    await savePaid((confirms) =>
      db.batch([
        expectVersion(db, booking),
        requestStatement(db, kept, context.now),
        ...notes.flatMap((note, index) => documentStatements(db, note, { ...writing, uid: `${kept.id}:${index}` })),
        ...chargeStatements(db, [
          toCharge(context, request, { booking, currency, document: paidBy(request, documents, notes) }),
        ]),
        ...changeStatements(db, bookingId, {
          at: context.now,
          actor,
          detail: { charge: request.kind, cents: request.cents },
        }),
        ...(request.kind === "charge"
          ? confirmPaidStatements(db, bookingId, { at: context.now, actor, confirms })
          : []),
      ]),
    );
    return ok("done");
  });
}

function findProblem(booking: Money, { kind, cents }: ChargeRequest): DocumentRefusal["kind"] | undefined {
  if (kind === "payment") return cents > booking.totalPaidCents ? "moreThanPaid" : undefined;
  if (kind === "deposit_returned" || kind === "deposit_kept")
    return cents > booking.heldCents ? "noDepositHeld" : undefined;
  const isOver = booking.status === "cancelled" && booking.cancellationReason !== "expired";
  return isOver ? "bookingCancelled" : undefined;
}

// A refund of just what is credited is the credit note's; another comes out of the document that was paid.
function paidBy(
  { kind, cents, requestId }: ChargeRequest,
  documents: readonly FirmDocumentRow[],
  notes: readonly DocumentDraft[],
): DocumentName | undefined {
  if (kind === "deposit_received" || kind === "deposit_returned") return undefined;
  const invoices = documents.filter(({ invoiceType }) => invoiceType === "invoice");
  if (kind !== "payment")
    return invoices.find(
      (one) => one.totalCents + one.creditedCents > one.totalPaidCents + one.agentCommissionPrepaidCents,
    );
  const credited = -sumOf(notes.map(({ sums }) => sums.totalCents));
  if (notes.length === 1 && credited === cents) return { uid: `${requestId}:0` };
  return invoices.findLast(({ totalPaidCents }) => totalPaidCents > 0);
}

function toCharge(
  { now }: StaffContext,
  request: ChargeRequest,
  {
    booking,
    currency,
    document,
  }: { readonly booking: Money; readonly currency: string; readonly document: DocumentName | undefined },
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
    branchCode: booking.branchCode,
    salesChannelCode: booking.salesChannelCode ?? undefined,
    externalOperationNumber: request.externalOperationNumber,
    offlinePhysicalDeviceId: request.offlinePhysicalDeviceId,
    origin: "desk",
  };
}
