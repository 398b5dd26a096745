import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import { openDocumentQuery } from "#worker/store/documents/open-documents.ts";
import { cardHoldQuery } from "#worker/store/payments/card-holds.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { type DocumentPaymentRequest, type PaymentShare, splitDocumentPayment } from "./charge-document.ts";
import { findHoldCaptureOrReleaseProblem, getReservationDueCents } from "./hold-actions.ts";

/** Payment of an invoice before it's recorded. */
export interface DocumentPaymentPreview {
  readonly cents: Cents;
  /** Amount that the invoice still owes afterwards. */
  readonly pendingCents: Cents;
  readonly shares: readonly PaymentShare[];
}

/** Previews a payment of an open invoice, by contract. Stores nothing. */
export async function previewDocumentPayment(
  request: StaffRequest,
  payment: Pick<DocumentPaymentRequest, "documentId" | "cents">,
): Promise<Result<StaffAnswer<DocumentPaymentPreview>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [openDocumentQuery(request.tenant.db, payment.documentId)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "sell");
  if (missing) return missing;
  const [[document]] = rows;
  if (!document || !canAccessBranch(staff, document.branchCode)) return err({ kind: "documentNotFound" });
  const split = splitDocumentPayment(document, payment.cents);
  if (!split.ok) return split;
  const { cents, shares } = split.value;
  return ok({ value: { cents, pendingCents: document.pendingCents - cents, shares }, freshToken });
}

/** Capture of a card hold before it's requested. */
export interface CapturePreview {
  readonly cents: Cents;
  /** Part of the hold that the card gets back. */
  readonly releasedCents: Cents;
  /** Amount that the reservation still owes afterwards. */
  readonly pendingCents: Cents;
  /** Part of the amount that the reservation doesn't owe. */
  readonly creditCents: Cents;
}

/** Previews the capture of a card hold. Neither stores nor sends anything. */
export async function previewCardHoldCapture(
  request: StaffRequest,
  id: number,
  cents: Cents,
): Promise<Result<StaffAnswer<CapturePreview>, OfficeRefusal>> {
  const { db } = request.tenant;
  const [[found]] = await db.batch([cardHoldQuery(db, { id })]);
  const bookingId = found?.bookingId ?? 0;
  const read = await readAsStaff(
    request,
    () => [cardHoldQuery(db, { id }), bookingAmountsQuery(db, { bookingId })] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "hand_over");
  if (missing) return missing;
  const [[hold], [booking]] = rows;
  if (!hold || !booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
    return err({ kind: "holdNotFound" });
  const problem = findHoldCaptureOrReleaseProblem(staff, { hold, booking, cents, at: request.now });
  if (problem) return err({ kind: problem });
  const dueCents = getReservationDueCents(booking);
  const pendingCents = Math.max(0, dueCents - cents);
  const creditCents = Math.max(0, cents - dueCents);
  return ok({ value: { cents, releasedCents: hold.amountCents - cents, pendingCents, creditCents }, freshToken });
}
