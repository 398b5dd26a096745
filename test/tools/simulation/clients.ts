import { createHmac } from "node:crypto";
import { toDayNumber } from "#domain/dates.ts";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import type { History } from "./history.ts";
import type { Answer, Call, Platform } from "./platform.ts";
import type { RentalRequest, Step } from "./steps.ts";
import type { Timeline } from "./timeline.ts";

/** What clients do their work with. */
export interface Clients {
  readonly timeline: Timeline;
  readonly platform: Platform;
  readonly history: History;
  /** The first day of the run, as days since 1970. */
  readonly firstDay: number;
}

const OTA = "/api/booking/ota";
const ENGINE = "/api/booking/frontend";
const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const MINUTE = 60_000;
/** How long somebody waits before asking again, and how often: then they give up, and never know. */
const RETRY_DELAYS_MS = [300, 1000, 3000, 10_000, 30_000, 60_000, 5 * MINUTE, 15 * MINUTE];

type Does<K extends Step["does"]> = Extract<Step, { readonly does: K }>;

/** The rule of every client: the same request again until it is answered. Undefined where it never was. */
export async function untilAnswered({ timeline, platform, history }: Clients, call: Call): Promise<Answer | undefined> {
  for (const wait of [...RETRY_DELAYS_MS, 0]) {
    const answer = await platform.send(call);
    if (answer && answer.status >= 500 && answer.status !== 503) {
      history.faults.push(`${call.method} ${call.path}: ${answer.status} ${answer.text.slice(0, 200)}`);
      return undefined;
    }
    if (answer && answer.status !== 503 && answer.status !== 429) return answer;
    history.repeated += 1;
    await timeline.sleep(wait);
  }
  return undefined;
}

/** A day, counted from 1970, as it is written. */
export function formatDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

function signed(path: string, content: unknown): Call {
  const body = JSON.stringify(content);
  const signature = createHmac("sha1", "agency-secret")
    .update(path + body)
    .digest("hex");
  return { method: "POST", path, headers: { ...JSON_TYPE, Authorization: `agency:${signature}` }, body };
}

/** The name under which an agency knows what a step books. */
export function getAgencyReference(step: number): string {
  return `sim-${step}`;
}

/** An agency books. */
export async function book(clients: Clients, { id, rental }: Does<"book">): Promise<void> {
  const { history, firstDay } = clients;
  const day = firstDay + rental.from;
  const reservation = {
    date_from: formatDay(day),
    time_from: "10:00",
    date_to: formatDay(day + rental.days),
    time_to: "10:00",
    pickup_place: 1,
    return_place: 1,
    customer_name: "Ana",
    customer_surname: "Ruiz",
    agency_reservation_id: getAgencyReference(id),
    products: [{ code: rental.code, quantity: rental.quantity }],
    extras: rental.seats > 0 ? [{ code: "SEAT", quantity: rental.seats }] : [],
  };
  history.bookings.set(id, "asked");
  const answer = await untilAnswered(clients, signed(`${OTA}/booking`, { reservation }));
  if (answer) history.answerBooking(id, answer);
}

/** An agency cancels what it was told is booked. */
export async function cancel(clients: Clients, { booking }: Does<"cancel">): Promise<void> {
  const { history } = clients;
  if (history.bookings.get(booking) !== "booked") return;
  history.bookings.set(booking, "cancelling");
  const content = { reservation: { agency_reservation_id: getAgencyReference(booking) } };
  const answer = await untilAnswered(clients, signed(`${OTA}/cancel-booking`, content));
  if (answer) history.bookings.set(booking, answer.status === 200 ? "cancelled" : "out");
}

function visitorCall(id: number, path: string, content: unknown): Call {
  const headers = { ...JSON_TYPE, Origin: "https://shop.example", "CF-Connecting-IP": getClientAddress(id) };
  return { method: "POST", path: `${ENGINE}${path}`, headers, body: JSON.stringify(content) };
}

// Each visitor comes from a network of his own.
function getClientAddress(id: number): string {
  return `2001:db8:${(id >> 16).toString(16)}:${(id & 0xffff).toString(16)}::1`;
}

function buildSearch(rental: RentalRequest, firstDay: number) {
  const form = (day: number) => formatDay(day).split("-").reverse().join("/");
  return {
    date_from: form(firstDay + rental.from),
    time_from: "10:00",
    date_to: form(firstDay + rental.from + rental.days),
    time_to: "10:00",
    pickup_place: "1",
    return_place: "1",
  };
}

/** A visitor of the website: a cart, a car, a checkout, perhaps a payment, of which some may be given back. */
export async function buy(clients: Clients, step: Does<"buy">): Promise<void> {
  const { id, rental, pays } = step;
  const { timeline, history, firstDay } = clients;
  const created = await untilAnswered(clients, visitorCall(id, "/shopping-cart", buildSearch(rental, firstDay)));
  if (created?.status !== 200) return;
  const cart = `/shopping-cart/${JSON.parse(created.text).shopping_cart.free_access_id}`;
  const chosen = await untilAnswered(clients, visitorCall(id, `${cart}/set-product`, { product: rental.code }));
  if (chosen?.status !== 200) return;
  history.purchases.set(id, { state: "asked" });
  const answer = await untilAnswered(clients, visitorCall(id, `${cart}/checkout`, CHECKOUT));
  if (!answer) return;
  const freeAccessId = answer.status === 200 ? String(JSON.parse(answer.text).free_access_id) : undefined;
  history.purchases.set(id, freeAccessId ? { state: "placed", freeAccessId } : { state: "refused" });
  if (!freeAccessId || pays === undefined) return;
  await timeline.sleep(pays * MINUTE);
  await pay(clients, step, freeAccessId);
}

const CHECKOUT = {
  customer_name: "Ana",
  customer_surname: "Ruiz",
  customer_email: "ana@example.com",
  customer_phone: "600000000",
  payment: "none",
  complete_action: "request_reservation",
};

/** The gateway takes the money, whatever becomes of its notice: it tells until it is heard. */
async function pay(clients: Clients, { id, refunds }: Does<"buy">, freeAccessId: string): Promise<void> {
  const { timeline, history } = clients;
  const headers = { ...FORM_TYPE, "CF-Connecting-IP": getClientAddress(id) };
  const fields = { id: freeAccessId, payment: id % 2 === 0 ? "deposit" : "total", payment_method_id: "tpvA256" };
  const body = new URLSearchParams(fields).toString();
  const page = await untilAnswered(clients, { method: "POST", path: "/reserva/pagar", headers, body });
  if (page?.status !== 200) return;
  const order = buildRedsysNotice(page.text);
  const paymentRecord = { cents: order.cents, refundedCents: 0, isTold: false };
  history.taken.set(order.reference, paymentRecord);
  await timeline.sleep(20_000);
  paymentRecord.isTold = await notify(clients, order.fields);
  const cents = Math.floor((order.cents * refunds) / 100);
  if (cents === 0 || !paymentRecord.isTold) return;
  await timeline.sleep(60 * MINUTE);
  paymentRecord.refundedCents = cents;
  paymentRecord.isTold = await notify(clients, order.refund(cents, `${id}`.padStart(6, "0")));
}

// Told again though it was heard: gateways do so.
async function notify(clients: Clients, fields: Readonly<Record<string, string>>): Promise<boolean> {
  const body = new URLSearchParams(fields).toString();
  const call = { method: "POST", path: "/charge-processed/tpvA256", headers: FORM_TYPE, body };
  const answer = await untilAnswered(clients, call);
  if (answer && answer.status !== 200)
    clients.history.faults.push(`a notice is answered ${answer.status} ${answer.text}`);
  if (clients.timeline.current().random.chance(0.3)) await clients.platform.send(call);
  return answer?.status === 200;
}

/** The first day that can be asked for in a run that begins at a moment (epoch ms). */
export function getFirstDay(startsAt: number): number {
  return toDayNumber(new Date(startsAt).toISOString().slice(0, 10) as Parameters<typeof toDayNumber>[0]);
}
