import { canAccessBranch } from "#domain/access/sessions.ts";
import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { moveVehicleStatements } from "#worker/store/catalogue/move-vehicle.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type {
  OfficeAnswer,
  OfficeRefusal,
  OfficeWrite,
  VehicleAnswer,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { writeOfficeOnce } from "#worker/usecases/operations/office-write.ts";
import { answerVehicle, toVehicle, vehicleQueries } from "./office-vehicles.ts";

/** Where a vehicle is brought to, and from when on (civil minutes) the group of that branch counts on it. */
export interface RequestedMove {
  readonly reference: string;
  readonly branchCode: string;
  readonly from: CivilMinute;
}

/**
 * Moves a vehicle from a moment on: to a branch of its home it comes back, at one of another group it has a new home
 * (docs/interfaces/rules.md#one-way-rentals). What is sold already keeps its right: where a branch group has less than
 * that by now, it waits for a person as a shortage.
 */
export function moveVehicle(
  write: OfficeWrite,
  { reference, branchCode, from }: RequestedMove,
): Promise<Result<OfficeAnswer<VehicleAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return writeOfficeOnce(write, {
    ...answerVehicle(write),
    right: "sell",
    content: { move: reference, branchCode, from },
    read: (catalogue) => vehicleQueries(db, catalogue, reference, write.now),
    decide: ({ rows, staff, catalogue, actor }) => {
      const vehicleValue = toVehicle(rows, staff);
      if (!vehicleValue) return err({ kind: "vehicleNotFound" });
      const branch = catalogue.branches.get(branchCode);
      if (!branch) return err({ kind: "invalid", field: "rental_location_code", reason: "is not known" });
      if (!canAccessBranch(staff, branch.code)) return err({ kind: "branchOfOthers" });
      const { vehicle } = vehicleValue;
      if (vehicle.isOut === 1) return err({ kind: "vehicleOut" });
      const isNewHome = branch.branchGroupId !== vehicle.branchGroupId;
      const clock = civilNow(catalogue.settings.timezone, write.now);
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
