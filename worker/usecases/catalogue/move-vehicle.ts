import { canAccessBranch } from "#domain/access/sessions.ts";
import { type CivilDate, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { moveVehicleStatements, vehicleToMoveQuery } from "#worker/store/catalogue/move-vehicle.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { isOffice, readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { StaffAnswer } from "#worker/usecases/check-in/read-day.ts";

/** A vehicle that stands at another branch group: it comes back to its home, or has a new one. */
export interface WantedMove {
  readonly reference: string;
  /** Where it is brought to, or the branch of its new home. */
  readonly branchCode: string;
  readonly kind: "bringBack" | "newHome";
  /** From then on the branch group counts on it. */
  readonly from: { readonly date: CivilDate; readonly time: TimeOfDay };
}

export type MoveRefusal =
  | StaffRefusal
  | { readonly kind: "unknownVehicle" }
  | { readonly kind: "unknownBranch" }
  | { readonly kind: "otherHome" }
  | { readonly kind: "vehicleOut" };

/**
 * Moves a vehicle from a moment on (docs/interfaces/rules.md#one-way-rentals). What is sold already keeps its right:
 * where a branch group has less than that by now, it waits for a person as a shortage.
 */
export async function moveVehicle(
  request: StaffRequest,
  wanted: WantedMove,
): Promise<Result<StaffAnswer<{ readonly branchGroupId: number }>, MoveRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => [vehicleToMoveQuery(tenant.db, wanted.reference)]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  if (!isOffice(staff)) return refuse({ kind: "otherRole" });
  const [vehicle] = rows[0];
  if (!vehicle || !canAccessBranch(staff, vehicle.branchCode, wanted.branchCode))
    return refuse({ kind: "unknownVehicle" });
  const branch = catalogue.branches.get(wanted.branchCode);
  if (!branch) return refuse({ kind: "unknownBranch" });
  const isNewHome = wanted.kind === "newHome";
  if (!isNewHome && branch.branchGroupId !== vehicle.branchGroupId) return refuse({ kind: "otherHome" });
  if (vehicle.isOut === 1) return refuse({ kind: "vehicleOut" });
  const clock = civilNow(catalogue.settings.timezone, now);
  const move = {
    reference: wanted.reference,
    branchCode: branch.code,
    homeGroupId: isNewHome ? branch.branchGroupId : undefined,
    from: toCivilMinute(wanted.from.date, wanted.from.time),
    now: toCivilMinute(clock.date, clock.time),
    at: now,
  };
  await tenant.db.batch(moveVehicleStatements(tenant.db, move));
  return ok({ value: { branchGroupId: branch.branchGroupId }, freshToken });
}
