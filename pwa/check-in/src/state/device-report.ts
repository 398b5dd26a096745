import type { Immutable } from "#shared/immutable.ts";
import type { DeviceReportRequest } from "#worker/api/check-in/operation-messages.ts";
import { findOrCreateDevice, replaceDeviceId } from "../offline/device.ts";
import { client, clockOffsetMs, database, session } from "./device-session.ts";
import { isOwnWork, itemCounts, visibleDrafts } from "./outbox.ts";

const MAX_STARTED = 20;
// Reports at most once a minute, not at each keystroke.
const MINUTE_MS = 60_000;

interface WorkReportAnswer {
  /** Highest sequence number that the server knows of this device. Not sent by older servers. */
  readonly last_seq?: number;
}

/** Content of the last report and its user, to skip a report that is equal. */
let lastReport = "";

/** Reports pending work to the server after changes, so that the office can see it if the device goes offline. */
export async function reportPendingWork(): Promise<void> {
  const currentSession = session.peek();
  if (!currentSession || currentSession.expired || !navigator.onLine) return;
  const device = await findOrCreateDevice(database, Date.now());
  const report: Immutable<DeviceReportRequest> = { ...toReport(), last_seq: device.last_seq };
  const content = `${currentSession.username} ${device.device_id} ${JSON.stringify(report)}`;
  if (content === lastReport) return;
  const path = `/api/v1/booking/check-in-devices/${device.device_id}/report`;
  const answer = await client.call<WorkReportAnswer, DeviceReportRequest>("PUT", path, { json: report });
  if (answer.kind !== "ok") return;
  lastReport = content;
  // The server knows a higher number than this device, so the device was restored from an older backup.
  const isBack = (answer.value?.last_seq ?? 0) > device.last_seq;
  if (isBack && (await replaceDeviceId(database, device, Date.now()))) await reportPendingWork();
}

function toReport() {
  const { waiting, sending, blocked } = itemCounts.peek();
  const startedDrafts = [...visibleDrafts.peek().values()]
    .filter(isOwnWork)
    .toSorted((a, b) => b.updated_at - a.updated_at)
    .slice(0, MAX_STARTED)
    .map(({ booking_id, kind, step, updated_at }) => ({
      ...{ booking_id, kind, step },
      at: new Date(Math.floor((updated_at + clockOffsetMs.peek()) / MINUTE_MS) * MINUTE_MS).toISOString(),
    }));
  return { waiting: waiting + sending + blocked, blocked, begun: startedDrafts };
}
