import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { AccountName } from "#tools/platform/client.ts";
import type { CustomerActionRecord } from "../history.ts";
import { type Actor, type ChaosWriter, pickRental } from "./actor.ts";

/** A reservation as returned to the office and its customer. */
export interface Reservation {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly free_access_id: string;
}

/** Sells with an office operation. Undefined if sold out, closed or stopped. */
export async function writeReservation(
  actor: Actor,
  operation: string,
  body: object,
  reservation?: Reservation,
): Promise<Reservation | undefined> {
  const options = { isReservation: true, refusals: [400, 409], ...(reservation && { id: String(reservation.id) }) };
  const written = await actor.write(operation, reservation ? { id: reservation.id } : {}, body, options);
  return written?.content.reservation;
}

/** Acts on a reservation at its version. Undefined if refused, for example because its customer has changed it. */
export function act(
  actor: Actor,
  reservation: Reservation,
  operation: string,
  fields: object = {},
): Promise<Reservation | undefined> {
  return writeReservation(actor, operation, { expected_version: reservation.version, ...fields }, reservation);
}

/** Sells a rental at the desk. */
export function sellRental(actor: Actor, customer: object, fields: object = {}): Promise<Reservation | undefined> {
  const body = { ...pickRental(actor), customer: { surname: `of ${actor.account}`, ...customer }, ...fields };
  return writeReservation(actor, "createReservation", { confirm_new: true, ...body });
}

const OWN_REFUSALS = [400, 403, 409];
const OWN_OPERATIONS = { cancel: "cancelOwnBooking", change: "changeOwnBooking" } as const;

/**
 * Requests a quote and cancels or changes a customer's own booking. It stays unchanged if the account doesn't allow it,
 * if the office or an expired hold came first, or if something isn't available. Returns whether it succeeded.
 */
export async function applyActionAsCustomer(
  actor: Actor,
  freeAccessId: string,
  action: CustomerActionRecord["action"],
  change: object = {},
): Promise<boolean> {
  const { account, history } = actor;
  const values = { free_access_id: freeAccessId };
  await actor.send("quoteOwnBookingAction", values, { ...change, move: action }, { refusals: OWN_REFUSALS });
  const name = randomUUID();
  const record = { account, freeAccessId, action } as const;
  history.customerActions.set(name, { ...record, state: "asked" });
  const { isDone, content } = await actor.send(OWN_OPERATIONS[action], values, change, { refusals: OWN_REFUSALS });
  if (isDone) history.customerActions.set(name, { ...record, state: "done", version: content.booking.version });
  // A retried cancellation after a lost response is rejected although it was executed.
  else if (account === "globex" || action === "change")
    history.customerActions.set(name, { ...record, state: "refused" });
  return isDone;
}

/** Makes, confirms, changes, discounts, assigns and cancels a reservation. Sometimes the customer cancels it. */
export const changeReservations: ChaosWriter = async (actor) => {
  const { random } = actor;
  const status = random.pick(["confirmed", "pending_confirmation"]);
  const rental = pickRental(actor);
  let latest = await sellRental(actor, { name: "Olga", phone: "+34600111222" }, { ...rental, status });
  // The reservation may have expired.
  if (latest && random.chance(0.2))
    await actor.ask("quoteReservationAction", { id: latest.id }, { move: "cancel" }, { refusals: [409] });
  for (let moves = random.between(0, 4); latest && latest.status !== "cancelled" && moves > 0; moves--)
    latest = await applySomeAction(actor, latest, rental.date_to);
};

async function applySomeAction(actor: Actor, reservation: Reservation, to: string): Promise<Reservation | undefined> {
  const { random } = actor;
  const later = () => {
    const date = new Date(Date.parse(to) + random.between(1, 2) * DAY);
    return { date_to: date.toISOString().slice(0, 10), notes: `chaos ${random.hex(4)}` };
  };
  const change = () => act(actor, reservation, "changeReservation", random.chance(0.5) ? later() : { notes: "chaos" });
  const discount = random.pick([
    { kind: "percentage", value: "10.00", reason: "chaos" },
    { kind: "amount", value: "7.77", reason: "chaos" },
    null,
  ]);
  const confirm = () => act(actor, reservation, "confirmReservation");
  return random.pickWeighted<() => Promise<Reservation | undefined>>([
    [reservation.status === "pending_confirmation" ? confirm : change, 4],
    [change, 3],
    [() => act(actor, reservation, "changeReservation", { discount }), 2],
    [() => act(actor, reservation, "changeReservation", { billing_period: random.pick(["month", null]) }), 1],
    [() => act(actor, reservation, "assignVehicle", { reference: null }), 1],
    [() => act(actor, reservation, "cancelReservation", { reason: "chaos" }), 2],
    [async () => void (await applyActionAsCustomer(actor, reservation.free_access_id, "cancel")), 1],
  ])();
}

const ZONES: Readonly<Record<AccountName, string>> = { acme: "Europe/Madrid", globex: "America/New_York" };
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const READ = { fuel_eighths: 8, readings_confirmed: true };
const DENT = { part: "roof", kind: "dent", severity: "light", x: 500, y: 483 };
const EXCHANGED = { fuel_eighths_in: 8, fuel_eighths_out: 8, damages_in: [DENT], readings_confirmed: true };

/**
 * Performs a contract's life at the desk: sale to a walk-in, hand-over with payment, extension or early return, vehicle
 * exchange, return, and reopening after an error.
 */
export const runContractLifecycle: ChaosWriter = async (actor) => {
  const { reservation, vehicles } = await sellToWalkIn(actor, 2 * MINUTE);
  const [first, second] = vehicles;
  if (!reservation) return;
  if (!first || !second) return void (await act(actor, reservation, "cancelReservation", { reason: "chaos" }));
  const assigned = await act(actor, reservation, "assignVehicle", { reference: first });
  const kind = actor.random.pick(["payment", "deposit_taken"]);
  const charges = [{ kind, amount: "10.00", payment_method_id: "cash" }];
  const handOver = { reference: first, kilometres: 0, charges, ...READ };
  const delivered = await act(actor, assigned ?? reservation, "deliverVehicle", handOver);
  if (delivered) await drive(actor, delivered, first, second);
};

/** Sells a reservation for this minute, and records in the next that the customer didn't show up. */
export const declareNoShow: ChaosWriter = async (actor) => {
  const { reservation } = await sellToWalkIn(actor, 0);
  if (!reservation) return;
  await setTimeout(MINUTE - (Date.now() % MINUTE) + 100);
  await act(actor, reservation, "declareNoShow", actor.chance(0.5) ? { fee: "5.00" } : {});
};

// Creates two vehicles at the pickup branch, because the demo's own are reserved.
async function sellToWalkIn(actor: Actor, fromNow: number) {
  const { pickup_place, return_place, category_code } = pickRental(actor);
  const rental_location_code = actor.data.branchOf.get(pickup_place);
  const vehicles: string[] = [];
  for (let count = 0; count < 2; count++) {
    const reference = `ROAD-${actor.random.hex(8).toUpperCase()}`;
    const vehicle = { reference, name: "Road", category_code, rental_location_code };
    if (await actor.write("createVehicle", {}, vehicle)) vehicles.push(reference);
  }
  const when = {
    ...formatBranchTime(actor.account, "from", fromNow),
    ...formatBranchTime(actor.account, "to", 2 * DAY),
  };
  const reservation = await sellRental(actor, { name: "Rosa" }, { pickup_place, return_place, category_code, ...when });
  return { reservation, vehicles };
}

async function drive(actor: Actor, delivered: Reservation, first: string, second: string): Promise<void> {
  const { random } = actor;
  const until = random.pick([DAY, 3 * DAY, 4 * DAY]);
  const operation = until < 2 * DAY ? "endReservationEarly" : "extendReservation";
  const agreed = (await act(actor, delivered, operation, formatBranchTime(actor.account, "to", until))) ?? delivered;
  const other = { reference: second, kilometres_in: 5, kilometres_out: 0, ...EXCHANGED };
  const exchanged = random.chance(0.5) ? await act(actor, agreed, "exchangeVehicle", other) : undefined;
  if (exchanged && random.chance(0.7)) await repair(actor, first);
  const back = { ...READ, kilometres: 20 };
  const closed = await act(actor, exchanged ?? agreed, "collectVehicle", back);
  if (!closed) return;
  // A fine after the contract has ended.
  const fine = { code: "FINE", amount: "12.34", text: `Chaos ${closed.id}`, reason: "chaos" };
  const charged = (random.chance(0.5) && (await act(actor, closed, "surchargeReservation", fine))) || closed;
  await random.pickWeighted<() => Promise<unknown>>([
    [async () => undefined, 1],
    [() => settle(actor, charged), 1],
    [() => takeBackAgain(actor, charged, { ...back, kilometres: back.kilometres + random.between(0, 9) }), 2],
  ])();
}

async function takeBackAgain(actor: Actor, closed: Reservation, back: object): Promise<void> {
  const opened = await act(actor, closed, "reopenReservation", { reason: "chaos" });
  if (opened) await act(actor, opened, "collectVehicle", back);
}

// Settles the agent's commission, and sometimes reopens it.
async function settle(actor: Actor, closed: Reservation): Promise<void> {
  if (!(await act(actor, closed, "nameAgent", { agent_id: 1 }))) return;
  const name = `commission ${closed.id}`;
  const settled = ["SELECT 1 FROM bookings WHERE id = ? AND agent_commission_paid = 1", [closed.id]] as const;
  const ids = { reservation_ids: [closed.id] };
  const options = { id: String(closed.id) };
  const settlement = await actor.track(name, settled, () =>
    actor.write("settleCommissions", {}, { agent_id: 1, ...ids }, options),
  );
  if (settlement && actor.chance(0.3))
    await actor.track(name, settled, () => actor.write("unsettleCommissions", {}, ids, options), 1);
}

const REPAIRED = "SELECT 1 FROM vehicle_damages WHERE id = ? AND repaired_at IS NOT NULL";
const REPAIRS = "SELECT 1 FROM vehicle_history WHERE vehicle_reference = ? AND event = 'repaired'";

// Repairs a damaged vehicle in the workshop.
async function repair(actor: Actor, reference: string): Promise<void> {
  const { vehicle } = await actor.read(`/vehicles/${reference}`);
  const { id } = vehicle.damages[0];
  await actor.track(`damage ${id}`, [REPAIRED, [id]], () =>
    actor.write("markDamageRepaired", { reference, id }, undefined, { id: reference }),
  );
  actor.expect(`repairs of ${reference}`, REPAIRS, [reference], 1);
}

// Returns the date fields of a future time in the account's time zone.
function formatBranchTime(account: AccountName, which: "from" | "to", milliseconds: number) {
  const localTime = new Date(Date.now() + milliseconds).toLocaleString("sv-SE", { timeZone: ZONES[account] });
  return { [`date_${which}`]: localTime.slice(0, 10), [`time_${which}`]: localTime.slice(11, 16) };
}
