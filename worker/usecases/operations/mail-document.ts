import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import { reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { customerMailQuery, newDocumentMailStatements } from "#worker/store/contracts/messages.ts";
import { mailedDocumentQuery } from "#worker/store/operations/booking-mails.ts";
import { type MessageAnswer, toMessageAnswer } from "#worker/usecases/office/message-answers.ts";
import type { OfficeAnswer, OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { writeOfficeOnce } from "#worker/usecases/office/office-write.ts";
import { type AttachInvoice, createMails } from "./booking-mails.ts";

const refuseMissing = (field: string) => err({ kind: "invalid", field, reason: reason("missing") } as const);

interface MailedContract {
  readonly isIssued: 0 | 1;
  readonly branchCode: string | null;
  readonly returnBranchCode: string | null;
}

// Mails are stored with their reservation.
function refuseMail({ isIssued, branchCode, returnBranchCode }: MailedContract, staff: SignedIn) {
  if (branchCode === null || returnBranchCode === null) return refuseMissing("reservation_id");
  if (!canAccessBranch(staff, branchCode, returnBranchCode)) return err({ kind: "documentNotFound" } as const);
  return isIssued ? undefined : err({ kind: "documentIsDraft" } as const);
}

/**
 * Queues a mail with an issued invoice or credit note to its addressee, once per key: its payer, or the customer of its
 * reservation. Sends it even if the company disabled automatic mails of invoices.
 */
export async function mailDocument(
  write: OfficeWrite,
  documentId: number,
  attachInvoice: AttachInvoice,
): Promise<Result<OfficeAnswer<MessageAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  return writeOfficeOnce(write, {
    right: "hand_over",
    content: { mailDocument: documentId },
    read: () => [mailedDocumentQuery(db, documentId)] as const,
    decide: async ({ rows: [[found]], staff, catalogue, actor, at }) => {
      if (!found || !canAccessBranch(staff, found.documentBranchCode)) return err({ kind: "documentNotFound" });
      const refused = refuseMail(found, staff);
      if (refused) return refused;
      const { mailed, isForCustomer, nextMailId: id, nextHistoryId: historyId } = found;
      const { invoice } = mailed;
      const customerEmail = isForCustomer ? mailed.customerEmail : null;
      const booking = { ...mailed, customerEmail, branchEmail: null, documents: [invoice] };
      const due = { booking, kind: "invoiced", historyId, invoice } as const;
      const [mail] = await Promise.all(createMails(tenant, catalogue, due, { now, attachInvoice }));
      if (!mail) return refuseMissing("customer.email");
      const { bookingId, recipient, address } = mail;
      const row = { id, historyId, bookingId, documentId, recipient, address };
      return ok({
        resource: String(id),
        statements: newDocumentMailStatements(db, row, mail.mail, { actor, at }),
      });
    },
    readBack: (id: string) => [customerMailQuery(db, Number(id))] as const,
    answer: ([[found]], { staff }) =>
      found && canAccessBranch(staff, found.branchCode, found.returnBranchCode)
        ? ok(toMessageAnswer(found.message, now))
        : err({ kind: "documentNotFound" }),
  });
}
