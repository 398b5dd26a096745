import { randomUUID } from "node:crypto";
import type { Random } from "#scripts/demo/random.ts";
import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { createRandomPhoto } from "#tools/platform/photo.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { expectRows } from "./record-expectations.ts";

/** A unit to hand over. */
interface PendingUnit {
  readonly bookingId: number;
  readonly unitId: number;
  readonly version: number;
  readonly pending: number;
  readonly vehicles: readonly string[];
  /** Possible substitute vehicles. */
  readonly candidates: readonly string[];
  readonly kilometres: ReadonlyMap<string, number>;
}

const MAX_DAYS_AHEAD = 12;
const OPERATIONS = "/api/v1/booking/check-in-operations";

/** Creates a staff user with the app who hands over and takes back vehicles with photos and charges. */
export function createCheckInWriter(account: AccountName, device: string): ChaosWriter {
  let seq = 0;
  const next = () => {
    seq += 1;
    return seq;
  };
  return async (context) => {
    const token = context.staffTokens[account];
    const pendingUnit = await pickPendingUnit(context, account, token);
    if (!pendingUnit) return;
    const phone: Phone = { account, token, device: `chaos-${device}`, next };
    if (context.random.chance(0.3)) await sendDeviceReport(context, phone, pendingUnit);
    await deliverUnit(context, phone, pendingUnit);
  };
}

interface Phone {
  readonly account: AccountName;
  readonly token: string;
  readonly device: string;
  readonly next: () => number;
}

const DEVICE_REPORT_SQL = "SELECT 1 FROM check_in_devices WHERE device_id = ? AND report ->> 'waiting' = ?";

// Reports a device's pending and started work, and fetches its encryption keys.
async function sendDeviceReport(context: WriterContext, phone: Phone, { bookingId }: PendingUnit): Promise<void> {
  const { account, token, device } = phone;
  const pendingUnit = context.random.between(1, 99_999);
  const startedSteps = [{ booking_id: bookingId, kind: "delivery", step: "photos", at: new Date().toISOString() }];
  const path = `/api/v1/booking/check-in-devices/${device}/report`;
  const question = { account, sql: DEVICE_REPORT_SQL, values: [device, pendingUnit] };
  expectRows(context, `report of ${device}`, question, [0, 1]);
  for (const call of [
    createJsonCall({ account, method: "PUT", path }, { waiting: pendingUnit, blocked: 0, begun: startedSteps }, token),
    createJsonCall({ account, method: "POST", path: "/api/v1/booking/check-in-seals" }, {}, token),
  ]) {
    const answer = await context.client.sendUntilAnswered(call);
    if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  }
  expectRows(context, `report of ${device}`, question, 1);
}

async function pickPendingUnit(
  { client, random, accountData }: WriterContext,
  account: AccountName,
  token: string,
): Promise<PendingUnit | undefined> {
  const date = getDateAfter(random.between(0, MAX_DAYS_AHEAD));
  const branch = random.pick(accountData[account].branches);
  const path = `/api/v1/booking/deliveries-collections?date=${date}&rental_location_code=${branch}`;
  const call = { account, method: "GET", path, headers: { Authorization: token } };
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  const day = parseJson(answer);
  const kilometres = new Map<string, number>(
    day.vehicles.map((vehicle: { reference: string; kilometres: number }) => [vehicle.reference, vehicle.kilometres]),
  );
  const units = day.deliveries.flatMap(
    (entry: {
      booking_id: number;
      version: number;
      amounts: { total_pending: string };
      resources: readonly Record<string, unknown>[];
    }) =>
      entry.resources
        .filter(({ state }) => state === "to_deliver")
        .map((unit) => ({
          bookingId: entry.booking_id,
          unitId: unit["resource_id"],
          version: entry.version,
          pending: Number(entry.amounts.total_pending),
          vehicles: vehiclesFor(unit, day.candidates),
          candidates: day.candidates[String(unit["category_code"])] ?? [],
          kilometres,
        })),
  );
  return units.length === 0 ? undefined : random.pick<PendingUnit>(units);
}

function vehiclesFor(unit: Record<string, unknown>, candidates: Readonly<Record<string, readonly string[]>>): string[] {
  const assigned = unit["vehicle"] as { readonly reference: string; readonly kilometres: number } | null;
  return assigned ? [assigned.reference] : [...(candidates[String(unit["category_code"])] ?? [])];
}

async function deliverUnit(context: WriterContext, phone: Phone, pendingUnit: PendingUnit): Promise<void> {
  const { random } = context;
  if (pendingUnit.vehicles.length === 0) return;
  const vehicle = random.pick(pendingUnit.vehicles);
  const photo = createRandomPhoto(random);
  const kilometres = (pendingUnit.kilometres.get(vehicle) ?? 0) + random.between(0, 5);
  const common = {
    device_id: phone.device,
    booking_id: pendingUnit.bookingId,
    resource_id: pendingUnit.unitId,
    base_version: pendingUnit.version,
    recorded_at: new Date().toISOString(),
    fuel_eighths: 8,
  };
  const collection = { ...common, kind: "collection", kilometres: kilometres + random.between(10, 200) };
  // An offline device may send the afternoon's return before the morning's delivery, and the return then waits for it.
  const isLate = random.chance(0.15);
  if (isLate) await work(context, phone, pendingUnit, { ...collection, recorded_at: new Date().toISOString() });
  const damages = random.chance(0.2) ? [createDamage(random, photo.hash)] : [];
  const delivered = await work(context, phone, pendingUnit, {
    ...common,
    kind: "delivery",
    vehicle_reference: vehicle,
    kilometres: random.chance(0.1) ? Math.max(0, kilometres - 7) : kilometres,
    photos: [{ hash: photo.hash, view: "front", taken_at: new Date().toISOString() }],
    damages,
    extras: random.chance(0.2)
      ? [{ extra_code: random.pick(context.accountData[phone.account].extras), quantity: 1 }]
      : [],
    // Never take more than is owed.
    charges:
      pendingUnit.pending < 10
        ? []
        : [{ charge_id: randomUUID(), kind: "payment", amount: "10.00", payment_method_id: "cash" }],
  });
  await putFile(context, phone, pendingUnit.bookingId, photo);
  await maybeSendEvidence(context, phone, pendingUnit, common);
  if (delivered !== "applied" || isLate || !random.chance(0.6)) return;
  if (random.chance(0.2))
    await work(context, phone, pendingUnit, { ...common, kind: "correction", kilometres: kilometres + 3 });
  const back = await mayBeExchanged(context, phone, pendingUnit, { ...collection, vehicle });
  if (back) await work(context, phone, pendingUnit, { ...collection, ...back, recorded_at: new Date().toISOString() });
}

async function maybeSendEvidence(
  context: WriterContext,
  phone: Phone,
  pendingUnit: PendingUnit,
  common: object,
): Promise<void> {
  if (!context.random.chance(0.2)) return;
  await work(context, phone, pendingUnit, { ...common, kind: "evidence", notes: "a stone in the tyre" });
}

interface Out {
  readonly vehicle: string;
  readonly kilometres: number;
  readonly [member: string]: unknown;
}

// Sometimes a vehicle returns damaged and another goes out. Returns the last reading of the unit, if known.
async function mayBeExchanged(
  context: WriterContext,
  phone: Phone,
  pendingUnit: PendingUnit,
  { vehicle, kilometres, ...common }: Out,
): Promise<{ readonly kilometres: number } | undefined> {
  const { random } = context;
  const others = pendingUnit.candidates.filter((candidate) => candidate !== vehicle);
  if (others.length === 0 || !random.chance(0.3)) return { kilometres };
  const other = random.pick(others);
  const otherKilometres = pendingUnit.kilometres.get(other) ?? 0;
  const photo = createRandomPhoto(random);
  const exchangeOutcome = await work(context, phone, pendingUnit, {
    ...common,
    kind: "exchange",
    vehicle_reference: vehicle,
    kilometres,
    recorded_at: new Date().toISOString(),
    damages: [createDamage(random, photo.hash)],
    exchange: { vehicle_reference: other, kilometres: otherKilometres, fuel_eighths: 8 },
  });
  await putFile(context, phone, pendingUnit.bookingId, photo);
  return exchangeOutcome === "applied" ? { kilometres: otherKilometres + random.between(10, 50) } : undefined;
}

function createDamage(random: Random, photo: string) {
  const damage_id = randomUUID();
  const where = { part: "front_bumper", kind: "scratch", severity: "light", x: random.between(0, 1000), y: 500 };
  return { damage_id, ...where, photos: [photo] };
}

async function work(
  { client, history }: WriterContext,
  { account, token, next }: Phone,
  { bookingId }: PendingUnit,
  operation: {
    readonly kind: string;
    readonly charges?: readonly { readonly charge_id: string; readonly [member: string]: unknown }[];
    readonly damages?: readonly { readonly damage_id: string; readonly [member: string]: unknown }[];
    readonly [member: string]: unknown;
  },
): Promise<string> {
  const op_id = randomUUID();
  const charges = (operation.charges ?? []).map(({ charge_id }) => charge_id);
  const damages = (operation.damages ?? []).map(({ damage_id }) => damage_id);
  const operationRecord = { kind: operation.kind, bookingId, charges, damages };
  history.operations.set(op_id, { ...operationRecord, state: "asked" });
  const call = createJsonCall(
    { account, method: "POST", path: OPERATIONS },
    { ...operation, op_id, seq: next() },
    token,
  );
  const answer = await client.sendUntilAnswered(call);
  const result = parseJson(answer).results?.[0];
  if (!result) throw createUnexpectedAnswerError(call, answer);
  if (result.state === "rejected") throw createUnexpectedAnswerError(call, answer);
  // A retry may find that the office has already decided.
  const state = ["accepted", "dismissed"].includes(result.code) ? "conflict" : result.state;
  history.operations.set(op_id, { ...operationRecord, state });
  return state;
}

async function putFile(
  { client, history }: WriterContext,
  { account, token }: Phone,
  bookingId: number,
  { hash, bytes }: { readonly hash: string; readonly bytes: Uint8Array },
): Promise<void> {
  const path = `/api/v1/booking/${bookingId}/check-in-files/${hash}`;
  const headers = { Authorization: token, "Content-Type": "image/jpeg" };
  const call = { account, method: "PUT", path, headers, body: bytes };
  history.files.set(`${bookingId}/${hash}`, false);
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200 && answer.status !== 201) throw createUnexpectedAnswerError(call, answer);
  history.files.set(`${bookingId}/${hash}`, true);
}
