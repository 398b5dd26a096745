import { canAccessBranch } from "#domain/access/sessions.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { draftContractDocuments } from "#domain/documents/invoicing.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { contractToInvoiceQueries, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { type OfficeAnswer, type OfficeRefusal, refuseWithout } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Documents before they are issued. */
export interface DocumentsPreview {
  readonly drafts: readonly DocumentDraft[];
  readonly date: string;
  /** Days until invoices are due. */
  readonly termsDays: number;
}

/** Previews the next documents of a contract. Stores nothing. Empty if everything is invoiced. */
export async function previewContractDocuments(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<OfficeAnswer<DocumentsPreview>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, () => contractToInvoiceQueries(db, { bookingId }));
  if (!read.ok) return read;
  const { staff, catalogue, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const [row] = rows[0];
  const contract = toContractToInvoice(rows);
  if (!row || !contract || !canAccessBranch(staff, row.booking.branchCode, row.booking.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const { date } = civilNow(catalogue.settings.timezone, request.now);
  const drafts = draftContractDocuments(contract).filter(({ items }) => items.length > 0);
  return ok({ value: { drafts, date, termsDays: row.termsDays }, freshToken });
}
