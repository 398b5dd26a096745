import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  type CollectiveParts,
  draftCollectiveCredit,
  draftCreditNote,
  draftTaxNote,
  type FirmDocument,
  getCreditableCents,
} from "#domain/documents/credit-notes.ts";
import { type CreditReason, isTaxOnly } from "#domain/documents/credit-reasons.ts";
import { completeDocument, type DocumentDraft } from "#domain/documents/draft.ts";
import { withForm } from "#domain/documents/form.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { type AllocationAccount, allocateStatements } from "#worker/store/documents/allocation.ts";
import { changeStatements, requestStatement } from "#worker/store/documents/document-requests.ts";
import {
  documentToCreditQuery,
  type FirmDocumentRow,
  isCreditExceeded,
  toCollective,
  toCreditable,
} from "#worker/store/documents/firm-documents.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { invoiceContract, issueOrRefuse } from "./invoice-contract.ts";
import { type DocumentWorkResult, saveAndRead } from "./read-contract-documents.ts";
import {
  type DocumentRefusal,
  type DocumentWork,
  getStaffActor,
  refuseGivingAway,
  runDocumentWork,
  type StaffContext,
} from "./staff-context.ts";

export interface CreditRequest {
  readonly requestId: string;
  readonly documentId: number;
  /** Defaults to the full remaining amount, or for an unpaid debt to its tax. */
  readonly cents: Cents | undefined;
  /** Defaults to a correction. */
  readonly reason?: CreditReason | undefined;
  /** Contract whose part of a collective invoice is credited. If undefined, the parts of all contracts are. */
  readonly bookingId?: number | undefined;
}

/**
 * Credits a firm document in full or in part, once per request. For an unpaid debt (`insolvency`, `bad_debt`) it
 * credits only the tax. It moves no money. A refund is recorded separately.
 */
export async function creditDocument(
  context: StaffContext,
  request: CreditRequest,
): Promise<Result<DocumentWorkResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const { requestId, documentId } = request;
  const read = () => [documentToCreditQuery(db, documentId)] as const;
  const work: DocumentWork<ReturnType<typeof read>, DocumentWorkResult>["work"] = async (
    documentRequest,
    [[row]],
    { settings, date },
  ) => {
    const firmDocument = toFirm(context, row);
    if (!firmDocument.ok) return firmDocument;
    const drafted = draftCredit(firmDocument.value, request, settings);
    if (!drafted.ok) return drafted;
    const { note, document, collective } = drafted.value;
    const refused = refuseGivingAway(context.staff, settings, sumCreditedWith(document, note));
    if (refused) return refused;
    const { bookingId } = document;
    const writing = { at: context.now, date, bookingId, uid: documentRequest.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueOrRefuse(issuer, [{ draft: note, writing }], (documents) =>
      saveAndRead(context, bookingId, [
        requestStatement(db, documentRequest, context.now),
        ...documents,
        ...allocateStatements(db, getDocumentAccount(document, collective), context.now),
        ...listCreditedContracts(bookingId, collective).flatMap((id) =>
          createDocumentHistory(context, id, { creditNote: document.id }),
        ),
      ]),
    );
  };
  try {
    return await runDocumentWork(context, { requestId, content: request, read, work });
  } catch (error) {
    // A concurrent request credited the document first.
    if (isCreditExceeded(error)) return err({ kind: "moreThanLeft" });
    throw error;
  }
}

/** Previews a credit note. Stores nothing. */
export async function previewCredit(
  context: StaffContext,
  request: Omit<CreditRequest, "requestId">,
): Promise<Result<{ readonly note: DocumentDraft; readonly date: string }, DocumentRefusal>> {
  const { tenant, now } = context;
  const { catalogue, rows } = await readFresh(tenant, () => [documentToCreditQuery(tenant.db, request.documentId)]);
  const firmDocument = toFirm(context, rows[0][0]);
  if (!firmDocument.ok) return firmDocument;
  const drafted = draftCredit(firmDocument.value, request, catalogue.settings);
  if (!drafted.ok) return drafted;
  return ok({ note: drafted.value.note, date: civilNow(catalogue.settings.timezone, now).date });
}

interface DraftedCredit {
  readonly note: DocumentDraft;
  /** Credited document, or the part of a contract. */
  readonly document: FirmDocument;
  readonly collective: CollectiveParts | undefined;
}

function draftCredit(
  row: FirmDocumentRow,
  request: Omit<CreditRequest, "requestId">,
  settings: Settings,
): Result<DraftedCredit, DocumentRefusal> {
  const collective = toCollective(row);
  const document = findPart(row, collective, request);
  if (!document) return err({ kind: "bookingNotFound" });
  const isWhole = collective && request.bookingId === undefined;
  const drafted = isWhole ? draftCollectiveNote(collective, request, settings) : draftNote(document, request, settings);
  return drafted.ok ? ok({ note: drafted.value, document, collective }) : drafted;
}

// Returns the document to credit: one without contracts, the part of a contract, or the collective invoice itself.
function findPart(
  row: FirmDocumentRow,
  collective: CollectiveParts | undefined,
  { bookingId }: Pick<CreditRequest, "bookingId">,
): FirmDocument | undefined {
  if (bookingId === undefined) return toCreditable(row);
  if (!collective) return row.bookingId === bookingId ? toCreditable(row) : undefined;
  return collective.parts.find((part) => part.bookingId === bookingId);
}

function draftCollectiveNote(
  collective: CollectiveParts,
  { cents: requestedCents, reason = "correction" }: Pick<CreditRequest, "cents" | "reason">,
  { defaultLanguage }: Settings,
): Result<DocumentDraft, DocumentRefusal> {
  const { document } = collective;
  if (document.type === "payment") return err({ kind: "documentIsCredit" });
  // The tax of an unpaid debt is credited contract by contract.
  if (isTaxOnly(reason)) return err({ kind: "reasonNeedsContract" });
  if (document.isTaxTakenBack) return err({ kind: "taxTakenBack" });
  const maxCents = getCreditableCents(document, reason);
  const cents = requestedCents ?? maxCents;
  if (cents === 0 || Math.abs(cents) > Math.abs(maxCents)) return err({ kind: "moreThanLeft" });
  const note = draftCollectiveCredit(collective, pickPlatformLanguage(defaultLanguage), cents);
  return ok({ ...note, creditReason: reason });
}

const listCreditedContracts = (
  bookingId: number | undefined,
  collective: CollectiveParts | undefined,
): readonly number[] => {
  if (bookingId !== undefined) return [bookingId];
  return collective?.parts.flatMap((part) => part.bookingId ?? []) ?? [];
};

// Returns the credited total of a document, including the new note.
function sumCreditedWith({ credited }: FirmDocument, { sums }: DocumentDraft): Cents {
  return Math.abs(sumCents(credited.map(({ totalCents }) => totalCents)) + sums.totalCents);
}

function draftNote(
  document: FirmDocument,
  { cents: requestedCents, reason = "correction" }: Pick<CreditRequest, "cents" | "reason">,
  { defaultLanguage }: Settings,
): Result<DocumentDraft, DocumentRefusal> {
  if (document.type === "payment") return err({ kind: "documentIsCredit" });
  if (document.isReplaced) return err({ kind: "documentReplaced" });
  if (document.isTaxTakenBack) return err({ kind: "taxTakenBack" });
  // The debtor must be named. A simplified invoice names no customer, and a bond has no tax.
  if (isTaxOnly(reason) && document.form !== "full") return err({ kind: "reasonNeedsFull" });
  const maxCents = getCreditableCents(document, reason);
  const cents = requestedCents ?? maxCents;
  if (cents === 0 || Math.abs(cents) > Math.abs(maxCents)) return err({ kind: "moreThanLeft" });
  const language = pickPlatformLanguage(defaultLanguage);
  if (isTaxOnly(reason)) return ok(draftTaxNote(document, language, { cents, reason }));
  return ok({ ...draftCreditNote(document, language, cents), creditReason: reason });
}

/** Returns the contracts or the document whose money is allocated again after a document. */
export const getDocumentAccount = (
  { id, bookingId, exchangesDocumentId }: Pick<FirmDocument, "id" | "bookingId" | "exchangesDocumentId">,
  collective?: CollectiveParts,
): AllocationAccount => {
  if (bookingId !== undefined) return { bookingId };
  return collective
    ? { bookingIds: collective.parts.flatMap((part) => part.bookingId ?? []) }
    : { documentId: exchangesDocumentId ?? id };
};

/** Issues a draft, once. A contract's draft is recreated first, so that it matches the current contract. */
export async function issueDraft(
  context: StaffContext,
  { requestId, documentId }: Pick<CreditRequest, "requestId" | "documentId">,
): Promise<Result<DocumentWorkResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const [[row]] = await db.batch([documentToCreditQuery(db, documentId)]);
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return err({ kind: "documentNotFound" });
  if (row.invoiceStatus === "invoice") return ok("done");
  if (row.bookingId !== null) {
    const advanceCents = row.invoiceMode === "reservation_retainer" ? row.totalCents : undefined;
    return invoiceContract(context, { requestId, bookingId: row.bookingId, advanceCents, issued: true });
  }
  const head = toCreditable(row);
  const work: DocumentWork<[], DocumentWorkResult>["work"] = async (request, _, { settings, date }) => {
    const draft = withForm(completeDocument(head, head.items), settings.simplifiedLimitCents);
    if (draft.missing.length > 0) return err({ kind: "customerIncomplete", missing: draft.missing });
    const writing = { at: context.now, date, bookingId: undefined, uid: request.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueOrRefuse(issuer, [{ draft, writing, id: documentId }], (documents) =>
      saveAndRead(context, undefined, [
        requestStatement(db, request, context.now),
        ...documents,
        ...allocateStatements(db, { documentId }, context.now),
      ]),
    );
  };
  return runDocumentWork(context, { requestId, content: { documentId }, read: () => [], work });
}

/** Returns a firm document of the staff member's branches. */
export function toFirm(
  context: StaffContext,
  row: FirmDocumentRow | undefined,
): Result<FirmDocumentRow, DocumentRefusal> {
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return err({ kind: "documentNotFound" });
  return row.invoiceStatus === "draft" ? err({ kind: "documentIsDraft" }) : ok(row);
}

/** Returns the history entry for a contract's documents, or nothing without a contract. */
export function createDocumentHistory(
  context: StaffContext,
  bookingId: number | undefined,
  detail: Readonly<Record<string, unknown>>,
) {
  if (bookingId === undefined) return [];
  return changeStatements(context.tenant.db, bookingId, { at: context.now, actor: getStaffActor(context), detail });
}
