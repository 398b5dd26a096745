import { getDateAfter } from "#tools/platform/days.ts";
import { type Actor, type ChaosWriter, pickRental } from "./actor.ts";
import { simulateOnlinePayment } from "./payments.ts";
import { act, applyActionAsCustomer, type Reservation, writeReservation } from "./reservations.ts";

/** Only two mornings, so that transfer vehicles become scarce. */
const FIRST_DAY = 40;
const AIRPORT = 1;
const DESTINATIONS = [3, 4, 5, 6, 9];
const VEHICLES = [1, 1, 2, 3];
const TRANSFER_EXTRAS = ["SEAT", "BABY", "BIKE"];

/** Operations and values of a booking engine. */
interface Engine {
  readonly kind: "rental" | "transfer";
  readonly begin: string;
  readonly changeSearch: readonly string[];
  readonly setProduct: string;
  readonly setExtra: string;
  readonly removeExtra: string;
  readonly checkOut: string;
  readonly paymentOperations: readonly string[];
  /** Closed branches, invalid codes and too many extras. */
  readonly refusals: readonly number[];
  readonly search: (actor: Actor) => object;
  readonly product: (actor: Actor) => string;
  readonly extras: (actor: Actor) => readonly string[];
}

const RENTALS: Engine = {
  kind: "rental",
  begin: "beginCart",
  changeSearch: ["replaceCartSearch", "changeCartSearch"],
  setProduct: "setCartProduct",
  setExtra: "setCartExtra",
  removeExtra: "removeCartExtra",
  checkOut: "checkOutCart",
  paymentOperations: ["payRental", "payBooking"],
  refusals: [400, 409],
  search: (actor) => {
    const { category_code: _, pickup_place, return_place, date_from, date_to, ...times } = pickRental(actor);
    const places = { pickup_place: String(pickup_place), return_place: String(return_place) };
    return { ...times, ...places, date_from: formatDay(date_from), date_to: formatDay(date_to) };
  },
  product: ({ random, data }) => random.pick(data.codes),
  extras: ({ data }) => data.extras,
};

const TRANSFERS: Engine = {
  kind: "transfer",
  begin: "beginTransferCart",
  changeSearch: ["changeTransferCartSearch"],
  setProduct: "setTransferCartProduct",
  setExtra: "setTransferCartExtra",
  removeExtra: "removeTransferCartExtra",
  checkOut: "checkOutTransferCart",
  paymentOperations: ["payTransfer", "payTransferReservation"],
  refusals: [409],
  search: ({ random }) => {
    const first = FIRST_DAY + random.between(0, 1);
    const isRoundTrip = random.chance(0.4);
    const back = getDateAfter(first + random.between(1, 2));
    return {
      ...{ date: formatDay(getDateAfter(first)), time: pickTime(random) },
      ...{ origin_point_id: String(AIRPORT), destination_point_id: String(random.pick(DESTINATIONS)) },
      [random.pick(["round_trip", "rountrip"])]: String(isRoundTrip),
      ...(isRoundTrip && { return_date: formatDay(back), return_time: pickTime(random) }),
      ...{ number_of_adults: String(random.between(1, 3)), number_of_children: "0", number_of_infants: "0" },
    };
  },
  product: ({ random }) => String(random.pick(VEHICLES)),
  extras: () => TRANSFER_EXTRAS,
};

const formatDay = (date: string) => date.split("-").reverse().join("/");
const pickTime = (random: Actor["random"]) => `${random.pick(["09", "10", "11"])}:${random.pick(["00", "30"])}`;
const pickDay = (random: Actor["random"]) => getDateAfter(FIRST_DAY + random.between(0, 1));

interface Visit {
  readonly engine: Engine;
  readonly cart: string;
  /** Acknowledged quantity by extra code. */
  readonly extras: Map<string, number>;
}

/**
 * Visits a rental website: cart, product, extras, changes of mind and checkout. Sometimes also contract data, a
 * payment, and a change or cancellation.
 */
export const buyRental: ChaosWriter = async (actor) => {
  const visit = await fillCart(actor, RENTALS);
  const freeAccessId = visit && (await placeBooking(actor, visit));
  if (!visit || freeAccessId === undefined) return;
  if (actor.chance(0.5)) await fillContract(actor, freeAccessId);
  if (actor.account === "acme" && actor.chance(0.6))
    await simulateOnlinePayment(actor, freeAccessId, RENTALS.paymentOperations);
  if (actor.chance(0.3)) await thinkAgain(actor, visit, freeAccessId);
};

/**
 * Visits a transfer website, or sells a transfer at the desk. The office or visitor may move it, possibly to a sold-out
 * time, pay it, or the office may cancel it.
 */
export const buyTransfer: ChaosWriter = async (actor) => {
  const { account, random } = actor;
  if (random.chance(0.25)) return sellTransfer(actor);
  const visit = await fillCart(actor, TRANSFERS);
  const freeAccessId = visit && (await placeBooking(actor, visit));
  if (!visit || freeAccessId === undefined) return;
  const reservation = await readTransfer(actor, freeAccessId);
  const outward = { date: pickDay(random), time: pickTime(random) };
  if (random.chance(0.4))
    await act(actor, reservation, "changeReservation", { transfer: { outward, adults: random.between(1, 3) } });
  const change = { date: pickDay(random), time: pickTime(random), number_of_adults: random.between(1, 3) };
  if (random.chance(0.3)) await applyActionAsCustomer(actor, freeAccessId, "change", change);
  if (random.chance(0.5)) return simulateOnlinePayment(actor, freeAccessId, TRANSFERS.paymentOperations);
  if (!random.chance(0.3)) return;
  const booked = { account, kind: "transfer", freeAccessId, extras: visit.extras } as const;
  actor.history.purchases.set(visit.cart, { ...booked, state: "cancelling" });
  await actor.send("cancelTransfer", { id: reservation.id }, { reason: "chaos" });
  actor.history.purchases.set(visit.cart, { ...booked, state: "cancelled" });
};

// The engine answers a GET and a POST alike.
async function readTransfer(actor: Actor, id: string): Promise<Reservation> {
  const path = `/api/booking-transfer/frontend/reservation/${id}?api_key=${actor.account}-web`;
  const { booking } = actor.chance(0.5)
    ? await actor.read(path)
    : await actor.ask("readReservationByPost", { free_access_id: id }, {});
  if (booking.free_access_id !== id) throw new Error(`transfer ${id} is answered as ${booking.free_access_id}`);
  return { id: booking.id, version: 1, status: "pending_confirmation", free_access_id: id };
}

async function sellTransfer(actor: Actor): Promise<void> {
  const { account, random } = actor;
  const outward = { date: pickDay(random), time: pickTime(random) };
  const transfer = {
    outward: { ...outward, origin_point_id: AIRPORT, destination_point_id: random.pick(DESTINATIONS) },
    ...(random.chance(0.4) && { return: { date: getDateAfter(FIRST_DAY + 3), time: pickTime(random) } }),
    ...{ transfer_vehicle_id: random.pick(VEHICLES), adults: random.between(1, 3) },
    extras: random.chance(0.5) ? [{ code: random.pick(TRANSFER_EXTRAS) }] : [],
  };
  await actor.ask("quoteTransfer", {}, { transfer }, { refusals: [409] });
  const status = random.pick(["confirmed", "pending_confirmation"]);
  const customer = { name: "Tea", surname: `of ${account}` };
  const sold = await writeReservation(actor, "createTransfer", { transfer, customer, status });
  if (!sold) return;
  const changed = await act(actor, sold, "changeReservation", { transfer: { outward: { time: pickTime(random) } } });
  if (changed && random.chance(0.5)) await act(actor, changed, "cancelReservation", { reason: "chaos" });
}

// Expects the last returned values. If the outcome is unknown or rejected, either is possible.
async function thinkAgain(actor: Actor, { cart, extras }: Visit, freeAccessId: string): Promise<void> {
  const { account, history } = actor;
  const booked = { account, kind: "rental", freeAccessId } as const;
  if (actor.chance(0.4)) {
    history.purchases.set(cart, { ...booked, state: "cancelling", extras });
    if (await applyActionAsCustomer(actor, freeAccessId, "cancel"))
      history.purchases.set(cart, { ...booked, state: "cancelled", extras });
    return;
  }
  const code = actor.random.pick(actor.data.extras);
  history.purchases.set(cart, { ...booked, state: "booked" });
  const change = { extras: [{ code, quantity: 1 }], time_from: "11:00" };
  if (await applyActionAsCustomer(actor, freeAccessId, "change", change))
    history.purchases.set(cart, { ...booked, state: "booked", extras: new Map([[code, 1]]) });
}

async function fillCart(actor: Actor, engine: Engine): Promise<Visit | undefined> {
  const { random } = actor;
  const isRental = engine.kind === "rental";
  const created = await actor.ask(engine.begin, {}, engine.search(actor), { refusals: isRental ? [400] : [] });
  if (!created) return undefined; // the branch is closed that day
  const visit = { engine, cart: String(created.shopping_cart.free_access_id), extras: new Map<string, number>() };
  const changeSearch = () => change(actor, visit, random.pick(engine.changeSearch), engine.search(actor));
  if (!isRental && random.chance(0.2)) await changeSearch();
  if (!(await change(actor, visit, engine.setProduct, { product: engine.product(actor) }))) return undefined;
  for (let changes = random.between(0, 2); changes > 0; changes--) await changeExtra(actor, visit);
  if (!isRental) return visit;
  if (random.chance(0.2)) await changeSearch();
  if (!random.chance(0.2)) return visit;
  // A website's form checks a code, and the cart decides.
  await actor.send("checkPromotionCode", {}, { code: "WELCOME10" });
  await change(actor, visit, "applyPromotionCode", { promotion_code: "WELCOME10" });
  return visit;
}

async function changeExtra(actor: Actor, visit: Visit): Promise<void> {
  const { random } = actor;
  const { engine, extras } = visit;
  const extra = random.pick(engine.extras(actor));
  const quantity = random.between(1, 2);
  if (await change(actor, visit, engine.setExtra, { extra, quantity })) extras.set(extra, quantity);
  else if (engine.kind === "transfer") return;
  if (random.chance(0.3) && (await change(actor, visit, engine.removeExtra, { extra }))) extras.delete(extra);
}

/** Sends a cart change. Returns whether it was accepted. */
async function change(actor: Actor, { engine, cart }: Visit, operation: string, body: object): Promise<boolean> {
  const { refusals } = engine;
  return (await actor.send(operation, { free_access_id: cart }, body, { refusals })).isDone;
}

async function placeBooking(actor: Actor, { engine, cart, extras }: Visit): Promise<string | undefined> {
  const { account, history } = actor;
  const customer = {
    ...{ customer_name: "Ana", customer_surname: `of ${account}`, customer_email: "ana@example.com" },
    ...(engine.kind === "transfer" && { detailed_origin_flight_number: "IB3912" }),
  };
  const purchase = { account, kind: engine.kind };
  history.purchases.set(cart, { ...purchase, state: "asked" });
  const booked = await actor.ask(engine.checkOut, { free_access_id: cart }, customer, { refusals: [409] });
  if (!booked) return void history.purchases.set(cart, { ...purchase, state: "refused" });
  const freeAccessId = String(booked.free_access_id);
  history.purchases.set(cart, { ...purchase, state: "booked", freeAccessId, extras });
  return freeAccessId;
}

const OTHER_FLIGHT = `SELECT 1 FROM bookings WHERE free_access_id = ?
  AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(contract_data, value) > 0)`;

async function fillContract(actor: Actor, id: string): Promise<void> {
  const name = `flight of ${id}`;
  let acknowledged: string | undefined;
  for (let changes = 0; changes < 2; changes++) {
    const flight = `IB${actor.random.digits(4)}`;
    if (acknowledged) actor.expect(name, OTHER_FLIGHT, [id, JSON.stringify([acknowledged, flight])], 0);
    const body = { flight_number: flight };
    // The hold and with it the booking has expired.
    if (!(await actor.send("completeContract", { free_access_id: id }, body, { refusals: [409] })).isDone) return;
    acknowledged = flight;
    actor.expect(name, OTHER_FLIGHT, [id, JSON.stringify([flight])], 0);
  }
}
