import { canDiscountOrWaive, canRefund, hasRight, type Right } from "#domain/access/rights.ts";
import type { SecondFactorState, SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import type { MissingInvoiceField } from "#domain/documents/draft.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import type { IdempotentDocumentRequest } from "#worker/store/documents/document-requests.ts";
import { documentRequestQuery, isDocumentRequestRepeated } from "#worker/store/documents/document-requests.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

/** Staff member, account and time of an action. */
export interface StaffContext {
  readonly tenant: Tenant;
  readonly staff: Pick<SignedInUser, "userId" | "branches" | "role">;
  /** State of the session's second factor. It must not be stale for refunds. */
  readonly factor: SecondFactorState;
  /** Time of the action, epoch ms. */
  readonly now: number;
}

/** Reasons why a document, payment or refund can't be created. */
export type DocumentRefusal =
  | {
      readonly kind:
        | "bookingNotFound"
        | "documentNotFound"
        /** The request's id was used for a different request. */
        | "requestTaken"
        | "nothingToInvoice"
        | "bookingCancelled"
        | "notForDepartments"
        | "documentIsDraft"
        | "documentIsCredit"
        | "notSimplified"
        /** The other documents are of another contract or branch, or are duplicates. */
        | "notOfSameContract"
        /**
         * Several documents can only be exchanged by replacement, which the account doesn't use. Or the document's
         * lines are full.
         */
        | "notReplaceable"
        /** A full invoice has replaced the document. */
        | "documentReplaced"
        | "moreThanLeft"
        /** A credit note for an unpaid debt already reduced the tax. No further credit is possible. */
        | "taxTakenBack"
        /** The reason requires an unpaid amount. */
        | "nothingUnpaid"
        /** The reason requires a full invoice. */
        | "reasonNeedsFull"
        /** The tax of a collective invoice is credited for each contract. */
        | "reasonNeedsContract"
        | "moreThanPaid"
        /** The gateway reported the refund itself. */
        | "refundReported"
        | "moreThanDue"
        | "needsApproval"
        | "noDepositHeld"
        | "secondFactorStale";
    }
  /** Customer data missing for a full invoice. */
  | { readonly kind: "customerIncomplete"; readonly missing: readonly MissingInvoiceField[] }
  | { readonly kind: "rightMissing"; readonly right: Right }
  /** Above the role's own limit, in minor units. */
  | { readonly kind: "aboveLimit"; readonly limitCents: Cents };

/** Refuses refunds or credit above the role's limit. */
export function findStaffLimitRefusal(
  staff: Pick<SignedInUser, "role" | "grantedRights" | "withdrawnRights">,
  { agentLimitCents }: Pick<Settings, "agentLimitCents">,
  cents: Cents,
  right: "give_away" | "refunds" = "give_away",
): Result<never, Extract<DocumentRefusal, { readonly kind: "rightMissing" | "aboveLimit" }>> | undefined {
  if (!hasRight(staff, right)) return err({ kind: "rightMissing", right });
  const isWithin = right === "refunds" ? canRefund : canDiscountOrWaive;
  if (isWithin(staff, cents, agentLimitCents)) return undefined;
  return err({ kind: "aboveLimit", limitCents: agentLimitCents });
}

export function getStaffActor({ staff }: StaffContext): string {
  return `staff:${staff.userId}`;
}

/** Current settings of the account, and the day in its time zone. */
interface Account {
  readonly settings: Settings;
  readonly date: string;
  readonly civilNow: string;
}

function accountIn({ settings }: Catalogue, now: number): Account {
  const { date, time } = toCivilNow(settings.timezone, now);
  return { settings, date, civilNow: `${date} ${time}` };
}

/** Request and the data for its decision. */
export interface IdempotentDocumentAction<Read extends readonly Query[], T> {
  readonly requestId: string;
  /** Content that identifies the same request. */
  readonly content: unknown;
  /** Reads in the round trip that checks whether the request was done before. */
  readonly read: () => Read;
  readonly work: (
    request: IdempotentDocumentRequest,
    rows: QueryResults<Read>,
    account: Account,
  ) => Promise<Result<T, DocumentRefusal>>;
}

/**
 * Processes a request once. Decides again if the booking changes in between. A request done before changes nothing and
 * returns `done`. An id used for a different request is refused. The settings are read in the same round trip, so that
 * a document's series and tax record use the current ones.
 */
export async function runDocumentActionOnce<const Read extends readonly Query[], T>(
  context: StaffContext,
  { requestId, content, read, work }: IdempotentDocumentAction<Read, T>,
): Promise<Result<T | "done", DocumentRefusal>> {
  const { tenant, now } = context;
  const { db } = tenant;
  const request = { id: requestId, fingerprint: await computeFingerprint(content) };
  // Checked on every attempt, because a batch with a lost answer may have succeeded.
  const attempt = async (): Promise<Result<T | "done", DocumentRefusal>> => {
    const { catalogue, rows: answers } = await readWithFreshCatalogue(tenant, (): readonly Query[] => [
      documentRequestQuery(db, requestId),
      ...read(),
    ]);
    const [[known], ...rows] = answers as unknown as readonly [readonly IdempotentDocumentRequest[], ...unknown[]];
    if (known) return toPreviousResult(known, request);
    return work(request, rows as unknown as QueryResults<Read>, accountIn(catalogue, now));
  };
  try {
    return await withRetry(attempt, {
      isWorthRetrying: (error) => isTransientDatabaseError(error) || isBookingVersionConflict(error),
    });
  } catch (error) {
    const [[since]] = isDocumentRequestRepeated(error) ? await db.batch([documentRequestQuery(db, requestId)]) : [[]];
    if (since) return toPreviousResult(since, request);
    throw error;
  }
}

function toPreviousResult(
  known: Pick<IdempotentDocumentRequest, "fingerprint">,
  request: IdempotentDocumentRequest,
): Result<"done", DocumentRefusal> {
  return known.fingerprint === request.fingerprint ? ok("done") : err({ kind: "requestTaken" });
}
