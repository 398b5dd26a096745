import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import type { CivilDate } from "#domain/dates.ts";
import { ok, type Result } from "#domain/result.ts";
import { type ResourceChangeCursor, resourceChangeQueries } from "#worker/store/catalogue/resources/changes.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { EXPENSES_RESOURCE } from "#worker/store/reporting/expenses.ts";
import { getDayBounds } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import { canBelongToBranches } from "./read-resources.ts";

/** Filter for changes. Days are in the account's time zone, inclusive. */
export interface ResourceChangesInput {
  readonly resource: string | undefined;
  readonly userId: number | undefined;
  readonly dateFrom: CivilDate | undefined;
  readonly dateTo: CivilDate | undefined;
  readonly after: ResourceChangeCursor | undefined;
  readonly pageSize: number;
}

type Change = QueryResults<ReturnType<typeof resourceChangeQueries>>[0][number];

const ADMINISTERED = RESOURCES.filter(({ readRight }) => readRight === "administer").map(({ name }) => name);
const BRANCH_RESOURCE_NAMES = [
  ...RESOURCES.filter(canBelongToBranches).map(({ name }) => name),
  EXPENSES_RESOURCE.name,
];

/**
 * Lists the changes of all office resources, newest first. Managers see only what they may read. Changes of branch
 * resources are visible to users of all branches. One round trip.
 */
export async function listResourceChanges(
  request: StaffRequest,
  { dateFrom, dateTo, ...filter }: ResourceChangesInput,
): Promise<Result<StaffAnswer<Page<Change, ResourceChangeCursor>>, OfficeRefusal>> {
  const readerId = await getTokenUserId(request);
  const read = await readAsStaff(request, ({ settings: { timezone } }) =>
    resourceChangeQueries(request.tenant.db, {
      ...filter,
      readerId,
      administratorResources: ADMINISTERED,
      allBranchesResources: BRANCH_RESOURCE_NAMES,
      ...getDayBounds(timezone, { dateFrom, dateTo }),
    }),
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "manage");
  if (missing) return missing;
  const [item, [counted]] = rows;
  return ok({ value: toPage(item, counted, filter.pageSize, (row) => row), freshToken });
}
