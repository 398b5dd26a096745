import type { DeviceWorkReport } from "#domain/check-in/device-report.ts";
import { ok, type Result } from "#domain/result.ts";
import { lastDeviceSeqQuery, saveDeviceReportStatement } from "#worker/store/check-in/devices.ts";
import { OFFICE_DEVICE_ID } from "#worker/store/check-in/review.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

export interface DeviceReportReceipt {
  /** Time at which the server received the report, epoch ms. */
  readonly at: number;
  /** Highest known sequence number of the device. A device with a lower one was restored from an older copy. */
  readonly lastSeq: number;
}

/** Stores a device's report about its work. Only the last report is stored. */
export async function saveDeviceReport(
  request: StaffRequest,
  deviceId: string,
  report: DeviceWorkReport,
): Promise<Result<StaffAnswer<DeviceReportReceipt>, StaffRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => []);
  if (!read.ok) return read;
  const { staff, freshToken } = read.value;
  // Work done in the office has no device.
  if (deviceId === OFFICE_DEVICE_ID) return ok({ value: { at: now, lastSeq: 0 }, freshToken });
  const { db } = tenant;
  const [, [known]] = await db.batch([
    saveDeviceReportStatement(db, deviceId, staff.userId, report, now),
    lastDeviceSeqQuery(db, deviceId),
  ]);
  return ok({ value: { at: now, lastSeq: known?.lastSeq ?? 0 }, freshToken });
}
