import type { Right } from "#domain/access/rights.ts";
import type { FactorState, SignedIn } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { isChangedMeanwhile } from "#worker/store/bookings/expected-version.ts";
import type { Answers, Query } from "#worker/store/database.ts";
import { isAnyDuplicate, isTransient } from "#worker/store/failures.ts";
import {
  officeRequestQuery,
  officeRequestStatement,
  type ResourceId,
} from "#worker/store/operations/office-requests.ts";
import { readAsStaff } from "#worker/usecases/access/read-as-staff.ts";
import {
  keyOf,
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { fingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { issueDocuments } from "#worker/usecases/tax-records/issue-documents.ts";
import type { ToIssue } from "#worker/usecases/tax-records/to-issue.ts";

/** What a write of the office is decided on. */
export interface WriteReading<T extends readonly Query[]> {
  readonly staff: SignedIn;
  readonly catalogue: Catalogue;
  readonly rows: Answers<T>;
  /** Who, for histories. */
  readonly actor: string;
}

/** What a write of the office does: its statements, and what names the thing. */
export interface DecidedWrite {
  readonly statements: readonly Query[];
  readonly resource: ResourceId;
  /** Documents that are issued with it, and what comes after them in the batch. */
  readonly issues?: { readonly documents: readonly ToIssue[]; readonly after: readonly Query[] };
}

const NO_DOCUMENTS: NonNullable<DecidedWrite["issues"]> = { documents: [], after: [] };

interface WriteOptions<T extends readonly Query[], Value> {
  readonly right: Right;
  /** Whether money leaves: whoever took a desk that was left open may not. */
  readonly paysOut?: boolean;
  /** What is asked for: the same key with another one is refused. */
  readonly content: unknown;
  readonly read: (catalogue: Catalogue) => T;
  readonly decide: (
    reading: WriteReading<T>,
  ) => Result<DecidedWrite, OfficeRefusal> | Promise<Result<DecidedWrite, OfficeRefusal>>;
  /** The thing as it is, after it was done now or before. */
  readonly answer: (resource: string) => Promise<Result<OfficeAnswer<Value>, OfficeRefusal>>;
}

/** Writes what the office asks for, once for each key: read with the session, decided, and written in one batch. */
export async function writeOnce<const T extends readonly Query[], Value>(
  write: OfficeWrite,
  { right, paysOut = false, content, read, decide, answer }: WriteOptions<T, Value>,
): Promise<Result<OfficeAnswer<Value>, OfficeRefusal>> {
  const { db } = write.tenant;
  const key = await keyOf(write);
  const contentFingerprint = await fingerprint(content);
  const attempt = async (): Promise<Result<OfficeAnswer<Value>, OfficeRefusal>> => {
    const found = await readAsStaff(write, (catalogue): readonly Query[] => [
      officeRequestQuery(db, key),
      ...read(catalogue),
    ]);
    if (!found.ok) return found;
    const { staff, factor, catalogue, rows, freshToken } = found.value;
    const [requests, ...rest] = rows as readonly unknown[];
    const [known] = requests as Awaited<ReturnType<typeof officeRequestQuery>>;
    const refused =
      refuseWithout(staff, right) ??
      refuseReused(known?.fingerprint, contentFingerprint) ??
      refuseStale(right, paysOut, factor);
    if (refused) return refused;
    if (known) return answer(known.resource);
    const actor = `staff:${staff.userId}`;
    const decided = await decide({ staff, catalogue, rows: rest as unknown as Answers<T>, actor });
    if (!decided.ok) return decided;
    const { statements, resource, issues = NO_DOCUMENTS } = decided.value;
    const request = { key, fingerprint: contentFingerprint };
    const { settings } = catalogue;
    const [[done]] = await issueDocuments({ tenant: write.tenant, settings }, issues.documents, (issued) =>
      db.batch([
        officeRequestStatement(db, request, { resource, at: write.now }),
        ...statements,
        ...issued.statements,
        ...issues.after,
      ]),
    );
    return withToken(await answer(done?.resource ?? ""), freshToken);
  };
  return withRetry(attempt, { isWorthRetrying });
}

// The token that the write renewed, for what is answered after it.
function withToken<Value>(
  answered: Result<OfficeAnswer<Value>, OfficeRefusal>,
  freshToken: string | undefined,
): Result<OfficeAnswer<Value>, OfficeRefusal> {
  return answered.ok ? ok({ ...answered.value, freshToken: freshToken ?? answered.value.freshToken }) : answered;
}

// Others came first, with the same key or another: what is there now is read and decided on anew.
function isWorthRetrying(error: unknown): boolean {
  return isTransient(error) || isChangedMeanwhile(error) || isAnyDuplicate(error);
}

// Secrets, roles, devices and money that leaves: whoever took a desk that was left open may not.
function refuseStale(right: Right, paysOut: boolean, factor: FactorState): Result<never, OfficeRefusal> | undefined {
  const isAsked = right === "administer" || paysOut;
  return isAsked && factor === "stale" ? refuse({ kind: "secondFactorStale" }) : undefined;
}

function refuseReused(known: string | undefined, asked: string): Result<never, OfficeRefusal> | undefined {
  return known === undefined || known === asked ? undefined : refuse({ kind: "keyReused" });
}
