import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { toSnakeCase } from "#domain/plain-text.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  resourceQueries,
  type StoredResource,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Query } from "#worker/store/database.ts";
import { includesAnyText, isAnyDuplicate, violatesSqlRule } from "#worker/store/failures.ts";
import { SERIES_USED } from "#worker/store/guards/sql-rules.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import {
  createOfficeWriter,
  type OfficeWriteData,
  type OfficeWriteDecision,
} from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { canAccessResource } from "./read-resources.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** Data on which a resource write is decided. */
export type ResourceWriteData = OfficeWriteData<readonly unknown[]>;

/** Writer for office resources. It runs each request once per idempotency key. */
export const writeResource = createOfficeWriter<ResourceRefusal>();

/** Returns the options that all writes of a resource share: the required right, and the refusal of duplicate keys. */
export function getResourceWriteOptions(resource: Resource) {
  return {
    right: resource.writeRight,
    requiresRecentFactor: resource.opensAccess === true,
    refuseThrown: (error: unknown) => refuseDuplicateKey(resource, error),
  };
}

interface ResourceWrite {
  /** Content of the request. Another content under the same key is refused. */
  readonly content: object;
  readonly read: () => readonly Query[];
  readonly decide: (reading: ResourceWriteData) => Result<OfficeWriteDecision, ResourceRefusal>;
  readonly isRemoval?: true;
}

const REMOVED_RESOURCE: StoredResource = { id: "", version: 0, values: {} };

/** Writes an office resource, once per key. A removed resource gets an empty answer. */
export function writeResourceOnce(
  write: OfficeWrite,
  resource: Resource,
  { isRemoval, content, ...options }: ResourceWrite,
): Promise<Result<StaffAnswer<StoredResource>, ResourceRefusal>> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...options,
    ...getResourceWriteOptions(resource),
    content: { resource: resource.name, ...content },
    readBack: (id): readonly Query[] => (isRemoval ? [] : resourceQueries(db, resource, id)),
    answer: (rows, { staff }) => {
      const storedResource = isRemoval ? REMOVED_RESOURCE : toResources(resource, rows)[0];
      return storedResource && canAccessResource(staff, resource, storedResource)
        ? ok(storedResource)
        : err({ kind: "resourceNotFound" });
    },
  });
}

const OWN_TABLES = ["office_requests.", "office_history."];

// Converts the violation of a unique constraint to a refusal with its fields.
function refuseDuplicateKey(
  { unique = [], key, isCounted, fields }: Resource,
  error: unknown,
): Result<never, ResourceRefusal> {
  if (violatesSqlRule(error, SERIES_USED)) return err({ kind: "inUse", uses: [{ by: "documents", times: 1 }] });
  if (!isAnyDuplicate(error) || includesAnyText(error, isCounted ? [...OWN_TABLES, ".id"] : OWN_TABLES)) throw error;
  const getColumnName = (name: string) => fields.find((field) => field.name === name)?.column ?? name;
  const takenFields = unique.find(
    ([only = "", ...more]) => more.length === 0 && includesAnyText(error, [`.${toSnakeCase(getColumnName(only))}`]),
  );
  return err({ kind: "taken", fields: takenFields ?? unique.find((item) => item.length > 1) ?? unique[0] ?? key });
}
