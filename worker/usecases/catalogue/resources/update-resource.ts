import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import { parseResourceValues } from "#domain/catalogue/resources/parse.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { serializeResourceValues } from "#domain/catalogue/resources/serialize.ts";
import type { Problem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  countFieldDependentsQueries,
  lastResourceVersionQuery,
  resourceQueries,
  type StoredResource,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import {
  type ResourceHistoryEntry,
  updateResourceStatements,
} from "#worker/store/catalogue/resources/resource-writes.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { areAllObjectsEmpty, pickChanged } from "#worker/usecases/shared/pick-changed.ts";
import { canAccessResource } from "./read-resources.ts";
import { mergeReferenceCounts } from "./reference-counts.ts";
import { findNameFieldsInUse, referencedResourcesQueries, sameNameQueries } from "./related-resources.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import { getDerivedColumns, hashAndEncryptSecrets } from "./resource-rules.ts";
import {
  createResourceHistoryEntry,
  findForeignBranchRefusal,
  findInvalidResourceRefusal,
  maskSecrets,
  type ResourceInput,
  type ResourceWriteResult,
} from "./validate-resource.ts";
import { type ResourceWriteData, writeResourceOnce } from "./write-resource.ts";

interface Change {
  readonly id: string;
  readonly expectedVersion: number;
  readonly input: ResourceInput;
}

/** Changes a resource at the given version. Unspecified fields stay unchanged. Two round trips. */
export async function updateResource(write: OfficeWrite, resource: Resource, change: Change): ResourceWriteResult {
  const { db } = write.tenant;
  const { id, expectedVersion, input } = change;
  const secrets = await hashAndEncryptSecrets(write.tenant, resource, input);
  const newId = renamed(resource, change);
  const referenceQueries = referencedResourcesQueries(db, resource, input);
  const namesakes = sameNameQueries(db, resource, input, id);
  const own = resourceQueries(db, resource, id);
  const renaming = newId === id ? [] : resourceQueries(db, resource, newId);
  const holderQueries = Object.keys(input).flatMap((field) =>
    countFieldDependentsQueries(db, resource, id, field).map((query) => ({ field, query })),
  );
  return writeResourceOnce(write, resource, {
    content: { change: maskSecrets(resource, input), id, expectedVersion },
    read: () => [
      lastResourceVersionQuery(db, resource, newId),
      ...referenceQueries,
      ...namesakes,
      ...own,
      ...renaming,
      ...holderQueries.map(({ query }) => query),
    ],
    decide: (reading) => {
      const [last, ...rows] = reading.rows as readonly [readonly { version: number | null }[], ...unknown[]];
      const others = rows.slice(referenceQueries.length, referenceQueries.length + namesakes.length);
      const resourceRows = rows.slice(referenceQueries.length + namesakes.length, rows.length - holderQueries.length);
      const changeTarget = findChangeTarget(reading, resource, {
        change,
        storedResource: toResources(resource, resourceRows)[0],
      });
      if (!changeTarget.ok) return changeTarget;
      const { storedResource, changed, problems } = changeTarget.value;
      const parsed = { values: { ...storedResource.values, ...changed }, problems };
      const refused = findInvalidResourceRefusal(resource, parsed, { reading, input, id, secrets, relatedData: rows });
      if (refused) return refused;
      const called = findNameFieldsInUse(resource, input, others);
      if (called.length > 0) return err({ kind: "taken", fields: called });
      const holders = rows
        .slice(rows.length - holderQueries.length)
        .filter((_, at) => isOther(storedResource, changed, holderQueries[at]?.field ?? ""));
      const uses = mergeReferenceCounts(holders);
      if (uses.length > 0) return err({ kind: "inUse", uses });
      if (isThere(resource, resourceRows.slice(own.length))) return err({ kind: "taken", fields: resource.key });
      const other = pickChanged(changed, storedResource.values);
      const more = getDerivedColumns(resource, {
        values: other,
        before: storedResource.values,
        secrets,
        now: write.now,
      });
      if (areAllObjectsEmpty(other, more)) return ok({ resource: id, statements: [] });
      const before = { storedResource, last: getLastVersion(last) };
      const entries = createHistoryEntries(reading, resource, { change, newId, changed: other, ...before });
      return ok({ resource: newId, statements: updateResourceStatements(db, resource, other, { id, entries, more }) });
    },
  });
}

const isOther = ({ values }: StoredResource, changed: ResourceValues, field: string) =>
  changed[field] !== undefined && changed[field] !== values[field];

// Whether the new id already exists.
const isThere = (resource: Resource, renaming: readonly unknown[]) =>
  renaming.length > 0 && toResources(resource, renaming).length > 0;

const getLastVersion = ([item]: readonly { readonly version: number | null }[]) => item?.version ?? 0;

interface ChangeTarget {
  readonly storedResource: StoredResource;
  readonly changed: ResourceValues;
  /** Problems of the submitted fields. */
  readonly problems: readonly Problem[];
}

function findChangeTarget(
  { staff, catalogue }: ResourceWriteData,
  resource: Resource,
  { change, storedResource }: { readonly change: Change; readonly storedResource: StoredResource | undefined },
): Result<ChangeTarget, ResourceRefusal> {
  if (!storedResource || !canAccessResource(staff, resource, storedResource)) return err({ kind: "resourceNotFound" });
  if (storedResource.version !== change.expectedVersion) return err({ kind: "resourceChanged", storedResource });
  // Checks the current state too. A user can't take over a rule for all branches.
  const refused = findForeignBranchRefusal(resource, storedResource.values, staff);
  if (refused) return refused;
  const { currencyDecimals: decimals } = catalogue.settings;
  const present = serializeResourceValues(resource, storedResource.values, decimals);
  const { values: changed, problems } = parseResourceValues(resource, change.input, { decimals, present });
  return ok({ storedResource, changed, problems });
}

interface Entries {
  readonly change: Change;
  readonly newId: string;
  readonly storedResource: StoredResource;
  readonly changed: ResourceValues;
  /** Version of the last history entry under the new id. */
  readonly last: number;
}

// A resource identified by its name keeps its history under the old name and continues under the new one.
function createHistoryEntries(
  reading: ResourceWriteData,
  resource: Resource,
  { change: { id, expectedVersion }, newId, storedResource, changed, last }: Entries,
): readonly [ResourceHistoryEntry, ...ResourceHistoryEntry[]] {
  const before = Object.fromEntries(Object.keys(changed).map((name) => [name, storedResource.values[name] ?? null]));
  const entry = { before, after: changed };
  const next = expectedVersion + 1;
  if (newId === id)
    return [createResourceHistoryEntry(reading, resource, { id, version: next, event: "changed", ...entry })];
  const version = Math.max(expectedVersion, last) + 1;
  return [
    createResourceHistoryEntry(reading, resource, { id: newId, version, event: "changed", ...entry }),
    createResourceHistoryEntry(reading, resource, { id, version: next, event: "renamed", ...entry }),
  ];
}

function renamed(resource: Resource, { id, input }: Change): string {
  if (resource.key.length === 1) return id;
  const parts = id.split("~");
  return resource.key.map((name, index) => String(input[name] ?? parts[index])).join("~");
}
