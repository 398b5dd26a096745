import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Branch, Catalogue } from "#domain/catalogue/catalogue.ts";
import { countByDay, type SoldDay } from "#domain/catalogue/planning.ts";
import { addDays, type CivilDate, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { type OutWith, type Planning, planningQuery, toPlanning } from "#worker/store/catalogue/planning.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";

/** Which days of which branches; without a branch those of one's own. */
export interface RequestedPlanning {
  readonly from: CivilDate;
  readonly days: number;
  readonly branchCode: string | undefined;
  readonly branchGroupId: number | undefined;
  readonly categoryCode: string | undefined;
}

/** The board of vehicles by days. */
export interface PlanningAnswer extends Planning {
  readonly days: readonly SoldDay[];
}

const MIDNIGHT = "00:00" as TimeOfDay;

/** Vehicles with their contracts and blocks over some days, and what is sold of what there is; one round trip. */
export async function readPlanning(
  request: StaffRequest,
  wanted: RequestedPlanning,
): Promise<Result<OfficeAnswer<PlanningAnswer>, OfficeRefusal>> {
  const { tenant } = request;
  const dateTo = addDays(wanted.from, wanted.days);
  const read = await readAsStaff(request, (catalogue) => [
    planningQuery(tenant.db, {
      branchCodes: findBranches(catalogue, wanted).map(({ code }) => code),
      categoryCode: wanted.categoryCode,
      dateFrom: wanted.from,
      dateTo,
      startsAt: toCivilMinute(wanted.from, MIDNIGHT),
      endsAt: toCivilMinute(dateTo, MIDNIGHT),
    }),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const isNamed = wanted.branchCode !== undefined || wanted.branchGroupId !== undefined;
  if (isNamed && findBranches(catalogue, wanted).length === 0)
    return refuse({ kind: "invalid", field: "rental_location_code", reason: "is no branch of the account" });
  const planning = ofStaff(toPlanning(rows[0]), staff);
  const { timezone } = catalogue.settings;
  const sold = planning.contracts.map((contract) => soldSpan(contract, timezone));
  const given = givenOf(planning, civilNow(timezone, request.now));
  const days = countByDay(wanted, planning.vehicles, [...sold, ...given], planning.blocks);
  return ok({ value: { ...planning, days }, freshToken });
}

// A unit that came back early is nobody's from then on.
function soldSpan(contract: Planning["contracts"][number], timezone: string) {
  const { categoryCode, dateFrom, timeFrom, dateTo, timeTo, collectedAt } = contract;
  const endsAt = toCivilMinute(dateTo as CivilDate, timeTo as TimeOfDay);
  const back = collectedAt === null ? undefined : civilNow(timezone, collectedAt);
  return {
    categoryCode,
    startsAt: toCivilMinute(dateFrom as CivilDate, timeFrom as TimeOfDay),
    endsAt: back ? Math.min(endsAt, toCivilMinute(back.date, back.time)) : endsAt,
  };
}

// What is out with a contract of another category or branch group is missing in its own until it is back.
function givenOf({ vehicles }: Planning, { date, time }: { readonly date: CivilDate; readonly time: TimeOfDay }) {
  const startsAt = toCivilMinute(date, time);
  return vehicles.flatMap(({ categoryCode, out }) => {
    if (!out?.isGiven) return [];
    const returnsAt = toCivilMinute(out.dateTo as CivilDate, out.timeTo as TimeOfDay);
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

function ofStaff({ vehicles, contracts, blocks }: Planning, staff: SignedIn): Planning {
  const own = vehicles.filter(({ branchCode }) => canAccessBranch(staff, branchCode));
  const references = new Set(own.map(({ reference }) => reference));
  return {
    vehicles: own.map((one) => ({ ...one, out: one.out && nameOwn(one.out, staff) })),
    contracts: contracts.filter((one) => canAccessBranch(staff, one.branchCode, one.returnBranchCode)),
    blocks: blocks.filter(({ reference }) => references.has(reference)),
  };
}

// That a vehicle is out concerns whoever plans it; with whom, those of the contract's branches.
function nameOwn(out: OutWith, staff: SignedIn): OutWith {
  return canAccessBranch(staff, out.branchCode, out.returnBranchCode) ? out : { ...out, customer: null };
}
