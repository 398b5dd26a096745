import { canAccessBranch } from "#domain/access/sessions.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { type ContractToInvoice, draftAdvance, draftContractDocuments } from "#domain/documents/invoicing.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { expectVersion } from "#worker/store/bookings/expected-version.ts";
import type { Query } from "#worker/store/database.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { changeStatements, requestStatement } from "#worker/store/documents/document-requests.ts";
import { contractToInvoiceQueries, toContractToInvoice } from "#worker/store/documents/documents.ts";
import { issueDocuments } from "#worker/usecases/tax-records/issue-documents.ts";
import { type Issuer, numbered, type ToIssue } from "#worker/usecases/tax-records/to-issue.ts";
import { type Done, saveAndRead } from "./read-contract-documents.ts";
import { actorOf, type DocumentRefusal, doOnce, type Once, type StaffContext } from "./staff-context.ts";

/** What of a contract is invoiced: all that is left, or an advance. */
export interface InvoiceRequest {
  readonly requestId: string;
  readonly bookingId: number;
  readonly advanceCents: Cents | undefined;
  /** Else it stays a draft, which the next one is written over. */
  readonly issued: boolean;
}

/** Drafts or issues the next documents of a contract, once for each request; asking again changes nothing. */
export async function invoiceContract(
  context: StaffContext,
  request: InvoiceRequest,
): Promise<Result<Done, DocumentRefusal>> {
  const { db } = context.tenant;
  const { requestId, bookingId, issued } = request;
  const read = () => contractToInvoiceQueries(db, { bookingId });
  const work: Once<ReturnType<typeof read>, Done>["work"] = async (kept, rows, { settings, date }) => {
    const booking = rows[0][0]?.booking;
    const contract = toContractToInvoice(rows);
    if (!booking || !contract || !canAccessBranch(context.staff, booking.branchCode))
      return refuse({ kind: "bookingNotFound" });
    const drafted = draft(contract, request.advanceCents);
    if (!drafted.ok) return drafted;
    const writing = { at: context.now, date, bookingId, uid: kept.id, issued, series: settings };
    const issuer = { tenant: context.tenant, settings };
    const save = (documents: readonly Query[]) =>
      saveAndRead(context, bookingId, [
        expectVersion(db, booking),
        requestStatement(db, kept, context.now),
        ...documents,
        ...allocateStatements(db, { bookingId }, context.now),
        ...changeStatements(db, bookingId, {
          at: context.now,
          actor: actorOf(context),
          detail: { document: drafted.value[0]?.mode, issued },
        }),
      ]);
    return issueOrRefuse(issuer, numbered(drafted.value, writing), save);
  };
  return doOnce(context, { requestId, content: request, read, work });
}

/**
 * Saves a batch of documents that all have to be issued where they are to be: what one lacks is told, and nothing
 * written.
 */
export function issueOrRefuse(
  issuer: Issuer,
  toIssue: readonly ToIssue[],
  save: (documents: readonly Query[]) => Promise<Done>,
): Promise<Result<Done, DocumentRefusal>> {
  return issueDocuments(issuer, toIssue, async ({ statements, documents }): Promise<Result<Done, DocumentRefusal>> => {
    const missing = documents.flatMap(({ draft: { missing: lacks }, writing }) => (writing.issued ? lacks : []));
    if (missing.length > 0) return refuse({ kind: "customerIncomplete", missing: [...new Set(missing)] });
    return ok(await save(statements));
  });
}

function draft(
  contract: ContractToInvoice,
  advanceCents: Cents | undefined,
): Result<readonly DocumentDraft[], DocumentRefusal> {
  if (advanceCents !== undefined && contract.keptFeeCents !== undefined) return refuse({ kind: "bookingCancelled" });
  const whole = draftContractDocuments(contract);
  if (whole.length === 0) return refuse({ kind: "nothingToInvoice" });
  if (advanceCents === undefined) return ok(whole);
  if (whole.some(({ kind }) => kind === "internal_bond")) return refuse({ kind: "notForDepartments" });
  // What an agent has kept nobody pays here, in advance or later.
  const leftCents = sumOf(whole.map(({ sums, agentPrepaidCents }) => sums.totalCents - agentPrepaidCents));
  if (advanceCents > leftCents) return refuse({ kind: "moreThanLeft" });
  return ok([draftAdvance(contract, advanceCents)]);
}
