import type { Booking } from "../api/messages.ts";
import { newId } from "../offline/ids.ts";
import { renewDay, showCancelled } from "./day.ts";
import { getWorkStatus } from "./entries.ts";
import { client } from "./phone.ts";
import type { nowThere } from "./settings.ts";

/** What the desk does to a booking's time at the kerb. */
export type BookingAction = "extend" | "early-return" | "no-show";

export interface MoveQuote {
  readonly allowed: boolean;
  readonly reasons: readonly { readonly message: string }[];
  /** What is to be known before; an older server says none. */
  readonly warnings?: readonly string[];
  readonly difference: string;
  readonly fee: string;
  readonly to_refund: string;
}

export interface NewReturn {
  readonly date_to: string;
  readonly time_to: string;
}

/** A later return is an extension, an earlier one an early return. */
export function moveTo(booking: Booking, { date_to, time_to }: NewReturn): BookingAction {
  return `${date_to} ${time_to}` > `${booking.date_to} ${booking.time_to}` ? "extend" : "early-return";
}

export type OfficeCallResult<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused" | "unreachable"; readonly message: string };

const toReservationPath = ({ booking_id }: Booking, what: string) => `/api/v1/office/reservations/${booking_id}${what}`;

/** Whether its customer should have come by now, and nothing of a hand-over is begun or waits on this phone. */
export function isNoShowDue(booking: Booking, now: ReturnType<typeof nowThere>): boolean {
  const { status, resources, date_from, time_from } = booking;
  const canMarkNoShow = status === "confirmed" && resources.every(({ state }) => state === "to_deliver");
  const isPast = `${date_from} ${time_from}` < `${now.date} ${now.time}`;
  return canMarkNoShow && isPast && getWorkStatus(booking, "delivery") === "todo";
}

/** What a move would cost, and why it is refused; nothing is changed. */
export async function quoteBookingAction(
  booking: Booking,
  move: BookingAction,
  to: NewReturn | undefined,
): Promise<OfficeCallResult<MoveQuote>> {
  return quote(booking, { move, ...to });
}

/** What an exchange for a better vehicle comes to; nothing is changed. */
export async function quoteExchange(
  booking: Booking,
  upgrade: { readonly unit_id: number; readonly upgrade_price: string },
): Promise<OfficeCallResult<MoveQuote>> {
  return quote(booking, { move: "exchange", ...upgrade });
}

/** What the whole rental would cost more in another category; nothing is changed. */
export async function quoteCategory(booking: Booking, category_code: string): Promise<OfficeCallResult<MoveQuote>> {
  return quote(booking, { move: "change", category_code });
}

interface Changed {
  readonly reservation: { readonly version: number };
}

/** Agrees on another category at its price: the booking's version from now on. */
export async function changeCategory(booking: Booking, category_code: string): Promise<OfficeCallResult<Changed>> {
  return make<Changed>(booking, "PATCH", "", { category_code });
}

async function quote(booking: Booking, json: object): Promise<OfficeCallResult<MoveQuote>> {
  return toCallResult(await client.call<MoveQuote>("POST", toReservationPath(booking, "/quote"), { json }));
}

/** Does a move, once only; needs the network, because stock and prices are the company's. */
export async function applyBookingAction(
  booking: Booking,
  move: BookingAction,
  to: NewReturn | undefined,
): Promise<OfficeCallResult<unknown>> {
  return make(booking, "POST", `/${move}`, to);
}

const NO_SHOW = "/no-show";

// Pressed again after an answer that was lost it is decided on the version that was seen, so it is never done twice.
async function make<T>(
  booking: Booking,
  method: "POST" | "PATCH",
  what: string,
  requestBody: object | undefined,
): Promise<OfficeCallResult<T>> {
  const json = { expected_version: booking.version, ...requestBody };
  const answer = await client.call<T>(method, toReservationPath(booking, what), {
    json,
    idempotencyKey: newId(Date.now()),
  });
  if (answer.kind === "ok" && what === NO_SHOW) showCancelled(booking);
  await renewDay();
  return toCallResult(answer);
}

/** An answer of the office: what it said, why it refused, or that it could not be asked. */
export function toCallResult<T>(answer: Awaited<ReturnType<typeof client.call<T>>>): OfficeCallResult<T> {
  if (answer.kind === "ok") return { kind: "ok", value: answer.value };
  return answer.kind === "refused"
    ? { kind: "refused", message: answer.message }
    : { kind: "unreachable", message: "" };
}
