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
import { actorOf, canAccessBranch, type Desk, type DocumentRefusal, once, todayOf } from "./staff-context.ts";

export interface CreditRequest {
  readonly requestId: string;
  readonly documentId: number;
  /** All that is left of it where absent. */
  readonly cents: Cents | undefined;
}

/** Takes back a firm document, or so much of it, by a credit note, once for each request. Money does not move: enter it as a charge. */
export async function creditDocument(desk: Desk, request: CreditRequest): Promise<Result<"done", DocumentRefusal>> {
  const date = await todayOf(desk);
  const { catalogue } = await desk.tenant.snapshot();
  const language = spokenLanguage(catalogue.settings.defaultLanguage);
  const { db } = desk.tenant;
  try {
    return await once(desk, request.requestId, request, async (kept) => {
      const found = await findDocument(desk, request.documentId);
      if (!found.ok) return found;
      const document = toCreditable(found.value);
      const left = document.totalCents + document.creditedCents;
      const cents = request.cents ?? left;
      if (document.type === "payment") return refuse({ kind: "documentIsCredit" });
      if (cents === 0 || Math.abs(cents) > Math.abs(left)) return refuse({ kind: "moreThanLeft" });
      const note = draftCreditNote(document, language, cents);
      const writing = { at: desk.now, date, bookingId: document.bookingId, uid: kept.id, issued: true };
      await db.batch([
        requestStatement(db, kept, desk.now),
        ...documentStatements(db, note, writing),
        ...historyOf(desk, document.bookingId, { creditNote: document.id }),
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
  desk: Desk,
  { requestId, documentId }: Pick<CreditRequest, "requestId" | "documentId">,
): Promise<Result<"done", DocumentRefusal>> {
  const { db } = desk.tenant;
  const [[row]] = await db.batch([documentToCreditQuery(db, documentId)]);
  if (!row || !canAccessBranch(desk, row.branchCode)) return refuse({ kind: "documentNotFound" });
  if (row.invoiceStatus === "invoice") return ok("done");
  if (row.bookingId !== null) {
    const advanceCents = row.invoiceMode === "reservation_retainer" ? row.totalCents : undefined;
    return invoiceContract(desk, { requestId, bookingId: row.bookingId, advanceCents, issued: true });
  }
  const date = await todayOf(desk);
  return once(desk, requestId, { documentId }, async (kept) => {
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
      requestStatement(db, kept, desk.now),
      ...issueStatements(db, issue, { at: desk.now, date, bookingId: undefined }),
    ]);
    return ok("done");
  });
}

async function findDocument(desk: Desk, id: number): Promise<Result<FirmDocumentRow, DocumentRefusal>> {
  const { db } = desk.tenant;
  const [[row]] = await db.batch([documentToCreditQuery(db, id)]);
  if (!row || !canAccessBranch(desk, row.branchCode)) return refuse({ kind: "documentNotFound" });
  return row.invoiceStatus === "draft" ? refuse({ kind: "documentIsDraft" }) : ok(row);
}

function historyOf(desk: Desk, bookingId: number | undefined, detail: Readonly<Record<string, unknown>>) {
  if (bookingId === undefined) return [];
  return changeStatements(desk.tenant.db, bookingId, { at: desk.now, actor: actorOf(desk), detail });
}
