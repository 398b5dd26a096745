import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { customerMailQuery, newDocumentMailStatements } from "#worker/store/contracts/messages.ts";
import { mailedDocumentQuery } from "#worker/store/operations/booking-mails.ts";
import { type CustomerMailAnswer, toCustomerMailAnswer } from "#worker/usecases/office/message-answers.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { type AttachInvoice, createBookingMails } from "./booking-mails.ts";
import { createDocumentMail } from "./document-mails.ts";

const refuseMissing = (field: string) => err({ kind: "invalid", field, reason: createReason("missing") } as const);

interface FoundDocument {
  readonly isIssued: 0 | 1;
  readonly documentBranchCode: string;
  readonly branchCode: string | null;
  readonly returnBranchCode: string | null;
}

function refuseMail(document: FoundDocument, staff: SignedInUser) {
  const { isIssued, documentBranchCode, branchCode, returnBranchCode } = document;
  const hasAccess =
    canAccessBranch(staff, documentBranchCode) &&
    (branchCode === null || returnBranchCode === null || canAccessBranch(staff, branchCode, returnBranchCode));
  if (!hasAccess) return err({ kind: "documentNotFound" } as const);
  return isIssued ? undefined : err({ kind: "documentIsDraft" } as const);
}

/**
 * Queues a mail with an issued invoice or credit note to its addressee, once per key: its payer, or the customer of its
 * reservation. A document needs no reservation. Sends it even if the company disabled automatic mails of invoices.
 */
export async function mailDocument(
  write: OfficeWrite,
  documentId: number,
  attachInvoice: AttachInvoice,
): Promise<Result<StaffAnswer<CustomerMailAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  return runOfficeWriteOnce(write, {
    right: "hand_over",
    content: { mailDocument: documentId },
    read: () => [mailedDocumentQuery(db, documentId)] as const,
    decide: async ({ rows: [[found]], staff, catalogue, actor, at }) => {
      if (!found) return err({ kind: "documentNotFound" });
      const refused = refuseMail(found, staff);
      if (refused) return refused;
      const mail = await createMail({ tenant, catalogue, now, attachInvoice }, found);
      if (!mail) return refuseMissing("customer.email");
      const { nextMailId: id } = found;
      const { bookingId, historyId, recipient, address } = mail;
      const row = { id, historyId, bookingId, documentId, recipient, address };
      return ok({
        resource: String(id),
        statements: newDocumentMailStatements(db, row, mail.mail, { actor, at }),
      });
    },
    readBack: (id: string) => [customerMailQuery(db, Number(id))] as const,
    answer: ([[found]], { staff }) =>
      found && canAccessBranch(staff, found.branchCode, found.returnBranchCode)
        ? ok(toCustomerMailAnswer(found.message, now))
        : err({ kind: "documentNotFound" }),
  });
}

interface MailWriter {
  readonly tenant: OfficeWrite["tenant"];
  readonly catalogue: Catalogue;
  readonly now: number;
  readonly attachInvoice: AttachInvoice;
}

type MailedDocumentRow = Awaited<ReturnType<typeof mailedDocumentQuery>>[number];

// The mail of a document without a reservation has its own number instead of a history entry's.
async function createMail({ tenant, catalogue, now, attachInvoice }: MailWriter, found: MailedDocumentRow) {
  const { mailed, document, isForCustomer, nextMailId, nextHistoryId: historyId } = found;
  if (document)
    return createDocumentMail(tenant, catalogue, { historyId: nextMailId, document }, { now, attachInvoice });
  const { invoice } = mailed;
  const customerEmail = isForCustomer ? mailed.customerEmail : null;
  const booking = { ...mailed, customerEmail, branchEmail: null, documents: [invoice] };
  const due = { booking, kind: "invoiced", historyId, invoice } as const;
  const [mail] = await Promise.all(createBookingMails(tenant, catalogue, due, { now, attachInvoice }));
  return mail;
}
