import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { type KeptThing, thingQueries, toThings } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Query } from "#worker/store/database.ts";
import { isAnyDuplicate, mentions } from "#worker/store/failures.ts";
import type { OfficeAnswer, OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { type DecidedWrite, type WriteReading, writerOf } from "#worker/usecases/operations/office-write.ts";
import { isOwn } from "./read-resources.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** What a write of a thing is decided on. */
export type ThingReading = WriteReading<readonly unknown[]>;

/** Writes what is refused in the words of things, once for each key. */
export const writeResource = writerOf<ResourceRefusal>();

/** What is common to the writes of a resource: who may, and what the database lets nobody share. */
export function writingOf(resource: Resource) {
  return { right: resource.changing, refuseThrown: (error: unknown) => refuseTaken(resource, error) };
}

interface ThingWrite {
  /** What is asked for: the same key with another one is refused. */
  readonly content: object;
  readonly read: () => readonly Query[];
  readonly decide: (reading: ThingReading) => Result<DecidedWrite, ResourceRefusal>;
  readonly isRemoval?: true;
}

const GONE: KeptThing = { id: "", version: 0, values: {} };

/** Writes a thing that the office keeps, once for each key. What was removed is answered empty. */
export function writeThingOnce(
  write: OfficeWrite,
  resource: Resource,
  { isRemoval, content, ...options }: ThingWrite,
): Promise<Result<OfficeAnswer<KeptThing>, ResourceRefusal>> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...options,
    ...writingOf(resource),
    content: { resource: resource.name, ...content },
    readBack: (id): readonly Query[] => (isRemoval ? [] : thingQueries(db, resource, id)),
    answer: (rows, { staff }) => {
      const thing = isRemoval ? GONE : toThings(resource, rows)[0];
      return thing && isOwn(staff, resource, thing) ? ok(thing) : refuse({ kind: "thingNotFound" });
    },
  });
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
