import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import {
  type KeptThing,
  optionsQuery,
  type ResourceSearch,
  thingHistoryQuery,
  thingQueries,
  thingsPageQueries,
  toThings,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Answers, Query } from "#worker/store/database.ts";
import { readAsStaff, type StaffRequest, userIdOf } from "#worker/usecases/access/read-as-staff.ts";
import { type OfficeAnswer, refuseWithout } from "#worker/usecases/bookings/moves/office-context.ts";
import { toPage } from "#worker/usecases/shared/page.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** What can be chosen for a field. */
export type Options = Readonly<Record<string, readonly { readonly id: string | number; readonly name: string }[]>>;

/** A page of things, and what its forms need. */
export interface ThingPage {
  readonly things: readonly KeptThing[];
  readonly total: number;
  readonly next: string | undefined;
  readonly options: Options | undefined;
}

/** What the office keeps of a kind, a page of it; one round trip. */
export async function listThings(
  request: StaffRequest,
  resource: Resource,
  search: Omit<ResourceSearch, "userId"> & { readonly withOptions: boolean },
): Promise<Result<OfficeAnswer<ThingPage>, ResourceRefusal>> {
  const { tenant } = request;
  const userId = await userIdOf(request);
  const named = search.withOptions ? namedBy(resource) : [];
  const read = await readAsStaff(request, (): readonly Query[] => [
    ...named.map((name) => optionsQuery(tenant.db, name)),
    ...thingsPageQueries(tenant.db, resource, { ...search, userId }),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = refuseWithout(staff, resource.seeing);
  if (refused) return refused;
  const answers = rows as readonly unknown[];
  const [[counted], ...things] = answers.slice(named.length) as unknown as readonly [
    readonly { total: number }[],
    ...unknown[],
  ];
  const page = toPage(toThings(resource, things), counted, search.pageSize, ({ id }) => id);
  const options = search.withOptions ? toOptions(resource, named, answers) : undefined;
  return ok({ value: { things: page.rows, total: page.total, next: page.next, options }, freshToken });
}

// What the fields of a resource, and of its lists, may name.
function namedBy({ fields }: Pick<Resource, "fields">): readonly ResourceName[] {
  const names = fields.flatMap((one) => {
    if (one.kind === "rows") return namedBy(one);
    return one.kind === "reference" || one.kind === "references" ? [one.to] : [];
  });
  return [...new Set(names)];
}

function toOptions(resource: Resource, named: readonly ResourceName[], answers: readonly unknown[]): Options {
  const byName = Object.fromEntries(named.map((name, index) => [name, answers[index]]));
  const of = (fields: Resource["fields"]): (readonly [string, unknown])[] =>
    fields.flatMap((one) => {
      if (one.kind === "rows") return of(one.fields);
      return one.kind === "reference" || one.kind === "references" ? [[one.name, byName[one.to]] as const] : [];
    });
  return Object.fromEntries(of(resource.fields)) as Options;
}

/** One thing; one round trip. */
export async function readThing(
  request: StaffRequest,
  resource: Resource,
  id: string,
): Promise<Result<OfficeAnswer<KeptThing>, ResourceRefusal>> {
  const read = await readAsStaff(request, () => thingQueries(request.tenant.db, resource, id));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = refuseWithout(staff, resource.seeing);
  if (refused) return refused;
  const [thing] = toThings(resource, rows);
  if (!thing || !isOwn(staff, resource, thing)) return refuse({ kind: "thingNotFound" });
  return ok({ value: thing, freshToken });
}

type History = Answers<readonly [ReturnType<typeof thingHistoryQuery>]>[0];

/** What was done with a thing, also when it is there no more; one round trip. */
export async function readThingHistory(
  request: StaffRequest,
  resource: Resource,
  id: string,
): Promise<Result<OfficeAnswer<History>, ResourceRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, (): readonly Query[] => [
    thingHistoryQuery(db, resource, id),
    ...thingQueries(db, resource, id),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = refuseWithout(staff, resource.seeing);
  if (refused) return refused;
  const [history, ...things] = rows as readonly unknown[] as readonly [History, ...unknown[]];
  const [thing] = toThings(resource, things);
  const isHidden = thing ? !isOwn(staff, resource, thing) : isOfBranches(resource) && staff.branches !== "all";
  if (isHidden || (!thing && history.length === 0)) return refuse({ kind: "thingNotFound" });
  return ok({ value: history, freshToken });
}

/** Whether things of a kind may be of some branches alone. */
export const isOfBranches = ({ branch, ofVehicle }: Resource) => branch !== undefined || ofVehicle !== undefined;

/**
 * Whether a thing is of somebody's branches; what is of none is everybody's, but for what shows the vehicles of all of
 * them.
 */
export function isOwn(
  staff: SignedIn,
  { branch, ofVehicle }: Resource,
  { values, vehicleBranch }: Pick<KeptThing, "values" | "vehicleBranch">,
): boolean {
  if (ofVehicle !== undefined)
    return staff.branches === "all" || (vehicleBranch !== undefined && canAccessBranch(staff, vehicleBranch));
  const code = branch === undefined ? null : values[branch];
  return code === null || code === undefined || canAccessBranch(staff, String(code));
}
