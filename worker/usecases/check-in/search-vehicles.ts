import { canAccessBranch } from "#domain/access/sessions.ts";
import type { ListedVehicle } from "#domain/check-in/day.ts";
import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { squeezeText } from "#domain/search-text.ts";
import {
  branchGroupVehiclesQuery,
  currentVehicleBlocksQuery,
  fromVehicleRows,
  groupBlocksByVehicle,
} from "#worker/store/catalogue/vehicles.ts";
import { toListedVehicle } from "#worker/store/check-in/entries.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Vehicle search of field staff (docs/interfaces/check-in.md#vehicles). */
export interface CheckInVehicleSearch {
  readonly term: string | undefined;
  readonly categoryCode: string | undefined;
  readonly familyId: number | undefined;
  /** Optional if the account has only one branch group. */
  readonly branchGroupId: number | undefined;
}

export type VehicleSearchRefusal =
  | StaffRefusal
  | { readonly kind: "storageRequired" }
  | { readonly kind: "unknownStorage" };

/** Returns a branch group's matching vehicles in one round trip. */
export async function searchVehicles(
  request: StaffRequest,
  search: CheckInVehicleSearch,
): Promise<
  Result<
    StaffAnswer<{
      readonly vehicles: readonly ListedVehicle[];
      readonly now: CivilMinute;
      readonly familyIdsByCategory: ReadonlyMap<string, number>;
      readonly categories: Catalogue["categories"];
    }>,
    VehicleSearchRefusal
  >
> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, (catalogue) => {
    const storages = new Set([...catalogue.branches.values()].map((branch) => branch.branchGroupId));
    const [only] = storages.size === 1 ? storages : [];
    return [
      branchGroupVehiclesQuery(tenant.db, {
        term: squeezeText(search.term ?? "") || undefined,
        categoryCodes: getCategoryCodes(catalogue, search),
        branchGroupId: search.branchGroupId ?? only ?? -1,
        date: toCivilNow(catalogue.settings.timezone, now).date,
      }),
      currentVehicleBlocksQuery(tenant.db, now),
    ];
  });
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const branches = [...catalogue.branches.values()];
  const storages = new Set(branches.map((branch) => branch.branchGroupId));
  if (search.branchGroupId === undefined && storages.size > 1) return err({ kind: "storageRequired" });
  const storage = search.branchGroupId ?? [...storages][0];
  const codes = branches.filter((branch) => branch.branchGroupId === storage).map(({ code }) => code);
  if (!canAccessBranch(staff, ...codes) || codes.length === 0) return err({ kind: "unknownStorage" });
  const clock = toCivilNow(catalogue.settings.timezone, now);
  return ok({
    value: {
      vehicles: fromVehicleRows(rows[0], groupBlocksByVehicle(rows[1])).map(toListedVehicle),
      now: toCivilMinute(clock.date, clock.time),
      familyIdsByCategory: mapCategoriesToFamilyIds(catalogue),
      categories: catalogue.categories,
    },
    freshToken,
  });
}

type Catalogue = Parameters<Parameters<typeof readAsStaff>[1]>[0];

// The filters combine. A category of a different family matches nothing.
function getCategoryCodes(
  { categories }: Catalogue,
  { categoryCode, familyId }: CheckInVehicleSearch,
): string[] | undefined {
  if (categoryCode === undefined && familyId === undefined) return undefined;
  return [...categories.values()]
    .filter((category) => categoryCode === undefined || category.code === categoryCode)
    .filter((category) => familyId === undefined || category.familyId === familyId)
    .map(({ code }) => code);
}

/** Returns the family of each category that has one. */
export function mapCategoriesToFamilyIds({ categories }: Catalogue): ReadonlyMap<string, number> {
  return new Map(
    [...categories.values()].flatMap(({ code, familyId }) =>
      familyId === undefined ? [] : [[code, familyId] as const],
    ),
  );
}
