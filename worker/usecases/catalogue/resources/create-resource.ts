import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { FieldValue, ResourceValues } from "#domain/catalogue/resources/fields.ts";
import { getDefaultResourceValues, parseResourceValues } from "#domain/catalogue/resources/parse.ts";
import { findResourceField, getResourceId, type Resource } from "#domain/catalogue/resources/resource.ts";
import { err, ok } from "#domain/result.ts";
import {
  lastResourceVersionQuery,
  nextResourceIdQuery,
  resourceQueries,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import { insertResourceStatements } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { findNameFieldsInUse, referencedResourcesQueries, sameNameQueries } from "./related-resources.ts";
import { getDerivedColumns, hashAndEncryptSecrets } from "./resource-rules.ts";
import {
  createResourceHistoryEntry,
  findInvalidResourceRefusal,
  maskSecrets,
  type ResourceInput,
  type ResourceWriteResult,
} from "./validate-resource.ts";
import { writeResourceOnce } from "./write-resource.ts";

/** Creates a resource. Unspecified fields get their defaults. `internalColumns` have none. Two round trips. */
export async function createResource(
  write: OfficeWrite,
  resource: Resource,
  resourceInput: ResourceInput,
  internalColumns: Readonly<Record<string, unknown>> = {},
): ResourceWriteResult {
  const { db } = write.tenant;
  const secrets = await hashAndEncryptSecrets(write.tenant, resource, resourceInput);
  const newResourceId = resource.isCounted ? "" : getResourceId(resource, toResourceKey(resource, resourceInput));
  const referenceQueries = referencedResourcesQueries(db, resource, resourceInput);
  const namesakes = sameNameQueries(db, resource, resourceInput);
  return writeResourceOnce(write, resource, {
    content: { create: maskSecrets(resource, resourceInput) },
    read: () => [
      resource.isCounted ? nextResourceIdQuery(db, resource) : lastResourceVersionQuery(db, resource, newResourceId),
      ...referenceQueries,
      ...namesakes,
      ...resourceQueries(db, resource, newResourceId),
    ],
    decide: (reading) => {
      const { catalogue } = reading;
      const [last, ...rows] = reading.rows as readonly [readonly Numbers[], ...unknown[]];
      const parsed = parseResourceValues(resource, resourceInput, { decimals: catalogue.settings.currencyDecimals });
      const values = { ...newValues(resource, catalogue), ...parsed.values };
      const refused = findInvalidResourceRefusal(
        resource,
        { ...parsed, values },
        {
          reading,
          input: resourceInput,
          id: undefined,
          secrets,
          relatedData: rows,
        },
      );
      if (refused) return refused;
      const [others, own] = [
        rows.slice(referenceQueries.length),
        rows.slice(referenceQueries.length + namesakes.length),
      ];
      const called = findNameFieldsInUse(resource, resourceInput, others.slice(0, namesakes.length));
      if (called.length > 0) return err({ kind: "taken", fields: called });
      if (toResources(resource, own).length > 0) return err({ kind: "taken", fields: resource.key });
      const { number, id, version } = getDisplayName(resource, values, last[0]);
      const entry = createResourceHistoryEntry(reading, resource, { id, version, event: "created", after: values });
      const more = {
        ...getDerivedColumns(resource, { values, before: undefined, secrets, now: write.now }),
        ...internalColumns,
      };
      return ok({
        resource: id,
        statements: insertResourceStatements(db, resource, values, { id: number, entry, more }),
      });
    },
  });
}

type Numbers = Readonly<Partial<Record<"id" | "version", number | null>>>;

// A resource whose id was used before by a removed one continues that resource's history and version.
function getDisplayName(resource: Resource, values: ResourceValues, { id = 1, version = 0 }: Numbers = {}) {
  if (resource.isCounted) return { number: Number(id), id: String(id), version: 1 };
  return { number: undefined, id: getResourceId(resource, values), version: Number(version) + 1 };
}

// Returns the key as stored, to check whether it exists.
function toResourceKey(resource: Resource, resourceInput: ResourceInput): ResourceValues {
  const getStoredValue = (name: string): FieldValue => {
    const field = findResourceField(resource, name);
    const initial = field?.initial && "is" in field.initial ? field.initial.is : "";
    const text = String(resourceInput[name] ?? initial).trim();
    return field?.kind === "text" && field.form === "capitals" ? text.toUpperCase() : text;
  };
  return Object.fromEntries(resource.key.map((name) => [name, getStoredValue(name)]));
}

// Returns the defaults of a new resource, some from the account's settings.
function newValues({ fields }: Resource, { settings }: Catalogue): ResourceValues {
  const own = fields.flatMap(({ name, initial }) =>
    initial && "setting" in initial ? [[name, settings[initial.setting]] as const] : [],
  );
  return { ...getDefaultResourceValues(fields), ...Object.fromEntries(own) };
}
