import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  draftExchange,
  draftReplacement,
  type FirmDocument,
  getUncreditedCents,
  isReplaceable,
} from "#domain/documents/credit-notes.ts";
import { type DocumentDraft, TooManyRates } from "#domain/documents/draft.ts";
import { missingForFull } from "#domain/documents/form.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { contractCustomerQuery, toDocumentCustomer, toPayer } from "#worker/store/documents/contract-to-invoice.ts";
import { requestStatement } from "#worker/store/documents/document-requests.ts";
import {
  documentToCreditQuery,
  type FirmDocumentRow,
  isCreditExceeded,
  toCreditable,
} from "#worker/store/documents/firm-documents.ts";
import { numbered } from "#worker/usecases/issuing/to-issue.ts";
import { createDocumentHistory, getDocumentAccount, toFirm } from "./credit-document.ts";
import { issueOrRefuse } from "./invoice-contract.ts";
import { type DocumentWorkResult, saveAndRead } from "./read-contract-documents.ts";
import { type DocumentRefusal, type DocumentWork, runDocumentWork, type StaffContext } from "./staff-context.ts";

export interface ExchangeRequest {
  readonly requestId: string;
  readonly documentId: number;
  /** Other simplified invoices of the same contract that the full invoice also replaces. */
  readonly others: readonly number[];
}

/**
 * Exchanges a simplified invoice for a full one, once per request, with the customer's current data. Depending on the
 * account, a credit note cancels it before a new invoice. Otherwise the full invoice replaces it and others of the
 * contract by reference. A partly credited invoice is exchanged with a note for the rest.
 */
export async function exchangeDocument(
  context: StaffContext,
  request: ExchangeRequest,
): Promise<Result<DocumentWorkResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const { documentId, others } = request;
  // Keeps the format of requests from before several documents were supported.
  const content = others.length === 0 ? { requestId: request.requestId, documentId } : request;
  const ids = [documentId, ...new Set(others)];
  const read = () => ids.map((id) => documentToCreditQuery(db, id));
  const work: DocumentWork<ReturnType<typeof read>, DocumentWorkResult>["work"] = async (
    request,
    rows,
    { settings, date },
  ) => {
    const exchangedDocuments = toExchanged(
      context,
      ids,
      rows.map(([row]) => row),
    );
    if (!exchangedDocuments.ok) return exchangedDocuments;
    const [document] = exchangedDocuments.value;
    const customer = await findCustomer(context, document);
    const missing = missingForFull(customer);
    if (missing.length > 0) return err({ kind: "customerIncomplete", missing });
    const drafted = draft(exchangedDocuments.value, customer, settings);
    if (!drafted.ok) return drafted;
    const { bookingId } = document;
    const writing = { at: context.now, date, bookingId, uid: request.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueOrRefuse(issuer, numbered(drafted.value, writing), (documents) =>
      saveAndRead(context, bookingId, [
        requestStatement(db, request, context.now),
        ...documents,
        ...allocateStatements(db, getDocumentAccount(document), context.now),
        ...createDocumentHistory(context, bookingId, { exchanged: document.id }),
      ]),
    );
  };
  try {
    return await runDocumentWork(context, { requestId: request.requestId, content: { exchange: content }, read, work });
  } catch (error) {
    // A concurrent request credited or exchanged the document first.
    if (isCreditExceeded(error)) return err({ kind: "notSimplified" });
    throw error;
  }
}

type Exchanged = readonly [FirmDocument, ...FirmDocument[]];

// The first id is the document. The others belong to its contract.
function toExchanged(
  context: StaffContext,
  ids: readonly number[],
  rows: readonly (FirmDocumentRow | undefined)[],
): Result<Exchanged, DocumentRefusal> {
  const all: FirmDocument[] = [];
  for (const [index, row] of rows.entries()) {
    const exchangedDocuments = toFirm(context, row);
    if (!exchangedDocuments.ok) return exchangedDocuments;
    const creditable = toCreditable(exchangedDocuments.value);
    const [document] = all;
    if (document && (ids[index] === ids[0] || !isSameDocumentKind(document, creditable)))
      return err({ kind: "notOfSameContract" });
    all.push(creditable);
  }
  const isExchangeable = (firmDocument: FirmDocument) =>
    firmDocument.form === "simplified" && !firmDocument.isReplaced && getUncreditedCents(firmDocument) !== 0;
  if (!all.every(isExchangeable)) return err({ kind: "notSimplified" });
  // In order of issue: a contract's advance comes before its final invoice.
  return ok(all.toSorted((a, b) => a.id - b.id) as unknown as Exchanged);
}

function isSameDocumentKind(firmDocument: FirmDocument, other: FirmDocument): boolean {
  const { bookingId, companyId, branchCode } = firmDocument;
  const isInContract = bookingId !== undefined && other.bookingId === bookingId;
  return isInContract && other.companyId === companyId && other.branchCode === branchCode;
}

function draft(
  documents: Exchanged,
  customer: DocumentDraft["customer"],
  { simplifiedExchange, defaultLanguage }: Settings,
): Result<readonly DocumentDraft[], DocumentRefusal> {
  const [document, ...others] = documents;
  const isReplaced = simplifiedExchange === "replacement" && documents.every(isReplaceable);
  if (!isReplaced && others.length > 0) return err({ kind: "notReplaceable" });
  if (!isReplaced) return ok(draftExchange(document, customer, pickPlatformLanguage(defaultLanguage)));
  try {
    return ok([draftReplacement(documents, customer)]);
  } catch (error) {
    if (error instanceof TooManyRates) return err({ kind: "notReplaceable" });
    throw error;
  }
}

async function findCustomer({ tenant: { db } }: StaffContext, document: FirmDocument) {
  if (document.bookingId === undefined) return document.customer;
  const [[row]] = await db.batch([contractCustomerQuery(db, { bookingId: document.bookingId })]);
  if (!row) return document.customer;
  return row.payer ? toPayer(row.payer) : toDocumentCustomer(row.booking, row.customer);
}
