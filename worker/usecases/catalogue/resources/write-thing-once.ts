import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  resourceQueries,
  type StoredResource,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Query } from "#worker/store/database.ts";
import { isAnyDuplicate, mentions } from "#worker/store/failures.ts";
import type { OfficeAnswer, OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { createOfficeWriter, type DecidedWrite, type WriteReading } from "#worker/usecases/operations/office-write.ts";
import { isOwn } from "./read-resources.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** What a write of a thing is decided on. */
export type ResourceReading = WriteReading<readonly unknown[]>;

/** Writes what is refused in the words of things, once for each key. */
export const writeResource = createOfficeWriter<ResourceRefusal>();

/** What is common to the writes of a resource: who may, and what the database lets nobody share. */
export function getWriteOptions(resource: Resource) {
  return { right: resource.changing, refuseThrown: (error: unknown) => refuseDuplicateKey(resource, error) };
}

interface ResourceWrite {
  /** What is asked for: the same key with another one is refused. */
  readonly content: object;
  readonly read: () => readonly Query[];
  readonly decide: (reading: ResourceReading) => Result<DecidedWrite, ResourceRefusal>;
  readonly isRemoval?: true;
}

const REMOVED_RESOURCE: StoredResource = { id: "", version: 0, values: {} };

/** Writes a thing that the office keeps, once for each key. What was removed is answered empty. */
export function writeResourceOnce(
  write: OfficeWrite,
  resource: Resource,
  { isRemoval, content, ...options }: ResourceWrite,
): Promise<Result<OfficeAnswer<StoredResource>, ResourceRefusal>> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...options,
    ...getWriteOptions(resource),
    content: { resource: resource.name, ...content },
    readBack: (id): readonly Query[] => (isRemoval ? [] : resourceQueries(db, resource, id)),
    answer: (rows, { staff }) => {
      const storedResource = isRemoval ? REMOVED_RESOURCE : toResources(resource, rows)[0];
      return storedResource && isOwn(staff, resource, storedResource)
        ? ok(storedResource)
        : err({ kind: "thingNotFound" });
    },
  });
}

const OWN_TABLES = ["office_requests.", "office_history."];

// What the database lets nobody share says which fields those are.
function refuseDuplicateKey(
  { unique = [], key, isCounted, fields }: Resource,
  error: unknown,
): Result<never, ResourceRefusal> {
  if (mentions(error, ["series_used"])) return err({ kind: "inUse", uses: [{ by: "documents", times: 1 }] });
  if (!isAnyDuplicate(error) || mentions(error, isCounted ? [...OWN_TABLES, ".id"] : OWN_TABLES)) throw error;
  const getColumnName = (name: string) => fields.find((field) => field.name === name)?.column ?? name;
  const named = unique.find(
    ([only = "", ...more]) => more.length === 0 && mentions(error, [`.${snake(getColumnName(only))}`]),
  );
  return err({ kind: "taken", fields: named ?? unique.find((item) => item.length > 1) ?? unique[0] ?? key });
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
