import { createRandomPhoto } from "#tools/platform/photo.ts";
import { type Clients, callUntilAnswered, getAgencyReference } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import { signInAtDesk } from "./office-write.ts";
import type { Step } from "./steps.ts";

const OPERATIONS = "/api/v1/booking/check-in-operations";
const HOUR = 3_600_000;

/** A unit to hand over, and its chosen vehicle. */
export interface PendingUnit {
  readonly bookingId: number;
  readonly unitId: number;
  readonly version: number;
  readonly vehicle: string;
  readonly kilometres: number;
  /** Agreed return branch. */
  readonly branch: string;
  readonly from: number;
  readonly to: number;
}

/** Finds a unit to hand over by reference, as seen at the counter. */
export type FindPendingUnit = (reference: string) => PendingUnit | undefined;

/** Hands a vehicle over on its day with a photo, and takes it back. */
export async function sendCheckInSteps(
  clients: Clients,
  step: Extract<Step, { does: "drive" }>,
  counter: FindPendingUnit,
) {
  const { id, booking, back } = step;
  const { timeline, history } = clients;
  const planned = history.bookings.get(booking) === "booked" ? counter(getAgencyReference(booking)) : undefined;
  if (!planned) return;
  await timeline.sleep(planned.from - timeline.now());
  const pendingUnits = counter(getAgencyReference(booking));
  const token = (await signInAtDesk(clients, id))?.token;
  if (!pendingUnits || !token) return;
  const { hash, bytes } = createRandomPhoto(timeline.current().random);
  const { bookingId, unitId, version, vehicle, kilometres } = pendingUnits;
  const common = { device_id: "phone-one", booking_id: bookingId, resource_id: unitId, fuel_eighths: 8 };
  const delivered = await work(clients, token, {
    ...common,
    ...{ kind: "delivery", vehicle_reference: vehicle, kilometres },
    photos: [{ hash, view: "front", taken_at: formatInstant(timeline.now()) }],
    charges: buildCharges(id, 1, [["deposit_taken", back.deposit]]),
    ...{ op_id: operationId(id, 1), seq: 2 * id, base_version: version },
  });
  const headers = { Authorization: token, "Content-Type": "image/jpeg" };
  const path = `/api/v1/booking/${bookingId}/check-in-files/${hash}`;
  const uploaded = await callUntilAnswered(clients, { method: "PUT", path, headers, body: new Uint8Array(bytes) });
  if (uploaded && (uploaded.status === 200 || uploaded.status === 201)) history.photos.add(`${bookingId}/${hash}`);
  if (!delivered) return;
  await timeline.sleep(pendingUnits.to + back.hoursLate * HOUR - timeline.now());
  await comeBack(clients, step, { waiting: pendingUnits, common });
}

/** Takes a vehicle back, possibly elsewhere, late or changed. */
async function comeBack(
  clients: Clients,
  { id, back }: Extract<Step, { does: "drive" }>,
  { waiting, common }: { readonly waiting: PendingUnit; readonly common: object },
): Promise<void> {
  const { history, timeline } = clients;
  const token = (await signInAtDesk(clients, id))?.token;
  if (!token) return;
  const collection = {
    ...{ ...common, kind: "collection", kilometres: waiting.kilometres + 120 },
    ...{ op_id: operationId(id, 2), seq: 2 * id + 1, base_version: waiting.version + 1 },
    ...(back.branch !== undefined && { return_rental_location_code: back.branch }),
    damages: back.isDamaged ? [{ damage_id: operationId(id, 3), ...DENT }] : [],
    charges: buildCharges(id, 2, [
      ["deposit_returned", back.deposit - back.kept],
      ["deposit_kept", back.kept],
    ]),
  };
  const at = timeline.now();
  history.returned.set(waiting.vehicle, { branch: undefined, at });
  const isBack = await work(clients, token, collection);
  if (isBack && history.returned.get(waiting.vehicle)?.at === at)
    history.returned.set(waiting.vehicle, { branch: back.branch ?? waiting.branch, at });
}

const DENT = { part: "roof", kind: "dent", severity: "light", x: 500, y: 483 };

type Moved = readonly [kind: string, cents: number];

function buildCharges(step: number, turn: number, movements: readonly Moved[]) {
  return movements
    .filter(([, cents]) => cents > 0)
    .map(([kind, cents], at) => ({
      charge_id: operationId(step, 10 * turn + at),
      kind,
      amount: (cents / 100).toFixed(2),
      payment_method_id: "cash",
    }));
}

async function work(
  clients: Clients,
  token: string,
  operation: Readonly<Record<string, unknown>> & {
    readonly op_id: string;
    readonly charges?: ReturnType<typeof buildCharges>;
  },
) {
  const { history, timeline } = clients;
  const keep = (state: RequestRecord["state"]) => {
    for (const { charge_id, kind, amount } of operation.charges ?? [])
      history.charges.set(charge_id, {
        ...{ description: kind, state, cents: Math.round(Number(amount) * 100), at: timeline.now() },
      });
  };
  keep("asked");
  history.operations.set(operation.op_id, "asked");
  const headers = { Authorization: token, "Content-Type": "application/json" };
  const body = JSON.stringify({ ...operation, recorded_at: formatInstant(timeline.now()) });
  const answer = await callUntilAnswered(clients, { method: "POST", path: OPERATIONS, headers, body });
  // 409 means stored as evidence, for example because another user has handed that vehicle over.
  const isSettled = answer?.status === 200 || answer?.status === 409;
  const outcome = isSettled ? JSON.parse(answer?.text ?? "").results?.[0]?.state : undefined;
  if (answer && !isSettled) history.faults.push(`${operation["kind"]}: ${answer.status} ${answer.text.slice(0, 300)}`);
  if (outcome) history.operations.set(operation.op_id, outcome === "applied" ? "applied" : "refused");
  if (outcome) keep(outcome === "applied" ? "done" : "refused");
  return outcome === "applied";
}

function formatInstant(at: number): string {
  return new Date(at).toISOString();
}

function operationId(step: number, turn: number): string {
  return `01890000-0000-7000-80${String(turn).padStart(2, "0")}-${String(step).padStart(12, "0")}`;
}
