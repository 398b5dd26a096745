import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  insertVehicleStatements,
  markDamageRepairedStatements,
  officeVehicleQueries,
  officeVehiclesQueries,
  updateVehicleStatements,
  type VehicleRow,
  type VehicleSearch,
} from "#worker/store/fleet/office-vehicles.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createListRead, type ListRead, readList } from "#worker/usecases/office/list-reads.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
  type VehicleAnswer,
} from "#worker/usecases/office/office-context.ts";
import { type OfficeWriteData, runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { createSortedPageCursor, type Page, toPage } from "#worker/usecases/shared/page.ts";
import { areAllObjectsEmpty, pickChanged } from "#worker/usecases/shared/pick-changed.ts";

type ListedVehicle = VehicleAnswer["vehicle"];
type VehicleQueries = ReturnType<typeof officeVehicleQueries>;

/** Page of vehicles of the user's branches. */
export type VehiclePage = Page<ListedVehicle, string>;

/** Lists the fleet's matching vehicles. One round trip. */
export const listOfficeVehicles = (request: StaffRequest, filter: Omit<VehicleSearch, "userId">) =>
  readList(request, createVehicleListRead(request, filter));

/** Returns the read of a page of matching vehicles. */
export const createVehicleListRead = (
  { tenant, now }: StaffRequest,
  filter: Omit<VehicleSearch, "userId">,
): ListRead<VehiclePage> =>
  createListRead(
    ({ settings }, userId) => {
      const { date, time } = toCivilNow(settings.timezone, now);
      return officeVehiclesQueries(tenant.db, { ...filter, userId }, toCivilMinute(date, time));
    },
    ([vehicle, [counted]]) => {
      const toCursor = ({ reference }: ListedVehicle) => createSortedPageCursor(filter.sorted, reference);
      return toPage(vehicle, counted, filter.pageSize, toCursor);
    },
  );

/** Returns one vehicle with its current and future blocks, damage and history. One round trip. */
export async function readOfficeVehicle(
  request: StaffRequest,
  reference: string,
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, (catalogue) => vehicleAnswerQueries(tenant.db, catalogue, reference, now));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const vehicle = findVehicle(rows, { staff });
  return vehicle.ok ? ok({ value: vehicle.value, freshToken }) : vehicle;
}

/** Returns the queries that read a vehicle in the batch of its write, and the function that builds the answer. */
export function createVehicleReadBack({ tenant, now }: StaffRequest) {
  return {
    readBack: (reference: string, catalogue: Catalogue) => vehicleAnswerQueries(tenant.db, catalogue, reference, now),
    answer: findVehicle,
  };
}

function findVehicle(
  rows: QueryResults<VehicleQueries>,
  { staff }: { readonly staff: SignedInUser },
): Result<VehicleAnswer, OfficeRefusal> {
  const vehicle = toVehicleAnswer(rows, staff);
  return vehicle ? ok(vehicle) : err({ kind: "vehicleNotFound" });
}

/** Returns the queries for a vehicle with its state at a time in epoch ms. */
export function vehicleAnswerQueries(
  db: Parameters<typeof officeVehicleQueries>[0],
  { settings }: Catalogue,
  reference: string,
  at: number,
): VehicleQueries {
  const { date, time } = toCivilNow(settings.timezone, at);
  return officeVehicleQueries(db, reference, toCivilMinute(date, time));
}

/** Converts the rows of a vehicle. Returns undefined if the staff member can't access it. */
export function toVehicleAnswer(rows: QueryResults<VehicleQueries>, staff: SignedInUser): VehicleAnswer | undefined {
  const [[vehicle], blocks, damages, history] = rows;
  return vehicle && canAccessBranch(staff, vehicle.branchCode) ? { vehicle, blocks, damages, history } : undefined;
}

/** Vehicle fields to change. Absent fields stay unchanged. */
export type VehicleChange = Partial<Omit<VehicleRow, "id" | "reference" | "version" | "createdAt" | "lastUpdate">>;

/** Adds a vehicle to the fleet. Its home is its branch's group. */
export function createVehicle(
  write: OfficeWrite,
  reference: string,
  newVehicle: VehicleChange & Pick<VehicleRow, "name" | "categoryCode" | "branchCode">,
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createVehicleReadBack(write),
    right: "manage",
    content: { create: reference, given: newVehicle },
    read: (catalogue) => vehicleAnswerQueries(db, catalogue, reference, write.now),
    decide: ({ staff, catalogue, rows, actor }) => {
      if (rows[0].length > 0) return err({ kind: "referenceTaken" });
      const branch = catalogue.branches.get(newVehicle.branchCode);
      const refusal = findMissingReferences(catalogue, newVehicle);
      if (refusal || !branch) return err(refusal ?? unknown("rental_location_code"));
      if (!canAccessBranch(staff, branch.code)) return err({ kind: "branchOfOthers" });
      const { branchGroupId } = branch;
      const at = write.now;
      const row = {
        ...newVehicle,
        reference,
        branchGroupId,
        ownerBranchGroupId: branchGroupId,
        createdAt: at,
        lastUpdate: at,
      };
      return ok({
        resource: reference,
        statements: insertVehicleStatements(db, row, { reference, at, actor, event: "created", after: newVehicle }),
      });
    },
  });
}

/** Changes a vehicle's data. */
export function changeVehicle(
  write: OfficeWrite,
  reference: string,
  { expectedVersion, change }: { readonly expectedVersion: number; readonly change: VehicleChange },
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  return changing(
    write,
    { reference, expectedVersion, content: { change, expectedVersion } },
    ({ catalogue, staff }, vehicle) => {
      const refusal = findMissingReferences(catalogue, change) ?? refuseFleetChange(staff, vehicle, change);
      if (refusal) return err(refusal);
      // Reactivating a vehicle removes the date on which it left the fleet.
      const isBack = change.active === true && !vehicle.vehicle.active;
      const row = pickChanged(isBack ? { ...change, ...IN_THE_FLEET } : change, { ...vehicle.vehicle });
      const before = Object.fromEntries(
        Object.keys(row).map((name) => [name, vehicle.vehicle[name as keyof VehicleChange]]),
      );
      return ok({ row, event: "changed" as const, before, after: row });
    },
  );
}

// A vehicle with a customer can't leave the fleet or change branch. Only staff of the new branch can move a vehicle
// there.
function refuseFleetChange(
  staff: SignedInUser,
  { vehicle }: VehicleAnswer,
  { active = vehicle.active, branchCode = vehicle.branchCode }: VehicleChange,
): OfficeRefusal | undefined {
  const isMoved = branchCode !== vehicle.branchCode;
  if (isMoved && !canAccessBranch(staff, branchCode)) return { kind: "branchOfOthers" };
  const isLeavingFleet = vehicle.active && !active;
  return vehicle.isOut === 1 && (isMoved || isLeavingFleet) ? { kind: "vehicleOut" } : undefined;
}

/**
 * Removes a vehicle from the fleet from a date, by default today. Null cancels the removal. Refuses a vehicle that is
 * with a customer.
 */
export function retireVehicle(
  write: OfficeWrite,
  reference: string,
  { expectedVersion, date }: { readonly expectedVersion: number; readonly date: string | null | undefined },
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  const content = { retire: date === null ? "never" : (date ?? null), expectedVersion };
  return changing(write, { reference, expectedVersion, content }, ({ catalogue }, { vehicle }) => {
    const today = toCivilNow(catalogue.settings.timezone, write.now).date;
    const before = { soldReleaseDate: vehicle.soldReleaseDate };
    if (date === null) return ok({ row: IN_THE_FLEET, event: "changed" as const, before, after: IN_THE_FLEET });
    const soldReleaseDate = date ?? today;
    if (vehicle.isOut === 1 && soldReleaseDate <= today) return err({ kind: "vehicleOut" });
    const row = { soldReleaseDate, ...(soldReleaseDate <= today && { active: false }) };
    return ok({ row, event: "retired" as const, before, after: row });
  });
}

const IN_THE_FLEET = { soldReleaseDate: null, active: true } as const;

interface VehicleWrite {
  readonly row: VehicleChange;
  readonly event: "changed" | "retired";
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

function changing(
  write: OfficeWrite,
  {
    reference,
    expectedVersion,
    content,
  }: { readonly reference: string; readonly expectedVersion: number; readonly content: object },
  decide: (
    reading: OfficeWriteData<QueryResults<VehicleQueries>>,
    vehicle: VehicleAnswer,
  ) => Result<VehicleWrite, OfficeRefusal>,
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createVehicleReadBack(write),
    right: "manage",
    content: { reference, ...content },
    read: (catalogue) => vehicleAnswerQueries(db, catalogue, reference, write.now),
    decide: (reading) => {
      const vehicle = toVehicleAnswer(reading.rows, reading.staff);
      if (!vehicle) return err({ kind: "vehicleNotFound" });
      if (vehicle.vehicle.version !== expectedVersion) return err({ kind: "vehicleChanged", vehicle: vehicle });
      const decided = decide(reading, vehicle);
      if (!decided.ok) return decided;
      const { row, event, before, after } = decided.value;
      if (areAllObjectsEmpty(row)) return ok({ resource: reference, statements: [] });
      const entry = { reference, at: write.now, actor: reading.actor, event, before, after };
      return ok({ resource: reference, statements: updateVehicleStatements(db, row, expectedVersion, entry) });
    },
  });
}

/** Marks a vehicle's damage as repaired. */
export function markVehicleDamageRepaired(
  write: OfficeWrite,
  reference: string,
  damageId: number,
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createVehicleReadBack(write),
    right: "sell",
    content: { reference, repaired: damageId },
    read: (catalogue) => vehicleAnswerQueries(db, catalogue, reference, write.now),
    decide: ({ rows, staff, actor }) => {
      const vehicle = toVehicleAnswer(rows, staff);
      if (!vehicle) return err({ kind: "vehicleNotFound" });
      const damage = vehicle.damages.find(({ id }) => id === damageId);
      if (!damage) return err({ kind: "damageNotFound" });
      const after = { damage: damageId, part: damage.part, kind: damage.kind };
      const entry = { reference, at: write.now, actor, event: "repaired" as const, after };
      return ok({ resource: reference, statements: markDamageRepairedStatements(db, damageId, entry) });
    },
  });
}

function findMissingReferences(
  catalogue: Catalogue,
  { categoryCode, branchCode }: VehicleChange,
): OfficeRefusal | undefined {
  const isCategoryKnown = categoryCode === undefined || catalogue.categories.has(categoryCode);
  const isBranchKnown = branchCode === undefined || catalogue.branches.has(branchCode);
  if (isCategoryKnown) return isBranchKnown ? undefined : unknown("rental_location_code");
  const others = isBranchKnown ? [] : [{ field: "rental_location_code", reason: createReason("not_known") }];
  return { ...unknown("category_code"), others };
}

const unknown = (field: string) => ({ kind: "invalid", field, reason: createReason("not_known") }) as const;
