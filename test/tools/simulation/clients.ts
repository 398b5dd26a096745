import { createHmac } from "node:crypto";
import { toDayNumber } from "#domain/dates.ts";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import type { History } from "./history.ts";
import type { Answer, Call, Platform } from "./platform.ts";
import type { RentalRequest, Step } from "./steps.ts";
import type { Timeline } from "./timeline.ts";

/** Context of simulated clients. */
export interface Clients {
  readonly timeline: Timeline;
  readonly platform: Platform;
  readonly history: History;
  /** First day of the run in days since 1970. */
  readonly firstDay: number;
}

const OTA = "/api/booking/ota";
const ENGINE = "/api/booking/frontend";
const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const MINUTE = 60_000;
/** Delays between retries in ms. Afterwards the client gives up without knowing the outcome. */
const RETRY_DELAYS_MS = [300, 1000, 3000, 10_000, 30_000, 60_000, 5 * MINUTE, 15 * MINUTE];

type StepOf<K extends Step["does"]> = Extract<Step, { readonly does: K }>;

/**
 * Repeats a request without a response or with 429 or 503, as every client must. Undefined if that never changed, or
 * after another server error, which is recorded as a fault.
 */
export async function callUntilAnswered(
  { timeline, platform, history }: Clients,
  call: Call,
): Promise<Answer | undefined> {
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

/** Formats a day number since 1970 as a date. */
export function formatEpochDay(epochDay: number): string {
  return new Date(epochDay * 86_400_000).toISOString().slice(0, 10);
}

function createSignedAgencyCall(path: string, content: unknown): Call {
  const body = JSON.stringify(content);
  const signature = createHmac("sha1", "agency-secret")
    .update(path + body)
    .digest("hex");
  return { method: "POST", path, headers: { ...JSON_TYPE, Authorization: `agency:${signature}` }, body };
}

/** Returns the agency's reference for the booking of a step. */
export function getAgencyReference(step: number): string {
  return `sim-${step}`;
}

/** Books as an agency. */
export async function createAgencyBooking(clients: Clients, { id, rental }: StepOf<"book">): Promise<void> {
  const { history, firstDay } = clients;
  const day = firstDay + rental.from;
  const reservation = {
    date_from: formatEpochDay(day),
    time_from: "10:00",
    date_to: formatEpochDay(day + rental.days),
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
  const answer = await callUntilAnswered(clients, createSignedAgencyCall(`${OTA}/booking`, { reservation }));
  if (answer) history.answerBooking(id, answer);
}

/** Cancels a confirmed booking as an agency. */
export async function cancelAgencyBooking(clients: Clients, { booking }: StepOf<"cancel">): Promise<void> {
  const { history } = clients;
  if (history.bookings.get(booking) !== "booked") return;
  history.bookings.set(booking, "cancelling");
  const content = { reservation: { agency_reservation_id: getAgencyReference(booking) } };
  const answer = await callUntilAnswered(clients, createSignedAgencyCall(`${OTA}/cancel-booking`, content));
  if (answer) history.bookings.set(booking, answer.status === 200 ? "cancelled" : "out");
}

function visitorCall(id: number, path: string, content: unknown): Call {
  const headers = { ...JSON_TYPE, Origin: "https://shop.example", "CF-Connecting-IP": getClientAddress(id) };
  return { method: "POST", path: `${ENGINE}${path}`, headers, body: JSON.stringify(content) };
}

// Returns a separate network address for each visitor.
function getClientAddress(id: number): string {
  return `2001:db8:${(id >> 16).toString(16)}:${(id & 0xffff).toString(16)}::1`;
}

function buildSearch(rental: RentalRequest, firstDay: number) {
  const form = (day: number) => formatEpochDay(day).split("-").reverse().join("/");
  return {
    date_from: form(firstDay + rental.from),
    time_from: "10:00",
    date_to: form(firstDay + rental.from + rental.days),
    time_to: "10:00",
    pickup_place: "1",
    return_place: "1",
  };
}

/** Simulates a website visitor: cart, car, checkout, and possibly a payment with a partial refund. */
export async function buyOnWebsite(clients: Clients, step: StepOf<"buy">): Promise<void> {
  const { id, rental, pays } = step;
  const { timeline, history, firstDay } = clients;
  const created = await callUntilAnswered(clients, visitorCall(id, "/shopping-cart", buildSearch(rental, firstDay)));
  if (created?.status !== 200) return;
  const cart = `/shopping-cart/${JSON.parse(created.text).shopping_cart.free_access_id}`;
  const chosen = await callUntilAnswered(clients, visitorCall(id, `${cart}/set-product`, { product: rental.code }));
  if (chosen?.status !== 200) return;
  history.purchases.set(id, { state: "asked" });
  const answer = await callUntilAnswered(clients, visitorCall(id, `${cart}/checkout`, CHECKOUT));
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

/** The gateway takes the payment and repeats its notification until it's acknowledged. */
async function pay(clients: Clients, { id, refunds }: StepOf<"buy">, freeAccessId: string): Promise<void> {
  const { timeline, history } = clients;
  const headers = { ...FORM_TYPE, "CF-Connecting-IP": getClientAddress(id) };
  const fields = { id: freeAccessId, payment: id % 2 === 0 ? "deposit" : "total", payment_method_id: "tpvA256" };
  const body = new URLSearchParams(fields).toString();
  const page = await callUntilAnswered(clients, { method: "POST", path: "/reserva/pagar", headers, body });
  if (page?.status !== 200) return;
  const order = buildRedsysNotice(page.text);
  const paymentRecord = { cents: order.cents, refundedCents: 0, isTold: false };
  history.payments.set(order.reference, paymentRecord);
  await timeline.sleep(20_000);
  paymentRecord.isTold = await notify(clients, order.fields);
  const cents = Math.floor((order.cents * refunds) / 100);
  if (cents === 0 || !paymentRecord.isTold) return;
  await timeline.sleep(60 * MINUTE);
  paymentRecord.refundedCents = cents;
  paymentRecord.isTold = await notify(clients, order.refund(cents, `${id}`.padStart(6, "0")));
}

// Repeated although acknowledged, as gateways do.
async function notify(clients: Clients, fields: Readonly<Record<string, string>>): Promise<boolean> {
  const body = new URLSearchParams(fields).toString();
  const call = { method: "POST", path: "/charge-processed/tpvA256", headers: FORM_TYPE, body };
  const answer = await callUntilAnswered(clients, call);
  if (answer && answer.status !== 200)
    clients.history.faults.push(`a notice is answered ${answer.status} ${answer.text}`);
  if (clients.timeline.current().random.chance(0.3)) await clients.platform.send(call);
  return answer?.status === 200;
}

/** Returns the first bookable day of a run that starts at an instant (epoch ms). */
export function getFirstDay(startsAt: number): number {
  return toDayNumber(new Date(startsAt).toISOString().slice(0, 10) as Parameters<typeof toDayNumber>[0]);
}
