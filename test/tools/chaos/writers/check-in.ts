import { randomUUID } from "node:crypto";
import type { Random } from "#scripts/demo/random.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { listPendingUnits, type PendingUnit } from "#tools/platform/pending-units.ts";
import { createRandomPhoto } from "#tools/platform/photo.ts";
import type { Actor, ChaosWriter } from "./actor.ts";

/** A unit to hand over, and the odometers of the branch's vehicles. */
interface DeskUnit extends PendingUnit {
  readonly kilometres: ReadonlyMap<string, number>;
}

interface Phone {
  readonly device: string;
  readonly takeNumber: () => number;
}

interface FieldWork {
  readonly kind: string;
  readonly charges?: readonly { readonly charge_id: string; readonly [member: string]: unknown }[];
  readonly damages?: readonly { readonly damage_id: string; readonly [member: string]: unknown }[];
  readonly [member: string]: unknown;
}

const MAX_DAYS_AHEAD = 12;

/** Creates a staff user with the app who hands over and takes back vehicles with photos and charges. */
export function createCheckInWriter(device: string): ChaosWriter {
  let number = 0;
  const phone = { device: `chaos-${device}`, takeNumber: () => ++number };
  return async (actor) => {
    const unit = await pickPendingUnit(actor);
    if (!unit) return;
    if (actor.chance(0.3)) await sendDeviceReport(actor, phone, unit);
    await deliverUnit(actor, phone, unit);
  };
}

const DEVICE_REPORT_SQL = "SELECT 1 FROM check_in_devices WHERE device_id = ? AND report ->> 'waiting' = ?";

// Reports a device's pending and started work, and fetches its encryption keys.
async function sendDeviceReport(actor: Actor, { device }: Phone, { bookingId }: PendingUnit): Promise<void> {
  const waiting = actor.random.between(1, 99_999);
  const startedWork = [{ booking_id: bookingId, kind: "delivery", step: "photos", at: new Date().toISOString() }];
  actor.expect(`report of ${device}`, DEVICE_REPORT_SQL, [device, waiting], [0, 1]);
  await actor.send("reportPhone", { device_id: device }, { waiting, blocked: 0, begun: startedWork });
  await actor.send("readWorkSeals", {}, {});
  actor.expect(`report of ${device}`, DEVICE_REPORT_SQL, [device, waiting], 1);
}

async function pickPendingUnit(actor: Actor): Promise<DeskUnit | undefined> {
  const { data, random } = actor;
  const date = getDateAfter(random.between(0, MAX_DAYS_AHEAD));
  const path = `/api/v1/booking/deliveries-collections?date=${date}&rental_location_code=${random.pick(data.branches)}`;
  const day = await actor.read(path);
  const kilometres = new Map<string, number>(
    day.vehicles.map((vehicle: { reference: string; kilometres: number }) => [vehicle.reference, vehicle.kilometres]),
  );
  const units = listPendingUnits(day);
  return units.length === 0 ? undefined : { ...random.pick(units), kilometres };
}

async function deliverUnit(actor: Actor, phone: Phone, unit: DeskUnit): Promise<void> {
  const { random } = actor;
  if (unit.vehicles.length === 0) return;
  const vehicle = random.pick(unit.vehicles);
  const photo = createRandomPhoto(random);
  const kilometres = (unit.kilometres.get(vehicle) ?? 0) + random.between(0, 5);
  const work = (operation: FieldWork) =>
    sendWork(actor, phone, unit, { recorded_at: new Date().toISOString(), fuel_eighths: 8, ...operation });
  const collection = { kind: "collection", kilometres: kilometres + random.between(10, 200) };
  // An offline device may send the afternoon's return before the morning's delivery, and the return then waits for it.
  const isLate = random.chance(0.15);
  if (isLate) await work(collection);
  const delivered = await work({
    kind: "delivery",
    vehicle_reference: vehicle,
    kilometres: random.chance(0.1) ? Math.max(0, kilometres - 7) : kilometres,
    photos: [{ hash: photo.hash, view: "front", taken_at: new Date().toISOString() }],
    damages: random.chance(0.2) ? [createDamage(random, photo.hash)] : [],
    extras: random.chance(0.2) ? [{ extra_code: random.pick(actor.data.extras), quantity: 1 }] : [],
    charges: takePayment(unit),
  });
  await putFile(actor, unit.bookingId, photo);
  if (random.chance(0.2)) await work({ kind: "evidence", notes: "a stone in the tyre" });
  if (delivered !== "applied" || isLate || !random.chance(0.6)) return;
  if (random.chance(0.2)) await work({ kind: "correction", kilometres: kilometres + 3 });
  const others = unit.candidates.filter((candidate) => candidate !== vehicle);
  if (others.length === 0 || !random.chance(0.3)) return void (await work(collection));
  await exchangeUnit(actor, unit, { vehicle, other: random.pick(others), collection }, work);
}

// Never take more than is owed.
function takePayment({ pending }: PendingUnit) {
  const charge = { charge_id: randomUUID(), kind: "payment", amount: "10.00", payment_method_id: "cash" };
  return pending < 10 ? [] : [charge];
}

// A vehicle returns damaged, and another goes out and returns.
async function exchangeUnit(
  actor: Actor,
  unit: DeskUnit,
  { vehicle, other, collection }: { readonly vehicle: string; readonly other: string; readonly collection: FieldWork },
  work: (operation: FieldWork) => Promise<string>,
): Promise<void> {
  const { random } = actor;
  const kilometres = unit.kilometres.get(other) ?? 0;
  const photo = createRandomPhoto(random);
  const exchanged = await work({
    ...collection,
    ...{ kind: "exchange", vehicle_reference: vehicle, damages: [createDamage(random, photo.hash)] },
    exchange: { vehicle_reference: other, kilometres, fuel_eighths: 8 },
  });
  await putFile(actor, unit.bookingId, photo);
  if (exchanged === "applied") await work({ ...collection, kilometres: kilometres + random.between(10, 50) });
}

function createDamage(random: Random, photo: string) {
  const where = { part: "front_bumper", kind: "scratch", severity: "light", x: random.between(0, 1000), y: 500 };
  return { damage_id: randomUUID(), ...where, photos: [photo] };
}

async function sendWork(
  actor: Actor,
  { device, takeNumber }: Phone,
  { bookingId, unitId, version }: PendingUnit,
  operation: FieldWork,
): Promise<string> {
  const { operations } = actor.history;
  const op_id = randomUUID();
  const charges = (operation.charges ?? []).map(({ charge_id }) => charge_id);
  const damages = (operation.damages ?? []).map(({ damage_id }) => damage_id);
  const record = { kind: operation.kind, bookingId, charges, damages };
  operations.set(op_id, { ...record, state: "asked" });
  const unit = { device_id: device, booking_id: bookingId, resource_id: unitId, base_version: version };
  const body = { ...unit, ...operation, op_id, seq: takeNumber() };
  const { call, content } = await actor.send("sendOperations", {}, body, { refusals: [400, 403, 404, 409] });
  const result = content.results?.[0];
  if (!result || result.state === "rejected") throw new Error(`${call.body}: ${JSON.stringify(content)}`);
  // A retry may find that the office has already decided.
  const state = ["accepted", "dismissed"].includes(result.code) ? "conflict" : result.state;
  operations.set(op_id, { ...record, state });
  return state;
}

async function putFile(actor: Actor, id: number, photo: ReturnType<typeof createRandomPhoto>): Promise<void> {
  const { files } = actor.history;
  const { hash, bytes } = photo;
  files.set(`${id}/${hash}`, false);
  await actor.send("keepFile", { id, hash }, bytes);
  files.set(`${id}/${hash}`, true);
}

/** Accepts or dismisses rejected work of devices. */
export const resolveConflict: ChaosWriter = async (actor) => {
  const { history, random } = actor;
  const { data } = await actor.read("/api/v1/booking/check-in-operations?state=conflict");
  if (data.length === 0) return;
  const { op_id } = random.pick(data as readonly { readonly op_id: string }[]);
  const action = random.pick(["accept", "dismiss"] as const);
  const state = action === "accept" ? "accepted" : "dismissed";
  history.resolutions.set(op_id, { state, isAcknowledged: false });
  await actor.send("resolveOperation", { op_id }, { action, note: "chaos" });
  history.resolutions.set(op_id, { state, isAcknowledged: true });
};
