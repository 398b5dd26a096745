import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Branch, Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  countSoldUnitsByDay,
  getCurrentVehicleSpan,
  type PlannedSpan,
  type SoldDay,
} from "#domain/catalogue/planning.ts";
import { addDays, type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type CurrentVehicleContract,
  type ExchangedVehiclePeriod,
  type PlannedContract,
  type Planning,
  planningQuery,
  toPlanning,
} from "#worker/store/fleet/planning.ts";
import { getDayStart, toCivilMinuteInZone } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Date range and branch. Without a branch, the user's own branches. */
export interface RequestedPlanning {
  readonly from: CivilDate;
  readonly days: number;
  readonly branchCode: string | undefined;
  readonly branchGroupId: number | undefined;
  readonly categoryCode: string | undefined;
}

/** Planning board by vehicle and day. */
export interface PlanningAnswer extends Pick<Planning, "vehicles" | "blocks"> {
  /** Contract units, each with the period in which it has its vehicle. */
  readonly contracts: readonly (PlannedContract & { readonly span: PlannedSpan })[];
  /** Vehicles returned in exchange, each with its period of use. */
  readonly exchanged: readonly (ExchangedVehiclePeriod & { readonly span: PlannedSpan })[];
  readonly days: readonly SoldDay[];
}

const MIDNIGHT = "00:00" as TimeText;

/** Returns vehicles with their contracts and blocks over several days, and the sold share per day. One round trip. */
export async function readPlanning(
  request: StaffRequest,
  requestedPlanning: RequestedPlanning,
): Promise<Result<StaffAnswer<PlanningAnswer>, OfficeRefusal>> {
  const { tenant } = request;
  const dateTo = addDays(requestedPlanning.from, requestedPlanning.days);
  const read = await readAsStaff(request, (catalogue) => [
    planningQuery(tenant.db, {
      branchCodes: findBranches(catalogue, requestedPlanning).map(({ code }) => code),
      categoryCode: requestedPlanning.categoryCode,
      dateFrom: requestedPlanning.from,
      dateTo,
      startsAt: toCivilMinute(requestedPlanning.from, MIDNIGHT),
      endsAt: toCivilMinute(dateTo, MIDNIGHT),
      from: getDayStart(catalogue.settings.timezone, requestedPlanning.from),
      until: getDayStart(catalogue.settings.timezone, dateTo),
    }),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const isNamed = requestedPlanning.branchCode !== undefined || requestedPlanning.branchGroupId !== undefined;
  if (isNamed && findBranches(catalogue, requestedPlanning).length === 0)
    return err({ kind: "invalid", ...namePlanningFilter(requestedPlanning) });
  const agreed = filterForStaff(toPlanning(rows[0]), staff);
  const besides = outBesides(agreed);
  const planning = { ...agreed, contracts: [...agreed.contracts, ...besides] };
  const { timezone } = catalogue.settings;
  const now = toCivilMinuteInZone(timezone, request.now);
  const isOut = findUnitsOut(planning);
  const soldSpans = [...agreed.contracts, ...besides.filter(({ unitId }) => isOut.has(unitId))].map((contract) =>
    soldSpan(contract, { timezone, now, isOut }),
  );
  const substituteUses = listSubstituteUses(planning, now);
  const days = countSoldUnitsByDay(
    requestedPlanning,
    planning.vehicles,
    [...soldSpans, ...substituteUses],
    planning.blocks,
  );
  return ok({ value: { ...planning, ...withSpans(planning, timezone), days }, freshToken });
}

// Returns the field and reason of the error if the requested filter matches none of the user's branches.
function namePlanningFilter({ branchCode }: RequestedPlanning) {
  return branchCode === undefined
    ? { field: "rental_storage_id", reason: createReason("no_branch_group") }
    : { field: "rental_location_code", reason: createReason("no_branch") };
}

// Returns units on rent that the date range doesn't contain, because they are overdue or were delivered
// early. The board shows them on their vehicles.
function outBesides({ vehicles, contracts }: Planning) {
  const known = new Set(contracts.map(({ unitId }) => unitId));
  return vehicles.flatMap(({ reference, out }) =>
    out?.customer != null && !known.has(out.unitId)
      ? [{ ...out, customer: out.customer, reference, collectedAt: null }]
      : [],
  );
}

// Returns the units that are out with a vehicle of their own category and branch group. Other units are counted with
// their substitute vehicle.
function findUnitsOut({ vehicles }: Planning): ReadonlySet<number> {
  return new Set(vehicles.flatMap(({ out }) => (out && !out.isSubstitute ? [out.unitId] : [])));
}

function withSpans({ contracts, exchanged }: Planning, timezone: string) {
  const toMinute = (at: number | null | undefined) => (at ? toCivilMinuteInZone(timezone, at) : undefined);
  const before = Map.groupBy(exchanged, ({ unitId }) => unitId);
  return {
    contracts: contracts.map((contract) => ({
      ...contract,
      span: getCurrentVehicleSpan({
        agreed: agreedSpan(contract),
        deliveredAt: toMinute(contract.deliveredAt),
        exchangedVehicleReturnedAt: toMinute(
          before.get(contract.unitId)?.reduce((last, { backAt }) => Math.max(last, backAt), 0),
        ),
        returnedAt: toMinute(contract.collectedAt),
      }),
    })),
    exchanged: exchanged.map((exchangedUse) => ({
      ...exchangedUse,
      span: {
        startsAt: toCivilMinuteInZone(timezone, exchangedUse.outAt),
        endsAt: toCivilMinuteInZone(timezone, exchangedUse.backAt),
      },
    })),
  };
}

const agreedSpan = ({ dateFrom, timeFrom, dateTo, timeTo }: PlannedContract): PlannedSpan => ({
  startsAt: toCivilMinute(dateFrom as CivilDate, timeFrom as TimeText),
  endsAt: toCivilMinute(dateTo as CivilDate, timeTo as TimeText),
});

interface Outside {
  readonly timezone: string;
  readonly now: CivilMinute;
  readonly isOut: ReadonlySet<number>;
}

// Returns the period in which a unit counts as sold. A unit returned early is free from then on. A unit that isn't back
// stays in use.
function soldSpan(contract: PlannedContract, { timezone, now, isOut }: Outside) {
  const { categoryCode, unitId, deliveredAt, collectedAt } = contract;
  const agreed = agreedSpan(contract);
  const wentOut = deliveredAt === null ? agreed.startsAt : toCivilMinuteInZone(timezone, deliveredAt);
  const startsAt = Math.min(agreed.startsAt, wentOut);
  if (collectedAt !== null)
    return { categoryCode, startsAt, endsAt: Math.min(agreed.endsAt, toCivilMinuteInZone(timezone, collectedAt)) };
  return { categoryCode, startsAt, endsAt: isOut.has(unitId) ? Math.max(agreed.endsAt, now + 1) : agreed.endsAt };
}

// Returns the use of vehicles that are out for another category or branch group. Until they return, their own category
// lacks them.
function listSubstituteUses({ vehicles }: Planning, startsAt: CivilMinute) {
  return vehicles.flatMap(({ categoryCode, out }) => {
    if (!out?.isSubstitute) return [];
    const returnsAt = toCivilMinute(out.dateTo as CivilDate, out.timeTo as TimeText);
    return [{ categoryCode, startsAt, endsAt: Math.max(returnsAt, startsAt + 1) }];
  });
}

function findBranches({ branches }: Catalogue, { branchCode, branchGroupId }: RequestedPlanning): readonly Branch[] {
  return [...branches.values()].filter(
    (branch) =>
      (branchCode === undefined || branch.code === branchCode) &&
      (branchGroupId === undefined || branch.branchGroupId === branchGroupId),
  );
}

function filterForStaff({ vehicles, contracts, exchanged, blocks }: Planning, staff: SignedInUser): Planning {
  const own = vehicles.filter(({ branchCode }) => canAccessBranch(staff, branchCode));
  const references = new Set(own.map(({ reference }) => reference));
  return {
    vehicles: own.map((plannedVehicle) => ({
      ...plannedVehicle,
      out: plannedVehicle.out && nameOwn(plannedVehicle.out, staff),
    })),
    contracts: contracts.filter((contract) => canAccessBranch(staff, contract.branchCode, contract.returnBranchCode)),
    exchanged: exchanged.filter((exchangedUse) =>
      canAccessBranch(staff, exchangedUse.branchCode, exchangedUse.returnBranchCode),
    ),
    blocks: blocks.filter(({ reference }) => references.has(reference)),
  };
}

// Every planner sees that a vehicle is out. Only staff of the contract's branches see the customer.
function nameOwn(out: CurrentVehicleContract, staff: SignedInUser): CurrentVehicleContract {
  return canAccessBranch(staff, out.branchCode, out.returnBranchCode) ? out : { ...out, customer: null };
}
