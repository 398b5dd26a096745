import { canAccessBranch } from "#domain/access/sessions.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftAdvanceInvoice,
  draftMissingContractDocuments,
  redraftRestAfterAdvance,
} from "#domain/documents/invoicing.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import type { Query } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import {
  recordBookingChangeStatements,
  saveDocumentRequestStatement,
} from "#worker/store/documents/document-requests.ts";
import { contractToInvoiceQueries, toContractToInvoice } from "#worker/store/documents/documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { eInvoiceCustomersQuery } from "#worker/store/printing/e-invoices.ts";
import { branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  createDocumentsToWrite,
  type DocumentToWrite,
  type IssuingAccount,
} from "#worker/usecases/issuing/documents-to-write.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { type PreviewedDraft, previewEInvoices } from "#worker/usecases/shared/preview-e-invoice.ts";
import { type DocumentActionResult, saveAndReadContractDocuments } from "./read-contract-documents.ts";
import {
  type DocumentRefusal,
  getStaffActor,
  type IdempotentDocumentAction,
  runDocumentActionOnce,
  type StaffContext,
} from "./staff-context.ts";

/** Part of a contract to invoice: the rest, or an advance. */
export interface ContractInvoiceRequest {
  readonly requestId: string;
  readonly bookingId: number;
  readonly advanceCents: Cents | undefined;
  /** Whether to issue the document. Otherwise it stays a draft, which the next draft overwrites. */
  readonly issued: boolean;
}

/** Drafts or issues the next documents of a contract, once per request. Repeating it changes nothing. */
export async function invoiceContract(
  context: StaffContext,
  request: ContractInvoiceRequest,
): Promise<Result<DocumentActionResult, DocumentRefusal>> {
  const { db } = context.tenant;
  const { requestId, bookingId, issued } = request;
  const read = () => contractToInvoiceQueries(db, { bookingId });
  const work: IdempotentDocumentAction<ReturnType<typeof read>, DocumentActionResult>["work"] = async (
    documentRequest,
    rows,
    { settings, date },
  ) => {
    const booking = rows[0][0]?.booking;
    const contract = toContractToInvoice(rows);
    if (!booking || !contract || !canAccessBranch(context.staff, booking.branchCode))
      return err({ kind: "bookingNotFound" });
    const drafted = draftContractDocuments(contract, request);
    if (!drafted.ok) return drafted;
    const { documents: toIssue, redrafted } = drafted.value;
    const writing = { at: context.now, date, bookingId, uid: documentRequest.id, issued, series: settings };
    const issuer = { tenant: context.tenant, settings };
    const save = (documents: readonly Query[]) =>
      saveAndReadContractDocuments(context, bookingId, [
        expectBookingVersionStatement(db, booking),
        saveDocumentRequestStatement(db, documentRequest, context.now),
        ...documents,
        ...allocateMoneyStatements(db, { bookingId }, context.now),
        ...recordBookingChangeStatements(db, bookingId, {
          at: context.now,
          actor: getStaffActor(context),
          detail: { document: toIssue[0]?.mode, issued },
        }),
      ]);
    const rewriting = { ...writing, uid: `${writing.uid}:rest`, issued: false };
    const toWrite = [...createDocumentsToWrite(toIssue, writing), ...createDocumentsToWrite(redrafted, rewriting)];
    return issueDocumentsOrRefuse(issuer, toWrite, save);
  };
  return runDocumentActionOnce(context, { requestId, content: request, read, work });
}

/** Previews the next documents of a contract, or of an advance. Stores nothing. */
export async function previewContractInvoice(
  context: StaffContext,
  { bookingId, advanceCents }: Pick<ContractInvoiceRequest, "bookingId" | "advanceCents">,
): Promise<Result<IssuePreview, DocumentRefusal>> {
  const { tenant, staff, now } = context;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        ...contractToInvoiceQueries(tenant.db, { bookingId }),
        branchIssuersQuery(tenant.db),
        eInvoiceCustomersQuery(tenant.db, { bookingId }),
      ] as const,
  );
  const [bookings, lines, extras, earlier, issuers, customers] = rows;
  const [row] = bookings;
  const contract = toContractToInvoice([bookings, lines, extras, earlier]);
  if (!row || !contract || !canAccessBranch(staff, row.booking.branchCode)) return err({ kind: "bookingNotFound" });
  const drafted = draftContractDocuments(contract, { advanceCents, issued: true });
  if (!drafted.ok) return drafted;
  const { settings } = catalogue;
  const { date } = toCivilNow(settings.timezone, now);
  const drafts = previewEInvoices(drafted.value.documents, { date, settings, issuers, customers });
  return ok({ drafts, date, termsDays: row.termsDays });
}

/**
 * Saves a batch in which all documents must be issued. If one lacks data, returns the missing fields and writes
 * nothing.
 */
export function issueDocumentsOrRefuse(
  issuer: IssuingAccount,
  toIssue: readonly DocumentToWrite[],
  save: (documents: readonly Query[]) => Promise<DocumentActionResult>,
): Promise<Result<DocumentActionResult, DocumentRefusal>> {
  return issueDocuments(
    issuer,
    toIssue,
    async ({ statements, documents }): Promise<Result<DocumentActionResult, DocumentRefusal>> => {
      const missing = documents.flatMap(({ draft: { missing: lacks }, writing }) => (writing.issued ? lacks : []));
      if (missing.length > 0) return err({ kind: "customerIncomplete", missing: [...new Set(missing)] });
      return ok(await save(statements));
    },
  );
}

/** Documents before they are issued. */
export interface IssuePreview {
  readonly drafts: readonly PreviewedDraft[];
  /** Date of the documents. */
  readonly date: string;
  /** Days until invoices are due. */
  readonly termsDays: number;
}

interface ContractDrafts {
  readonly documents: readonly DocumentDraft[];
  /** Drafts of the rest that deduct an issued advance. */
  readonly redrafted: readonly DocumentDraft[];
}

// Drafts the next documents of a contract: the rest, or an advance.
function draftContractDocuments(
  contract: ContractToInvoice,
  { advanceCents, issued }: Pick<ContractInvoiceRequest, "advanceCents" | "issued">,
): Result<ContractDrafts, DocumentRefusal> {
  if (advanceCents !== undefined && contract.retainedFeeCents !== undefined) return err({ kind: "bookingCancelled" });
  const drafts = draftMissingContractDocuments(contract);
  if (drafts.length === 0) return err({ kind: "nothingToInvoice" });
  if (advanceCents === undefined) return ok({ documents: drafts, redrafted: [] });
  if (drafts.some(({ kind }) => kind === "internal_bond")) return err({ kind: "notForDepartments" });
  // Excludes amounts that an agent retains, because they are never paid to the company.
  const uninvoicedCents = sumCents(drafts.map(({ sums, agentPrepaidCents }) => sums.totalCents - agentPrepaidCents));
  if (advanceCents > uninvoicedCents) return err({ kind: "moreThanLeft" });
  const advance = draftAdvanceInvoice(contract, advanceCents);
  return ok({ documents: [advance], redrafted: issued ? redraftRestAfterAdvance(contract, advance) : [] });
}
