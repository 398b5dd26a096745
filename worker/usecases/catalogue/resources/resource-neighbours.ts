import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Field } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { type Problem, problem } from "#domain/catalogue/resources/problems.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { knownQuery, knownVehiclesQuery, namesakeQuery } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Database, Query } from "#worker/store/database.ts";

type ResourceInput = Readonly<Record<string, unknown>>;

/** A field that names other things, and what it names. */
interface Naming {
  readonly field: string;
  readonly to: ResourceName | "fleet";
  readonly ids: readonly (string | number)[];
}

/** Reads which of the things that were named are there. */
export function neighbourQueries(db: Database, resource: Resource, resourceInput: ResourceInput): readonly Query[] {
  return namings(resource.fields, resourceInput).map(({ to, ids }) =>
    to === "fleet" ? knownVehiclesQuery(db, ids) : knownQuery(db, to, ids),
  );
}

/** What was named and is not there for who names it, by the answers to these reads: nor is a vehicle of others. */
export function findMissingReferences(
  resource: Resource,
  resourceInput: ResourceInput,
  { staff, answers }: { readonly staff: SignedIn; readonly answers: readonly unknown[] },
): readonly Problem[] {
  return namings(resource.fields, resourceInput).flatMap(({ field, ids }, index) => {
    const matchingRows = answers[index] as readonly { readonly id: string; readonly branchCode?: string }[];
    const own = matchingRows.filter(({ branchCode }) => branchCode === undefined || canAccessBranch(staff, branchCode));
    const known = new Set(own.map(({ id }) => id));
    return ids.every((id) => known.has(String(id))) ? [] : [problem(field, "not_known")];
  });
}

/** Reads who else is called what one is to be called; nothing of what has no such names, or keeps them. */
export function namesakeQueries(
  db: Database,
  resource: Resource,
  resourceInput: ResourceInput,
  id = "",
): readonly Query[] {
  const { called: fields = [] } = resource;
  const names = fields.map((name) => calledIn(resourceInput, name)).filter((name) => name !== undefined);
  return names.length === 0 ? [] : [namesakeQuery(db, resource, { fields, names, id })];
}

/** The fields in which somebody would be called as another is, by the answers to these reads. */
export function findNamesakes(
  { called = [] }: Resource,
  resourceInput: ResourceInput,
  answers: readonly unknown[],
): readonly string[] {
  const rows = answers.flatMap((rows) => rows as readonly { readonly names: string }[]);
  const others = new Set(rows.flatMap(({ names }) => (JSON.parse(names) as readonly string[]).map(inSmall)));
  return called.filter((field) => others.has(inSmall(calledIn(resourceInput, field) ?? "")));
}

const inSmall = (name: string) => name.toLowerCase();

function calledIn(resourceInput: ResourceInput, field: string): string | undefined {
  const name = resourceInput[field];
  return typeof name === "string" && name.trim() !== "" ? name.trim() : undefined;
}

function namings(fields: readonly Field[], resourceInput: ResourceInput): readonly Naming[] {
  return fields.flatMap((field): readonly Naming[] => {
    const value = resourceInput[field.name];
    const to = namedBy(field);
    if (to !== undefined) return isId(value) ? [{ field: field.name, to, ids: [value] }] : [];
    if (!Array.isArray(value) || value.length === 0) return [];
    if (field.kind === "references") return [{ field: field.name, to: field.to, ids: value.filter(isId) }];
    if (field.kind !== "rows") return [];
    return named(field.fields, value).map((name) => ({ ...name, field: `${field.name}.${name.field}` }));
  });
}

// What a field names one of: vehicles are no list of the office, and are named by their references.
function namedBy(field: Field): Naming["to"] | undefined {
  if (field.kind === "reference") return field.to;
  return field.kind === "text" && field.form === "vehicle" ? "fleet" : undefined;
}

// Of a list's rows, one question for each field.
function named(fields: readonly Field[], rows: readonly unknown[]): readonly Naming[] {
  return fields.flatMap((field) => {
    if (field.kind !== "reference") return [];
    const ids = rows.map((row) => (row as ResourceInput | null)?.[field.name]).filter(isId);
    return ids.length > 0 ? [{ field: field.name, to: field.to, ids }] : [];
  });
}

function isId(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "" && value.length <= 64) || typeof value === "number";
}
