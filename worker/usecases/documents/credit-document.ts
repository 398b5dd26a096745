import { canAccessBranch } from "#domain/access/sessions.ts";
import { spokenLanguage } from "#domain/catalogue/languages.ts";
import { draftCreditNote } from "#domain/documents/credit-notes.ts";
import type { Cents } from "#domain/money.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { changeStatements, requestStatement } from "#worker/store/documents/document-requests.ts";
import { documentStatements, issueStatements } from "#worker/store/documents/documents.ts";
import {
  documentToCreditQuery,
  type FirmDocumentRow,
  isCreditExceeded,
  toCreditable,
} from "#worker/store/documents/firm-documents.ts";
import { invoiceContract } from "./invoice-contract.ts";
import { actorOf, type DocumentRefusal, doOnce, type StaffContext, todayOf } from "./staff-context.ts";

export interface CreditRequest {
  readonly requestId: string;
  readonly documentId: number;
  /** All that is left of it where absent. */
  readonly cents: Cents | undefined;
}

/**
 * Takes back a firm document, or so much of it, by a credit note, once for each request. Money does not move: enter it
 * as a charge.
 */
export async function creditDocument(
  context: StaffContext,
  request: CreditRequest,
): Promise<Result<"done", DocumentRefusal>> {
  const date = await todayOf(context);
  const { catalogue } = await context.tenant.snapshot();
  const language = spokenLanguage(catalogue.settings.defaultLanguage);
  const { db } = context.tenant;
  try {
    return await doOnce(context, request.requestId, request, async (kept) => {
      const found = await findDocument(context, request.documentId);
      if (!found.ok) return found;
      const document = toCreditable(found.value);
      const left = document.totalCents + document.creditedCents;
      const cents = request.cents ?? left;
      if (document.type === "payment") return refuse({ kind: "documentIsCredit" });
      if (cents === 0 || Math.abs(cents) > Math.abs(left)) return refuse({ kind: "moreThanLeft" });
      const note = draftCreditNote(document, language, cents);
      const writing = { at: context.now, date, bookingId: document.bookingId, uid: kept.id, issued: true };
      await db.batch([
        requestStatement(db, kept, context.now),
        ...documentStatements(db, note, writing),
        ...historyOf(context, document.bookingId, { creditNote: document.id }),
      ]);
      return ok("done");
    });
  } catch (error) {
    // Somebody else credited it meanwhile.
    if (isCreditExceeded(error)) return refuse({ kind: "moreThanLeft" });
    throw error;
  }
}

/** Issues a draft, once; a contract's is written anew first, so that it says what the contract says now. */
export async function issueDraft(
  context: StaffContext,
  { requestId, documentId }: Pick<CreditRequest, "requestId" | "documentId">,
): Promise<Result<"done", DocumentRefusal>> {
  const { db } = context.tenant;
  const [[row]] = await db.batch([documentToCreditQuery(db, documentId)]);
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return refuse({ kind: "documentNotFound" });
  if (row.invoiceStatus === "invoice") return ok("done");
  if (row.bookingId !== null) {
    const advanceCents = row.invoiceMode === "reservation_retainer" ? row.totalCents : undefined;
    return invoiceContract(context, { requestId, bookingId: row.bookingId, advanceCents, issued: true });
  }
  const date = await todayOf(context);
  return doOnce(context, requestId, { documentId }, async (kept) => {
    const { kind, branchCode, serie, invoiceMode, invoiceType } = row;
    const issue = {
      kind,
      branchCode,
      serie: serie ?? "A",
      mode: invoiceMode,
      type: invoiceType,
      name: { id: documentId },
    };
    await db.batch([
      requestStatement(db, kept, context.now),
      ...issueStatements(db, issue, { at: context.now, date, bookingId: undefined }),
    ]);
    return ok("done");
  });
}

async function findDocument(context: StaffContext, id: number): Promise<Result<FirmDocumentRow, DocumentRefusal>> {
  const { db } = context.tenant;
  const [[row]] = await db.batch([documentToCreditQuery(db, id)]);
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return refuse({ kind: "documentNotFound" });
  return row.invoiceStatus === "draft" ? refuse({ kind: "documentIsDraft" }) : ok(row);
}

function historyOf(context: StaffContext, bookingId: number | undefined, detail: Readonly<Record<string, unknown>>) {
  if (bookingId === undefined) return [];
  return changeStatements(context.tenant.db, bookingId, { at: context.now, actor: actorOf(context), detail });
}
