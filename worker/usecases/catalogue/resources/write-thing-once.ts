import type { SignedIn } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { isChangedMeanwhile } from "#worker/store/bookings/expected-version.ts";
import { type KeptThing, thingQueries, toThings } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Query } from "#worker/store/database.ts";
import { isAnyDuplicate, isTransient, mentions } from "#worker/store/failures.ts";
import { officeRequestQuery, officeRequestStatement } from "#worker/store/operations/office-requests.ts";
import { readAsStaff } from "#worker/usecases/access/read-as-staff.ts";
import { keyOf, type OfficeAnswer, type OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { fingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { readThing, refuseRight } from "./read-resources.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** What a write is decided on. */
export interface ThingReading {
  readonly staff: SignedIn;
  readonly catalogue: Catalogue;
  readonly rows: readonly unknown[];
  /** Who, for histories. */
  readonly actor: string;
  /** Epoch ms. */
  readonly at: number;
}

interface WriteOptions<T> {
  /** What is asked for: the same key with another one is refused. */
  readonly content: object;
  readonly read: () => readonly Query[];
  readonly decide: (
    reading: ThingReading,
  ) => Result<{ readonly id: string; readonly statements: readonly Query[] }, ResourceRefusal>;
  /** Read in the batch that writes: what is there then. */
  readonly readBack: (id: string) => readonly Query[];
  readonly toValue: (rows: readonly unknown[], reading: ThingReading) => T;
  /** The answer to a request that was done before. */
  readonly again: (id: string) => Promise<Result<OfficeAnswer<T>, ResourceRefusal>>;
}

interface ThingWrite extends Pick<WriteOptions<KeptThing>, "content" | "read" | "decide"> {
  readonly isRemoval?: true;
}

const GONE: KeptThing = { id: "", version: 0, values: {} };

/** Writes a thing that the office keeps, once for each key. What was removed is answered empty. */
export function writeThingOnce(
  write: OfficeWrite,
  resource: Resource,
  { isRemoval, ...options }: ThingWrite,
): Promise<Result<OfficeAnswer<KeptThing>, ResourceRefusal>> {
  const { db } = write.tenant;
  if (isRemoval) {
    const again = async () => ok({ value: GONE, freshToken: undefined });
    return writeAndReadOnce(write, resource, { ...options, again, readBack: () => [], toValue: () => GONE });
  }
  return writeAndReadOnce(write, resource, {
    ...options,
    readBack: (id) => thingQueries(db, resource, id),
    toValue: (rows) => toThings(resource, rows)[0] ?? GONE,
    again: (id) => readThing(write, resource, id),
  });
}

/**
 * Writes what the office keeps, once for each key: read with the session, decided, written and read back in two round
 * trips.
 */
export async function writeAndReadOnce<T>(
  write: OfficeWrite,
  resource: Resource,
  { content, read, decide, readBack, toValue, again }: WriteOptions<T>,
): Promise<Result<OfficeAnswer<T>, ResourceRefusal>> {
  const { db } = write.tenant;
  const key = await keyOf(write);
  const contentFingerprint = await fingerprint({ resource: resource.name, ...content });
  const attempt = async (): Promise<Result<OfficeAnswer<T>, ResourceRefusal>> => {
    const found = await readAsStaff(write, (): readonly Query[] => [officeRequestQuery(db, key), ...read()]);
    if (!found.ok) return found;
    const { staff, catalogue, freshToken } = found.value;
    const [requests, ...rows] = found.value.rows as readonly unknown[];
    const [known] = requests as Awaited<ReturnType<typeof officeRequestQuery>>;
    const refused = refuseRight(staff, resource.changing) ?? refuseReused(known?.fingerprint, contentFingerprint);
    if (refused) return refused;
    if (known) return again(known.resource);
    const reading = { staff, catalogue, rows, actor: `staff:${staff.userId}`, at: write.now };
    const decided = decide(reading);
    if (!decided.ok) return decided;
    const { id, statements } = decided.value;
    const request = { key, fingerprint: contentFingerprint };
    const done = officeRequestStatement(db, request, { resource: id, at: write.now });
    const answers: readonly unknown[] = await db.batch([done, ...statements, ...readBack(id)]);
    return ok({ value: toValue(answers.slice(1 + statements.length), reading), freshToken });
  };
  return withRetry(() => attempt().catch((error: unknown) => refuseTaken(resource, error)), { isWorthRetrying });
}

function refuseReused(known: string | undefined, asked: string): Result<never, ResourceRefusal> | undefined {
  return known === undefined || known === asked ? undefined : refuse({ kind: "keyReused" });
}

// Others came first, with the same key, the same version or the next number, or what it names is gone: what is there now
// is read and decided on anew.
function isWorthRetrying(error: unknown): boolean {
  const isNeighbours = mentions(error, ["FOREIGN KEY constraint failed", "_overlap"]);
  return isTransient(error) || isChangedMeanwhile(error) || isAnyDuplicate(error) || isNeighbours;
}

const OWN_TABLES = ["office_requests.", "office_history."];

// What the database lets nobody share says which fields those are.
function refuseTaken(
  { unique = [], key, isCounted, fields }: Resource,
  error: unknown,
): Result<never, ResourceRefusal> {
  if (mentions(error, ["series_used"])) return refuse({ kind: "inUse", uses: [{ by: "documents", times: 1 }] });
  if (!isAnyDuplicate(error) || mentions(error, isCounted ? [...OWN_TABLES, ".id"] : OWN_TABLES)) throw error;
  const columnOf = (name: string) => fields.find((one) => one.name === name)?.column ?? name;
  const named = unique.find(
    ([only = "", ...more]) => more.length === 0 && mentions(error, [`.${snake(columnOf(only))}`]),
  );
  return refuse({ kind: "taken", fields: named ?? unique.find((one) => one.length > 1) ?? unique[0] ?? key });
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
