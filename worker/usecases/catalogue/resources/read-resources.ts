import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { formatCompositeKeyCursor } from "#domain/reporting/page-cursor.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type ResourceSearch,
  referenceOptionsQuery,
  resourceHistoryQuery,
  resourceQueries,
  resourcesPageQueries,
  type StoredResource,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import { findMissingRightRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { toPage } from "#worker/usecases/shared/page.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** Selectable values by field. */
export type ReferenceOptions = Readonly<
  Record<string, readonly { readonly id: string | number; readonly name: string }[]>
>;

/** Page of resources, with the options for their forms. */
export interface ResourcePage {
  readonly resources: readonly StoredResource[];
  readonly total: number;
  readonly next: string | undefined;
  readonly options: ReferenceOptions | undefined;
}

/** Lists a page of resources of one kind. One round trip. */
export async function listResources(
  request: StaffRequest,
  resource: Resource,
  search: Omit<ResourceSearch, "userId"> & { readonly withOptions: boolean },
): Promise<Result<StaffAnswer<ResourcePage>, ResourceRefusal>> {
  const { tenant } = request;
  const userId = await getTokenUserId(request);
  const referencedResources = search.withOptions ? namedBy(resource) : [];
  const read = await readAsStaff(request, (): readonly Query[] => [
    ...referencedResources.map((name) => referenceOptionsQuery(tenant.db, name)),
    ...resourcesPageQueries(tenant.db, resource, { ...search, userId }),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = findMissingRightRefusal(staff, resource.readRight);
  if (refused) return refused;
  const answers = rows as readonly unknown[];
  const [[counted], ...storedRows] = answers.slice(referencedResources.length) as unknown as readonly [
    readonly { total: number }[],
    ...unknown[],
  ];
  const page = toPage(toResources(resource, storedRows), counted, search.pageSize, ({ id }) => id);
  const options = search.withOptions ? toOptions(resource, referencedResources, answers) : undefined;
  return ok({
    value: {
      resources: page.rows,
      total: page.total,
      next: page.next === undefined ? undefined : formatCompositeKeyCursor(page.next),
      options,
    },
    freshToken,
  });
}

// Returns the kinds of resources that the fields and lists reference.
function namedBy({ fields }: Pick<Resource, "fields">): readonly ResourceName[] {
  const names = fields.flatMap((field) => {
    if (field.kind === "rows") return namedBy(field);
    return field.kind === "reference" || field.kind === "references" ? [field.to] : [];
  });
  return [...new Set(names)];
}

function toOptions(
  resource: Resource,
  referencedResources: readonly ResourceName[],
  answers: readonly unknown[],
): ReferenceOptions {
  const byName = Object.fromEntries(referencedResources.map((name, index) => [name, answers[index]]));
  const selectOptions = (fields: Resource["fields"]): (readonly [string, unknown])[] =>
    fields.flatMap((field) => {
      if (field.kind === "rows") return selectOptions(field.fields);
      return field.kind === "reference" || field.kind === "references" ? [[field.name, byName[field.to]] as const] : [];
    });
  return Object.fromEntries(selectOptions(resource.fields)) as ReferenceOptions;
}

/** Returns one resource. One round trip. */
export async function readResource(
  request: StaffRequest,
  resource: Resource,
  id: string,
): Promise<Result<StaffAnswer<StoredResource>, ResourceRefusal>> {
  const read = await readAsStaff(request, () => resourceQueries(request.tenant.db, resource, id));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = findMissingRightRefusal(staff, resource.readRight);
  if (refused) return refused;
  const [storedResource] = toResources(resource, rows);
  if (!storedResource || !canAccessResource(staff, resource, storedResource)) return err({ kind: "resourceNotFound" });
  return ok({ value: storedResource, freshToken });
}

type History = QueryResults<readonly [ReturnType<typeof resourceHistoryQuery>]>[0];

/** Returns a resource's history, even after its removal. One round trip. */
export async function readResourceHistory(
  request: StaffRequest,
  resource: Resource,
  id: string,
): Promise<Result<StaffAnswer<History>, ResourceRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, (): readonly Query[] => [
    resourceHistoryQuery(db, resource, id),
    ...resourceQueries(db, resource, id),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = findMissingRightRefusal(staff, resource.readRight);
  if (refused) return refused;
  const [history, ...storedRows] = rows as readonly unknown[] as readonly [History, ...unknown[]];
  const [storedResource] = toResources(resource, storedRows);
  const isHidden = storedResource
    ? !canAccessResource(staff, resource, storedResource)
    : canBelongToBranches(resource) && staff.branches !== "all";
  if (isHidden || (!storedResource && history.length === 0)) return err({ kind: "resourceNotFound" });
  return ok({ value: history, freshToken });
}

/** Whether resources of this kind can belong to branches. */
export const canBelongToBranches = ({ branch, vehicleField }: Resource) =>
  branch !== undefined || vehicleField !== undefined;

/**
 * Whether the user may access a resource by its branch. A resource without a branch is open to every user, unless it
 * reveals the vehicles of all branches.
 */
export function canAccessResource(
  staff: SignedInUser,
  { branch, vehicleField }: Resource,
  { values, vehicleBranch }: Pick<StoredResource, "values" | "vehicleBranch">,
): boolean {
  if (vehicleField !== undefined)
    return staff.branches === "all" || (vehicleBranch !== undefined && canAccessBranch(staff, vehicleBranch));
  const code = branch === undefined ? null : values[branch];
  return code === null || code === undefined || canAccessBranch(staff, String(code));
}
