import { canAccessBranch } from "#domain/access/sessions.ts";
import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { moveVehicleStatements } from "#worker/store/fleet/move-vehicle.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { OfficeRefusal, OfficeWrite, VehicleAnswer } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createVehicleReadBack, toVehicleAnswer, vehicleAnswerQueries } from "./office-vehicles.ts";

/** Target branch of a vehicle, and the time (civil minutes) from which the branch's group has it. */
export interface RequestedRelocation {
  readonly reference: string;
  readonly branchCode: string;
  readonly from: CivilMinute;
}

/**
 * Moves a vehicle from a given time. It returns to its home group, or gets a new home at another group
 * (docs/interfaces/rules.md#one-way-rentals). Existing bookings stay valid. If a branch group has too few vehicles
 * then, a shortage task is created.
 */
export function moveVehicle(
  write: OfficeWrite,
  { reference, branchCode, from }: RequestedRelocation,
): Promise<Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createVehicleReadBack(write),
    right: "sell",
    content: { move: reference, branchCode, from },
    read: (catalogue) => vehicleAnswerQueries(db, catalogue, reference, write.now),
    decide: ({ rows, staff, catalogue, actor }) => {
      const readVehicle = toVehicleAnswer(rows, staff);
      if (!readVehicle) return err({ kind: "vehicleNotFound" });
      const branch = catalogue.branches.get(branchCode);
      if (!branch) return err({ kind: "invalid", field: "rental_location_code", reason: createReason("not_known") });
      if (!canAccessBranch(staff, branch.code)) return err({ kind: "branchOfOthers" });
      const { vehicle } = readVehicle;
      if (vehicle.isOut === 1) return err({ kind: "vehicleOut" });
      const isNewHome = branch.branchGroupId !== vehicle.branchGroupId;
      const clock = toCivilNow(catalogue.settings.timezone, write.now);
      const move = {
        reference,
        branchCode: branch.code,
        homeGroupId: isNewHome ? branch.branchGroupId : undefined,
        from,
        now: toCivilMinute(clock.date, clock.time),
        at: write.now,
      };
      const before = { branchCode: vehicle.branchCode, branchGroupId: vehicle.branchGroupId };
      const after = { branchCode: branch.code, branchGroupId: branch.branchGroupId };
      const entry = { actor, event: "moved" as const, before, after };
      return ok({ resource: reference, statements: moveVehicleStatements(db, move, vehicle.version, entry) });
    },
  });
}
