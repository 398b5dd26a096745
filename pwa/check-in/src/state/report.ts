import { knownDevice, renameDevice } from "../offline/device.ts";
import { counts, drafts, isOwn } from "./outbox.ts";
import { client, clockOffsetMs, database, session } from "./phone.ts";

const MAX_STARTED = 20;
// Not each key that is touched.
const MINUTE_MS = 60_000;

interface WorkReportAnswer {
  /** The highest number that the server knows of this phone. An older server does not say. */
  readonly last_seq?: number;
}

/** What the server was told last, and as whom. */
let lastReport = "";

/** Tells the server what is on this phone where that has changed: the office sees it when the phone falls silent. */
export async function reportWork(): Promise<void> {
  const who = session.peek();
  if (!who || who.expired || !navigator.onLine) return;
  const device = await knownDevice(database, Date.now());
  const report = { ...toReport(), last_seq: device.last_seq };
  const content = `${who.username} ${device.device_id} ${JSON.stringify(report)}`;
  if (content === lastReport) return;
  const path = `/api/v1/booking/check-in-devices/${device.device_id}/report`;
  const answer = await client.call<WorkReportAnswer>("PUT", path, { json: report });
  if (answer.kind !== "ok") return;
  lastReport = content;
  // This phone was put back to an older copy of itself: what it gave its numbers to since is not known here any more.
  const isBack = (answer.value?.last_seq ?? 0) > device.last_seq;
  if (isBack && (await renameDevice(database, device, Date.now()))) await reportWork();
}

function toReport() {
  const { waiting, sending, blocked } = counts.peek();
  const startedDrafts = [...drafts.peek().values()]
    .filter(isOwn)
    .toSorted((a, b) => b.updated_at - a.updated_at)
    .slice(0, MAX_STARTED)
    .map(({ booking_id, kind, step, updated_at }) => ({
      ...{ booking_id, kind, step },
      at: new Date(Math.floor((updated_at + clockOffsetMs.peek()) / MINUTE_MS) * MINUTE_MS).toISOString(),
    }));
  return { waiting: waiting + sending + blocked, blocked, begun: startedDrafts };
}
