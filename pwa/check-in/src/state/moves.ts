import type { Booking } from "../api/messages.ts";
import { newId } from "../offline/ids.ts";
import { renewDay } from "./day.ts";
import { client } from "./phone.ts";

/** What the desk can do to a booking at the kerb. */
export type Move = "extend" | "early-return" | "no-show";

export interface MoveQuote {
  readonly allowed: boolean;
  readonly reasons: readonly { readonly message: string }[];
  readonly difference: string;
  readonly fee: string;
  readonly to_refund: string;
}

export interface NewReturn {
  readonly date_to: string;
  readonly time_to: string;
}

/** A later return is an extension, an earlier one an early return. */
export function moveTo(booking: Booking, { date_to, time_to }: NewReturn): Move {
  return `${date_to} ${time_to}` > `${booking.date_to} ${booking.time_to}` ? "extend" : "early-return";
}

export type Asked<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused" | "unreachable"; readonly message: string };

const pathOf = ({ booking_id }: Booking, what: string) => `/api/v1/office/reservations/${booking_id}/${what}`;

/** What a move would cost, and why it is refused; nothing is changed. */
export async function quoteMove(booking: Booking, move: Move, to: NewReturn | undefined): Promise<Asked<MoveQuote>> {
  return asked(await client.call<MoveQuote>("POST", pathOf(booking, "quote"), { json: { move, ...to } }));
}

/** Does a move, once only; needs the network, because stock and prices are the company's. */
export async function makeMove(booking: Booking, move: Move, to: NewReturn | undefined): Promise<Asked<unknown>> {
  const json = { expected_version: booking.version, ...to };
  const answer = await client.call("POST", pathOf(booking, move), { json, idempotencyKey: newId(Date.now()) });
  await renewDay();
  return asked(answer);
}

function asked<T>(answer: Awaited<ReturnType<typeof client.call<T>>>): Asked<T> {
  if (answer.kind === "ok") return { kind: "ok", value: answer.value };
  return answer.kind === "refused"
    ? { kind: "refused", message: answer.message }
    : { kind: "unreachable", message: "" };
}
