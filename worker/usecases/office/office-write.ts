import type { Right } from "#domain/access/rights.ts";
import type { SecondFactorState, SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { MissingInvoiceField } from "#domain/documents/draft.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import { includesAnyText, isAnyDuplicate, isTransientDatabaseError, violatesSqlRule } from "#worker/store/failures.ts";
import { isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { officeRequestQuery, saveOfficeRequestStatement } from "#worker/store/guards/office-requests.ts";
import { BRACKET_OVERLAP, DRIVER_AGE_OVERLAP, SEASON_OVERLAP } from "#worker/store/guards/sql-rules.ts";
import type { DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import {
  createUserIdempotencyKey,
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type MissingRight,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRefusal } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { createPatience, withRetry } from "#worker/usecases/shared/with-retry.ts";

/** Data on which an office write is decided. */
export interface OfficeWriteData<Rows> {
  readonly staff: SignedInUser;
  readonly catalogue: Catalogue;
  readonly rows: Rows;
  /** Name of the user as the history shows it. */
  readonly actor: string;
  /** Time of the write, epoch ms. */
  readonly at: number;
}

/** Statements of an office write, and the id of the resource that they write. */
export interface OfficeWriteDecision {
  readonly statements: readonly Query[];
  readonly resource: string;
  /** Documents issued with the write, and the statements after them in the batch. */
  readonly issuedDocuments?: { readonly documents: readonly DocumentToWrite[]; readonly after: readonly Query[] };
}

const NO_DOCUMENTS: NonNullable<OfficeWriteDecision["issuedDocuments"]> = { documents: [], after: [] };

/** Context for an office answer, in addition to the data read. */
export interface OfficeReadBackContext {
  readonly resource: string;
  readonly staff: SignedInUser;
  readonly catalogue: Catalogue;
}

interface WriteOptions<T extends readonly Query[], Back extends readonly Query[], Value, Refusal> {
  readonly right: Right;
  /**
   * Whether to refuse a session with a stale second factor: money is paid out, or access opens or ends. Another person
   * may be using an unattended desk. Always true for administration.
   */
  readonly requiresRecentFactor?: boolean;
  /** Content of the request. Another content under the same key is refused. */
  readonly content: unknown;
  readonly read: (catalogue: Catalogue) => T;
  readonly decide: (
    reading: OfficeWriteData<QueryResults<T>>,
  ) => Result<OfficeWriteDecision, Refusal> | Promise<Result<OfficeWriteDecision, Refusal>>;
  /** Reads the resource after the write, in the same batch. Runs separately if the write was done before. */
  readonly readBack: (resource: string, catalogue: Catalogue) => Back;
  readonly answer: (rows: QueryResults<Back>, answering: OfficeReadBackContext) => Result<Value, Refusal>;
  /** Returns the refusal of documents that lack data. Without it, such documents stay drafts. */
  readonly refuseIncomplete?: (missing: readonly MissingInvoiceField[]) => Refusal;
  /** Converts a database error to a refusal. Rethrows other errors. */
  readonly refuseThrown?: (error: unknown) => Result<never, Refusal>;
}

type WriteRefusal = StaffRefusal | MissingRight | { readonly kind: "secondFactorStale" | "keyReused" };

type OfficeWriteResult<Value, Refusal> = Promise<Result<StaffAnswer<Value>, Refusal | WriteRefusal>>;

/**
 * Writes an office request, once per key, in two round trips: read and decide, then write and read back. Documents
 * reported to a tax agency take a third.
 */
export const runOfficeWriteOnce = createOfficeWriter<OfficeRefusal>();

/** Creates a writer with additional kinds of refusals. */
export function createOfficeWriter<Refusal>() {
  return async <const T extends readonly Query[], const Back extends readonly Query[], Value>(
    write: OfficeWrite,
    options: WriteOptions<T, Back, Value, Refusal>,
  ): OfficeWriteResult<Value, Refusal> => {
    const request = {
      key: await createUserIdempotencyKey(write),
      fingerprint: await computeFingerprint(options.content),
    };
    const attempt = () => attemptWrite(write, request, options);
    const { refuseThrown } = options;
    return withRetry(refuseThrown ? () => attempt().catch(refuseThrown) : attempt, patience());
  };
}

async function attemptWrite<const T extends readonly Query[], const Back extends readonly Query[], Value, Refusal>(
  write: OfficeWrite,
  request: { readonly key: string; readonly fingerprint: string },
  {
    right,
    requiresRecentFactor = false,
    read,
    decide,
    readBack,
    answer,
    refuseIncomplete,
  }: WriteOptions<T, Back, Value, Refusal>,
): OfficeWriteResult<Value, Refusal> {
  const { db } = write.tenant;
  const readResult = await readAsStaff(write, (catalogue): readonly Query[] => [
    officeRequestQuery(db, request.key),
    ...read(catalogue),
  ]);
  if (!readResult.ok) return readResult;
  const { staff, factor, catalogue, freshToken } = readResult.value;
  const [requests, ...rows] = readResult.value.rows as readonly unknown[];
  const [known] = requests as Awaited<ReturnType<typeof officeRequestQuery>>;
  const refused =
    findMissingRightRefusal(staff, right) ??
    findReusedKeyRefusal(known, request) ??
    findStaleFactorRefusalForWrite(right, requiresRecentFactor, factor);
  if (refused) return refused;
  const answered = (resource: string, back: readonly unknown[]) => {
    const value = answer(back as unknown as QueryResults<Back>, { resource, staff, catalogue });
    return value.ok ? ok({ value: value.value, freshToken }) : value;
  };
  if (known) return answered(known.resource, await readBatch(db, readBack(known.resource, catalogue)));
  const reading = {
    staff,
    catalogue,
    rows: rows as unknown as QueryResults<T>,
    actor: `staff:${staff.userId}`,
    at: write.now,
  };
  const decided = await decide(reading);
  if (!decided.ok) return decided;
  const { statements, resource, issuedDocuments = NO_DOCUMENTS } = decided.value;
  const back = readBack(resource, catalogue);
  const keep = saveOfficeRequestStatement(db, request, { resource, at: write.now });
  const issuer = { tenant: write.tenant, settings: catalogue.settings };
  const saveResult = await issueDocuments(issuer, issuedDocuments.documents, async (issued) => {
    const missingFields = new Set(issued.documents.flatMap(({ draft }) => draft.missing));
    if (refuseIncomplete && missingFields.size > 0) return err(refuseIncomplete([...missingFields]));
    const answers: readonly unknown[] = await db.batch([
      keep,
      ...statements,
      ...issued.statements,
      ...issuedDocuments.after,
      ...back,
    ]);
    return ok(answers);
  });
  return saveResult.ok ? answered(resource, saveResult.value.slice(saveResult.value.length - back.length)) : saveResult;
}

async function readBatch(db: OfficeWrite["tenant"]["db"], back: readonly Query[]): Promise<readonly unknown[]> {
  const [first, ...more] = back;
  return first === undefined ? [] : db.batch([first, ...more]);
}

/** Maximum number of concurrent requests for the next number. One of them succeeds each time. */
const ATTEMPTS = 30;
const MISSING_REFERENCE = ["FOREIGN KEY constraint failed"];
const OVERLAPS = [SEASON_OVERLAP, BRACKET_OVERLAP, DRIVER_AGE_OVERLAP] as const;

// Returns how to retry a write. If a concurrent write used the same key, version or number, it's read and decided
// again. Temporary faults and missing references are only retried a few times.
function patience() {
  const isPassing = (error: unknown) =>
    isTransientDatabaseError(error) || includesAnyText(error, MISSING_REFERENCE) || violatesSqlRule(error, ...OVERLAPS);
  const isConflict = (error: unknown) => isBookingVersionConflict(error) || isAnyDuplicate(error);
  return { attempts: ATTEMPTS, isWorthRetrying: createPatience(isPassing, isConflict) };
}

/**
 * Refuses a stale session for administration and for writes that require a recent second factor. Another person may be
 * using an unattended desk.
 */
export function findStaleFactorRefusalForWrite(
  right: Right,
  requiresRecentFactor: boolean,
  factor: SecondFactorState,
): Result<never, WriteRefusal> | undefined {
  const needsSecondFactor = right === "administer" || requiresRecentFactor;
  return needsSecondFactor ? findStaleFactorRefusal(factor) : undefined;
}

/** Refuses a key that was used with other content. */
export function findReusedKeyRefusal(
  known: { readonly fingerprint: string } | undefined,
  requested: { readonly fingerprint: string },
): Result<never, WriteRefusal> | undefined {
  return known === undefined || known.fingerprint === requested.fingerprint ? undefined : err({ kind: "keyReused" });
}
