import type { PhoneReport } from "#domain/check-in/phone-report.ts";
import { ok, type Result } from "#domain/result.ts";
import { knownSeqQuery, reportStatement } from "#worker/store/check-in/devices.ts";
import { OFFICE_DEVICE } from "#worker/store/check-in/review.ts";
import { readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { StaffAnswer } from "./read-day.ts";

export interface DeviceReport {
  /** Epoch ms. */
  readonly at: number;
  /** The highest number that is known of the phone: one that knows a lower one was put back to an older copy. */
  readonly lastSeq: number;
}

/** Keeps what a phone says of the work on it, the last of it only. */
export async function reportPhone(
  request: StaffRequest,
  deviceId: string,
  report: PhoneReport,
): Promise<Result<StaffAnswer<DeviceReport>, StaffRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => []);
  if (!read.ok) return read;
  const { staff, freshToken } = read.value;
  // The desk's own work is no phone's.
  if (deviceId === OFFICE_DEVICE) return ok({ value: { at: now, lastSeq: 0 }, freshToken });
  const { db } = tenant;
  const [, [known]] = await db.batch([
    reportStatement(db, deviceId, staff.userId, report, now),
    knownSeqQuery(db, deviceId),
  ]);
  return ok({ value: { at: now, lastSeq: known?.lastSeq ?? 0 }, freshToken });
}
