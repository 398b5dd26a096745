import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import {
  existingResourceIdsQuery,
  existingVehiclesQuery,
  resourcesWithSameNameQuery,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Database, Query } from "#worker/store/database.ts";

type ResourceInput = Readonly<Record<string, unknown>>;

/** References in a field of a resource: kind and ids of the resources that the field refers to. */
interface FieldReferences {
  readonly field: string;
  readonly target: ResourceName | "fleet";
  readonly ids: readonly (string | number)[];
}

/** Returns the queries that read which referenced resources exist. */
export function referencedResourcesQueries(
  db: Database,
  resource: Resource,
  resourceInput: ResourceInput,
): readonly Query[] {
  return listFieldReferences(resource.fields, resourceInput).map(({ target, ids }) =>
    target === "fleet" ? existingVehiclesQuery(db, ids) : existingResourceIdsQuery(db, target, ids),
  );
}

/** Finds references that don't exist or that the user can't access, including vehicles of other branches. */
export function findMissingReferences(
  resource: Resource,
  resourceInput: ResourceInput,
  { staff, answers }: { readonly staff: SignedInUser; readonly answers: readonly unknown[] },
): readonly Problem[] {
  return listFieldReferences(resource.fields, resourceInput).flatMap(({ field, ids }, index) => {
    const matchingRows = answers[index] as readonly { readonly id: string; readonly branchCode?: string }[];
    const own = matchingRows.filter(({ branchCode }) => branchCode === undefined || canAccessBranch(staff, branchCode));
    const known = new Set(own.map(({ id }) => id));
    return ids.every((id) => known.has(String(id))) ? [] : [createProblem(field, "not_known")];
  });
}

/** Returns the queries that read resources with the same names. Empty if names may repeat or don't change. */
export function sameNameQueries(
  db: Database,
  resource: Resource,
  resourceInput: ResourceInput,
  id = "",
): readonly Query[] {
  const { nameFields: fields = [] } = resource;
  const names = fields.map((name) => getTrimmedName(resourceInput, name)).filter((name) => name !== undefined);
  return names.length === 0 ? [] : [resourcesWithSameNameQuery(db, resource, { fields, names, id })];
}

/** Finds the fields with a name that another resource already uses. */
export function findNameFieldsInUse(
  { nameFields = [] }: Resource,
  resourceInput: ResourceInput,
  answers: readonly unknown[],
): readonly string[] {
  const rows = answers.flatMap((rows) => rows as readonly { readonly names: string }[]);
  const others = new Set(rows.flatMap(({ names }) => (JSON.parse(names) as readonly string[]).map(toLowerCase)));
  return nameFields.filter((field) => others.has(toLowerCase(getTrimmedName(resourceInput, field) ?? "")));
}

const toLowerCase = (name: string) => name.toLowerCase();

function getTrimmedName(resourceInput: ResourceInput, field: string): string | undefined {
  const name = resourceInput[field];
  return typeof name === "string" && name.trim() !== "" ? name.trim() : undefined;
}

function listFieldReferences(
  fields: readonly ResourceField[],
  resourceInput: ResourceInput,
): readonly FieldReferences[] {
  return fields.flatMap((field): readonly FieldReferences[] => {
    const value = resourceInput[field.name];
    const target = getReferenceTarget(field);
    if (target !== undefined) return isId(value) ? [{ field: field.name, target, ids: [value] }] : [];
    if (!Array.isArray(value) || value.length === 0) return [];
    if (field.kind === "references") return [{ field: field.name, target: field.to, ids: value.filter(isId) }];
    if (field.kind !== "rows") return [];
    return collectReferences(field.fields, value).map((name) => ({ ...name, field: `${field.name}.${name.field}` }));
  });
}

// Returns the kind of resource that a field references. Vehicles aren't office resources, but fields can reference
// them.
function getReferenceTarget(field: ResourceField): FieldReferences["target"] | undefined {
  if (field.kind === "reference") return field.to;
  return field.kind === "text" && field.form === "vehicle" ? "fleet" : undefined;
}

// Collects the references in a list's rows, one per field.
function collectReferences(fields: readonly ResourceField[], rows: readonly unknown[]): readonly FieldReferences[] {
  return fields.flatMap((field) => {
    if (field.kind !== "reference") return [];
    const ids = rows.map((row) => (row as ResourceInput | null)?.[field.name]).filter(isId);
    return ids.length > 0 ? [{ field: field.name, target: field.to, ids }] : [];
  });
}

function isId(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "" && value.length <= 64) || typeof value === "number";
}
