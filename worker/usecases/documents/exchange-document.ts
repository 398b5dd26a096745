import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  draftFullInvoiceExchange,
  draftReplacingInvoice,
  getUncreditedCents,
  type IssuedDocumentWithCredits,
  isReplaceableByFullInvoice,
} from "#domain/documents/credit-notes.ts";
import { listMissingInvoiceFields } from "#domain/documents/document-form.ts";
import { type DocumentDraft, type MissingInvoiceField, TooManyRatesError } from "#domain/documents/draft.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import {
  contractDocumentCustomerQuery,
  toDocumentCustomer,
  toPayerDocumentCustomer,
} from "#worker/store/documents/contract-to-invoice.ts";
import { saveDocumentRequestStatement } from "#worker/store/documents/document-requests.ts";
import {
  documentWithCreditsQuery,
  type IssuedDocumentRow,
  isCreditNoteLimitExceeded,
  toCreditableDocument,
} from "#worker/store/documents/issued-documents.ts";
import { eInvoiceCustomersQuery } from "#worker/store/printing/e-invoices.ts";
import { branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createDocumentsToWrite } from "#worker/usecases/issuing/documents-to-write.ts";
import { previewEInvoices } from "#worker/usecases/shared/preview-e-invoice.ts";
import {
  documentHistoryEntryStatements,
  getDocumentAllocationScope,
  requireIssuedDocument,
} from "./credit-document.ts";
import { type IssuePreview, issueDocumentsOrRefuse } from "./invoice-contract.ts";
import { type DocumentActionResult, saveAndReadContractDocuments } from "./read-contract-documents.ts";
import {
  type DocumentRefusal,
  type IdempotentDocumentAction,
  runDocumentActionOnce,
  type StaffContext,
} from "./staff-context.ts";

export interface RequestedDocumentExchange {
  readonly requestId: string;
  readonly documentId: number;
  /** Other simplified invoices of the same contract that the full invoice also replaces. */
  readonly otherDocumentIds: readonly number[];
}

/**
 * Exchanges a simplified invoice for a full one, once per request, with the customer's current data. Depending on the
 * account, a credit note cancels it before a new invoice. Otherwise the full invoice replaces it and others of the
 * contract by reference. A partly credited invoice is exchanged with a note for the rest.
 */
export async function exchangeForFullInvoice(
  context: StaffContext,
  request: RequestedDocumentExchange,
): Promise<Result<DocumentActionResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const { documentId, otherDocumentIds } = request;
  // Keeps the format of requests from before several documents were supported.
  const content = otherDocumentIds.length === 0 ? { requestId: request.requestId, documentId } : request;
  const ids = [documentId, ...new Set(otherDocumentIds)];
  const read = () => ids.map((id) => documentWithCreditsQuery(db, id));
  const work: IdempotentDocumentAction<ReturnType<typeof read>, DocumentActionResult>["work"] = async (
    request,
    rows,
    { settings, date },
  ) => {
    const drafted = await draftExchange(
      context,
      ids,
      rows.map(([row]) => row),
      settings,
    );
    if (!drafted.ok) return drafted;
    const { document, drafts, missing } = drafted.value;
    if (missing.length > 0) return err({ kind: "customerIncomplete", missing });
    const { bookingId } = document;
    const writing = { at: context.now, date, bookingId, uid: request.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueDocumentsOrRefuse(issuer, createDocumentsToWrite(drafts, writing), (documents) =>
      saveAndReadContractDocuments(context, bookingId, [
        saveDocumentRequestStatement(db, request, context.now),
        ...documents,
        ...allocateMoneyStatements(db, getDocumentAllocationScope(document), context.now),
        ...documentHistoryEntryStatements(context, bookingId, { exchanged: document.id }),
      ]),
    );
  };
  try {
    return await runDocumentActionOnce(context, {
      requestId: request.requestId,
      content: { exchange: content },
      read,
      work,
    });
  } catch (error) {
    // A concurrent request credited or exchanged the document first.
    if (isCreditNoteLimitExceeded(error)) return err({ kind: "notSimplified" });
    throw error;
  }
}

/** Previews the documents of an exchange, with the customer data that is missing. Stores nothing. */
export async function previewInvoiceExchange(
  context: StaffContext,
  { documentId, otherDocumentIds }: Omit<RequestedDocumentExchange, "requestId">,
): Promise<Result<IssuePreview, DocumentRefusal>> {
  const { tenant, now } = context;
  const ids = [documentId, ...new Set(otherDocumentIds)];
  const { db } = tenant;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        branchIssuersQuery(db),
        eInvoiceCustomersQuery(db, { documentId }),
        ...ids.map((id) => documentWithCreditsQuery(db, id)),
      ] as const,
  );
  const [issuers, customers, ...documentRows] = rows;
  const { settings } = catalogue;
  const documents = documentRows.map(([row]) => row);
  const drafted = await draftExchange(context, ids, documents, settings);
  if (!drafted.ok) return drafted;
  const { drafts, missing, termsDays } = drafted.value;
  const withMissing = drafts.map((draft) => (draft.type === "invoice" ? { ...draft, missing } : draft));
  const { date } = toCivilNow(settings.timezone, now);
  return ok({ drafts: previewEInvoices(withMissing, { date, settings, issuers, customers }), date, termsDays });
}

interface DraftedExchange {
  /** First exchanged document. */
  readonly document: IssuedDocumentWithCredits;
  /** Documents of the exchange: a credit note and a full invoice, or only a full invoice. */
  readonly drafts: readonly DocumentDraft[];
  readonly missing: readonly MissingInvoiceField[];
  readonly termsDays: number;
}

async function draftExchange(
  context: StaffContext,
  ids: readonly number[],
  rows: readonly (IssuedDocumentRow | undefined)[],
  settings: Settings,
): Promise<Result<DraftedExchange, DocumentRefusal>> {
  const exchangedDocuments = toExchanged(context, ids, rows);
  if (!exchangedDocuments.ok) return exchangedDocuments;
  const [document] = exchangedDocuments.value;
  const { customer, termsDays } = await findCustomer(context, document);
  const drafted = draft(exchangedDocuments.value, customer, settings);
  if (!drafted.ok) return drafted;
  return ok({ document, drafts: drafted.value, missing: listMissingInvoiceFields(customer), termsDays });
}

type Exchanged = readonly [IssuedDocumentWithCredits, ...IssuedDocumentWithCredits[]];

// The first id is the document. The others belong to its contract.
function toExchanged(
  context: StaffContext,
  ids: readonly number[],
  rows: readonly (IssuedDocumentRow | undefined)[],
): Result<Exchanged, DocumentRefusal> {
  const all: IssuedDocumentWithCredits[] = [];
  for (const [index, row] of rows.entries()) {
    const exchangedDocuments = requireIssuedDocument(context, row);
    if (!exchangedDocuments.ok) return exchangedDocuments;
    const creditable = toCreditableDocument(exchangedDocuments.value);
    const [document] = all;
    if (document && (ids[index] === ids[0] || !isSameDocumentKind(document, creditable)))
      return err({ kind: "notOfSameContract" });
    all.push(creditable);
  }
  const isExchangeable = (issuedDocument: IssuedDocumentWithCredits) =>
    issuedDocument.form === "simplified" && !issuedDocument.isReplaced && getUncreditedCents(issuedDocument) !== 0;
  if (!all.every(isExchangeable)) return err({ kind: "notSimplified" });
  // In order of issue: a contract's advance comes before its final invoice.
  return ok(all.toSorted((a, b) => a.id - b.id) as unknown as Exchanged);
}

function isSameDocumentKind(issuedDocument: IssuedDocumentWithCredits, other: IssuedDocumentWithCredits): boolean {
  const { bookingId, companyId, branchCode } = issuedDocument;
  const isInContract = bookingId !== undefined && other.bookingId === bookingId;
  return isInContract && other.companyId === companyId && other.branchCode === branchCode;
}

function draft(
  documents: Exchanged,
  customer: DocumentDraft["customer"],
  { simplifiedExchange, defaultLanguage }: Settings,
): Result<readonly DocumentDraft[], DocumentRefusal> {
  const [document, ...others] = documents;
  const isReplaced = simplifiedExchange === "replacement" && documents.every(isReplaceableByFullInvoice);
  if (!isReplaced && others.length > 0) return err({ kind: "notReplaceable" });
  if (!isReplaced) return ok(draftFullInvoiceExchange(document, customer, pickPlatformLanguage(defaultLanguage)));
  try {
    return ok([draftReplacingInvoice(documents, customer)]);
  } catch (error) {
    if (error instanceof TooManyRatesError) return err({ kind: "notReplaceable" });
    throw error;
  }
}

// Returns the contract's current customer or payer, with the days until their invoices are due.
async function findCustomer({ tenant: { db } }: StaffContext, document: IssuedDocumentWithCredits) {
  const withoutContract = { customer: document.customer, termsDays: 0 };
  if (document.bookingId === undefined) return withoutContract;
  const [[row]] = await db.batch([contractDocumentCustomerQuery(db, { bookingId: document.bookingId })]);
  if (!row) return withoutContract;
  const customer = row.payer ? toPayerDocumentCustomer(row.payer) : toDocumentCustomer(row.booking, row.customer);
  return { customer, termsDays: row.termsDays };
}
