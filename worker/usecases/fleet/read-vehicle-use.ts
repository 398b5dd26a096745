import { canAccessBranch } from "#domain/access/sessions.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type VehicleRenter, vehicleRenterQueries } from "#worker/store/fleet/vehicle-use.ts";
import { toEpochInstant } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/**
 * Returns the customers who had a vehicle at a time in the account's time zone, by default now. Only for
 * contracts of the user's branches. One round trip.
 */
export async function readVehicleRenters(
  request: StaffRequest,
  reference: string,
  at: CivilMinute | undefined,
): Promise<Result<StaffAnswer<readonly VehicleRenter[]>, OfficeRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, ({ settings }) =>
    vehicleRenterQueries(tenant.db, reference, at === undefined ? now : toEpochInstant(settings.timezone, at)),
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[vehicle], uses] = rows;
  if (!vehicle || !canAccessBranch(staff, vehicle.branchCode)) return err({ kind: "vehicleNotFound" });
  return ok({
    value: uses.filter((use) => canAccessBranch(staff, use.branchCode, use.returnBranchCode)),
    freshToken,
  });
}
