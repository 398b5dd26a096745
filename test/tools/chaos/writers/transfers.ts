import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { applyActionAsCustomer } from "./customer-actions.ts";
import { sendToOffice } from "./office-requests.ts";
import { simulateOnlinePayment } from "./payment.ts";
import { applyReservationAction, RESERVATIONS_PATH } from "./reservation-actions.ts";

const ENGINE = "/api/booking-transfer/frontend";
const TRANSFERS = "/api/v1/office/transfers";
const PAYMENT_PATHS = ["/transfer/pagar", "/reserva-transfer/pagar"];
/** Only two mornings, so that vehicles become scarce. */
const FIRST_DAY = 40;
const AIRPORT = 1;
const DESTINATIONS = [3, 4, 5, 6, 9];
const VEHICLES = [1, 1, 2, 3];
const EXTRAS = ["SEAT", "BABY", "BIKE"];

interface Visit {
  readonly account: AccountName;
  readonly cart: string;
  /** Acknowledged quantity by extra code. */
  readonly extras: Map<string, number>;
}

/**
 * Creates a transfer visitor: cart, vehicle, extras and checkout. The office or visitor may move it, possibly to a
 * sold-out time, pay it, or the office may cancel it. Sometimes the office sells one.
 */
export function createTransferWriter(account: AccountName): ChaosWriter {
  return (context) => (context.random.chance(0.25) ? sellAtDesk(context, account) : buyOnline(context, account));
}

async function buyOnline(context: WriterContext, account: AccountName): Promise<void> {
  const { random } = context;
  const visit = await fillCart(context, account);
  if (!visit) return;
  const freeAccessId = await placeBooking(context, visit);
  if (freeAccessId === undefined) return;
  const bookingId = await read(context, account, freeAccessId);
  if (random.chance(0.4)) await move(context, account, { bookingId, freeAccessId });
  if (random.chance(0.3))
    await applyActionAsCustomer(context, { account, freeAccessId, action: "change", change: ownChange(context) });
  if (random.chance(0.5)) return simulateOnlinePayment(context, { account, freeAccessId, paths: PAYMENT_PATHS });
  if (!random.chance(0.3)) return;
  await cancel(context, { ...visit, freeAccessId, bookingId, token: context.staffTokens[account] });
}

const pickTime = ({ random }: WriterContext) => `${random.pick(["09", "10", "11"])}:${random.pick(["00", "30"])}`;
const pickDay = ({ random }: WriterContext) => getDateAfter(FIRST_DAY + random.between(0, 1));

const ownChange = (context: WriterContext) => ({
  ...{ date: pickDay(context), time: pickTime(context) },
  number_of_adults: context.random.between(1, 3),
});

/** Sells, moves and cancels a transfer by phone, each write with its own key. */
async function sellAtDesk(context: WriterContext, account: AccountName): Promise<void> {
  const { random } = context;
  const desk = { account, token: context.staffTokens[account] };
  const outward = { date: pickDay(context), time: pickTime(context) };
  const transfer = {
    outward: { ...outward, origin_point_id: AIRPORT, destination_point_id: random.pick(DESTINATIONS) },
    ...(random.chance(0.4) && { return: { date: getDateAfter(FIRST_DAY + 3), time: pickTime(context) } }),
    ...{ transfer_vehicle_id: random.pick(VEHICLES), adults: random.between(1, 3) },
    extras: random.chance(0.5) ? [{ code: random.pick(EXTRAS) }] : [],
  };
  await sendToOffice(context, { account, method: "POST", path: "/transfers/quote" }, { transfer }, [409]);
  const customer = { name: "Tea", surname: `of ${account}` };
  const status = random.pick(["confirmed", "pending_confirmation"]);
  const createdTransfer = await applyReservationAction(
    context,
    { ...desk, path: TRANSFERS, method: "POST", reservation: undefined },
    { transfer, customer, status },
  );
  if (!createdTransfer) return;
  const path = `${RESERVATIONS_PATH}/${createdTransfer.id}`;
  const later = { expected_version: createdTransfer.version, transfer: { outward: { time: pickTime(context) } } };
  const changedTransfer = await applyReservationAction(
    context,
    { ...desk, path, method: "PATCH", reservation: createdTransfer },
    later,
  );
  if (!changedTransfer || random.chance(0.5)) return;
  const cancelled = { expected_version: changedTransfer.version, reason: "chaos" };
  await applyReservationAction(
    context,
    { ...desk, path: `${path}/cancel`, method: "POST", reservation: changedTransfer },
    cancelled,
  );
}

function buildTransferSearch({ random }: WriterContext) {
  const isRoundTrip = random.chance(0.4);
  const day = (days: number) => getDateAfter(days).split("-").reverse().join("/");
  const time = () => `${random.pick(["09", "10", "11"])}:${random.pick(["00", "30"])}`;
  const first = FIRST_DAY + random.between(0, 1);
  return {
    date: day(first),
    time: time(),
    origin_point_id: String(AIRPORT),
    destination_point_id: String(random.pick(DESTINATIONS)),
    [random.pick(["round_trip", "rountrip"])]: String(isRoundTrip),
    ...(isRoundTrip && { return_date: day(first + random.between(1, 2)), return_time: time() }),
    number_of_adults: String(random.between(1, 3)),
    number_of_children: "0",
    number_of_infants: "0",
  };
}

async function fillCart(context: WriterContext, account: AccountName): Promise<Visit | undefined> {
  const { client, random } = context;
  const create = createJsonCall(
    { account, method: "POST", path: `${ENGINE}/shopping-cart?api_key=${account}-web` },
    buildTransferSearch(context),
  );
  const created = await client.sendUntilAnswered(create);
  if (created.status !== 200) throw createUnexpectedAnswerError(create, created);
  const visit = {
    account,
    cart: String(parseJson(created).shopping_cart.free_access_id),
    extras: new Map<string, number>(),
  };
  if (random.chance(0.2)) await change(context, visit, "", buildTransferSearch(context));
  const product = String(random.pick(VEHICLES));
  if (!(await change(context, visit, "/set-product", { product }))) return undefined;
  for (let remainingChanges = random.between(0, 2); remainingChanges > 0; remainingChanges--) {
    const extra = random.pick(EXTRAS);
    const quantity = random.between(1, 2);
    if (!(await change(context, visit, "/set-extra", { extra, quantity }))) continue;
    visit.extras.set(extra, quantity);
    if (!random.chance(0.3)) continue;
    await change(context, visit, "/remove-extra", { extra });
    visit.extras.delete(extra);
  }
  return visit;
}

/** Sends a cart change. Returns whether it was accepted. Sold-out items are rejected. */
async function change(
  { client }: WriterContext,
  { account, cart }: Visit,
  step: string,
  content: unknown,
): Promise<boolean> {
  const path = `${ENGINE}/shopping-cart/${cart}${step}?api_key=${account}-web`;
  const call = createJsonCall({ account, method: "POST", path }, content);
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200 && answer.status !== 409) throw createUnexpectedAnswerError(call, answer);
  return answer.status === 200;
}

async function placeBooking(
  { client, history }: WriterContext,
  { account, cart, extras }: Visit,
): Promise<string | undefined> {
  const customer = {
    customer_name: "Ana",
    customer_surname: `of ${account}`,
    customer_email: "ana@example.com",
    detailed_origin_flight_number: "IB3912",
  };
  const path = `${ENGINE}/shopping-cart/${cart}/checkout?api_key=${account}-web`;
  const checkout = createJsonCall({ account, method: "POST", path }, customer);
  history.purchases.set(cart, { account, kind: "transfer", state: "asked" });
  const answer = await client.sendUntilAnswered(checkout);
  if (answer.status === 409) {
    history.purchases.set(cart, { account, kind: "transfer", state: "refused" });
    return undefined;
  }
  if (answer.status !== 200) throw createUnexpectedAnswerError(checkout, answer);
  const freeAccessId = String(parseJson(answer).free_access_id);
  history.purchases.set(cart, { account, kind: "transfer", state: "booked", freeAccessId, extras });
  return freeAccessId;
}

async function read({ client, random }: WriterContext, account: AccountName, id: string): Promise<number> {
  const path = `${ENGINE}/reservation/${id}?api_key=${account}-web`;
  const call = random.chance(0.5)
    ? { account, method: "GET", path }
    : createJsonCall({ account, method: "POST", path }, {});
  const answer = await client.sendUntilAnswered(call);
  const booking = answer.status === 200 ? parseJson(answer).booking : undefined;
  if (booking?.free_access_id !== id) throw createUnexpectedAnswerError(call, answer);
  return booking.id;
}

async function move(
  context: WriterContext,
  account: AccountName,
  { bookingId: id, freeAccessId: free_access_id }: { readonly bookingId: number; readonly freeAccessId: string },
): Promise<void> {
  const { random } = context;
  const reservation = { id, version: 1, status: "pending_confirmation", free_access_id };
  const transferSnapshot = {
    account,
    token: context.staffTokens[account],
    method: "PATCH",
    path: `${RESERVATIONS_PATH}/${id}`,
    reservation,
  };
  const transfer = {
    outward: { date: pickDay(context), time: pickTime(context) },
    adults: random.between(1, 3),
  };
  await applyReservationAction(context, transferSnapshot, { expected_version: 1, transfer });
}

async function cancel(
  { client, history }: WriterContext,
  {
    account,
    cart,
    extras,
    freeAccessId,
    bookingId,
    token,
  }: Visit & { readonly freeAccessId: string; readonly bookingId: number; readonly token: string },
): Promise<void> {
  const path = `/api/v1/booking/transfer-reservations/${bookingId}/cancel`;
  const call = createJsonCall({ account, method: "POST", path }, { reason: "chaos" }, token);
  const booked = { account, kind: "transfer", freeAccessId, extras } as const;
  history.purchases.set(cart, { ...booked, state: "cancelling" });
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  history.purchases.set(cart, { ...booked, state: "cancelled" });
}
