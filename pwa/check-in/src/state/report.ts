import { newId } from "../offline/ids.ts";
import { recall, remember } from "../offline/meta.ts";
import { counts, drafts, isOwn } from "./outbox.ts";
import { client, clockOffsetMs, database, session } from "./phone.ts";

const MOST_BEGUN = 20;
// Not each key that is touched.
const MINUTE_MS = 60_000;

/** What the server was told last, and as whom. */
let told = "";

/** Tells the server what is on this phone where that has changed: the office sees it when the phone falls silent. */
export async function reportWork(): Promise<void> {
  const who = session.peek();
  if (!who || who.expired || !navigator.onLine) return;
  const report = toReport();
  const content = `${who.username} ${JSON.stringify(report)}`;
  if (content === told) return;
  const answer = await client.call("PUT", `/api/v1/booking/check-in-devices/${await deviceId()}/report`, {
    json: report,
  });
  if (answer.kind === "ok") told = content;
}

function toReport() {
  const { waiting, sending, blocked } = counts.peek();
  const begun = [...drafts.peek().values()]
    .filter(isOwn)
    .toSorted((a, b) => b.updated_at - a.updated_at)
    .slice(0, MOST_BEGUN)
    .map(({ booking_id, kind, step, updated_at }) => ({
      ...{ booking_id, kind, step },
      at: new Date(Math.floor((updated_at + clockOffsetMs.peek()) / MINUTE_MS) * MINUTE_MS).toISOString(),
    }));
  return { waiting: waiting + sending + blocked, blocked, begun };
}

async function deviceId(): Promise<string> {
  const known = await recall(database, "device");
  if (known) return known.device_id;
  const device = { device_id: newId(Date.now()), last_seq: 0 };
  await remember(database, "device", device);
  return device.device_id;
}
