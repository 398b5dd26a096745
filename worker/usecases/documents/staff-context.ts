import { hasRight, mayGiveAway, type Right } from "#domain/access/rights.ts";
import type { SignedIn } from "#domain/access/sessions.ts";
import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import type { MissingField } from "#domain/documents/draft.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { isVersionConflict } from "#worker/store/bookings/expected-version.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import type { Answers, Query } from "#worker/store/database.ts";
import type { DocumentRequest } from "#worker/store/documents/document-requests.ts";
import { isRequestRepeated, requestQuery } from "#worker/store/documents/document-requests.ts";
import { isTransient } from "#worker/store/failures.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { fingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

/** Somebody of the staff who does something now. */
export interface StaffContext {
  readonly tenant: Tenant;
  readonly staff: Pick<SignedIn, "userId" | "branches" | "role">;
  /** Epoch ms. */
  readonly now: number;
}

/** Why a document or a charge cannot be made. */
export type DocumentRefusal =
  | {
      readonly kind:
        | "bookingNotFound"
        | "documentNotFound"
        /** The request's id was used for something else. */
        | "requestTaken"
        | "nothingToInvoice"
        | "bookingCancelled"
        | "notForDepartments"
        | "documentIsDraft"
        | "documentIsCredit"
        | "notSimplified"
        /** The others are of another contract or branch, or the same. */
        | "notOfSameContract"
        /** Several are exchanged by replacement alone, which the account does not do, or a document has no room for. */
        | "notReplaceable"
        /** A full invoice stands in its place. */
        | "documentReplaced"
        | "moreThanLeft"
        /** A note of a debt that is not paid took its tax back: nothing more of it is credited. */
        | "taxTakenBack"
        /** That reason is one of a full invoice. */
        | "reasonNeedsFull"
        | "moreThanPaid"
        | "moreThanDue"
        | "needsApproval"
        | "noDepositHeld";
    }
  /** What the customer lacks for a full invoice. */
  | { readonly kind: "customerIncomplete"; readonly missing: readonly MissingField[] }
  | { readonly kind: "rightMissing"; readonly right: Right }
  /** Beyond what this role gives away by itself, in minor units. */
  | { readonly kind: "aboveLimit"; readonly limitCents: Cents };

/** Refuses whoever gives away more than the role may: money back, or credit. */
export function refuseGivingAway(
  { role }: Pick<SignedIn, "role">,
  { agentLimitCents }: Pick<Settings, "agentLimitCents">,
  cents: Cents,
): Result<never, Extract<DocumentRefusal, { readonly kind: "rightMissing" | "aboveLimit" }>> | undefined {
  if (!hasRight(role, "give_away")) return err({ kind: "rightMissing", right: "give_away" });
  if (mayGiveAway(role, cents, agentLimitCents)) return undefined;
  return err({ kind: "aboveLimit", limitCents: agentLimitCents });
}

export function getStaffActor({ staff }: StaffContext): string {
  return `staff:${staff.userId}`;
}

/** The account's settings as they are now, and the day on its own clock. */
interface Account {
  readonly settings: Settings;
  readonly date: string;
  readonly clock: string;
}

function accountIn({ settings }: Catalogue, now: number): Account {
  const { date, time } = civilNow(settings.timezone, now);
  return { settings, date, clock: `${date} ${time}` };
}

/** A request and what it is decided by. */
export interface DocumentWork<Read extends readonly Query[], T> {
  readonly requestId: string;
  /** What the same request asks for again. */
  readonly content: unknown;
  /** What is read in the round trip that asks whether it was done before. */
  readonly read: () => Read;
  readonly work: (
    request: DocumentRequest,
    rows: Answers<Read>,
    account: Account,
  ) => Promise<Result<T, DocumentRefusal>>;
}

/**
 * Does what a request asks for, once: decided anew when its booking changes meanwhile; a request that was done before
 * changes nothing and is `done`, and one whose id was used for something else is refused. What the account answers to
 * is read with it: a paper has its series and its tax record by the settings of now, not by those of a minute ago.
 */
export async function runDocumentWork<const Read extends readonly Query[], T>(
  context: StaffContext,
  { requestId, content, read, work }: DocumentWork<Read, T>,
): Promise<Result<T | "done", DocumentRefusal>> {
  const { tenant, now } = context;
  const { db } = tenant;
  const request = { id: requestId, fingerprint: await fingerprint(content) };
  // Looked for anew each time: a batch whose answer was lost may have been done.
  const attempt = async (): Promise<Result<T | "done", DocumentRefusal>> => {
    const { catalogue, rows: answers } = await readFresh(tenant, (): readonly Query[] => [
      requestQuery(db, requestId),
      ...read(),
    ]);
    const [[known], ...rows] = answers as unknown as readonly [readonly DocumentRequest[], ...unknown[]];
    if (known) return toPreviousResult(known, request);
    return work(request, rows as unknown as Answers<Read>, accountIn(catalogue, now));
  };
  try {
    return await withRetry(attempt, {
      isWorthRetrying: (error) => isTransient(error) || isVersionConflict(error),
    });
  } catch (error) {
    const [[since]] = isRequestRepeated(error) ? await db.batch([requestQuery(db, requestId)]) : [[]];
    if (since) return toPreviousResult(since, request);
    throw error;
  }
}

function toPreviousResult(
  known: Pick<DocumentRequest, "fingerprint">,
  request: DocumentRequest,
): Result<"done", DocumentRefusal> {
  return known.fingerprint === request.fingerprint ? ok("done") : err({ kind: "requestTaken" });
}
