import { canAccessBranch } from "#domain/access/sessions.ts";
import { draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { contractToInvoiceQueries, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { eInvoiceCustomersQuery } from "#worker/store/printing/e-invoices.ts";
import { branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { type PreviewedDraft, previewEInvoices } from "#worker/usecases/shared/preview-e-invoice.ts";

interface MailedDraft extends PreviewedDraft {
  /** Address to which the document is mailed when it's issued. Undefined if it isn't mailed. */
  readonly mailTo: string | undefined;
}

/** Documents before they are issued. */
export interface DocumentsPreview {
  readonly drafts: readonly MailedDraft[];
  readonly date: string;
  /** Days until invoices are due. */
  readonly termsDays: number;
}

/** Previews the next documents of a contract. Stores nothing. Empty if everything is invoiced. */
export async function previewContractDocuments(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<StaffAnswer<DocumentsPreview>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () =>
      [
        ...contractToInvoiceQueries(db, { bookingId }),
        branchIssuersQuery(db),
        eInvoiceCustomersQuery(db, { bookingId }),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, catalogue, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [bookings, lines, extras, earlier, issuers, customers] = rows;
  const [row] = bookings;
  const contract = toContractToInvoice([bookings, lines, extras, earlier]);
  if (!row || !contract || !canAccessBranch(staff, row.booking.branchCode, row.booking.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const { date } = toCivilNow(catalogue.settings.timezone, request.now);
  const { settings } = catalogue;
  const invoiced = draftMissingContractDocuments(contract).filter(({ items }) => items.length > 0);
  const drafts = previewEInvoices(invoiced, { date, settings, issuers, customers }).map(({ draft, eInvoice }) => {
    const customer = customers.find(({ id }) => id === draft.customer.id)?.data;
    const payerEmail = draft.customer.id === (row.booking.customerId ?? undefined) ? null : customer?.email;
    const isMailed = draft.kind === "invoice" && !settings.mailsOff.includes("invoiced");
    return { draft, eInvoice, mailTo: (isMailed && (payerEmail || row.booking.customerEmail)) || undefined };
  });
  return ok({ value: { drafts, date, termsDays: row.termsDays }, freshToken });
}
