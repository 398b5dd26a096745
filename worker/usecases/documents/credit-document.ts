import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  type CollectiveInvoiceByContract,
  draftCollectiveCreditNote,
  draftCreditNote,
  draftTaxCreditNote,
  getCreditableCents,
  type IssuedDocumentWithCredits,
  isUncreditedAmountPaid,
} from "#domain/documents/credit-notes.ts";
import { type CreditReason, isTaxOnlyCredit } from "#domain/documents/credit-reasons.ts";
import { assignDocumentForm } from "#domain/documents/document-form.ts";
import { completeDocumentDraft, type DocumentDraft } from "#domain/documents/draft.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { allocateMoneyStatements, type MoneyAllocationScope } from "#worker/store/documents/allocation.ts";
import {
  recordBookingChangeStatements,
  saveDocumentRequestStatement,
} from "#worker/store/documents/document-requests.ts";
import {
  documentContractVersionsQuery,
  documentTermsDaysQuery,
  documentWithCreditsQuery,
  type IssuedDocumentRow,
  isCreditNoteLimitExceeded,
  toCollectiveInvoiceByContract,
  toCreditableDocument,
} from "#worker/store/documents/issued-documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { eInvoiceCustomersQuery } from "#worker/store/printing/e-invoices.ts";
import { branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { previewEInvoices } from "#worker/usecases/shared/preview-e-invoice.ts";
import {
  type IssuePreview,
  invoiceContract,
  issueDocumentsOrRefuse,
  previewContractInvoice,
} from "./invoice-contract.ts";
import {
  type DocumentActionResult,
  readContractDocuments,
  saveAndReadContractDocuments,
} from "./read-contract-documents.ts";
import {
  type DocumentRefusal,
  findStaffLimitRefusal,
  getStaffActor,
  type IdempotentDocumentAction,
  runDocumentActionOnce,
  type StaffContext,
} from "./staff-context.ts";

export interface CreditNoteRequest {
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
 * Credits an issued document in full or in part, once per request. For an unpaid debt (`insolvency`, `bad_debt`) it
 * credits only the tax. It moves no money. A refund is recorded separately. Decides again if a credited contract
 * changes in between.
 */
export async function issueCreditNote(
  context: StaffContext,
  request: CreditNoteRequest,
): Promise<Result<DocumentActionResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const { requestId, documentId } = request;
  const read = () => [documentWithCreditsQuery(db, documentId), documentContractVersionsQuery(db, documentId)] as const;
  const work: IdempotentDocumentAction<ReturnType<typeof read>, DocumentActionResult>["work"] = async (
    documentRequest,
    [[row], contracts],
    { settings, date },
  ) => {
    const issuedDocument = requireIssuedDocument(context, row);
    if (!issuedDocument.ok) return issuedDocument;
    const drafted = draftCredit(issuedDocument.value, request, settings);
    if (!drafted.ok) return drafted;
    const { note, document, collective } = drafted.value;
    const refused = findStaffLimitRefusal(context.staff, settings, sumCreditedWith(document, note));
    if (refused) return refused;
    const { bookingId } = document;
    const creditedIds = listCreditedContracts(bookingId, collective);
    const creditedContracts = contracts.filter(({ id }) => creditedIds.includes(id));
    const writing = { at: context.now, date, bookingId, uid: documentRequest.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueDocumentsOrRefuse(issuer, [{ draft: note, writing }], (documents) =>
      saveAndReadContractDocuments(context, bookingId, [
        saveDocumentRequestStatement(db, documentRequest, context.now),
        ...creditedContracts.map((contract) => expectBookingVersionStatement(db, contract)),
        ...documents,
        ...allocateMoneyStatements(db, getDocumentAllocationScope(document, collective), context.now),
        ...creditedIds.flatMap((id) => documentHistoryEntryStatements(context, id, { creditNote: document.id })),
      ]),
    );
  };
  try {
    return await runDocumentActionOnce(context, { requestId, content: request, read, work });
  } catch (error) {
    // A concurrent request credited the document first.
    if (isCreditNoteLimitExceeded(error)) return err({ kind: "moreThanLeft" });
    throw error;
  }
}

/** Previews a credit note. Stores nothing. */
export async function previewCreditNote(
  context: StaffContext,
  request: Omit<CreditNoteRequest, "requestId">,
): Promise<Result<IssuePreview, DocumentRefusal>> {
  const { tenant, now } = context;
  const { documentId } = request;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        documentWithCreditsQuery(tenant.db, documentId),
        branchIssuersQuery(tenant.db),
        eInvoiceCustomersQuery(tenant.db, { documentId }),
      ] as const,
  );
  const [[row], issuers, customers] = rows;
  const { settings } = catalogue;
  const issuedDocument = requireIssuedDocument(context, row);
  if (!issuedDocument.ok) return issuedDocument;
  const drafted = draftCredit(issuedDocument.value, request, settings);
  if (!drafted.ok) return drafted;
  const { note } = drafted.value;
  const { date } = toCivilNow(settings.timezone, now);
  return ok({ drafts: previewEInvoices([note], { date, settings, issuers, customers }), date, termsDays: 0 });
}

interface DraftedCredit {
  readonly note: DocumentDraft;
  /** Credited document, or the part of a contract. */
  readonly document: IssuedDocumentWithCredits;
  readonly collective: CollectiveInvoiceByContract | undefined;
}

function draftCredit(
  row: IssuedDocumentRow,
  request: Omit<CreditNoteRequest, "requestId">,
  settings: Settings,
): Result<DraftedCredit, DocumentRefusal> {
  const collective = toCollectiveInvoiceByContract(row);
  const document = findPart(row, collective, request);
  if (!document) return err({ kind: "bookingNotFound" });
  const isWhole = collective && request.bookingId === undefined;
  const drafted = isWhole ? draftCollectiveNote(collective, request, settings) : draftNote(document, request, settings);
  return drafted.ok ? ok({ note: drafted.value, document, collective }) : drafted;
}

// Returns the document to credit: one without contracts, the part of a contract, or the collective invoice itself.
function findPart(
  row: IssuedDocumentRow,
  collective: CollectiveInvoiceByContract | undefined,
  { bookingId }: Pick<CreditNoteRequest, "bookingId">,
): IssuedDocumentWithCredits | undefined {
  if (bookingId === undefined) return toCreditableDocument(row);
  if (!collective) return row.bookingId === bookingId ? toCreditableDocument(row) : undefined;
  return collective.parts.find((part) => part.bookingId === bookingId);
}

function draftCollectiveNote(
  collective: CollectiveInvoiceByContract,
  { cents: requestedCents, reason = "correction" }: Pick<CreditNoteRequest, "cents" | "reason">,
  { defaultLanguage }: Settings,
): Result<DocumentDraft, DocumentRefusal> {
  const { document } = collective;
  if (document.type === "payment") return err({ kind: "documentIsCredit" });
  // The tax of an unpaid debt is credited contract by contract.
  if (isTaxOnlyCredit(reason)) return err({ kind: "reasonNeedsContract" });
  if (document.isTaxTakenBack) return err({ kind: "taxTakenBack" });
  const maxCents = getCreditableCents(document, reason);
  const cents = requestedCents ?? maxCents;
  if (cents === 0 || Math.abs(cents) > Math.abs(maxCents)) return err({ kind: "moreThanLeft" });
  const note = draftCollectiveCreditNote(collective, pickPlatformLanguage(defaultLanguage), cents);
  return ok({ ...note, creditReason: reason });
}

const listCreditedContracts = (
  bookingId: number | undefined,
  collective: CollectiveInvoiceByContract | undefined,
): readonly number[] => {
  if (bookingId !== undefined) return [bookingId];
  return collective?.parts.flatMap((part) => part.bookingId ?? []) ?? [];
};

// Returns the credited total of a document, including the new note.
function sumCreditedWith({ credited }: IssuedDocumentWithCredits, { sums }: DocumentDraft): Cents {
  return Math.abs(sumCents(credited.map(({ totalCents }) => totalCents)) + sums.totalCents);
}

function draftNote(
  document: IssuedDocumentWithCredits,
  { cents: requestedCents, reason = "correction" }: Pick<CreditNoteRequest, "cents" | "reason">,
  { defaultLanguage }: Settings,
): Result<DocumentDraft, DocumentRefusal> {
  if (document.type === "payment") return err({ kind: "documentIsCredit" });
  if (document.isReplaced) return err({ kind: "documentReplaced" });
  if (document.isTaxTakenBack) return err({ kind: "taxTakenBack" });
  // The debtor must be named. A simplified invoice names no customer, and a bond has no tax.
  if (isTaxOnlyCredit(reason) && document.form !== "full") return err({ kind: "reasonNeedsFull" });
  if (isTaxOnlyCredit(reason) && isUncreditedAmountPaid(document)) return err({ kind: "nothingUnpaid" });
  const maxCents = getCreditableCents(document, reason);
  const cents = requestedCents ?? maxCents;
  if (cents === 0 || Math.abs(cents) > Math.abs(maxCents)) return err({ kind: "moreThanLeft" });
  const language = pickPlatformLanguage(defaultLanguage);
  if (isTaxOnlyCredit(reason)) return ok(draftTaxCreditNote(document, language, { cents, reason }));
  return ok({ ...draftCreditNote(document, language, cents), creditReason: reason });
}

/** Returns the scope of money that a document reallocates: its contracts, or the invoice without a contract. */
export const getDocumentAllocationScope = (
  { id, bookingId, exchangesDocumentId }: Pick<IssuedDocumentWithCredits, "id" | "bookingId" | "exchangesDocumentId">,
  collective?: CollectiveInvoiceByContract,
): MoneyAllocationScope => {
  if (bookingId !== undefined) return { bookingId };
  return collective
    ? { bookingIds: collective.parts.flatMap((part) => part.bookingId ?? []) }
    : { documentId: exchangesDocumentId ?? id };
};

/** Issues a draft, once. A contract's draft is recreated first, so that it matches the current contract. */
export async function issueDraftDocument(
  context: StaffContext,
  { requestId, documentId }: Pick<CreditNoteRequest, "requestId" | "documentId">,
): Promise<Result<DocumentActionResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const [[row]] = await db.batch([documentWithCreditsQuery(db, documentId)]);
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return err({ kind: "documentNotFound" });
  const isIssued = row.invoiceStatus === "invoice";
  if (isIssued) return ok(row.bookingId === null ? "done" : await readContractDocuments(context, row.bookingId));
  if (row.bookingId !== null) {
    const advanceCents = getAdvanceCents(row);
    return invoiceContract(context, { requestId, bookingId: row.bookingId, advanceCents, issued: true });
  }
  const work: IdempotentDocumentAction<[], DocumentActionResult>["work"] = async (request, _, { settings, date }) => {
    const draft = redraftDocument(row, settings);
    if (draft.missing.length > 0) return err({ kind: "customerIncomplete", missing: draft.missing });
    const writing = { at: context.now, date, bookingId: undefined, uid: request.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueDocumentsOrRefuse(issuer, [{ draft, writing, id: documentId }], (documents) =>
      saveAndReadContractDocuments(context, undefined, [
        saveDocumentRequestStatement(db, request, context.now),
        ...documents,
        ...allocateMoneyStatements(db, { documentId }, context.now),
      ]),
    );
  };
  return runDocumentActionOnce(context, { requestId, content: { documentId }, read: () => [], work });
}

/**
 * Previews the documents that issuing a draft would issue, with the customer data that is missing. Empty if it's
 * issued. Stores nothing.
 */
export async function previewDraftIssue(
  context: StaffContext,
  documentId: number,
): Promise<Result<IssuePreview, DocumentRefusal>> {
  const { tenant, now } = context;
  const { db } = tenant;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        documentWithCreditsQuery(db, documentId),
        documentTermsDaysQuery(db, { id: documentId }),
        branchIssuersQuery(db),
        eInvoiceCustomersQuery(db, { documentId }),
      ] as const,
  );
  const [[row], [terms], issuers, customers] = rows;
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return err({ kind: "documentNotFound" });
  const { settings } = catalogue;
  const { date } = toCivilNow(settings.timezone, now);
  const preview = { date, termsDays: terms?.days ?? 0 };
  if (row.invoiceStatus === "invoice") return ok({ drafts: [], ...preview });
  if (row.bookingId === null) {
    const drafts = [redraftDocument(row, settings)];
    return ok({ drafts: previewEInvoices(drafts, { date, settings, issuers, customers }), ...preview });
  }
  return previewContractInvoice(context, { bookingId: row.bookingId, advanceCents: getAdvanceCents(row) });
}

// Drafts a document without a contract from its items.
function redraftDocument(row: IssuedDocumentRow, { simplifiedLimitCents }: Settings): DocumentDraft {
  const head = toCreditableDocument(row);
  return assignDocumentForm(completeDocumentDraft(head, head.items), simplifiedLimitCents);
}

const getAdvanceCents = ({ invoiceMode, totalCents }: IssuedDocumentRow) =>
  invoiceMode === "reservation_retainer" ? totalCents : undefined;

/** Returns an issued document of the staff member's branches. */
export function requireIssuedDocument(
  context: StaffContext,
  row: IssuedDocumentRow | undefined,
): Result<IssuedDocumentRow, DocumentRefusal> {
  if (!row || !canAccessBranch(context.staff, row.branchCode)) return err({ kind: "documentNotFound" });
  return row.invoiceStatus === "draft" ? err({ kind: "documentIsDraft" }) : ok(row);
}

/** Returns the statements that add the history entry for a contract's documents, or none without a contract. */
export function documentHistoryEntryStatements(
  context: StaffContext,
  bookingId: number | undefined,
  detail: Readonly<Record<string, unknown>>,
) {
  if (bookingId === undefined) return [];
  return recordBookingChangeStatements(context.tenant.db, bookingId, {
    at: context.now,
    actor: getStaffActor(context),
    detail,
  });
}
