import { canAccessBranch } from "#domain/access/sessions.ts";
import {
  type ContractToInvoice,
  type DocumentDraft,
  draftAdvance,
  draftContractDocument,
  hasTooManyRates,
} from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { expectVersion } from "#worker/store/bookings/expected-version.ts";
import { changeStatements, requestStatement } from "#worker/store/documents/document-requests.ts";
import {
  contractToInvoiceQueries,
  documentStatements,
  toContractToInvoice,
} from "#worker/store/documents/documents.ts";
import { actorOf, type DocumentRefusal, doOnce, type StaffContext, todayOf } from "./staff-context.ts";

/** What of a contract is invoiced: all that is left, or an advance. */
export interface InvoiceRequest {
  readonly requestId: string;
  readonly bookingId: number;
  readonly advanceCents: Cents | undefined;
  /** Else it stays a draft, which the next one is written over. */
  readonly issued: boolean;
}

/** Drafts or issues the next document of a contract, once for each request; asking again changes nothing. */
export async function invoiceContract(
  context: StaffContext,
  request: InvoiceRequest,
): Promise<Result<"done", DocumentRefusal>> {
  const date = await todayOf(context);
  return doOnce(context, request.requestId, request, async (kept) => {
    const { db } = context.tenant;
    const rows = await db.batch(contractToInvoiceQueries(db, request.bookingId));
    const booking = rows[0][0]?.booking;
    const contract = toContractToInvoice(rows);
    if (!booking || !contract || !canAccessBranch(context.staff, booking.branchCode))
      return refuse({ kind: "bookingNotFound" });
    if (booking.status === "cancelled") return refuse({ kind: "bookingCancelled" });
    const drafted = draft(contract, request.advanceCents);
    if (!drafted.ok) return drafted;
    const { bookingId, issued } = request;
    const writing = { at: context.now, date, bookingId, uid: kept.id, issued };
    await db.batch([
      expectVersion(db, booking),
      requestStatement(db, kept, context.now),
      ...documentStatements(db, drafted.value, writing),
      ...changeStatements(db, bookingId, {
        at: context.now,
        actor: actorOf(context),
        detail: { document: drafted.value.mode, issued },
      }),
    ]);
    return ok("done");
  });
}

function draft(contract: ContractToInvoice, advanceCents: Cents | undefined): Result<DocumentDraft, DocumentRefusal> {
  if (hasTooManyRates(contract)) return refuse({ kind: "tooManyRates" });
  const whole = draftContractDocument(contract);
  if (whole.items.length === 0) return refuse({ kind: "nothingToInvoice" });
  if (advanceCents === undefined) return ok(whole);
  if (whole.kind === "internal_bond") return refuse({ kind: "notForDepartments" });
  if (advanceCents > whole.sums.totalCents) return refuse({ kind: "moreThanLeft" });
  return ok(draftAdvance(contract, advanceCents));
}
