import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { err, ok } from "#domain/result.ts";
import {
  countReferencesQueries,
  resourceQueries,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import { deleteResourceStatements } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { canAccessResource } from "./read-resources.ts";
import { mergeReferenceCounts } from "./reference-counts.ts";
import { createResourceHistoryEntry, findForeignBranchRefusal, type ResourceWriteResult } from "./validate-resource.ts";
import { writeResourceOnce } from "./write-resource.ts";

/** Removes a resource without references to it. Two round trips. */
export function removeUnreferencedResource(
  write: OfficeWrite,
  resource: Resource,
  { id, expectedVersion }: { readonly id: string; readonly expectedVersion: number | undefined },
): ResourceWriteResult {
  const { db } = write.tenant;
  const useCountQueries = countReferencesQueries(db, resource, id);
  return writeResourceOnce(write, resource, {
    content: { remove: id },
    isRemoval: true,
    read: () => [...useCountQueries, ...resourceQueries(db, resource, id)],
    decide: (reading) => {
      const [storedResource] = toResources(resource, reading.rows.slice(useCountQueries.length));
      if (!storedResource || !canAccessResource(reading.staff, resource, storedResource))
        return err({ kind: "resourceNotFound" });
      if (expectedVersion !== undefined && storedResource.version !== expectedVersion)
        return err({ kind: "resourceChanged", storedResource });
      const refused = findForeignBranchRefusal(resource, storedResource.values, reading.staff);
      if (refused) return refused;
      const uses = mergeReferenceCounts(reading.rows.slice(0, useCountQueries.length));
      if (uses.length > 0) return err({ kind: "inUse", uses });
      const version = storedResource.version + 1;
      const entry = createResourceHistoryEntry(reading, resource, {
        id,
        version,
        event: "removed",
        before: storedResource.values,
      });
      return ok({ resource: id, statements: deleteResourceStatements(db, resource, entry) });
    },
  });
}
