import type { DeviceWorkReport } from "#domain/check-in/device-report.ts";
import type { CheckInOperation, CheckInWarning, OperationFlag } from "#domain/check-in/operations.ts";
import type { OutcomeCode } from "#domain/check-in/outcome.ts";
import type { OfficeOperationsMessage, OperationRecordMessage } from "./operation-messages.ts";

/** An operation in the office's list. */
export interface ListedCheckInOperation {
  readonly row: {
    readonly opId: string;
    readonly bookingId: number;
    readonly unitId: number | null;
    readonly kind: string;
    readonly state: OperationRecordMessage["state"];
    readonly code: OutcomeCode;
    readonly message: string;
    readonly flags: readonly OperationFlag[];
    readonly warnings: readonly CheckInWarning[];
    readonly byName: string | null;
    readonly byAt: number | null;
    readonly author: string;
    readonly deviceId: string;
    readonly seq: number;
    readonly recordedAt: number;
    readonly receivedAt: number;
    readonly operation: Readonly<Record<string, unknown>>;
  };
  readonly sentBy: string;
  readonly customerFullName: string;
  readonly branchCode: string;
  readonly filesTotal: number;
  readonly filesMissing: number;
}

/** Device of the check-in app with the office's data about its work. Times are in epoch ms. */
export interface CheckInDevice {
  readonly deviceId: string;
  readonly user: string;
  readonly lastSeq: number;
  readonly received: number;
  readonly repeated: number;
  readonly lastSeenAt: number;
  readonly report: DeviceWorkReport | null;
  readonly reportedAt: number | null;
}

export function toOperationRecordMessage(record: ListedCheckInOperation): OperationRecordMessage {
  const { row } = record;
  // Check-in validated the operation before storing it.
  const operation = row.operation as unknown as CheckInOperation;
  return {
    op_id: row.opId,
    booking_id: row.bookingId,
    resource_id: row.unitId,
    kind: row.kind,
    state: row.state,
    code: row.code,
    message: row.message,
    flags: [...row.flags],
    warnings: [...row.warnings],
    by: row.byName,
    at: row.byAt === null ? null : new Date(row.byAt).toISOString(),
    author: row.author,
    sent_by: record.sentBy,
    device_id: row.deviceId,
    seq: row.seq,
    recorded_at: new Date(row.recordedAt).toISOString(),
    received_at: new Date(row.receivedAt).toISOString(),
    vehicle_reference: operation.vehicleReference ?? null,
    customer_fullname: record.customerFullName,
    rental_location_code: record.branchCode,
    files_arrived: record.filesTotal - record.filesMissing,
    files_total: record.filesTotal,
    operation: { ...operation.sent },
  };
}

export function toOfficeOperationsMessage(
  records: readonly ListedCheckInOperation[],
  total: number,
  devices: readonly CheckInDevice[],
): OfficeOperationsMessage {
  return {
    data: records.map(toOperationRecordMessage),
    total,
    devices: devices.map((device) => ({
      device_id: device.deviceId,
      user: device.user,
      last_seq: device.lastSeq,
      received: device.received,
      missing: Math.max(0, device.lastSeq - device.received + device.repeated),
      repeated: device.repeated,
      last_seen_at: new Date(device.lastSeenAt).toISOString(),
      reported_at: device.reportedAt === null ? null : new Date(device.reportedAt).toISOString(),
      waiting: device.report?.waiting ?? 0,
      blocked: device.report?.blocked ?? 0,
      begun: (device.report?.unfinishedOperations ?? []).map(({ bookingId, kind, step, at }) => ({
        ...{ booking_id: bookingId, kind, step, at: new Date(at).toISOString() },
      })),
    })),
  };
}
