import type { PhoneReport } from "#domain/check-in/phone-report.ts";
import { ok, type Result } from "#domain/result.ts";
import { reportStatement } from "#worker/store/check-in/devices.ts";
import { OFFICE_DEVICE } from "#worker/store/check-in/review.ts";
import { readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { StaffAnswer } from "./read-day.ts";

/** Keeps what a phone says of the work on it, the last of it only; epoch ms of when it was heard. */
export async function reportPhone(
  request: StaffRequest,
  deviceId: string,
  report: PhoneReport,
): Promise<Result<StaffAnswer<number>, StaffRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => []);
  if (!read.ok) return read;
  const { staff, freshToken } = read.value;
  // The desk's own work is no phone's.
  if (deviceId !== OFFICE_DEVICE)
    await tenant.db.batch([reportStatement(tenant.db, deviceId, staff.userId, report, now)]);
  return ok({ value: now, freshToken });
}
