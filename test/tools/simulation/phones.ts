import { randomPhoto } from "#tools/platform/photo.ts";
import { type Clients, referenceOf, untilAnswered } from "./clients.ts";
import type { Step } from "./steps.ts";

const PASSWORD = "Right-pass-1!";
const OPERATIONS = "/api/v1/booking/check-in-operations";
const LOGIN = { method: "POST", path: "/api/v1/login", headers: { "Content-Type": "application/json" } } as const;

/** A unit that waits at the counter, and the vehicle that the clerk takes for it. */
export interface Waiting {
  readonly bookingId: number;
  readonly unitId: number;
  readonly version: number;
  readonly vehicle: string;
  readonly kilometres: number;
  readonly from: number;
  readonly to: number;
}

/** Finds what waits under a reference, as a clerk sees it on the day. */
export type Counter = (reference: string) => Waiting | undefined;

/** A clerk hands the vehicle over on its day, with a photo, and takes it back. */
export async function drive(clients: Clients, { id, booking }: Extract<Step, { does: "drive" }>, counter: Counter) {
  const { timeline, history } = clients;
  const planned = history.bookings.get(booking) === "booked" ? counter(referenceOf(booking)) : undefined;
  if (!planned) return;
  await timeline.sleep(planned.from - timeline.now());
  const waiting = counter(referenceOf(booking));
  const token = await signIn(clients);
  if (!waiting || !token) return;
  const { hash, bytes } = randomPhoto(timeline.current().random);
  const common = {
    device_id: "phone-one",
    booking_id: waiting.bookingId,
    resource_id: waiting.unitId,
    fuel_eighths: 8,
  };
  const photo = { hash, view: "front", taken_at: momentOf(timeline.now()) };
  const delivery = {
    ...common,
    kind: "delivery",
    vehicle_reference: waiting.vehicle,
    kilometres: waiting.kilometres,
    photos: [photo],
  };
  const delivered = await work(clients, token, {
    ...delivery,
    op_id: operationId(id, 1),
    seq: 2 * id,
    base_version: waiting.version,
  });
  const headers = { Authorization: token, "Content-Type": "image/jpeg" };
  const path = `/api/v1/booking/${waiting.bookingId}/check-in-files/${hash}`;
  const kept = await untilAnswered(clients, { method: "PUT", path, headers, body: new Uint8Array(bytes) });
  if (kept && (kept.status === 200 || kept.status === 201)) history.photos.add(`${waiting.bookingId}/${hash}`);
  if (!delivered) return;
  await timeline.sleep(waiting.to - timeline.now());
  const later = await signIn(clients);
  const collection = {
    ...common,
    kind: "collection",
    kilometres: waiting.kilometres + 120,
    op_id: operationId(id, 2),
    seq: 2 * id + 1,
  };
  if (later) await work(clients, later, { ...collection, base_version: waiting.version + 1 });
}

async function work(
  clients: Clients,
  token: string,
  operation: Readonly<Record<string, unknown>> & { readonly op_id: string },
) {
  const { history, timeline } = clients;
  history.operations.set(operation.op_id, "asked");
  const headers = { Authorization: token, "Content-Type": "application/json" };
  const body = JSON.stringify({ ...operation, recorded_at: momentOf(timeline.now()) });
  const answer = await untilAnswered(clients, { method: "POST", path: OPERATIONS, headers, body });
  // 409: taken as evidence, for instance because another clerk has handed that vehicle over.
  const isTaken = answer?.status === 200 || answer?.status === 409;
  const outcome = isTaken ? JSON.parse(answer?.text ?? "").results?.[0]?.state : undefined;
  if (answer && !isTaken) history.faults.push(`${operation["kind"]}: ${answer.status} ${answer.text.slice(0, 300)}`);
  if (outcome) history.operations.set(operation.op_id, outcome === "applied" ? "applied" : "refused");
  return outcome === "applied";
}

// A session of staff ends after some hours: each time anew.
async function signIn(clients: Clients): Promise<string | undefined> {
  const body = JSON.stringify({ username: "boss", password: PASSWORD });
  const answer = await untilAnswered(clients, { ...LOGIN, body });
  if (answer && answer.status !== 200) clients.history.faults.push(`sign-in: ${answer.status} ${answer.text}`);
  return answer?.headers.get("Authorization") ?? undefined;
}

function momentOf(at: number): string {
  return new Date(at).toISOString();
}

function operationId(step: number, turn: number): string {
  return `01890000-0000-7000-800${turn}-${String(step).padStart(12, "0")}`;
}
