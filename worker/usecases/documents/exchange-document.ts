import type { Settings } from "#domain/catalogue/catalogue.ts";
import { spokenLanguage } from "#domain/catalogue/languages.ts";
import {
  draftExchange,
  draftReplacement,
  type FirmDocument,
  isReplaceable,
  leftOf,
} from "#domain/documents/credit-notes.ts";
import { type DocumentDraft, TooManyRates } from "#domain/documents/draft.ts";
import { missingForFull } from "#domain/documents/form.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { customerOfContractQuery, toDocumentCustomer } from "#worker/store/documents/contract-to-invoice.ts";
import { requestStatement } from "#worker/store/documents/document-requests.ts";
import {
  documentToCreditQuery,
  type FirmDocumentRow,
  isCreditExceeded,
  toCreditable,
} from "#worker/store/documents/firm-documents.ts";
import { numbered } from "#worker/usecases/tax-records/to-issue.ts";
import { accountOfDocument, historyOf, toFirm } from "./credit-document.ts";
import { issueOrRefuse } from "./invoice-contract.ts";
import { type Done, saveAndRead } from "./read-contract-documents.ts";
import { type DocumentRefusal, doOnce, type Once, type StaffContext } from "./staff-context.ts";

export interface ExchangeRequest {
  readonly requestId: string;
  readonly documentId: number;
  /** Other simplified invoices of the same contract that the full one stands in place of, too. */
  readonly others: readonly number[];
}

/**
 * Exchanges a simplified invoice for a full one, once for each request, made out to the customer of its contract as the
 * customer is known today. As the account has it, a credit note takes it back and it is invoiced anew; or the full one
 * replaces it, and others of its contract, by naming them. Of which a note took back a part, the rest is exchanged by a
 * note.
 */
export async function exchangeDocument(
  context: StaffContext,
  request: ExchangeRequest,
): Promise<Result<Done, DocumentRefusal>> {
  const { db } = context.tenant;
  const { documentId, others } = request;
  // As it was asked before there were others to name.
  const content = others.length === 0 ? { requestId: request.requestId, documentId } : request;
  const ids = [documentId, ...new Set(others)];
  const read = () => ids.map((id) => documentToCreditQuery(db, id));
  const work: Once<ReturnType<typeof read>, Done>["work"] = async (kept, rows, { settings, date }) => {
    const found = toExchanged(
      context,
      ids,
      rows.map(([row]) => row),
    );
    if (!found.ok) return found;
    const [document] = found.value;
    const customer = await findCustomer(context, document);
    const missing = missingForFull(customer);
    if (missing.length > 0) return refuse({ kind: "customerIncomplete", missing });
    const drafted = draft(found.value, customer, settings);
    if (!drafted.ok) return drafted;
    const { bookingId } = document;
    const writing = { at: context.now, date, bookingId, uid: kept.id, issued: true, series: settings };
    const issuer = { tenant: context.tenant, settings };
    return issueOrRefuse(issuer, numbered(drafted.value, writing), (documents) =>
      saveAndRead(context, bookingId, [
        requestStatement(db, kept, context.now),
        ...documents,
        ...allocateStatements(db, accountOfDocument(document), context.now),
        ...historyOf(context, bookingId, { exchanged: document.id }),
      ]),
    );
  };
  try {
    return await doOnce(context, { requestId: request.requestId, content: { exchange: content }, read, work });
  } catch (error) {
    // Somebody else credited or exchanged it meanwhile.
    if (isCreditExceeded(error)) return refuse({ kind: "notSimplified" });
    throw error;
  }
}

type Exchanged = readonly [FirmDocument, ...FirmDocument[]];

// The first of the ids is the document's, the others are of its contract.
function toExchanged(
  context: StaffContext,
  ids: readonly number[],
  rows: readonly (FirmDocumentRow | undefined)[],
): Result<Exchanged, DocumentRefusal> {
  const all: FirmDocument[] = [];
  for (const [index, row] of rows.entries()) {
    const found = toFirm(context, row);
    if (!found.ok) return found;
    const one = toCreditable(found.value);
    const [document] = all;
    if (document && (ids[index] === ids[0] || !isOfSame(document, one))) return refuse({ kind: "notOfSameContract" });
    all.push(one);
  }
  const isExchangeable = (one: FirmDocument) => one.form === "simplified" && !one.isReplaced && leftOf(one) !== 0;
  if (!all.every(isExchangeable)) return refuse({ kind: "notSimplified" });
  // As they were issued: a contract's advance before what closed it.
  return ok(all.toSorted((a, b) => a.id - b.id) as unknown as Exchanged);
}

function isOfSame(one: FirmDocument, other: FirmDocument): boolean {
  const { bookingId, companyId, branchCode } = one;
  const isOfContract = bookingId !== undefined && other.bookingId === bookingId;
  return isOfContract && other.companyId === companyId && other.branchCode === branchCode;
}

function draft(
  documents: Exchanged,
  customer: DocumentDraft["customer"],
  { simplifiedExchange, defaultLanguage }: Settings,
): Result<readonly DocumentDraft[], DocumentRefusal> {
  const [document, ...others] = documents;
  const isReplaced = simplifiedExchange === "replacement" && documents.every(isReplaceable);
  if (!isReplaced && others.length > 0) return refuse({ kind: "notReplaceable" });
  if (!isReplaced) return ok(draftExchange(document, customer, spokenLanguage(defaultLanguage)));
  try {
    return ok([draftReplacement(documents, customer)]);
  } catch (error) {
    if (error instanceof TooManyRates) return refuse({ kind: "notReplaceable" });
    throw error;
  }
}

async function findCustomer({ tenant: { db } }: StaffContext, document: FirmDocument) {
  if (document.bookingId === undefined) return document.customer;
  const [[row]] = await db.batch([customerOfContractQuery(db, { bookingId: document.bookingId })]);
  return row ? toDocumentCustomer(row.booking, row.customer) : document.customer;
}
